import { describe, expect, it } from 'vitest'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { bm25sAnalyzer, englishAnalyzer } from './analyze.js'
import { bm25 } from './index.js'

runSystemConformance({ name: 'bm25', definition: bm25 })
runSystemConformance({ name: 'bm25:meme', definition: bm25, options: bm25.variants!.meme!.options })

describe('bm25', () => {
  it('finds a memory by another form of its words', async () => {
    const system = await bm25.create(systemTestContext(), {})
    await system.store({ id: 'a', time: '2024-01-01', turns: [{ role: 'user', text: 'I baked bread.' }] })
    await system.store({ id: 'b', time: '2024-01-02', turns: [{ role: 'user', text: 'I swam in the lake.' }] })
    const found = await system.retrieve({ id: 'q', text: 'What do you like baking?', time: '2024-01-03' }, 5, { k: 5 })
    expect(found.map((memory) => memory.id)).toEqual(['a#0'])
  })

  it('is filled up to k by what shares no word, newest first, only where that is asked for', async () => {
    const said = ['grape juice', 'a loaf', 'plum cake', 'an egg', 'lemon zest', 'a nut']
    const found = async (options: Record<string, string>, text: string, k: number) => {
      const system = await bm25.create(systemTestContext(), options)
      for (const [i, one] of said.entries())
        await system.store({ id: `c${i}`, time: '2024-01-01', turns: [{ role: 'user', text: one }] })
      const memories = await system.retrieve({ id: 'q', text, time: '2024-01-02' }, k, { k })
      return memories.map(({ id, score }) => `${id[1]}${score === 0 ? '' : '+'}`)
    }
    // What bm25s 0.3 gives over the same six texts.
    const { meme } = bm25.variants!
    expect(await found(meme!.options, 'Which cake?', 5)).toEqual(['2+', '5', '4', '3', '1'])
    expect(await found(meme!.options, 'Anything else?', 5)).toEqual(['5', '4', '3', '2', '1'])
    expect(await found(meme!.options, 'Which cake?', 9)).toHaveLength(6)
    expect(await found({}, 'Which cake?', 5)).toEqual(['2+'])
  })

  it('counts a word that is asked twice once, but twice as bm25s does', async () => {
    const score = async (options: Record<string, string>, text: string) => {
      const system = await bm25.create(systemTestContext(), options)
      for (const said of ['plum cake', 'lemon zest'])
        await system.store({ id: said, time: '2024-01-01', turns: [{ role: 'user', text: said }] })
      return (await system.retrieve({ id: 'q', text, time: '2024-01-02' }, 1, { k: 1 }))[0]!.score!
    }
    expect(await score({}, 'cake cake')).toBe(await score({}, 'cake'))
    // As many words in both: what a word asked once weighs does not hang on who takes the text apart.
    expect(await score({ words: 'bm25s' }, 'cake')).toBeCloseTo(await score({ stem: 'no' }, 'cake'), 12)
    expect(await score({ words: 'bm25s' }, 'cake cake')).toBeCloseTo(2 * (await score({ words: 'bm25s' }, 'cake')), 12)
  })

  it('refuses values that make no sense', async () => {
    await expect(async () => bm25.create(systemTestContext(), { b: '2' })).rejects.toThrow(
      /"b" to be a number from 0 to 1, got "2"/,
    )
    await expect(async () => bm25.create(systemTestContext(), { k1: '' })).rejects.toThrow(/"k1"/)
    await expect(async () => bm25.create(systemTestContext(), { stem: 'maybe' })).rejects.toThrow(/one of yes, no/)
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
