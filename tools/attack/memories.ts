import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WrittenCell as Cell, WrittenSummary as Summary } from '../../src/report/summary-json.js'
import { root } from '../../test/cli.js'
import { isAlive, startMemscope, until } from '../../test/outside.js'
import type { Attack, Ground, Group, Served } from './attack.js'
import { expectEqual, expectOrder, expectThat, play, tail } from './play.js'

const HOSTILE = join(root, 'tools/attack/memories/hostile.mjs')
const ANSWERING = join(root, 'tools/attack/memories/answering.mjs')
const IMPORTING = join(root, 'tools/attack/memories/importing.mjs')

const SMALL = ['--suite', 'memfail/long-hop', '--size', '3', '--k', '2,5']
const TIMEOUT = 3
/** "About a second", on a machine that also does other things. */
const HEARD_MS = 2_000

const METHODS = ['create', 'store', 'settle', 'dump', 'snapshot', 'retrieve', 'restore', 'close', 'answer'] as const
type Method = (typeof METHODS)[number]
const TAKING_AND_GIVING: readonly Method[] = ['store', 'dump', 'retrieve']
const GIVING: readonly Method[] = ['dump', 'retrieve']

/** In which methods a memory turns hostile in what manner, and what is then said. */
const MANNERS: Record<string, [methods: readonly Method[], said: (method: Method) => string]> = {
  hang: [METHODS, (method) => `${method} took longer than ${TIMEOUT} s`],
  spin: [METHODS, (method) => `${method} took longer than ${TIMEOUT} s`],
  sleep: [TAKING_AND_GIVING, (method) => `${method} took longer than ${TIMEOUT} s`],
  // Who ends in `close` is closed: nothing is said.
  exit: [METHODS, (method) => (method === 'close' ? '' : `ended (code 7) during ${method}`)],
  abort: [TAKING_AND_GIVING, (method) => `ended (SIGABRT) during ${method}`],
  kill: [TAKING_AND_GIVING, (method) => `ended (SIGKILL) during ${method}`],
  throw: [METHODS, () => 'thrown on purpose'],
  'throw-null': [TAKING_AND_GIVING, () => 'null'],
  'throw-long': [TAKING_AND_GIVING, () => 'on purpose on purpose'],
  later: [TAKING_AND_GIVING, () => 'nobody awaited this'],
  function: [GIVING, () => 'could not be cloned'],
  number: [GIVING, (method) => `${method === 'dump' ? 'dump of' : method}`],
  circular: [GIVING, () => 'without a text'],
  getter: [GIVING, () => 'thrown on purpose by a getter'],
}

const LIES = [
  ...['too-many', 'same-id', 'other-text', 'no-text', 'no-id', 'numeric-id', 'holes', 'a-text', 'an-object', 'nothing'],
  ...['score-of-words', 'time-of-numbers', 'strange-status', 'sources-of-text', 'long-text'],
  ...['dump-of-text', 'dump-twice', 'dump-null', 'dump-changes', 'dump-grows', 'not-empty'],
]

