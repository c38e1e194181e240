import { unknownName } from '../base/errors.js'
import { harnessVersion } from '../library/version.js'
import { type Command, readArgs } from './args.js'
import { EXIT_CODES } from './ending.js'
import { suiteSpecsIn, withSuiteFlags } from './flags.js'
import { helpOf, twoColumns, wrapped } from './help.js'
import { readPipes } from './pipes.js'

type Commands = Readonly<Record<string, () => Promise<Command>>>

/** The commands, by what one wants. The code of each is read once somebody asks for it: reading all of it takes longer than most commands run. */
const GROUPS: Readonly<Record<string, Commands>> = {
  Measure: {
    run: async () => (await import('./run.js')).run,
    score: async () => (await import('./score.js')).score,
    redo: async () => (await import('./redo.js')).redo,
    optimise: async () => (await import('./optimise.js')).optimise,
  },
  'Look at a run': {
    show: async () => (await import('./show.js')).show,
    view: async () => (await import('./view.js')).view,
    report: async () => (await import('./report.js')).report,
    compare: async () => (await import('./compare.js')).compare,
    explain: async () => (await import('./explain.js')).explain,
  },
  'Runs that are kept and shared': {
    runs: async () => (await import('./runs.js')).runs,
    worker: async () => (await import('./worker.js')).worker,
  },
  'A memory, judge or corpus of your own': {
    init: async () => (await import('./init.js')).init,
    check: async () => (await import('./check.js')).check,
    judge: async () => (await import('./judge.js')).judge,
    data: async () => (await import('./data.js')).data,
  },
  'What there is': {
    systems: async () => (await import('./lists.js')).listSystems,
    suites: async () => (await import('./lists.js')).listSuites,
    models: async () => (await import('./models-list.js')).listModels,
  },
}

const commands: Commands = Object.assign({}, ...Object.values(GROUPS))

/** Names under which scripts know a command. */
const OTHER_NAMES: Readonly<Record<string, string>> = { rejudge: 'redo', reanswer: 'redo' }

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
  const load = Object.hasOwn(OTHER_NAMES, name) ? commands[OTHER_NAMES[name]!] : commandNamed(name)
  const command = await withSuiteFlags(await load!(), suiteSpecsIn(rest))
  const typed = readArgs(command, rest)
  if (typed.on.help) {
    process.stdout.write(helpOf(command, typed.words[0]))
    return 0
  }
  return command.run(await readPipes(typed))
}

function commandNamed(name: string): Commands[string] {
  if (!Object.hasOwn(commands, name)) throw unknownName('command', name, Object.keys(commands))
  return commands[name]!
}

async function overview(): Promise<string> {
  const groups: string[] = []
  for (const [heading, group] of Object.entries(GROUPS)) {
    const all = await Promise.all(Object.values(group).map((load) => load()))
    const rows = all.map(({ name, about }) => [name.padEnd(8), about] as const)
    groups.push(`${heading}:`, ...twoColumns(rows), '')
  }
  return [
    'Memscope finds out why an agent’s memory fails.',
    '',
    'Usage: memscope <command> [flags]',
    '',
    ...groups,
    'memscope run, without flags, is the tour: no key, no network, under a minute.',
    'memscope <command> --help shows its flags.',
    '',
    'Exit codes:',
    ...EXIT_CODES.flatMap(([code, about]) => wrapped(`  ${code.padEnd(8)}  ${about}`, 0, 12)),
    '',
  ].join('\n')
}
