import { describe, expect, it } from 'vitest'
import { wordMeasures } from './measures.js'

describe('what papers print of answers', () => {
  it('counts shared words for F1 and BLEU', () => {
    const free = (text: string, answer: string) => wordMeasures({ gold: { kind: 'free', text } }, answer)
    expect(free('7 May 2023', '7 May 2023').f1).toBe(1)
    expect(free('the adoption agencies', 'She researched adoption agency options').f1).toBeCloseTo((2 * 0.4 * 1) / 1.4)
    expect(free('a cat', 'dogs').f1).toBe(0)
    const list = { kind: 'list' as const, items: ['pottery', 'camping'], text: 'pottery, camping' }
    expect(wordMeasures({ gold: list }, 'camping, swimming').f1).toBeCloseTo(0.5)
    expect(free('her uncle', 'her uncle').bleu).toBe(1)
    expect(free('one two three four', 'one two').bleu).toBeCloseTo(Math.exp(-1))
    expect(free('a b', 'a b c d').bleu).toBe(0.5)
  })

  it('reckons Kendall’s tau with what is missing and what is no event', () => {
    const EVENTS = ['kiln', 'boat', 'fair', 'moon']
    const tau = (events: number, told: readonly (number | null)[]) => {
      const gold = { kind: 'sequence' as const, items: EVENTS.slice(0, events), text: '' }
      return wordMeasures({ gold }, told.map((one) => (one === null ? 'nothing' : EVENTS[one])).join('\n')).tau
    }
    expect([tau(3, [0, 1, 2]), tau(3, [2, 1, 0]), tau(3, [])]).toEqual([1, 0, 0])
    expect(tau(3, [0, 2])).toBeCloseTo(2 / 3)
    expect(tau(2, [0, null, 1])).toBeCloseTo(2 / 3)
    expect(tau(4, [0, 1])).toBeCloseTo((5 / Math.sqrt(6 * 5) + 1) / 2)
  })
})
