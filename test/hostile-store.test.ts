import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memscope, memscopeHere, temporaryFolder } from './cli.js'
import { tellMissing } from './postgres.js'
import { hasPostgres, PostgresServer } from './postgres-server.js'

tellMissing()

const PLAIN = ['--suite', 'memfail/long-hop', '--system', 'bm25', '--size', '2', '--k', '1', '--quiet']

describe.skipIf(!hasPostgres)('a store that somebody else writes to', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(async () => {
    await server.stop()
  })

  /** A store with a run that is done, and a forged one that waits for workers. */
  const forged = async (change: string) => {
    const { name, url } = server.fresh()
    expect((await memscopeHere(['run', ...PLAIN, '--store', url])).code).toBe(0)
    const columns = 'created, status, setting, subjects, elapsed_ms, embedded_texts, embedding_ms'
    server.sql(
      name,
      `INSERT INTO memscope.run (id, ${columns}, request)
       SELECT 'forged', ${columns}, (${change})::text FROM (SELECT *, request::jsonb AS r FROM memscope.run) AS run`,
    )
    server.sql(name, "INSERT INTO memscope.job (run) VALUES ('forged')")
    server.sql(
      name,
      "INSERT INTO memscope.unit (run, name, after, weight, place, state) VALUES ('forged', 'x', NULL, 1, 0, 'todo')",
    )
    return url
  }

  it.each([
    ['a command', `jsonb_set(r, '{request,systems}', '["cmd:touch pwned"]') - 'own'`, 'cmd:touch pwned'],
    ['a file as its judge', `jsonb_set(r, '{request,judge,facts}', '"./x.mjs"')`, './x.mjs'],
    ['a file as its suite', `jsonb_set(r, '{request,suites,0,file}', '"./x.mjs"')`, './x.mjs'],
    ['a file as its reader', `jsonb_set(r, '{request,readers}', '["./x.mjs"]')`, './x.mjs'],
    ['a file as the prompts of a system', `jsonb_set(r, '{request,systems}', '["nemori:prompts=./x.mjs"]')`, './x.mjs'],
    [
      'a provider that sends keys elsewhere',
      `jsonb_set(r, '{shared,access,providers}', '{"openai": {"baseUrl": "http://127.0.0.1:9", "headers": {"x": "$HOME"}}}')`,
      'openai',
    ],
    ['a cassette to be written', `jsonb_set(r, '{shared,access}', '{"mode": "record", "cassette": "pwned"}')`, null],
  ])('has no worker run or give away anything by %s in a row', async (_, change, named) => {
    const url = await forged(change)
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'x.mjs'), "import { writeFileSync } from 'node:fs'\nwriteFileSync('pwned', '')\n")
    const { code, err } = await memscope(['worker', url, '--once', '--quiet'], { cwd })
    expect([existsSync(join(cwd, 'pwned')), code === 0], err).toEqual([false, false])
    if (named !== null) expect(err).toContain(named)
  })

  it('holds no literal value of a header or query, and no password', async () => {
    const { name, url } = server.fresh()
    expect((await memscopeHere(['runs', '--store', url])).code).toBe(0)
    const attempt = async (...more: string[]) => {
      const { code, err } = await memscopeHere(['run', ...PLAIN, '--store', url, ...more])
      expect(code, err).toBe(2)
      return err
    }
    const lab = { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' }
    const given = (more: object) => ['--providers', JSON.stringify({ lab: { ...lab, ...more } })]
    expect(await attempt(...given({ headers: { 'x-lab-key': 'literal-0123456' } }))).toMatch(/x-lab-key/)
    expect(await attempt(...given({ query: { token: 'literal-0123456' } }))).toMatch(/token/)
    expect(await attempt(...given({ baseUrl: 'http://me:literal-0123456@127.0.0.1:9/v1' }))).toMatch(/key or password/)
    expect(server.sql(name, "SELECT count(*) FROM memscope.run WHERE request LIKE '%literal%'")).toBe('0')
  })

  it('keeps what went further: an older copy is not written over it', async () => {
    const { url } = server.fresh()
    const cwd = temporaryFolder()
    const play = (...args: string[]) => memscopeHere(args, { cwd })
    const there = ['--store', url]
    expect((await play('run', ...PLAIN, ...there)).code).toBe(0)
    expect((await play('runs', 'pull', 'last', ...there)).code).toBe(0)
    expect((await play('run', '--resume', 'last', '--k', '1,5', '--quiet', ...there)).code).toBe(0)
    const pushed = await play('runs', 'push', 'last', ...there)
    expect([pushed.code, pushed.err]).toEqual([2, expect.stringContaining('went further')])
    const report = await play('report', 'last', ...there, '--json', '-', '--quiet')
    const ks = new Set((JSON.parse(report.out).cells as { k: number }[]).map(({ k }) => k))
    expect(ks).toContain(5)
    expect((await play('runs', 'pull', 'last', ...there)).code).toBe(0)
    expect((await play('runs', 'push', 'last', ...there)).code).toBe(0)
  })
})

describe('ids that no database keeps', () => {
  it.each([
    ['a NUL', 'a\\u0000b'],
    ['half a sign', 'a\\ud800'],
  ])('are refused at import: %s', async (_, id) => {
    const cwd = temporaryFolder()
    const said = { conversation: 'c', time: '2026-01-05T09:00:00Z', turns: [{ id: 't', text: 'My cat is Mungo.' }] }
    const asked = `{"question":"${id}","text":"What is my cat called?","answer":"Mungo","cites":["t"]}`
    writeFileSync(join(cwd, 'mine.jsonl'), `${JSON.stringify(said)}\n${asked}\n`)
    const { code, err } = await memscopeHere(['data', 'import', 'mine.jsonl', '--out', 'mine'], { cwd })
    expect([code, err]).toEqual([2, expect.stringMatching(/line 2: question: expected an id without NUL/)])
  })

  it('are refused before a run in a suite that is code', async () => {
    const cwd = temporaryFolder()
    writeFileSync(
      join(cwd, 'suite.mjs'),
      `const text = 'My cat is Mungo.'
      const question = { id: 'a\\0b', task: 't', text: 'Who?', needs: [['f']], outdated: [], gold: { kind: 'current', value: 'Mungo', old: [], text: 'Mungo' }, tags: {} }
      const scenarios = [{ id: 's/1', suite: 's', facts: [{ id: 'f', text, sources: ['c'], cues: { kind: 'statement', explicit: true, parts: [{ role: 'value', forms: ['Mungo'] }] } }], timeline: [
        { type: 'conversation', conversation: { id: 'c', time: '2026-01-05T09:00:00Z', turns: [{ role: 'user', text }] } },
        { type: 'probe', probe: { id: 'p', time: '2026-01-06T09:00:00Z', questions: [question] } } ] }]
      export default { name: 's', about: '', tasks: [{ name: 't', about: '' }], load: async () => ({ scenarios, datasetHash: 'x', audit: [] }) }\n`,
    )
    const { code, err } = await memscopeHere(['run', '--suite', './suite.mjs', '--system', 'bm25', '--quiet'], { cwd })
    expect([code, err]).toEqual([2, expect.stringMatching(/a question whose id no database keeps/)])
  })
})
