import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actingModel, PRICES, SPEC } from '../bench/llm-model.js'
import { Random } from '../src/base/random.js'
import { runChaos } from '../tools/chaos/chaos.js'
import { checkLog } from '../tools/chaos/checker.js'
import { memscope, root, temporaryFolder } from './cli.js'
import { comparable, EVERY_PART, Stage } from './llm.js'
import { tellMissing } from './postgres.js'
import { hasPostgres, PostgresServer } from './postgres-server.js'

tellMissing()

/** A memory, reader and judge with models, on two of the tasks. */
const MODELS = EVERY_PART.with(1, 'memfail/long-hop,memfail/coexisting')

const PLAIN = [
  '--suite',
  'memfail/long-hop,memfail/coexisting',
  '--system',
  'bm25,full-context',
  '--size',
  '4',
  '--k',
  '1,5',
]

describe.skipIf(!hasPostgres)('runs in PostgreSQL', () => {
  let server: PostgresServer
  let stage: Stage
  let expected: ReturnType<typeof comparable>
  beforeAll(async () => {
    server = await PostgresServer.start()
    stage = await Stage.open(actingModel({ latencyMs: 5 }))
    const here = ['run', ...MODELS, '--prices', stage.prices, '--quiet', '--json', '-', '--home', 'sqlite']
    expected = comparable((await stage.play(here)).out)
  })
  afterAll(async () => {
    await server.stop()
    await stage.server.close()
  })

  const shared = async (url: string, ...more: string[]) => {
    const ended = await stage.playApart([
      ...['run', ...MODELS, '--prices', stage.prices, '--quiet', '--json', '-', '--store', url, ...more],
    ])
    expect(ended.code, ended.err).toBe(0)
    return comparable(ended.out)
  }

  it('have the results of runs in SQLite with 1, 2 and 8 workers, the last through a pool of transactions', async () => {
    const calls = () => stage.model.stats.calls
    const before = calls()
    const { url } = server.fresh()
    expect(await shared(url)).toEqual(expected)
    const needed = calls() - before
    expect(await shared(server.fresh().url, '--workers', '2', '--budget', '9')).toEqual(expected)
    expect(calls() - before).toBe(2 * needed)
    expect(await shared(await server.pool(server.fresh().name), '--workers', '8')).toEqual(expected)
    expect(calls() - before).toBe(3 * needed)
    const listed = await stage.play(['runs', '--store', url])
    expect(listed.out).toMatch(/^\S+ {2}valid .* memfail\/long-hop,/)
    const again = await stage.play(['report', 'last', '--store', url, '--json', '-', '--quiet'])
    expect(comparable(again.out)).toEqual(expected)
    expect((await stage.play(['runs', 'pull', 'last', '--store', url, '--home', 'pulled'])).code).toBe(0)
    const pulled = await stage.play(['report', 'last', '--home', 'pulled', '--json', '-', '--quiet'])
    expect(comparable(pulled.out)).toEqual(expected)
    const other = server.fresh()
    expect((await stage.play(['runs', 'push', 'last', '--store', other.url, '--home', 'pulled'])).code).toBe(0)
    const pushed = await stage.play(['report', 'last', '--store', other.url, '--json', '-', '--quiet'])
    expect(comparable(pushed.out)).toEqual(expected)
  })

  it('stop for all workers at the cap of their budget, and go on with a larger one', async () => {
    const { url } = server.fresh()
    const priced = (cap: string) => [
      '--budget',
      cap,
      '--prices',
      stage.prices,
      '--store',
      url,
      '--workers',
      '3',
      '--quiet',
    ]
    const ledger = () => {
      const { input, output } = stage.model.stats.billed
      return (input * PRICES[SPEC]!.input + output * PRICES[SPEC]!.output) / 1e6
    }
    const before = ledger()
    const ended = await stage.playApart(['run', ...MODELS, ...priced('0.03')])
    expect(ended.code).toBe(3)
    expect(ended.err).toMatch(/was stopped: .*of the budget of \$0\.0300/)
    expect(ledger() - before).toBeLessThanOrEqual(0.03)
    expect(ledger() - before).toBeGreaterThan(0.003)
    const on = await stage.playApart(['run', '--resume', 'last', ...priced('9'), '--json', '-'])
    expect(comparable(on.out)).toEqual(expected)
  })

  it('refuse a worker of another version, package or file, and say what differs', async () => {
    const { name, url } = server.fresh()
    const file = join(temporaryFolder(), 'my-memory.mjs')
    const memory = readFileSync(join(root, 'test/fixtures/shared-words.mjs'), 'utf8')
    writeFileSync(file, memory)
    const asked = ['--suite', 'memfail/long-hop', '--system', file, '--size', '2', '--k', '1', '--store', url]
    const begun = memscope(['run', ...asked, '--workers', '0', '--quiet'], { interruptOn: /never/ })
    await server.rowsIn(name, 'memscope.unit')
    const change = (path: string, value: string) =>
      server.sql(name, `UPDATE memscope.run SET request = jsonb_set(request::jsonb, '{${path}}', '"${value}"')::text`)
    const before = server.sql(name, "SELECT request::json->'shared'->'joins'->>'version' FROM memscope.run")
    change('shared,joins,version', '9.9.9')
    change('shared,joins,package zod', '1.0.0')
    writeFileSync(file, `${memory}\n// changed\n`)
    const refused = await memscope(['worker', url, '--run', 'last', '--quiet'])
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(/cannot join the run/)
    expect(refused.err).toMatch(/version: the run has 9\.9\.9, here is /)
    expect(refused.err).toMatch(/package zod: the run has 1\.0\.0, here is /)
    expect(refused.err).toMatch(/system my-memory[^:]*: the run has \w+, here is \w+/)
    writeFileSync(file, memory)
    change('shared,joins,version', before)
    server.sql(name, "UPDATE memscope.run SET request = (request::jsonb #- '{shared,joins,package zod}')::text")
    expect(await memscope(['worker', url, '--run', 'last', '--quiet'])).toMatchObject({ code: 0 })
    expect(await begun).toMatchObject({ code: 0 })
  })

  it('need no more rights than the role has that is written down, and it has no more', async () => {
    const { name, url } = server.fresh()
    expect((await memscope(['runs', '--store', url])).code).toBe(0)
    server.sql(name, readFileSync(join(root, 'templates/postgres/role.sql'), 'utf8'))
    const as = server.url(name, 'memscope_worker')
    expect(await shared(as, '--workers', '1', '--budget', '9')).toEqual(expected)
    const refused = [
      'CREATE TABLE memscope.mine (n int)',
      'DROP TABLE memscope.run',
      'DELETE FROM memscope.run',
      'DELETE FROM memscope.snapshot',
      'UPDATE memscope.memory SET body = body',
      'UPDATE memscope.meta SET version = 2',
      'TRUNCATE memscope.reply',
      'CREATE TABLE public.mine (n int)',
      'SELECT rolpassword FROM pg_authid',
    ]
    for (const statement of refused)
      expect(() => server.sql(name, statement, 'memscope_worker'), statement).toThrow(/permission denied|must be owner/)
    expect((await stage.play(['rejudge', 'last', '--judge', 'lexical', '--store', as, '--quiet'])).code).toBe(0)
  })

  it('give back what a worker holds when it is stopped, once its calls have come to their end', async () => {
    const { name, url } = server.fresh()
    const slow = await Stage.open(actingModel({ latencyMs: 300 }))
    const asked = ['run', ...MODELS, '--prices', slow.prices, '--quiet', '--store', url, '--json', '-']
    const begun = slow.playApart([...asked, '--workers', '0'])
    const env = { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: slow.server.url }
    await server.rowsIn(name, 'memscope.unit')
    const stopped = await memscope(['worker', url, '--run', 'last'], { env, interruptOn: /Works for the run/ })
    expect(stopped.code).toBe(130)
    expect(server.sql(name, "SELECT count(*) FROM memscope.unit WHERE state = 'claimed'")).toBe('0')
    expect(server.sql(name, 'SELECT count(*) FROM memscope.reservation')).toBe('0')
    const once = slow.model.stats.calls
    expect(server.sql(name, 'SELECT count(*) FROM memscope.reply')).toBe(String(once))
    slow.model.options.latencyMs = 5
    expect(await memscope(['worker', url, '--once', '--quiet'], { env })).toMatchObject({ code: 0 })
    expect(comparable((await begun).out)).toEqual(expected)
    await slow.server.close()
  })

  it('come to the same end while workers are killed, cut off and left without their database', async () => {
    const random = new Random('chaos')
    const result = await runChaos(server, {
      ...{ workers: 3, seconds: 7, killEveryMs: 1_500, restarts: [0.5], freezeAt: null, leaseSeconds: 2 },
      ...{ latencyMs: 150, rate: 14, trials: 1, folder: temporaryFolder(), tell: () => {} },
      draw: () => random.random(),
    })
    expect(result.kills).toBeGreaterThan(1)
    expect(result.claims).toBeGreaterThan(5)
  })
})

