import pc from 'picocolors'
import { TASK_EXAMPLE } from '../builtins.js'
import { listSuites as suitesListed } from '../library.js'
import type { Command } from './args.js'

/** `memscope suites`: what can be asked. */
export const listSuites: Command = {
  name: 'suites',
  about: 'list the suites and their tasks',
  usage: 'suites [file of your own] [--json]',
  flags: { json: { type: 'switch', about: 'as JSON' } },
  words: 1,
  examples: [`memscope run --suite ${TASK_EXAMPLE}`, 'memscope suites ./my-suite.ts'],
  async run({ on, words: [suite] }) {
    const listed = await suitesListed(suite === undefined ? {} : { suite })
    if (on.json) {
      process.stdout.write(`${JSON.stringify(listed, null, 2)}\n`)
      return 0
    }
    for (const { name, about, paper, tasks } of listed) {
      process.stdout.write(`${pc.bold(name)}  ${about}${paper === '' ? '' : ` ${pc.dim(`(${paper})`)}`}\n`)
      const width = Math.max(...tasks.map((task) => task.name.length))
      for (const task of tasks) {
        process.stdout.write(
          `  ${task.name.padEnd(width)}  ${task.about} ${pc.dim(`(${task.bundledQuestions} bundled questions${task.paperK.length > 0 ? `; paper’s k ${task.paperK.join(', ')}` : ''})`)}\n`,
        )
      }
    }
    return 0
  },
}
