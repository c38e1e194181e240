import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../src/base/random.js'
import { root } from '../../test/cli.js'
import { COMMANDS, QUICK } from '../../test/commands.js'
import type { Working } from '../../test/outside.js'
import type { Attack, Ground, Group } from './attack.js'
import { canMount, fullDevice, readOnly, shortFiles, smallDisk } from './places.js'
import { type Code, expectOrder, expectThat, type Played, play, tail } from './play.js'

const WAYS = ['stdout', 'stderr', 'both', 'stdout after a while'] as const

/** Commands that write, with {} for the folder they write to. */
const WRITING: readonly string[][] = [
  ['data', 'generate', '--n', '5000', '--suite', 'memfail/long-hop', '--out', '{}/rows'],
  ['data', 'export', '--out', '{}/rows'],
  ['data', 'export', '--suite', 'memora', '--n', '2', '--out', '{}/rows'],
  ['report', 'last', '--html', '{}/report.html'],
  [
    'report',
    'last',
    '--junit',
    '{}/report.xml',
    '--md',
    '{}/report.md',
    '--csv',
    '{}/cells.csv',
    '--json',
    '{}/cells.json',
  ],
  ['run', '--suite', 'memfail', '--system', 'bm25', '--k', '1,2,3,4,5', '--home', '{}/home'],
  ['run', ...QUICK, '--html', '{}/report.html'],
  ['judge', 'sample', 'last', '--out', '{}/sample.jsonl'],
]

/** A provider with a key and nobody behind it. */
const NOWHERE = { OPENAI_API_KEY: 'none', MEMSCOPE_OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }

/** A folder, {}, where a file is expected. */
const FOLDERS: readonly string[][] = [
  ['run', '{}'],
  ['run', ...QUICK, '--json', '{}'],
  ['run', ...QUICK, '--html', '{}'],
  ['run', ...QUICK, '--csv', '{}'],
  ['run', ...QUICK, '--md', '{}'],
  ['run', ...QUICK, '--junit', '{}'],
  ['run', ...QUICK, '--system', '{}'],
  ['run', '--suite', 'memfail', '--system', './{}'],
  ['run', ...QUICK, '--reader', 'openai:gpt-5-mini', '--replay', '{}'],
  ['run', ...QUICK, '--reader', 'openai:gpt-5-mini', '--record', '{}'],
  ['run', ...QUICK, '--reader', 'openai:gpt-5-mini', '--estimate', '--prices', '{}'],
  ['run', ...QUICK, '--reader', 'openai:gpt-5-mini', '--estimate', '--reader-prompt', '{}'],
  ['run', ...QUICK, '--judge', 'llm:openai:gpt-5-mini', '--estimate', '--judge-prompt', '{}'],
  ['report', 'last', '--html', '{}'],
  ['report', 'last', '--csv', '{}'],
  ['explain', 'last', '--json', '{}'],
  ['rejudge', 'last', '--judge', 'lexical', '--json', '{}'],
  ['judge', 'eval', '--gold', '{}'],
  ['judge', 'sample', 'last', '--out', '{}'],
  ['models', '--prices', '{}'],
  ['check', './{}'],
]

/** Full disks, places that cannot be written, pipes that nobody reads, folders in the place of files. */
export const shell: Group = {
  name: 'shell',
  async attacks(ground) {
    const home = ground.folder()
    expectOrder(await play(['run', ...QUICK, '--quiet'], { cwd: home }), [0])
    /** A folder of its own in which the run stands that `last` names. */
    const fresh = () => {
      const cwd = ground.folder()
      cpSync(home, cwd, { recursive: true })
      return cwd
    }
    return [...closedPipes(ground, fresh), ...fullDisks(ground, fresh), ...unwritable(ground, fresh), ...folders(fresh)]
  },
}

function closedPipes({ seed }: Ground, fresh: () => string): Attack[] {
  const random = new Random(seed)
  return COMMANDS.map(([code, ...args]) => {
    const way = WAYS[Math.floor(random.random() * WAYS.length)]!
    const bytes = Math.floor(random.random() * 2000)
    return {
      kind: `closed pipe: ${way}`,
      name: shown(args),
      strike: async () => {
        const played = await play(args, { cwd: fresh(), begin: (working) => shut(working, way, bytes) })
        expectOrder(played, [code])
        expectThat(!/EPIPE|ECONNRESET/.test(played.err), () => tail(played.err))
      },
    }
  })
}

function shut({ child }: Working, way: (typeof WAYS)[number], bytes: number): void {
  if (way === 'stdout' || way === 'both') child.stdout!.destroy()
  if (way === 'stderr' || way === 'both') child.stderr!.destroy()
  if (way !== 'stdout after a while') return
  let read = 0
  child.stdout!.on('data', (chunk: string) => {
    read += chunk.length
    if (read >= bytes) child.stdout!.destroy()
  })
}

