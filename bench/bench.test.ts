import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { growth, quantile } from './bench.js'
import { tableMarkdown, writeSection } from './markdown.js'
import { SyntheticText } from './synthetic.js'
import { measureSystem } from './systems/measure.js'

describe('growth', () => {
  it('is 1 for what doubles with the size and 2 for what quadruples', () => {
    expect(growth({ size: 100, value: 5 }, { size: 200, value: 10 })).toBeCloseTo(1)
    expect(growth({ size: 100, value: 5 }, { size: 200, value: 20 })).toBeCloseTo(2)
  })
})

describe('quantile', () => {
  it('does not depend on order', () => {
    expect(quantile([3, 1, 2, 5, 4], 0.5)).toBe(3)
    expect(quantile([5], 0.95)).toBe(5)
  })
})

describe('SyntheticText', () => {
  const texts = (seed: number) => {
    const text = new SyntheticText(seed)
    return Array.from({ length: 3000 }, () => text.sentence())
  }

  it('is the same for the same seed and another for another', () => {
    expect(texts(1)).toEqual(texts(1))
    expect(texts(1)[0]).not.toBe(texts(2)[0])
  })

  it('has few words that are common and many that are rare, as real text has', () => {
    const counts = new Map<string, number>()
    for (const word of texts(1).join(' ').replaceAll('.', '').split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1)
    const sorted = [...counts.values()].sort((a, b) => b - a)
    expect(sorted.length).toBeGreaterThan(3000)
    expect(sorted.filter((count) => count <= 2).length).toBeGreaterThan(sorted.length / 3)
  })
})

describe('writeSection', () => {
  const table = { title: 'T', note: 'N', columns: ['a', 'b'], rows: [['x', '1']] }

  it('replaces its own section and leaves the others alone', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'memscope-bench-')), 'docs', 'benchmarks.md')
    writeSection(file, 'one', table, 'M')
    writeSection(file, 'two', { ...table, title: 'Two' }, 'M')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nWritten by hand.\n`)
    writeSection(file, 'one', { ...table, title: 'Anew' }, 'M')
    const text = readFileSync(file, 'utf8')
    expect(text.match(/^## .*$/gm)).toEqual(['## Anew', '## Two'])
    expect(text).toContain('Written by hand.')
  })

  it('sets numbers to the right', () => {
    expect(tableMarkdown({ columns: ['name', 'ms'], rows: [['bm25', '1.25']] })).toBe(
      '| name |   ms |\n| ---- | ---: |\n| bm25 | 1.25 |',
    )
  })
})

describe('measureSystem', () => {
  it.each(['bm25', 'bm25-hops', 'dense', 'hybrid'])('measures %s', async (spec) => {
    const measured = await measureSystem(spec, 50)
    expect(measured.size).toBe(50)
    for (const value of Object.values(measured)) expect(value).toBeGreaterThan(0)
  })
})
