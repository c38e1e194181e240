import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memscopeHere, release, temporaryFolder } from './cli.js'
import { expectMistake } from './mistake.js'
import { cellOf, summaryOf } from './summary.js'

describe.skipIf(!existsSync(release))('the published data (skipped when ../shared is absent)', () => {
  it('as released: verbatim stores keep everything, the oracle reaches every ceiling, the guessers are known', async () => {
    const ks = [1, 2, 3, 5, 10, 15, 20]
    const { code, out } = await memscopeHere([
      ...['run', '--suite', 'memfail', '--data', release, '--view', 'released', '--system', 'bm25,bm25-hops,oracle'],
      ...['--k', ks.join(','), '--reader', 'none', '--quiet', '--json', '-'],
    ])
    expect(code).toBe(0)
    const summary = summaryOf(out)
    for (const cell of summary.cells.filter(({ system }) => system === 'bm25')) {
      expect([cell.facts.stored, cell.facts.faithful, cell.facts.uncertain]).toEqual([cell.facts.n, cell.facts.n, 0])
    }
    for (const cell of summary.cells.filter(({ system }) => system === 'oracle')) {
      expect(cell.evidence!.rate).toBeCloseTo(cell.scores.ceiling!, 12)
    }
    expect(cellOf(summary, 'coexisting', 'oracle', 3).scores.ceiling).toBeCloseTo(0.57, 12)
    expect(cellOf(summary, 'long-hop', 'oracle', 2).scores.ceiling).toBeCloseTo(31 / 92, 12)
    expect(cellOf(summary, 'long-hop', 'oracle', 3).scores.ceiling).toBeCloseTo(63 / 92, 12)
    expect(cellOf(summary, 'conditional-easy', 'guess:always-no', null).answer!.accuracy).toBeCloseTo(0.69, 12)
    const leaky = cellOf(summary, 'long-hop', 'guess:option-in-store', null).answer!.accuracy
    expect(leaky).toBeGreaterThan(0.86)
    expect(leaky).toBeLessThan(0.875)
    expect(cellOf(summary, 'long-hop', 'bm25-hops', 5).evidence!.rate).toBeGreaterThan(0.8)
    expect(cellOf(summary, 'persona', 'bm25', 5).evidence!.n).toBe(143)
  })

  it('uses the paper’s depths in the released view unless told otherwise', async () => {
    const { out } = await memscopeHere([
      'run',
      '--suite',
      'memfail/long-hop',
      '--data',
      release,
      '--view',
      'released',
      '--system',
      'oracle',
      '--quiet',
      '--json',
      '-',
    ])
    const ks = summaryOf(out)
      .cells.filter(({ system }) => system === 'oracle')
      .map(({ k }) => k)
    expect(ks).toEqual([2, 3, 5, 10, 20])
  })

  it('is linted with exit code 1 and names of rows', async () => {
    const { code, out } = await memscopeHere(['data', 'lint', '--data', release])
    expect(code).toBe(1)
    expect(out).toMatch(/row 5: the essay never says "8"/)
    expect(out).toMatch(/guessers: rarest-option 34\.8 %, option-in-store 86\.4 %/)
  })

  it('is refused before anything is written when it is damaged', async () => {
    const cwd = temporaryFolder()
    cpSync(release, join(cwd, 'data'), { recursive: true })
    const file = join(cwd, 'data/coexisting_facts/coexisting_facts_dataset.csv')
    writeFileSync(file, readFileSync(file, 'utf8').replace('""bucket hat""]', '""bucket hat'))
    await expectMistake(['run', '--data', 'data', '--system', 'bm25'], /row 0 \(line 2\), column "preferences"/, cwd)
  })
})
