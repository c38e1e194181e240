import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { memscope, memscopeHere, temporaryFolder } from './cli.js'
import { startMemscope } from './outside.js'

const SMALL = ['--suite', 'memfail/long-hop', '--size', '1', '--system', 'bm25', '--k', '1', '--quiet']

describe('a config file', () => {
  it.each([
    ['export default { strict: "no" }', 'The setting strict is on or off, got "no"'],
    ['export default { quiet: "false" }', 'The setting quiet is on or off, got "false"'],
    ['export default { constructor: 1 }', 'no setting in c.mjs "constructor"'],
    ['export default { toString: 1 }', 'no setting in c.mjs "toString"'],
    ['export default { hasOwnProperty: 1 }', 'no setting in c.mjs "hasOwnProperty"'],
    ['export default JSON.parse(\'{"__proto__": {}}\')', 'no setting in c.mjs "__proto__"'],
    ['export default { suite: { toString: 1 } }', 'The setting suite takes texts and numbers, got {"toString":1}'],
    ['export default { suite: { get use() { throw 1 } } }', 'The setting suite takes texts and numbers'],
    ['export default { k: [() => 1] }', 'The setting k takes texts and numbers'],
    ['export default { get k() { throw { toString() { throw 1 } } } }', 'The settings of c.mjs cannot be read'],
    ['throw { toString() { throw 1 } }', 'cannot be loaded'],
  ])('that says %s is refused in words', async (text, words) => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'c.mjs'), text)
    const { code, err } = await memscopeHere(['run', 'c.mjs', '--estimate'], { cwd })
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  it('is not written over', async () => {
    const cwd = temporaryFolder()
    const config = 'export default { suite: ["memfail/long-hop"], system: ["bm25"], size: 1 }'
    writeFileSync(join(cwd, 'c.mjs'), config)
    symlinkSync('c.mjs', join(cwd, 'link.html'))
    for (const flags of [
      ['--html', 'c.mjs'],
      ['--json', './c.mjs'],
      ['--html', 'link.html'],
    ])
      expect(await memscopeHere(['run', 'c.mjs', ...flags], { cwd })).toMatchObject({ code: 2 })
    expect(readFileSync(join(cwd, 'c.mjs'), 'utf8')).toBe(config)
  })
})

describe('odd values', () => {
  it.each([
    [['run', '--suite', 'memfail/constructor', '--system', 'bm25', '--estimate'], 'no task of memfail "constructor"'],
    [['run', '--suite', 'memfail/__proto__', '--system', 'bm25', '--estimate'], 'no task of memfail "__proto__"'],
    [['run', '--budget', '1e400', '--system', 'bm25', '--estimate'], 'Expected --budget to be an amount'],
    [['init', 'constructor'], 'starter'],
  ])('are mistakes, not faults: %j', async (args, words) => {
    const { code, err } = await memscopeHere(args)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })
})

describe('what was there', () => {
  it('is not written to by init, nor what a link leads to', async () => {
    const cwd = temporaryFolder()
    symlinkSync('elsewhere', join(cwd, 'my-memory.ts'))
    const { code, err } = await memscopeHere(['init', 'ts'], { cwd })
    expect([code, err]).toEqual([2, expect.stringContaining('is there already')])
    expect(existsSync(join(cwd, 'elsewhere'))).toBe(false)
  })

  it('is not written over by a result: what is read, and the store', async () => {
    const cwd = temporaryFolder()
    expect(await memscopeHere(['run', ...SMALL, '--home', 'h'], { cwd })).toMatchObject({ code: 0 })
    writeFileSync(join(cwd, 'traces.jsonl'), '{}')
    for (const args of [
      ['report', 'last', '--home', 'h', '--html', 'h/memscope.db'],
      ['report', 'last', '--home', 'h', '--html', 'a', '--json', './a'],
      ['score', 'traces.jsonl', '--json', 'traces.jsonl'],
    ])
      expect(await memscopeHere(args, { cwd }), args.join(' ')).toMatchObject({ code: 2 })
    expect(await memscopeHere(['runs', '--home', 'h'], { cwd })).toMatchObject({ code: 0 })
  })
})

describe.skipIf(process.platform === 'win32')('a home', () => {
  it('lets nobody but its owner in, and a report that was named is as files are here', async () => {
    const cwd = temporaryFolder()
    const flags = ['--suite', 'memfail/long-hop', '--size', '1', '--system', 'bm25,dense', '--k', '1', '--quiet']
    expect(await memscope(['run', ...flags, '--html', 'report.html'], { cwd })).toMatchObject({ code: 0 })
    const wide = execFileSync('find', [join(cwd, '.memscope'), '-perm', '/077'], { encoding: 'utf8' })
    expect(wide).toBe('')
    expect(statSync(join(cwd, 'report.html')).mode & 0o777).toBe(0o666 & ~process.umask())
  })

  it('is closed when its owner opens it', async () => {
    const cwd = temporaryFolder()
    await memscopeHere(['run', ...SMALL], { cwd })
    execFileSync('chmod', ['-R', 'go+rX', join(cwd, '.memscope')])
    expect(await memscopeHere(['runs'], { cwd })).toMatchObject({ code: 0 })
    expect(execFileSync('find', [join(cwd, '.memscope'), '-perm', '/077'], { encoding: 'utf8' })).toBe('')
  })
})

describe.skipIf(process.platform === 'win32')('a pipe as input', () => {
  it.each([
    [['score', 'pipe']],
    [['run', 'pipe']],
    [['data', 'import', 'pipe', '--suite', 'own', '--out', 'rows']],
    [['run', '--prices', 'pipe', '--system', 'bm25']],
    [['run', '--judge-prompt', 'pipe', '--judge', 'llm:openai:x']],
  ])('that nobody writes to is let go by SIGTERM: %j', async (args) => {
    const cwd = temporaryFolder()
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    const working = startMemscope(args, cwd, {})
    await sleep(1500)
    working.child.kill('SIGTERM')
    const late = sleep(10_000).then(() => working.child.kill('SIGKILL'))
    expect(await working.ended).toMatchObject({ code: 143 })
    void late
  })

  it('is read whole, however late and slowly it is written', async () => {
    const cwd = temporaryFolder()
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    const working = startMemscope(['run', 'pipe'], cwd, {})
    const write =
      'sleep 1; (echo "export default { suite: [\'memfail/long-hop\'],"; sleep 1; echo "system: [\'bm25\'], size: 1 }") > pipe'
    execFileSync('sh', ['-c', write], { cwd })
    expect(await working.ended).toMatchObject({ code: 0 })
  })
})

describe('parts of a run', () => {
  it('of which one is partial make a partial run, told by its exit code', async () => {
    const cwd = temporaryFolder()
    const flags = ['--suite', 'memfail/long-hop', '--size', '4', '--system', 'bm25', '--k', '1', '--quiet']
    for (const part of [1, 2])
      await memscopeHere(['run', ...flags, '--shard', `${part}/2`, '--home', `part-${part}`], { cwd })
    const sql =
      "import Database from 'libsql'; const db = new Database('part-2/memscope.db'); db.exec(\"UPDATE run SET status = 'partial'\")"
    execFileSync(
      process.execPath,
      ['--input-type=module', '-e', sql.replace("'libsql'", `'${import.meta.resolve('libsql')}'`)],
      { cwd },
    )
    const { code, out } = await memscopeHere(['runs', 'merge', 'part-1', 'part-2', '--home', 'all'], { cwd })
    expect([code, out]).toEqual([3, expect.stringContaining('partial')])
  })
})
