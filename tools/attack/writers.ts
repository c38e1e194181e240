import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { actingModel, PRICES, SPEC } from '../../bench/llm-model.js'
import { startScriptedServer } from '../../bench/scripted-server.js'
import { Random } from '../../src/base/random.js'
import { root } from '../../test/cli.js'
import { QUICK } from '../../test/commands.js'
import { comparable } from '../../test/llm.js'
import { HTTP_NOTES, NoteServer, startMemscope, until } from '../../test/outside.js'
import type { Attack, Ground, Group } from './attack.js'
import { expectEqual, expectOrder, expectThat, type PlayOptions, play, tail } from './play.js'

const NOTED = [
  'run',
  '--system',
  HTTP_NOTES,
  '--suite',
  'memfail',
  '--size',
  '4',
  '--k',
  '1,3',
  '--quiet',
  '--json',
  'run.json',
]
const RESUMED = ['run', '--resume', 'last', '--quiet', '--json', 'run.json']

/** Several processes at one run, one home, one file and one budget. */
export const writers: Group = {
  name: 'writers',
  attacks: (ground) => [
    one('two writers', 'a second writer of a live run is refused, whatever it would do', () => refused(ground)),
    one('dead writers', 'the lock of a writer that was killed is taken over, again and again', () => takenOver(ground)),
    one('one home', 'four runs at the same time in one home', () => sideBySide(ground)),
    one('one file', 'three reports into one file', () => oneFile(ground)),
    one('one budget', 'three processes at one budget', () => shared(ground)),
    one('one budget', 'a run that is killed and goes on, over all its sittings', () => oneBudget(ground)),
  ],
}

async function refused(ground: Ground): Promise<void> {
  // So slow that it is at work for as long as the others take to come.
  const server = await NoteServer.open(1000)
  const cwd = ground.folder()
  const options: PlayOptions = { cwd, env: server.env }
  try {
    const first = startMemscope(NOTED, cwd, server.env)
    await until(() => (server.seen.store ?? 0) > 0, 'a run that stores')
    const others = [RESUMED, ['rejudge', 'last', '--judge', 'lexical'], ['explain', 'last']]
    for (const played of await Promise.all(others.map((args) => play(args, options)))) {
      expectOrder(played, [2])
      const who = `is being worked on: by process ${first.child.pid} on `
      expectThat(played.err.includes(who), () => `does not say who holds it\n${tail(played.err)}`)
    }
    expectOrder(await play(['report', 'last', '--quiet'], options), [0, 3])
    first.child.kill('SIGINT')
    const { code } = await first.ended
    expectThat(code === 130, () => `the first writer ended with ${code}\n${tail(first.err())}`)
  } finally {
    server.close()
  }
}

async function takenOver(ground: Ground): Promise<void> {
  const random = new Random(ground.seed)
  const server = await NoteServer.open()
  try {
    const calm = ground.folder()
    expectOrder(await play(NOTED, { cwd: calm, env: server.env }), [0])
    const cwd = ground.folder()
    for (let kill = 0; kill < 3; kill++) {
      const before = server.seen.store ?? 0
      const working = startMemscope(kill === 0 ? NOTED : RESUMED, cwd, server.env)
      const after = 2 + Math.floor(random.random() * 10)
      server.onRequest = () => {
        if ((server.seen.store ?? 0) >= before + after) working.child.kill('SIGKILL')
      }
      await working.ended
      server.onRequest = () => {}
    }
    // Two want it at the same moment; one gets it, the other is told.
    const both = await Promise.all([RESUMED, RESUMED].map((args) => play(args, { cwd, env: server.env })))
    for (const played of both) expectOrder(played, [0, 2])
    expectThat(
      both.some(({ code }) => code === 0),
      () => `nobody took it over\n${tail(both[0]!.err)}`,
    )
    expectEqual('The run that three killed writers left', summary(cwd), summary(calm))
  } finally {
    server.close()
  }
}

async function sideBySide(ground: Ground): Promise<void> {
  const cwd = ground.folder()
  const names = ['a', 'b', 'c', 'd']
  const all = names.map((name) =>
    play(['run', ...QUICK, '--quiet', '--json', `${name}.json`], { cwd, limitMs: 300_000 }),
  )
  for (const played of await Promise.all(all)) expectOrder(played, [0])
  for (const name of names) expectEqual(`Run ${name}`, summary(cwd, name), summary(cwd, 'a'))
}

async function oneFile(ground: Ground): Promise<void> {
  const cwd = ground.folder()
  expectOrder(await play(['run', ...QUICK, '--quiet'], { cwd }), [0])
  const report = () => play(['report', 'last', '--quiet', '--json', 'one.json'], { cwd })
  for (const played of await Promise.all([report(), report(), report()])) expectOrder(played, [0])
  summary(cwd, 'one')
}

async function shared(ground: Ground): Promise<void> {
  const book = join(ground.folder(), 'spending.db')
  const spend = () =>
    promisify(execFile)(process.execPath, [
      join(root, 'test/fixtures/outside/spend.mjs'),
      join(root, 'dist'),
      book,
      '0.505',
    ])
  const taken = (await Promise.all([spend(), spend(), spend()])).map(({ stdout }) => Number(stdout))
  const calls = taken.reduce((sum, n) => sum + n, 0)
  expectThat(calls > 0 && calls <= 50, () => `${calls} calls of 0.01 were made with a budget of 0.505`)
}

/** What was charged for by a provider that counts, over sittings that were killed and one that ends by itself. */
async function oneBudget(ground: Ground): Promise<void> {
  const usd = 0.06
  const cwd = ground.folder()
  const model = actingModel({ latencyMs: 20 })
  const server = await startScriptedServer(model)
  const env = { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: server.url }
  writeFileSync(join(cwd, 'prices.json'), JSON.stringify(PRICES))
  const notes = join(root, 'test/fixtures/llm-notes.ts')
  const asked = [
    '--suite',
    'memfail',
    '--system',
    notes,
    '--size',
    '6',
    '--model',
    SPEC,
    '--reader',
    SPEC,
    '--judge',
    `llm:${SPEC}`,
  ]
  const paid = ['--prices', 'prices.json', '--budget', String(usd)]
  try {
    for (let sitting = 0; sitting < 2; sitting++) {
      const before = model.stats.calls
      const working = startMemscope(['run', ...(sitting === 0 ? asked : ['--resume', 'last']), ...paid], cwd, env)
      const isOver = working.ended.then(() => true)
      while (model.stats.calls < before + 8) if (await Promise.race([isOver, pause(20)])) break
      working.child.kill('SIGKILL')
      await working.ended
    }
    const last = await play(['run', '--resume', 'last', ...paid], { cwd, env })
    expectOrder(last, [3])
    const { input, output } = model.stats.billed
    const price = PRICES[SPEC]!
    const charged = (input * price.input + output * price.output) / 1e6
    expectThat(charged <= usd, () => `was charged ${charged} USD with a budget of ${usd}`)
    expectThat(/budget/i.test(last.err), () => `does not speak of the budget\n${tail(last.err)}`)
  } finally {
    await server.close()
  }
}

function pause(ms: number): Promise<false> {
  return new Promise((resume) => setTimeout(() => resume(false), ms))
}

function summary(cwd: string, name = 'run'): unknown {
  return comparable(readFileSync(join(cwd, `${name}.json`), 'utf8'))
}

function one(kind: string, name: string, strike: () => Promise<void>): Attack {
  return { kind, name, strike }
}
