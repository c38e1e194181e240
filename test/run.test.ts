import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memscope, memscopeHere, root, temporaryFolder } from './cli.js'
import { cellOf, summaryOf } from './summary.js'
import { finishedTour } from './tour.js'

describe('the tour', () => {
  it('needs no key and no flags, covers five tasks by at least four systems, and writes a report', async () => {
    const { code, out, err, cwd } = await finishedTour()
    expect(code).toBe(0)
    const tables = await memscopeHere(['show', 'last', '--verbose'], { cwd })
    for (const task of ['conditional-easy', 'conditional-hard', 'coexisting', 'persona', 'long-hop'])
      expect(tables.out).toContain(`memfail/${task}`)
    for (const system of ['bm25', 'bm25-hops', 'dense', 'hybrid'])
      expect(tables.out).toMatch(new RegExp(`^\\W*${system}\\s`, 'm'))
    expect(out.split('\n')[0]).toMatch(/valid run · 0 errors/)
    const path = /Report: file:\/\/(\S+)/.exec(err)?.[1]
    expect(existsSync(path!)).toBe(true)
  })
})

describe('a run', () => {
  const whole = ['run', '--suite', 'memfail', '--system', 'bm25,oracle', '--k', '1,5', '--quiet']
  const flags = [...whole, '--size', '12']

  it('is the same bytes whatever the concurrency, apart from run and timing', async () => {
    const read = async (concurrency: string) => {
      const { run, timing, ...rest } = summaryOf(
        (await memscopeHere([...flags, '--concurrency', concurrency, '--json', '-'])).out,
      )
      expect(run.id).toMatch(/^\d{8}-\d{6}-/)
      expect(timing.elapsedMs).toBeGreaterThan(0)
      return JSON.stringify(rest)
    }
    const one = await read('1')
    expect(await read('7')).toBe(one)
    expect(JSON.parse(one).status).toBe('valid')
  })

  it('loses nothing on Ctrl-C and goes on with --resume', async () => {
    const cwd = temporaryFolder()
    const undisturbed = summaryOf((await memscopeHere([...whole, '--json', '-'])).out)
    const stopped = await memscope(
      whole.filter((flag) => flag !== '--quiet'),
      { cwd, interruptOn: /Run \d/ },
    )
    expect(stopped.code).toBe(130)
    expect(stopped.err).toMatch(/Go on with: memscope run --resume \S+/)
    const { code, out } = await memscopeHere(['run', '--resume', 'last', '--quiet', '--json', '-'], { cwd })
    expect(code).toBe(0)
    expect(summaryOf(out).cells).toEqual(undisturbed.cells)
  })

  it('may grow in k, but in nothing else, and says what differs', async () => {
    const cwd = temporaryFolder()
    await memscopeHere(flags, { cwd })
    const grown = summaryOf(
      (await memscopeHere(['run', '--resume', 'last', '--k', '10', '--quiet', '--json', '-'], { cwd })).out,
    )
    expect([...new Set(grown.cells.flatMap(({ k }) => (k === null ? [] : [k])))]).toEqual([1, 5, 10])
    const refused = await memscopeHere(['run', '--resume', 'last', '--seed', '7'], { cwd })
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('--seed')
  })

  it('runs a system from a file of the user’s own, and refuses to resume when the file changed', async () => {
    const cwd = temporaryFolder()
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const example = /```ts\n(\/\/ my-memory\.ts[\s\S]*?)```/.exec(readme)?.[1]
    expect(example).toBeDefined()
    writeFileSync(join(cwd, 'my-memory.ts'), example!)
    const { code, out } = await memscopeHere(
      ['run', '--suite', 'memfail/long-hop', '--system', './my-memory.ts', '--size', 'paper', '--quiet', '--json', '-'],
      { cwd },
    )
    expect(code).toBe(0)
    const cell = cellOf(summaryOf(out), 'long-hop', 'my-memory', 5)
    expect(cell.facts.stored).toBe(cell.facts.n)
    expect(cell.evidence!.rate).toBeGreaterThan(0)
    writeFileSync(join(cwd, 'my-memory.ts'), `${example}\n// changed\n`)
    const refused = await memscopeHere(['run', '--resume', 'last'], { cwd })
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(/my-memory\.ts changed/)
  })

  it('counts what could not be measured as errors, outside every rate, and calls the run invalid', async () => {
    const cwd = temporaryFolder()
    writeFileSync(
      join(cwd, 'broken.mjs'),
      `export default { name: 'broken', create: () => ({ async store() {}, async retrieve() { throw new Error('the server is down') }, async dump() { return [] } }) }`,
    )
    const { code, out } = await memscopeHere(
      ['run', '--suite', 'memfail/coexisting', '--system', './broken.mjs', '--quiet', '--json', '-'],
      { cwd },
    )
    expect(code).toBe(3)
    const summary = summaryOf(out)
    const cell = cellOf(summary, 'coexisting', 'broken', 5)
    expect(summary.status).toBe('invalid')
    expect(cell.errors).toBe(cell.n)
    expect(cell.evidence).toBeNull()
    expect(cell.outcomes.not_retrieved).toBe(0)
    const shown = await memscopeHere(['report', 'last'], { cwd })
    expect(shown.out.split('\n')[0]).toMatch(/invalid run · \d+ errors/)
  })

  it('takes its flags from a config file, and flags win', async () => {
    const cwd = temporaryFolder()
    writeFileSync(
      join(cwd, 'memscope.config.ts'),
      `export default { suite: 'memfail/long-hop', system: ['bm25'], k: [3], quiet: true }`,
    )
    const { code, out } = await memscopeHere(['run', 'memscope.config.ts', '--k', '2', '--json', '-'], { cwd })
    expect(code).toBe(0)
    expect(
      summaryOf(out)
        .cells.filter(({ system }) => system === 'bm25')
        .map(({ k }) => k),
    ).toEqual([2])
  })

  it('writes every format of report, and a gate decides the exit code', async () => {
    const cwd = temporaryFolder()
    const all = [
      '--html',
      'r.html',
      '--md',
      'r.md',
      '--csv',
      'r.csv',
      '--junit',
      'r.xml',
      '--json',
      'r.json',
      '--quiet',
    ]
    const { code } = await memscopeHere([...flags, ...all, '--fail-under', 'memfail/long-hop:oracle@5.evidence>=0.5'], {
      cwd,
    })
    expect(code).toBe(0)
    expect(readdirSync(cwd).sort()).toEqual(['.memscope', 'r.csv', 'r.html', 'r.json', 'r.md', 'r.xml'])
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toMatch(/^<!DOCTYPE html>/i)
    const failed = await memscopeHere(
      ['report', 'last', '--quiet', '--fail-under', 'memfail/coexisting:bm25@1.evidence>=0.9'],
      { cwd },
    )
    expect(failed.code).toBe(1)
    const again = await memscopeHere(['report', 'last', '--quiet', '--json', '-'], { cwd })
    expect(again.out).toBe(readFileSync(join(cwd, 'r.json'), 'utf8'))
  })
})
