import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMsOf } from '../../../test/base/cpu-time.js'
import { linkCues, preferenceCues, ruleCues } from '../../language/derive-cues.js'
import type { Fact, FactVerdict, Memory } from '../../model/index.js'
import { runJudgeConformance } from '../conformance.js'
import { createLexicalJudge } from './index.js'

runJudgeConformance({ name: 'lexical', newJudge: () => createLexicalJudge() })

const judge = createLexicalJudge()
const ESSAY =
  'Tamsin runs a kite shop. She flies the red kite only on windless mornings, to prove a point. Her nephew helps on Saturdays.'
const FACTS: Fact[] = [
  fact(
    'preference',
    'I like fencing because it sharpens my reflexes.',
    preferenceCues('fencing', 'I like fencing because it sharpens my reflexes.'),
  ),
  fact('link', 'Long train rides make me write letters.', linkCues('Long train rides make me write letters.')),
  fact('rule', ESSAY, ruleCues('Tamsin', 'flies the red kite', 'only on windless mornings', ESSAY)),
]
const PARAPHRASED: Memory[] = [
  { id: 'p1', text: 'User enjoys fencing since it makes their reflexes sharper.' },
  { id: 'p2', text: 'When on a long train ride, User writes letters.' },
  { id: 'p3', text: 'Tamsin flies her red kite exclusively on mornings without wind, mornings being windless.' },
]

/** Memories made of words that none of the facts has. */
const unrelated = fc
  .array(
    fc.array(
      fc.constantFrom(
        'granite',
        'ledger',
        'Tuesday',
        'pepper',
        'violin',
        'harbor',
        'ticket',
        'marble',
        'the',
        'of',
        'is',
      ),
      { minLength: 2, maxLength: 9 },
    ),
    { maxLength: 12 },
  )
  .map((texts) => texts.map((words, i): Memory => ({ id: `u${i}`, text: `${words.join(' ')}.` })))

describe('the lexical judge', () => {
  it('recovers paraphrases', async () => {
    const verdicts = await judge.judgeFacts(FACTS, PARAPHRASED)
    expect(verdicts.map(({ label, support }) => [label, support])).toEqual([
      ['correct', [['p1']]],
      ['correct', [['p2']]],
      ['correct', [['p3']]],
    ])
  })

  it('says in its key which embedder it used', () => {
    const embed = {
      id: 'toy',
      dimensions: 1,
      embed: async (texts: readonly string[]) => texts.map(() => new Float32Array([1])),
    }
    expect(createLexicalJudge({ embed }).key).toContain('toy')
    expect(createLexicalJudge({ embed }).key).not.toBe(judge.key)
  })

  it('asks the embedder for nothing when everything stands word for word', async () => {
    let asked = 0
    const embed = {
      id: 'toy',
      dimensions: 1,
      embed: async (texts: readonly string[]) => {
        asked += texts.length
        return texts.map(() => new Float32Array([1]))
      },
    }
    await createLexicalJudge({ embed }).judgeFacts(
      FACTS,
      FACTS.map(({ id, text }) => ({ id, text })),
    )
    expect(asked).toBe(0)
  })

  it('stops when it is told to', async () => {
    const controller = new AbortController()
    controller.abort()
    await expect(judge.judgeFacts(FACTS, PARAPHRASED, controller.signal)).rejects.toThrow()
  })

  it('gives a fact spread over sentences one set with the memories that state it', async () => {
    const store = [
      'Tamsin runs a kite shop.',
      'She flies the red kite only on windless mornings, to prove a point.',
      'Her nephew helps on Saturdays.',
    ]
    const [verdict] = await judge.judgeFacts(
      [FACTS[2]!],
      store.map((text, i) => ({ id: `s${i}`, text })),
    )
    expect(verdict).toMatchObject({ label: 'correct', uncertain: false, support: [['s1']] })
  })

  it('offers the whole and the sum of its parts as alternatives', async () => {
    const one = { ...FACTS[0]!, text: 'I fence. It sharpens me.', evidence: ['I fence.', 'It sharpens me.'] }
    const store = ['User: I fence. It sharpens me.', 'I fence.', 'It sharpens me.', 'I fence.'].map((text, i) => ({
      id: `m${i}`,
      text,
    }))
    const [verdict] = await judge.judgeFacts([one], store)
    expect(verdict).toMatchObject({ label: 'correct', uncertain: false, support: [['m0'], ['m1', 'm2'], ['m2', 'm3']] })
  })

  it('keeps what it found when unrelated memories are added', async () => {
    await fc.assert(
      fc.asyncProperty(unrelated, async (extra) => {
        const [bare, crowded] = [
          await judge.judgeFacts(FACTS, PARAPHRASED),
          await judge.judgeFacts(FACTS, [...extra, ...PARAPHRASED]),
        ]
        expect(crowded.map(({ label, support }) => ({ label, support }))).toEqual(
          bare.map(({ label, support }) => ({ label, support })),
        )
      }),
      { numRuns: 40 },
    )
  })

  it('finds nothing among unrelated memories', async () => {
    await fc.assert(
      fc.asyncProperty(unrelated, async (store) => {
        for (const { label } of await judge.judgeFacts(FACTS, store)) expect(label).toBe('not_stored')
      }),
      { numRuns: 40 },
    )
  })

  it('lists every verbatim duplicate as an alternative', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.constantFrom(...FACTS), async (copies, one) => {
        const store = Array.from({ length: copies }, (_, i) => ({ id: `m${i}`, text: one.text }))
        const [verdict] = await judge.judgeFacts([one], store)
        expect(verdict!.support).toEqual(store.map(({ id }) => [id]))
      }),
    )
  })

  it('does not mind case, spacing, quotes and dashes', async () => {
    const disguise = fc.constantFrom<(text: string) => string>(
      (text) => text.toUpperCase(),
      (text) => text.replaceAll(' ', '  \n'),
      (text) => `“${text}”`,
      (text) => text.normalize('NFD'),
      (text) => `— ${text.replaceAll("'", '’')} —`,
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...FACTS), disguise, async (one, change) => {
        const [verdict] = await judge.judgeFacts([one], [{ id: 'm', text: change(one.text) }])
        expect(verdict).toMatchObject({ label: 'correct', uncertain: false, support: [['m']] })
      }),
    )
  })

  it('judges three hundred facts over a hundred thousand memories in seconds', async () => {
    const words = Array.from({ length: 5000 }, (_, i) => `w${(i * 7919) % 5003}x`)
    const store = Array.from({ length: 100_000 }, (_, i) => ({
      id: `m${i}`,
      text: Array.from({ length: 12 }, (_, k) => words[(i * 31 + k * 97) % 5000]).join(' '),
    }))
    const facts = Array.from({ length: 300 }, (_, i) => ({ ...FACTS[i % 2]!, id: `f${i}` }))
    let verdicts: FactVerdict[] = []
    const spent = await cpuMsOf(async () => {
      verdicts = await judge.judgeFacts(facts, [...store, ...PARAPHRASED])
    })
    expect(spent).toBeLessThan(20_000)
    expect(verdicts).toHaveLength(300)
    expect(verdicts.every(({ label }) => label === 'correct')).toBe(true)
  })
})

function fact(id: string, text: string, cues: Fact['cues']): Fact {
  return { id, text, sources: [id], cues }
}
