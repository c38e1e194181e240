import { describe, expect, it } from 'vitest'
import { sentences, words } from '../../../base/text.js'
import { CoexistingRow, ConditionalRow, LongHopRow, PersonaRow } from '../../../corpora/memfail/schema.js'
import { jaccard } from '../../jaccard.js'
import { measureTextOverlap } from './diversity.js'
import { GENERATOR_VERSION, type GeneratedRows, type GeneratedTask, generateRows } from './index.js'

const SCHEMAS = { conditional: ConditionalRow, coexisting: CoexistingRow, persona: PersonaRow, 'long-hop': LongHopRow }
const IDS = { conditional: 'cond', coexisting: 'coex', persona: 'pers', 'long-hop': 'hop' }
/** The share of words from which on two texts count as one, as in the published data. */
const NEAR = { conditional: 0.8, coexisting: 0.7, persona: 0.7, 'long-hop': 0.7 }
const SPREAD = 1000

/** The texts of a row that a memory is told. */
function textsOf(row: GeneratedRows[GeneratedTask]): string[] {
  if ('hard' in row) return [row.easy.essay, row.hard.essay]
  if ('preferences' in row) return row.preferences.map(({ fact }) => fact)
  return 'essay' in row ? [row.essay] : row.facts.map(({ text }) => text)
}

describe.each(Object.keys(SCHEMAS) as GeneratedTask[])('%s rows', (task) => {
  it('fit the schema of the written corpus, for any seed', () => {
    for (const seed of [0, 1, 42, 2 ** 40]) {
      for (const row of generateRows(task, 65, seed)) SCHEMAS[task].parse(row)
    }
  })

  it('say how they can be made again', () => {
    let index = 0
    for (const { id, provenance } of generateRows(task, 12, 5)) {
      expect(id).toBe(`gen-${IDS[task]}-${String(index + 1).padStart(6, '0')}`)
      expect(provenance).toMatchObject({
        generator: `memfail/${task}`,
        version: GENERATOR_VERSION,
        seed: 5,
        index: index++,
      })
    }
    expect(index).toBe(12)
  })

  it('are the same for the same seed and different for another', () => {
    const rows = (seed: number) => JSON.stringify([...generateRows(task, 70, seed)])
    expect(rows(7)).toBe(rows(7))
    expect(rows(7)).not.toBe(rows(8))
  })

  it('refuse a number or a seed that makes no sense', () => {
    for (const n of [0, -1, 1.5, Number.NaN, 1e9]) expect(() => [...generateRows(task, n, 7)]).toThrow(/number of rows/)
    for (const seed of [-1, 0.5]) expect(() => [...generateRows(task, 1, seed)]).toThrow(/seed/)
  })

  it(`never repeat a sentence within ${SPREAD} rows, nor come near another text`, () => {
    const texts = [...generateRows(task, SPREAD, 7)].flatMap(textsOf)
    const said = new Set<string>()
    for (const sentence of texts.flatMap(sentences)) {
      expect(said.has(sentence), sentence).toBe(false)
      said.add(sentence)
    }
    expect(nearest(texts)).toBeLessThan(NEAR[task])
  })

  it('are as diverse as promised', async () => {
    const { overlap } = await measureTextOverlap(generateRows(task, SPREAD, 7), 7)
    expect(overlap[1]).toBeLessThanOrEqual(0.15)
    expect(overlap[2]).toBeLessThanOrEqual(0.04)
    expect(overlap[3]).toBeLessThanOrEqual(0.015)
  })
})

describe.each(['conditional', 'coexisting', 'persona'] as const)('a shorter list of %s rows', (task) => {
  it('is the beginning of a longer one', () => {
    expect([...generateRows(task, 90, 7)].slice(0, 33)).toEqual([...generateRows(task, 33, 7)])
  })
})

describe('chains in small numbers', () => {
  it('are given out even when they are fewer than the options', () => {
    for (const n of [1, 2, 3, 4]) expect([...generateRows('long-hop', n, 7)]).toHaveLength(n)
  })
})

describe('diversity', () => {
  it('is nought for texts without a common word and one for equal texts', async () => {
    expect((await measureTextOverlap(['one two three', 'four five six'], 1)).overlap).toEqual({ 1: 0, 2: 0, 3: 0 })
    expect((await measureTextOverlap(['one two three', 'One two three!'], 1)).overlap).toEqual({ 1: 1, 2: 1, 3: 1 })
  })

  it('compares all pairs of few texts and 8,000 of many', async () => {
    expect(await measureTextOverlap(['a b', 'b c', 'c d'], 1)).toEqual({
      texts: 3,
      pairs: 3,
      overlap: { 1: expect.closeTo(2 / 9), 2: 0, 3: 0 },
    })
    const many = Array.from({ length: 500 }, (_, i) => `text ${i}`)
    expect((await measureTextOverlap(many, 1)).pairs).toBe(8000)
    expect(await measureTextOverlap(many, 1)).toEqual(await measureTextOverlap(many, 1))
  })

  it('is not a number for a single text', async () => {
    expect((await measureTextOverlap(['alone'], 1)).overlap[1]).toBeNaN()
  })
})

/** The greatest overlap of words of any two texts, as far as it is above one half: such pairs share one of their rarer words. */
function nearest(texts: readonly string[]): number {
  const sets = texts.map((text) => new Set(words(text)))
  const uses = new Map<string, number>()
  for (const set of sets) for (const word of set) uses.set(word, (uses.get(word) ?? 0) + 1)
  const holders = new Map<string, number[]>()
  let most = 0
  sets.forEach((set, at) => {
    const rare = [...set].sort((a, b) => uses.get(a)! - uses.get(b)!).slice(0, Math.floor(set.size / 2) + 1)
    const others = new Set(rare.flatMap((word) => holders.get(word) ?? []))
    for (const other of others) most = Math.max(most, jaccard(set, sets[other]!))
    for (const word of rare) holders.set(word, [...(holders.get(word) ?? []), at])
  })
  return most
}
