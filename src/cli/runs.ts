import { listRuns } from '../library.js'
import { type Command, optionsFrom } from './args.js'

/** `memscope runs`: what was run here. */
export const runs: Command = {
  name: 'runs',
  about: 'list the runs kept here, newest first',
  usage: 'runs',
  flags: {},
  words: 0,
  examples: [],
  async run(typed) {
    const all = await listRuns(optionsFrom(typed))
    if (all.length === 0) process.stdout.write('No runs yet. Start with: memscope run\n')
    for (const { run, status, created, suites, systems } of all) {
      const time = created.slice(0, 16).replace('T', ' ')
      process.stdout.write(`${run}  ${status.padEnd(7)}  ${time}  ${suites.join(',')}  ${systems.join(',')}\n`)
    }
    return 0
  },
}
