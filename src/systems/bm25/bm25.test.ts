import { describe, expect, it } from 'vitest'
import { testContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { bm25sAnalyzer, englishAnalyzer } from './analyze.js'
import { bm25 } from './index.js'

runSystemConformance({ name: 'bm25', definition: bm25 })
runSystemConformance({ name: 'bm25:meme', definition: bm25, options: bm25.variants!.meme!.options })

describe('bm25', () => {
  it('finds a memory by another form of its words', async () => {
    const system = await bm25.create(testContext(), {})
    await system.store({ id: 'a', time: '2024-01-01', turns: [{ role: 'user', text: 'I baked bread.' }] })
    await system.store({ id: 'b', time: '2024-01-02', turns: [{ role: 'user', text: 'I swam in the lake.' }] })
    const found = await system.retrieve({ id: 'q', text: 'What do you like baking?', time: '2024-01-03' }, 5, { k: 5 })
    expect(found.map((memory) => memory.id)).toEqual(['a#0'])
  })

  it('refuses values that make no sense', async () => {
    await expect(async () => bm25.create(testContext(), { b: '2' })).rejects.toThrow(
      /"b" to be a number from 0 to 1, got "2"/,
    )
    await expect(async () => bm25.create(testContext(), { k1: '' })).rejects.toThrow(/"k1"/)
    await expect(async () => bm25.create(testContext(), { stem: 'maybe' })).rejects.toThrow(/one of yes, no/)
  })
})

describe('analyzers', () => {
  it('drops stop words and takes contractions apart', () => {
    expect(englishAnalyzer({ stem: true })("I don't think it's Jonas's 7:30 yoga classes")).toEqual([
      'think',
      'jona',
      '7:30',
      'yoga',
      'class',
    ])
  })

  it('splits as bm25s does', () => {
    expect(bm25sAnalyzer("User: I don't eat the 3 Apples_2, and Ünal's not in.")).toEqual([
      'user',
      'don',
      'eat',
      'apples_2',
      'ünal',
    ])
  })
})
