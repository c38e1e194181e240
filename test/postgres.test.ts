import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actingModel, PRICES, SPEC } from '../bench/llm-model.js'
import { Random } from '../src/base/random.js'
import { createGateway } from '../src/gateway/index.js'
import { trafficOf } from '../src/library/open-store.js'
import type * as library from '../src/library.js'
import { openPostgresStore } from '../src/store/postgres/index.js'
import { runChaos } from '../tools/chaos/chaos.js'
import { checkLog } from '../tools/chaos/checker.js'
import { memscope, memscopeHere, root, temporaryFolder } from './cli.js'
import { BatchServer } from './gateway/batch-server.js'
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

/** The library as it is built, which has the viewer's page. */
const builtLibrary = (): Promise<typeof library> => import(pathToFileURL(join(root, 'dist/library.js')).href)

describe.skipIf(!hasPostgres)('runs in PostgreSQL', () => {
  let server: PostgresServer
  let stage: Stage
  let expected: ReturnType<typeof comparable>
  let needed = 0
  beforeAll(async () => {
    server = await PostgresServer.start()
    stage = await Stage.open(actingModel({ latencyMs: 5 }))
    const here = ['run', ...MODELS, '--prices', stage.prices, '--quiet', '--json', '-', '--home', 'sqlite']
    expected = comparable((await stage.play(here)).out)
    needed = stage.model.stats.calls
  })
  afterAll(async () => {
    await server.stop()
    await stage.server.close()
  })

  const shared = async (url: string, ...more: string[]) => {
    const ended = await stage.play([
      ...['run', ...MODELS, '--prices', stage.prices, '--quiet', '--json', '-', '--store', url, ...more],
    ])
    expect(ended.code, ended.err).toBe(0)
    return comparable(ended.out)
  }

  it('have the results of runs in SQLite with the rights of the role that is written down, and it has no more', async () => {
    const { name, url } = server.fresh()
    expect((await stage.play(['runs', '--store', url])).code).toBe(0)
    const role = readFileSync(join(root, 'templates/postgres/role.sql'), 'utf8')
    server.sql(name, role)
    server.sql(name, `\\set starts on\n\\set role memscope_starter\n${role}`)
    const as = server.url(name, 'memscope_starter')
    const begun = shared(as, '--workers', '0', '--budget', '9')
    await server.rowsIn(name, 'memscope.unit')
    const env = { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: stage.server.url }
    const worked = await memscope(
      ['worker', server.url(name, 'memscope_worker'), '--once', '--quiet', '--allow-system', MODELS[3]!],
      { env },
    )
    expect([worked.code, worked.err]).toEqual([0, ''])
    expect(await begun).toEqual(expected)
    const refused = [
      'CREATE TABLE memscope.mine (n int)',
      'DROP TABLE memscope.run',
      'DELETE FROM memscope.run',
      'DELETE FROM memscope.snapshot',
      "UPDATE memscope.run SET request = '{}'",
      "INSERT INTO memscope.run (id, created, status, setting, subjects, request, elapsed_ms, embedded_texts, embedding_ms) VALUES ('x', '', '', '', '', '', 0, 0, 0)",
      "INSERT INTO memscope.job (run) VALUES ('forged')",
      'UPDATE memscope.memory SET body = body',
      'UPDATE memscope.meta SET version = 2',
      'TRUNCATE memscope.reply',
      'CREATE TABLE public.mine (n int)',
      'SELECT rolpassword FROM pg_authid',
    ]
    for (const statement of refused)
      expect(() => server.sql(name, statement, 'memscope_worker'), statement).toThrow(/permission denied|must be owner/)

    // What there is to do with a run is done in either store.
    const play = async (...args: string[]) => {
      const { code, out, err } = await stage.play(args)
      expect([code, err], args.join(' ')).toEqual([0, expect.not.stringContaining('memscope:')])
      return out
    }
    const there = ['--store', as]
    expect(await play('runs', ...there)).toMatch(/^\S+ {2}valid .* memfail\/long-hop,/)
    expect(comparable(await play('report', 'last', ...there, '--json', '-', '--quiet'))).toEqual(expected)
    const place = /--home \S+|--store \S+|\d{8}-\d{6}-\w+/g
    const shown = async (...home: string[]) => (await play('show', 'last', '--failed', ...home)).replace(place, '')
    expect(await shown(...there)).toBe(await shown('--home', 'sqlite'))
    const [run] = await (await builtLibrary()).listRuns({ store: as })
    const compared = await play('compare', 'last', run!.run, ...there, '--json', '-', '--quiet')
    expect(JSON.parse(compared).comparisons).not.toHaveLength(0)
    const answers = async (at: { home?: string; store?: string }) => {
      const viewer = await (await builtLibrary()).view({ ...at, port: 0 })
      const asked = async (path: string) => {
        const address = new URL(path, viewer.url)
        address.searchParams.set('token', new URL(viewer.url).searchParams.get('token')!)
        return (await fetch(address)).json()
      }
      const [first] = (await asked('/api/runs')) as { run: string }[]
      const questions = await asked(`/api/rows?run=${first!.run}`)
      await viewer.close()
      return questions
    }
    expect(await answers({ store: as })).toEqual(await answers({ home: join(stage.cwd, 'sqlite') }))
    await play('runs', 'pull', 'last', ...there, '--home', 'pulled')
    expect(comparable(await play('report', 'last', '--home', 'pulled', '--json', '-', '--quiet'))).toEqual(expected)
    const other = ['--store', server.fresh().url]
    await play('runs', 'push', 'last', ...other, '--home', 'pulled')
    expect(comparable(await play('report', 'last', ...other, '--json', '-', '--quiet'))).toEqual(expected)
    await play('rejudge', 'last', '--judge', 'lexical', ...there, '--quiet')
  })

  it('have them with 2 workers that go on with what stopped at the cap of its budget', async () => {
    const there = ['--store', server.fresh().url, '--prices', stage.prices, '--quiet']
    const ledger = () => {
      const { input, output } = stage.model.stats.billed
      return (input * PRICES[SPEC]!.input + output * PRICES[SPEC]!.output) / 1e6
    }
    const before = { usd: ledger(), calls: stage.model.stats.calls }
    const ended = await stage.play(['run', ...MODELS, '--budget', '0.03', '--workers', '2', ...there])
    expect(ended.code).toBe(3)
    expect(ended.err).toMatch(/may cost up to .*of the budget of \$0\.0300/)
    expect(ledger() - before.usd).toBeLessThanOrEqual(0.03)
    expect(ledger() - before.usd).toBeGreaterThan(0.003)
    const on = await stage.play(['run', '--resume', 'last', '--budget', '9', '--workers', '2', ...there, '--json', '-'])
    expect(comparable(on.out)).toEqual(expected)
    expect(stage.model.stats.calls - before.calls).toBe(needed)
  })

  it('have them with 8 workers through a pool of transactions', async () => {
    const before = stage.model.stats.calls
    expect(await shared(await server.pool(server.fresh().name), '--workers', '8')).toEqual(expected)
    expect(stage.model.stats.calls - before).toBe(needed)
  })

  it('refuse a worker of another version, package or file; one that is stopped ends its calls and gives back what it holds', async () => {
    const { name, url } = server.fresh()
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'))
    const file = join(folder, 'llm-notes.ts')
    const memory = readFileSync(join(root, 'test/fixtures/llm-notes.ts'), 'utf8')
    writeFileSync(file, memory)
    const slow = await Stage.open(actingModel({ latencyMs: 300 }))
    const asked = ['run', ...MODELS.with(3, file), '--prices', slow.prices, '--quiet', '--store', url, '--json', '-']
    const begun = slow.play([...asked, '--workers', '0'])
    await server.rowsIn(name, 'memscope.unit')
    server.sql(name, 'CREATE TABLE kept AS SELECT request FROM memscope.run')
    const change = (path: string, value: string) =>
      server.sql(name, `UPDATE memscope.run SET request = jsonb_set(request::jsonb, '{${path}}', '"${value}"')::text`)
    change('shared,joins,version', '9.9.9')
    change('shared,joins,package zod', '1.0.0')
    writeFileSync(file, `${memory}\n// changed\n`)
    const allowed = ['--allow-system', file]
    const refused = await memscope(['worker', url, '--run', 'last', '--quiet', ...allowed])
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(/cannot join the run/)
    expect(refused.err).toMatch(/version: the run has 9\.9\.9, here is /)
    expect(refused.err).toMatch(/package zod: the run has 1\.0\.0, here is /)
    expect(refused.err).toMatch(/file .*llm-notes\.ts: the run has \w+, here is \w+/)
    writeFileSync(file, memory)
    server.sql(name, 'UPDATE memscope.run SET request = kept.request FROM kept')
    const env = { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: slow.server.url }
    const unasked = await memscope(['worker', url, '--run', 'last', '--quiet'], { env })
    expect([unasked.code, unasked.err]).toEqual([2, expect.stringContaining(`--allow-system ${file}`)])
    const stopped = await memscope(['worker', url, '--run', 'last', ...allowed], {
      env,
      interruptOn: /Works for the run/,
    })
    expect(stopped.code).toBe(130)
    expect(server.sql(name, "SELECT count(*) FROM memscope.unit WHERE state = 'claimed'")).toBe('0')
    expect(server.sql(name, 'SELECT count(*) FROM memscope.reservation')).toBe('0')
    expect(server.sql(name, 'SELECT count(*) FROM memscope.reply')).toBe(String(slow.model.stats.calls))
    slow.model.options.latencyMs = 5
    expect(await memscope(['worker', url, '--once', '--quiet', ...allowed], { env })).toMatchObject({ code: 0 })
    expect(comparable((await begun).out)).toEqual(expected)
    await slow.server.close()
  })

  it.each(['died', 'was stopped'])(
    'come back for a batch of a worker that %s: nothing is paid or counted twice',
    async (how) => {
      const batches = await BatchServer.start(actingModel({ otherwise: 'Yes.' }))
      batches.held = true
      const { name, url } = server.fresh()
      const model = 'openai:acting'
      const open = async (draining?: AbortSignal) => {
        const store = await openPostgresStore(url)
        await store.presence.begin(null)
        await store.coordination.cap('run', 1)
        const gateway = createGateway({
          env: { MEMSCOPE_OPENAI_BASE_URL: batches.url, OPENAI_API_KEY: 'key-0123456789' },
          cacheDir: stage.cwd,
          account: 'run',
          budgetUsd: 1,
          batch: true,
          shared: trafficOf(store, draining),
          prices: { [model]: { input: 1, output: 10, maxOutput: 100 } },
          clock: { sleep: (ms, signal) => pause(ms / 20, undefined, { signal }) },
        })
        const ask = (text: string) =>
          gateway
            .llm(model)
            .generate({ messages: [{ role: 'user', content: text }], maxTokens: 100 }, { role: 'answer' })
        const said = Promise.all(['one', 'two', 'three'].map(async (text) => (await ask(text)).text))
        return { store, gateway, said }
      }
      const stop = new AbortController()
      const first = await open(stop.signal)
      const ended = first.said.catch((error: { code: string }) => error.code)
      const sent = 'SELECT count(*) FROM memscope.batch_line JOIN memscope.batch ON name = batch AND remote IS NOT NULL'
      while (server.sql(name, sent) !== '3') await pause(50)
      const total = () => Number(server.sql(name, 'SELECT total FROM memscope.purse'))
      expect(total()).toBeGreaterThan(3 * 0.0005)
      if (how === 'died') server.sql(name, "UPDATE memscope.worker SET until = now() - interval '1 hour'")
      else {
        stop.abort()
        expect(await ended).toBe('aborted')
        await first.store.close()
      }
      expect(server.sql(name, "SELECT count(*) FROM memscope.reservation WHERE rate LIKE '% batch'")).toBe('3')
      const second = await open()
      while (
        server.sql(
          name,
          'SELECT count(*) FROM memscope.reservation r JOIN memscope.worker w ON w.id = r.worker AND w.until > now()',
        ) !== '3'
      )
        await pause(50)
      batches.held = false
      expect(await second.said).toEqual(['Yes.', 'Yes.', 'Yes.'])
      expect([batches.batches.flatMap(({ lines }) => lines).length, batches.billed]).toEqual([3, 3])
      const { cost } = second.gateway.usage().total.paid
      expect(total()).toBeCloseTo(cost!, 9)
      if (how === 'died') expect(await ended).toEqual(['Yes.', 'Yes.', 'Yes.'])
      expect(total()).toBeCloseTo(cost!, 9)
      for (const table of ['reservation', 'batch', 'batch_line'])
        expect(server.sql(name, `SELECT count(*) FROM memscope.${table}`), table).toBe('0')
      const [line] = await second.store.batches.begin({ name: 'late', created: 0 }, [{ id: 'l', call: 'of another' }])
      expect(line).toBeUndefined()
      for (const { gateway, store } of [first, second]) {
        await gateway.close()
        await store.close()
      }
      await batches.close()
    },
  )

  it('by batch have the results of runs one by one', async () => {
    const batches = await BatchServer.start(actingModel())
    const env = { MEMSCOPE_OPENAI_BASE_URL: batches.url, OPENAI_API_KEY: 'sk-planted-0123456789' }
    const model = 'openai:acting'
    const asked = [
      'run',
      '--suite',
      'memfail/long-hop',
      '--system',
      'bm25',
      '--size',
      '3',
      '--k',
      '2',
      '--reader',
      model,
    ]
    const told = [...asked, '--judge', `llm:${model}`, '--quiet', '--json', '-']
    const plain = await stage.play([...told, '--home', 'one-by-one'], env)
    const { url } = server.fresh()
    const ended = await stage.play([...told, '--batch', '--store', url, '--workers', '1'], env)
    expect(ended.code, ended.err).toBe(0)
    expect(comparable(ended.out)).toEqual(comparable(plain.out))
    expect(batches.billed).toBe(batches.batches.flatMap(({ lines }) => lines).length)
    expect(batches.billed).toBeGreaterThan(3)
    await batches.close()
  })

  it('come to the same end while workers are killed, cut off and left without their database', async () => {
    const random = new Random('chaos')
    const result = await runChaos(server, {
      workers: 3,
      seconds: 6,
      killEveryMs: 1_500,
      restarts: [0.5],
      freezeAt: null,
      leaseSeconds: 2,
      latencyMs: 150,
      rate: 8,
      plan: MODELS,
      folder: temporaryFolder(),
      tell: () => {},
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
    const whole = await memscopeHere(['run', ...PLAIN, '--home', 'whole', '--json', '-', '--quiet'], at)
    for (const part of [1, 2])
      expect(
        await memscopeHere(['run', ...PLAIN, '--shard', `${part}/2`, '--home', `part-${part}`, '--quiet'], at),
      ).toMatchObject({
        code: 0,
      })
    const few = await memscopeHere(['runs', 'merge', 'part-1', '--home', 'all'], at)
    expect(few).toMatchObject({ code: 2, err: expect.stringContaining('Parts are missing: 2/2.') })
    expect(await memscopeHere(['runs', 'merge', 'part-1', 'part-2', '--home', 'all'], at)).toMatchObject({ code: 0 })
    const merged = await memscopeHere(['report', 'last', '--home', 'all', '--json', '-', '--quiet'], at)
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