describe('runs in parts', () => {
  it('are one run when they are put together, and only then', async () => {
    const folder = temporaryFolder()
    const at = { cwd: folder }
    const whole = await memscope(['run', ...PLAIN, '--home', 'whole', '--json', '-', '--quiet'], at)
    for (const part of [1, 2])
      expect(
        await memscope(['run', ...PLAIN, '--shard', `${part}/2`, '--home', `part-${part}`, '--quiet'], at),
      ).toMatchObject({
        code: 0,
      })
    const few = await memscope(['runs', 'merge', 'part-1', '--home', 'all'], at)
    expect(few).toMatchObject({ code: 2, err: expect.stringContaining('Parts are missing: 2/2.') })
    expect(await memscope(['runs', 'merge', 'part-1', 'part-2', '--home', 'all'], at)).toMatchObject({ code: 0 })
    const merged = await memscope(['report', 'last', '--home', 'all', '--json', '-', '--quiet'], at)
    expect(comparable(merged.out)).toEqual(comparable(whole.out))
  })
})

describe('the checker of logs', () => {
  const line = (seq: number, what: string, fence: number, worker = 'a') => ({
    seq,
    at: seq,
    unit: 1,
    fence,
    worker,
    what,
  })

  it('lets a holder write until it ends or another takes over, and counts who took over', () => {
    const fine = [
      line(1, 'claim', 1),
      line(2, 'witness', 1),
      line(3, 'claim', 2, 'b'),
      line(4, 'reply', 2),
      line(5, 'done', 2),
    ]
    expect(checkLog(fine)).toEqual({ claims: 2, effects: 3, takeovers: [{ unit: 1, from: 'a', at: 3 }] })
  })

  it.each([
    [
      'a write of a holder that was given up',
      [line(1, 'claim', 1), line(2, 'claim', 2), line(3, 'witness', 1)],
      /holder has 2/,
    ],
    ['two claims with one fence', [line(1, 'claim', 1), line(2, 'claim', 1)], /fence before was 1/],
    ['a write after the end', [line(1, 'claim', 1), line(2, 'done', 1), line(3, 'witness', 1)], /had ended/],
    ['a write that nobody claimed for', [line(1, 'witness', 1)], /nobody had claimed/],
  ])('finds %s', (_, lines, why) => {
    expect(() => checkLog(lines)).toThrow(why)
  })
})
