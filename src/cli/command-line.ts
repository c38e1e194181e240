import { unknownName } from '../base/errors.js'
import { harnessVersion } from '../library/version.js'
import { type Command, helpOf, readArgs } from './args.js'
import { EXIT_CODES } from './ending.js'
import { suiteSpecsIn, withSuiteFlags } from './flags.js'
import { readPipes } from './pipes.js'

/** The commands. The code of each is read once somebody asks for it: reading all of it takes longer than most commands run. */
const commands: Record<string, () => Promise<Command>> = {
  run: async () => (await import('./run.js')).run,
  score: async () => (await import('./score.js')).score,
  show: async () => (await import('./show.js')).show,
  view: async () => (await import('./view.js')).view,
  report: async () => (await import('./report.js')).report,
  compare: async () => (await import('./compare.js')).compare,
  explain: async () => (await import('./explain.js')).explain,
  optimise: async () => (await import('./optimise.js')).optimise,
  rejudge: async () => (await import('./report.js')).rejudge,
  reanswer: async () => (await import('./report.js')).reanswer,
  runs: async () => (await import('./runs.js')).runs,
  worker: async () => (await import('./worker.js')).worker,
  judge: async () => (await import('./judge.js')).judge,
  data: async () => (await import('./data.js')).data,
  check: async () => (await import('./check.js')).check,
  init: async () => (await import('./init.js')).init,
  systems: async () => (await import('./lists.js')).listSystems,
  suites: async () => (await import('./lists.js')).listSuites,
  models: async () => (await import('./models-list.js')).listModels,
}

/** Does what was typed behind `memscope`, and gives the exit code. Mistakes are thrown. */
export async function commandLine(args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${harnessVersion()}\n`)
    return 0
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(await overview())
    return 0
  }
  if (!Object.hasOwn(commands, name)) throw unknownName('command', name, Object.keys(commands))
  const command = await withSuiteFlags(await commands[name]!(), suiteSpecsIn(rest))
  const typed = readArgs(command, rest)
  if (typed.on.help) {
    process.stdout.write(helpOf(command, typed.words[0]))
    return 0
  }
  return command.run(await readPipes(typed))
}

async function overview(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()))
  const width = Math.max(...all.map(({ name }) => name.length))
  return [
    'Memscope finds out why an agent’s memory fails.',
    '',
    'Usage: memscope <command> [flags]',
    '',
    ...all.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    '',
    'memscope run, without flags, is the tour: no key, no network, under a minute.',
    'memscope <command> --help shows its flags.',
    '',
    'Exit codes:',
    ...EXIT_CODES.map(([code, about]) => `  ${code.padEnd(width)}  ${about}`),
    '',
  ].join('\n')
}
