import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memscopeHere, temporaryFolder } from './cli.js'

describe('memscope data', () => {
  it('lints the bundled corpora without a broken rule', async () => {
    const { code, out } = await memscopeHere(['data', 'lint', '--suite', 'memfail', '--json', '-'])
    const { violations, corpora } = JSON.parse(out)
    expect(code).toBe(0)
    expect(violations).toBe(0)
    const scores: Record<string, number> = Object.assign(
      {},
      ...corpora.map(({ guessers }: { guessers: object }) => guessers),
    )
    expect(scores['always-yes']).toBeLessThanOrEqual(0.55)
    expect(scores['always-no']).toBeLessThanOrEqual(0.55)
    expect(scores['rarest-option']).toBeLessThanOrEqual(0.3)
    expect(scores['option-in-store']).toBeLessThanOrEqual(0.35)
    expect(corpora.map(({ task, rows }: { task: string; rows: number }) => [task, rows])).toEqual([
      ['conditional-easy', 102],
      ['conditional-hard', 102],
      ['coexisting', 100],
      ['persona', 100],
      ['long-hop', 200],
    ])
  })

  it('exports rows that are read back without loss, and the published layout with what it drops', async () => {
    const cwd = temporaryFolder()
    expect((await memscopeHere(['data', 'export', '--out', 'ours'], { cwd })).code).toBe(0)
    const run = (data: string[]) =>
      memscopeHere(['run', '--suite', 'memfail', ...data, '--system', 'bm25', '--k', '5', '--quiet', '--json', '-'], {
        cwd,
      })
    const bundled = JSON.parse((await run([])).out)
    const exported = JSON.parse((await run(['--data', 'ours'])).out)
    expect(exported.cells).toEqual(bundled.cells)
    const published = await memscopeHere(['data', 'export', '--format', 'published', '--out', 'csv'], { cwd })
    expect(published.out).toMatch(
      /long_hop_chains\.csv {2}without cues and damaged versions, 80 chains of more than 3 hops/,
    )
    const back = JSON.parse((await run(['--data', 'csv', '--view', 'released'])).out)
    expect(back.status).toBe('valid')
    expect((await memscopeHere(['data', 'export', '--out', 'ours'], { cwd })).err).toMatch(/is there already/)
  })

  it('generates the same rows for the same seed, which pass lint and can be run', async () => {
    const cwd = temporaryFolder()
    const generate = (seed: string, out: string) =>
      memscopeHere(['data', 'generate', '--suite', 'memfail', '--n', '40', '--seed', seed, '--out', out], { cwd })
    for (const [seed, out] of [
      ['7', 'a'],
      ['7', 'b'],
      ['8', 'c'],
    ] as const)
      expect((await generate(seed, out)).code).toBe(0)
    const read = (out: string, kind: string) => readFileSync(join(cwd, out, `${kind}.jsonl`), 'utf8')
    for (const kind of ['conditional', 'coexisting', 'persona', 'long-hop']) {
      expect(read('b', kind)).toBe(read('a', kind))
      expect(read('c', kind)).not.toBe(read('a', kind))
    }
    expect(JSON.parse(readFileSync(join(cwd, 'a/generation_config.json'), 'utf8'))).toMatchObject({ seed: 7, rows: 40 })
    const lint = await memscopeHere(['data', 'lint', '--data', 'a', '--json', '-'], { cwd })
    expect(JSON.parse(lint.out).corpora.flatMap(({ violations }: { violations: unknown[] }) => violations)).toEqual([])
    const { code, out } = await memscopeHere(
      ['run', '--data', 'a', '--system', 'bm25,oracle', '--k', '5', '--quiet', '--json', '-'],
      { cwd },
    )
    expect(code).toBe(0)
    for (const cell of JSON.parse(out).cells) if (cell.system === 'bm25') expect(cell.facts.faithful).toBe(cell.facts.n)
  })

  it('proves its attribution without a reader: what is judged missing is repaired by putting it in', async () => {
    const cwd = temporaryFolder()
    await memscopeHere(
      ['run', '--suite', 'memfail/conditional-hard', '--size', '24', '--system', 'digest', '--k', '5', '--quiet'],
      { cwd },
    )
    const { code, out } = await memscopeHere(['explain', 'last', '--json', '-'], { cwd })
    expect(code).toBe(0)
    const { overall } = JSON.parse(out)
    expect(overall.n).toBeGreaterThan(5)
    expect(overall.agreement).toBe(1)
    expect(overall.repair.not_stored.repaired).toBe(overall.repair.not_stored.n)
  })
})
