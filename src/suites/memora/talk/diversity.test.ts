import { describe, expect, it } from 'vitest'
import type { Turn } from '../../../model/index.js'
import { simulate } from '../simulate/index.js'
import { diversity, meanSessionSimilarity } from './diversity.js'
import { tellSessions } from './talk.js'

const saying = (...texts: string[]) => ({ turns: texts.map((text): Turn => ({ role: 'user', text })) })

describe('the diversity of conversations', () => {
  it('is the shared share of word runs, whatever the case and marks', () => {
    const found = diversity([saying('The cat sat', 'on a mat.'), saying('the cat sat on a sofa')], 10, 1)
    expect(found[1]).toBeCloseTo(5 / 7)
    expect(found[2]).toBeCloseTo(4 / 6)
    expect(found[3]).toBeCloseTo(3 / 5)
    expect(diversity([saying('one two'), saying('three four')], 10, 1)[1]).toBe(0)
  })

  it('never compares a conversation with itself', () => {
    expect(diversity([saying('one'), saying('two'), saying('three')], 50, 1)[1]).toBe(0)
    expect(() => diversity([saying('one')], 1, 1)).toThrow(/two sessions/)
  })

  it('is high enough in simulated lives', () => {
    const lives = (['content_writer', 'sales_manager'] as const).map((persona) =>
      simulate({ persona, days: 7, seed: 2 }),
    )
    const found = diversity(
      lives.flatMap((life) => [...tellSessions(life, 3)]),
      1500,
      1,
    )
    expect(found[1]).toBeLessThan(0.2)
    expect(found[2]).toBeLessThan(0.05)
    expect(found[3]).toBeLessThan(0.02)
  })

  it('takes any embedder for closeness in meaning', async () => {
    const embedder = {
      id: 'letters',
      dimensions: 2,
      embed: async (texts: readonly string[]) =>
        texts.map((text) => Float32Array.from(text.includes('cat') ? [1, 0] : [0.6, 0.8])),
    }
    const found = await meanSessionSimilarity([saying('a cat'), saying('a dog'), saying('a cow')], 9, 1, embedder)
    expect(found.cosine).toBeCloseTo((0.6 + 0.6 + 1) / 3)
    expect(found).toMatchObject({ sessions: 3, pairs: 3 })
  })
})