/** Memories that hang, spin, lie, crash and flood: each is an error of its own questions, and of nothing else. */
export const memories: Group = {
  name: 'memories',
  attacks: (ground) => [
    ...Object.entries(MANNERS).map(
      ([how, [methods, said]]): Attack => ({
        kind: how,
        name: `${how} in ${methods.join(', ')}`,
        strike: async (served) => {
          const named = new Map(
            methods.map((at) => [`${at === 'answer' ? 'answering' : 'hostile'}:at=${at}:how=${how}`, at]),
          )
          const { err, cells, told } = await runBeside(ground, [...named.keys()])
          for (const [label, at] of named) {
            served(how)
            expectThat(told(label).includes(said(at)), () => `${label}: does not say "${said(at)}"\n${tail(err)}`)
            // What a memory gave before it was closed is as good as ever.
            expectErrors(cells, label, at === 'close' ? 'none' : 'all')
          }
        },
      }),
    ),
    {
      kind: 'lies',
      name: LIES.join(', '),
      strike: async (served) => {
        const labels = LIES.map((lie) => `hostile:lie=${lie}`)
        const { cells } = await runBeside(ground, labels)
        for (const label of labels) {
          served(label.replace('hostile:lie=', 'lie: '))
          expectErrors(cells, label, 'all')
        }
      },
    },
    {
      kind: 'besides',
      name: 'floods, handles, children and logs change nothing',
      strike: (served) => besides(ground, served),
    },
    {
      kind: 'memory',
      name: 'all memory there is',
      strike: async () => {
        const label = 'hostile:at=retrieve:how=memory'
        const { err, cells, told } = await runBeside(ground, [label], { NODE_OPTIONS: '--max-old-space-size=192' }, 60)
        expectThat(/its process ended \(SIG/.test(told(label)), () => `does not say how it ended\n${tail(err)}`)
        expectErrors(cells, label, 'all')
      },
    },
    ...['hang', 'spin', 'exit', 'throw', 'later', 'nothing', 'text'].map(
      (how): Attack => ({
        kind: 'import',
        name: how,
        strike: async () => {
          const env = { ATTACK_IMPORT: how }
          const cwd = ground.folder()
          const args = ['run', '--system', IMPORTING, ...SMALL, '--system-timeout', String(TIMEOUT)]
          expectOrder(await play(args, { cwd, env }), [2])
        },
      }),
    ),
    ...['at=store:how=spin', 'at=retrieve:how=hang', 'at=dump:how=exit', 'lie=too-many', 'lie=dump-changes'].map(
      (options): Attack => ({
        kind: 'check',
        name: options,
        strike: async () => {
          const args = ['check', `${HOSTILE}:${options}`, '--system-timeout', String(TIMEOUT)]
          expectOrder(await play(args, { cwd: ground.folder() }), [1])
        },
      }),
    ),
    ...['hang', 'spin', 'sleep'].flatMap((how) =>
      ['create', 'store', 'retrieve', 'dump', 'close'].map(
        (at): Attack => ({
          kind: `Ctrl-C (${how})`,
          name: `in ${at}`,
          alone: true,
          strike: () => interrupted(ground, `${HOSTILE}:at=${at}:how=${how}`),
        }),
      ),
    ),
  ],
}

/** Runs memories beside an honest one and one that is built in, whose numbers must be those they have alone. */
async function runBeside(ground: Ground, labels: string[], env: Record<string, string> = {}, timeout = TIMEOUT) {
  const cwd = ground.folder()
  const pids = join(cwd, 'pids')
  const systems = ['bm25', HOSTILE, ...labels.map(fileOf)]
  const args = [
    'run',
    '--system',
    systems.join(','),
    ...SMALL,
    '--system-timeout',
    String(timeout),
    '--json',
    'run.json',
    '--junit',
    'run.xml',
  ]
  const played = await play(args, { cwd, env: { ATTACK_PIDS: pids, ...env }, limitMs: 120_000 })
  expectOrder(played, labels.length > 0 ? [0, 3] : [0])
  expectThat(played.err.length < 200_000, () => `says ${played.err.length} characters`)
  await expectAllGone(pids)
  const { cells } = JSON.parse(readFileSync(join(cwd, 'run.json'), 'utf8')) as Summary
  const honest = (list: readonly Cell[]) => list.filter(({ system }) => system === 'bm25' || system === 'hostile')
  if (labels.length > 0) {
    calm ??= runBeside(ground, [])
    expectEqual('What memories beside it get', honest(cells), honest((await calm).cells))
  }
  // Failures of a life are told as they happen, those of single questions in reports.
  const lines = [...played.err.split('\n'), ...readFileSync(join(cwd, 'run.xml'), 'utf8').split('\n')]
  const told = (label: string) => lines.filter((line) => line.includes(label)).join('\n')
  return { ...played, cells, told }
}

let calm: Promise<{ cells: Cell[] }> | undefined

async function besides(ground: Ground, served: Served): Promise<void> {
  const labels = ['flood', 'handles', 'children'].map((how) => `hostile:at=store:how=${how}`)
  const cwd = ground.folder()
  const pids = join(cwd, 'pids')
  const args = ['run', '--system', [HOSTILE, ...labels.map(fileOf)].join(','), ...SMALL, '--quiet', '--json', '-']
  const played = await play(args, { cwd, env: { ATTACK_PIDS: pids } })
  expectOrder(played, [0])
  await expectAllGone(pids)
  // What a memory writes is no part of the result.
  const { cells } = JSON.parse(played.out) as Summary
  const numbers = (label: string) => cells.filter(({ system }) => system === label).map(({ evidence }) => evidence)
  for (const label of labels) {
    served(label.replace(/^.*how=/, ''))
    expectEqual(label, numbers(label), numbers('hostile'))
  }
  const logs = await runBeside(ground, ['hostile:at=retrieve:how=log-codes'])
  served('log-codes')
  expectErrors(logs.cells, 'hostile:at=retrieve:how=log-codes', 'none')
}

/** Ctrl-C while a memory is stuck: heard in about a second, and nothing is left behind. */
async function interrupted(ground: Ground, system: string): Promise<void> {
  const cwd = ground.folder()
  const pids = join(cwd, 'pids')
  const { child, ended, written } = startMemscope(['run', '--system', system, ...SMALL], cwd, { ATTACK_PIDS: pids })
  await until(() => existsSync(pids), 'a memory that is made')
  await new Promise((resume) => setTimeout(resume, 700))
  const since = performance.now()
  child.kill('SIGINT')
  const limit = setTimeout(() => child.kill('SIGKILL'), 10 * HEARD_MS)
  const { code, signal, at } = await ended
  clearTimeout(limit)
  expectThat(code === 130, () => `ended with ${signal ?? code}, not 130\n${tail(written())}`)
  expectThat(at - since < HEARD_MS, () => `took ${Math.round(at - since)} ms to end`)
  await expectAllGone(pids)
}

async function expectAllGone(pids: string): Promise<void> {
  const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number)
  await until(() => started.every((pid) => !isAlive(pid)), 'the end of what memories started', 5_000)
}

function expectErrors(cells: readonly Cell[], label: string, which: 'all' | 'none'): void {
  const own = cells.filter(({ system }) => system === label)
  const right = ({ n, errors }: Cell) => errors === (which === 'all' ? n : 0)
  const told = () => own.map(({ k, n, errors }) => `${errors} errors of ${n} at k = ${k}`).join(', ')
  expectThat(own.length === 2 && own.every(right), () => `${label}: expected ${which} to be errors, got ${told()}`)
}

function fileOf(label: string): string {
  return label.replace(/^hostile/, HOSTILE).replace(/^answering/, ANSWERING)
}