function fullDisks({ leaveOut }: Ground, fresh: () => string): Attack[] {
  const mounts = canMount()
  if (!mounts) leaveOut('a small disk', 'no user may mount here; files that cannot grow stand in its place')
  return [
    ...WRITING.flatMap((args) => [
      attack('full: a limit of files', args, async () => {
        const cwd = fresh()
        const played = await into(args, 'full', { cwd, through: shortFiles(8) })
        expectTold(played, [3], /full|larger than|Check the disk/)
        const half = readdirSync(join(cwd, 'full'), { recursive: true, encoding: 'utf8' }).filter((name) =>
          /\.tmp$/.test(name),
        )
        expectThat(half.length === 0, () => `leaves ${half.join(', ')}`)
      }),
      ...(mounts
        ? [
            attack('full: a small disk', args, async () => {
              const cwd = fresh()
              const played = await into(args, 'full', { cwd, through: smallDisk(join(cwd, 'full'), 4) })
              expectTold(played, [3], /full|failed/)
            }),
          ]
        : []),
    ]),
    ...(['systems', 'suites', 'models', 'runs', '--help'] as const).map((name) =>
      attack('full: standard output', [name], async () => {
        expectTold(
          await play([name], { cwd: fresh(), through: fullDevice(1) }),
          [3],
          /standard output cannot be written/,
        )
      }),
    ),
    attack('full: standard error', ['run'], async () => {
      expectOrder(await play(['run', ...QUICK], { cwd: fresh(), through: fullDevice(2) }), [0])
    }),
  ]
}

function unwritable({ leaveOut }: Ground, fresh: () => string): Attack[] {
  const homes = ['/proc/memscope', '/sys/memscope', '/dev/null/memscope'].flatMap((home) => [
    ['run', ...QUICK, '--home', home],
    ['runs', '--home', home],
    ['data', 'generate', '--n', '10', '--out', home],
  ])
  const kept: [Code[], ...string[]][] = [
    [[2, 3], 'run', ...QUICK],
    [[2, 3], 'run', '--resume', 'last', '--k', '7'],
    [[0, 2, 3], 'report', 'last'],
    [[0, 2, 3], 'runs'],
    [[2, 3], 'report', 'last', '--html', '.memscope/report.html'],
    [[2, 3], 'rejudge', 'last', '--judge', 'lexical'],
  ]
  const isRoot = process.getuid?.() === 0
  const mounts = canMount()
  if (isRoot && !mounts) leaveOut('a home that is read-only', 'root may write everywhere, and nothing can be mounted')
  return [
    ...homes.map((args) =>
      attack('nothing can be made', args, async () => expectTold(await play(args, { cwd: fresh() }), [2], /memscope/)),
    ),
    ...(mounts || !isRoot ? kept : []).map(([codes, ...args]) =>
      attack('read-only home', args, async () => {
        const cwd = fresh()
        const home = join(cwd, '.memscope')
        if (!mounts) lock(home)
        expectTold(await play(args, { cwd, ...(mounts && { through: readOnly(home) }) }), codes, /./)
      }),
    ),
    attack('a file for a home', ['run'], async () => {
      const cwd = fresh()
      writeFileSync(join(cwd, 'file'), 'I am a file')
      expectTold(await play(['run', ...QUICK, '--home', 'file'], { cwd }), [2], /file/)
    }),
  ]
}

function folders(fresh: () => string): Attack[] {
  return FOLDERS.map((args) =>
    attack('a folder for a file', args, async () => {
      const cwd = fresh()
      mkdirSync(join(cwd, 'folder'))
      const played = await play(filled(args, 'folder'), { cwd, env: NOWHERE })
      expectTold(played, [2], /folder/)
    }),
  )
}

/** Nobody but root may write there. */
function lock(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) chmodSync(join(folder, name), 0o555)
  chmodSync(folder, 0o555)
}

function into(args: string[], folder: string, options: Parameters<typeof play>[1]): Promise<Played> {
  mkdirSync(join(options.cwd, folder))
  return play(filled(args, folder), options)
}

/** Told in words, on one screen. */
function expectTold(played: Played, codes: Code[], words: RegExp): void {
  expectOrder(played, codes)
  if (played.code === 0) return
  const message = played.err.slice(played.err.indexOf('memscope:'))
  expectThat(words.test(message), () => `does not say ${words}\n${tail(played.err)}`)
  expectThat(message.split('\n').length < 24, () => `says more than a screen\n${tail(played.err)}`)
}

function attack(kind: string, args: readonly string[], strike: () => Promise<void>): Attack {
  return { kind, name: shown(args), strike }
}

function filled(args: readonly string[], folder: string): string[] {
  return args.map((word) => word.replace('{}', folder))
}

function shown(args: readonly string[]): string {
  return `memscope ${args.join(' ').replaceAll(root, '.')}`
}
