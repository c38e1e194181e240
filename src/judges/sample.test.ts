import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Fact, FactVerdict, Memory, Scenario } from '../model/index.js'
import { parseGold } from './gold.js'
import { blindCase, drawStratified, stratumOf } from './sample.js'

const verdict = (change: Partial<FactVerdict> = {}): FactVerdict => ({
  fact: 'f',
  label: 'correct',
  uncertain: false,
  support: [],
  reason: 'SECRET reason',
  quotes: [],
  ...change,
})
const fact: Fact = {
  id: 'f',
  text: 'Marta keeps bees near Lisbon.',
  sources: ['c1'],
  cues: {
    kind: 'statement',
    parts: [{ role: 'who', forms: ['Marta'] }],
    explicit: true,
    damaged: ['Marta keeps ants.'],
  },
}
const scenario: Scenario = {
  id: 's',
  suite: 't',
  facts: [fact],
  timeline: [
    {
      type: 'conversation',
      conversation: { id: 'c1', time: '2026-01-01', turns: [{ role: 'user', text: 'Marta keeps bees near Lisbon.' }] },
    },
  ],
}
const held: Memory[] = Array.from({ length: 30 }, (_, i) => ({ id: `m${i}`, text: `Note ${i} on trains and rain.` }))
held[17] = { id: 'm17', text: 'Bees are kept by Marta.' }
held[4] = { id: 'm4', text: 'Somebody near Lisbon grows figs.' }

describe('drawing cases', () => {
  it('takes as many of every stratum as there are, the rare ones first', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }), fc.nat(80), fc.nat(), (sizes, n, seed) => {
        const all = sizes.flatMap((size, s) => Array.from({ length: size }, (_, i) => ({ stratum: `s${s}`, i })))
        const drawn = drawStratified(all, n, seed)
        expect(drawn).toHaveLength(Math.min(n, all.length))
        expect(new Set(drawn).size).toBe(drawn.length)
        const got = sizes.map((_, s) => drawn.filter(({ stratum }) => stratum === `s${s}`).length)
        const open = got.filter((count, s) => count < sizes[s]!)
        const most = Math.max(0, ...got)
        // Nobody who has more to give got less than the best by more than the turn that was cut short.
        expect(open.every((count) => count >= most - 1)).toBe(true)
        expect(drawStratified(all, n, seed)).toEqual(drawn)
      }),
    )
  })

  it('tells verdicts apart by label, certainty and what a panel said', () => {
    expect(stratumOf(verdict())).toBe('correct · certain')
    const votes = [
      { judge: 'a', label: 'correct' as const },
      { judge: 'b', label: 'not_stored' as const },
    ]
    expect(stratumOf(verdict({ uncertain: true, votes }))).toBe('correct · uncertain · correct+not_stored')
  })
})

describe('a blind case', () => {
  const make = (given: FactVerdict) =>
    blindCase({ id: 'case-001', dataset: 'd', style: 's', fact, verdict: given, held, scenario })

  it('shows supporting memories and the nearest others, in the order of the store', () => {
    const { memories, source } = make(verdict({ support: [['m29']] }))
    expect(memories).toHaveLength(8)
    expect(memories).toContain(held[29]!.text)
    expect(memories.indexOf(held[4]!.text)).toBeLessThan(memories.indexOf(held[17]!.text))
    expect(source).toEqual(['Marta keeps bees near Lisbon.'])
  })

  it('is the same whatever the verdict says, when the same memories are near', () => {
    const one = make(verdict({ support: [['m17']] }))
    const other = make(verdict({ label: 'summary_error', uncertain: true, support: [['m17']], reason: 'other' }))
    const none = make(verdict({ label: 'not_stored' }))
    expect(other).toEqual(one)
    expect(none).toEqual(one)
    expect(JSON.stringify(one)).not.toMatch(/SECRET|summary_error|not_stored|"correct"|damaged/)
  })

  it('is refused by the reader of labels until it has one, by line, and read after', () => {
    const lines = ['case-001', 'case-002'].map((id) => ({ ...make(verdict()), id }))
    const text = (labels: (string | null)[]) =>
      lines.map((one, i) => JSON.stringify({ ...one, facts: [{ ...one.facts[0], label: labels[i] }] })).join('\n')
    expect(() => parseGold(text(['correct', '']), 'cases.jsonl')).toThrow(
      'cases.jsonl:2: the fact f1 has no label yet.',
    )
    expect(() => parseGold(text([null, '']), 'cases.jsonl')).toThrow(/cases\.jsonl:1: .*2 lines lack one: 1, 2\./)
    expect(parseGold(text(['correct', 'not_stored']), 'cases.jsonl').map(({ facts }) => facts[0]!.label)).toEqual([
      'correct',
      'not_stored',
    ])
  })
})
