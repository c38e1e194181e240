import { describe, expect, it } from 'vitest'
import type { FactLabel, Judge } from '../model/index.js'
import { evaluateJudge, type GoldCase, type JudgeEvaluation, parseGold } from './eval.js'
import { factOf } from './gold.js'

const CASE = {
  id: 'c1',
  dataset: 'coexisting',
  style: 'atomic',
  source: ['I like fencing because it sharpens my reflexes.'],
  memories: ['User likes fencing.'],
  facts: [
    {
      id: 'f1',
      preference: 'fencing',
      text: 'I like fencing because it sharpens my reflexes.',
      label: 'correct',
      support: [0],
      source_supports: true,
    },
  ],
}

describe('reading labelled cases', () => {
  it('reads one case a line and skips blank lines', () => {
    expect(
      parseGold(`${JSON.stringify(CASE)}\n\n${JSON.stringify({ ...CASE, id: 'c2' })}\n`, 'gold.jsonl').map(
        ({ id }) => id,
      ),
    ).toEqual(['c1', 'c2'])
  })

  it.each([
    ['{"id": ', /gold\.jsonl:2 is not JSON/],
    [JSON.stringify({ ...CASE, style: undefined }), /gold\.jsonl:2: style/],
    [JSON.stringify({ ...CASE, facts: [{ ...CASE.facts[0], label: 'perfect' }] }), /gold\.jsonl:2: facts\.0\.label/],
    [JSON.stringify({ ...CASE, facts: [{ ...CASE.facts[0], support: [3] }] }), /gold\.jsonl:2: support of f1/],
  ])('names the line of what it cannot use', (line, message) => {
    expect(() => parseGold(`${JSON.stringify(CASE)}\n${line}`, 'gold.jsonl')).toThrow(message)
  })

  it('takes a fact that is nothing but its text', () => {
    const { preference: _, ...fact } = CASE.facts[0]!
    const [one] = parseGold(JSON.stringify({ ...CASE, facts: [{ ...fact, kind: 'statement' }] }), 'gold.jsonl')
    expect(factOf(one!, one!.facts[0]!).cues).toMatchObject({ kind: 'statement', parts: [] })
  })

  it('refuses an empty file', () => {
    expect(() => parseGold('\n', 'gold.jsonl')).toThrow(/holds no labelled cases/)
  })
})

describe('agreement', () => {
  it('is perfect for a judge that repeats the labels, and kappa is then 1', async () => {
    const found = await evaluated(
      ['correct', 'correct'],
      ['not_stored', 'not_stored'],
      ['summary_error', 'summary_error'],
    )
    expect(found).toMatchObject({ n: 3, accuracy: 1, kappa: 1, uncertain: 0, certain: { n: 3, accuracy: 1, share: 1 } })
    expect(found.ci95![0]).toBeGreaterThan(0.4)
  })

  it('tells damaged from missing in three labels, and not where it asks for correct or not', async () => {
    const found = await evaluated(['correct', 'correct'], ['not_stored', 'summary_error'])
    expect(found).toMatchObject({ accuracy: 0.5, binary: { n: 2, accuracy: 1 } })
  })

  it('gives no credit in kappa to a judge that says one thing only', async () => {
    const found = await evaluated(['correct', 'correct'], ['not_stored', 'correct'], ['correct', 'correct'])
    expect(found.accuracy).toBeCloseTo(2 / 3)
    expect(found.kappa).toBeCloseTo(0)
    expect(found.confusion.not_stored.correct).toBe(1)
  })

  it('has no accuracy over nothing', async () => {
    expect(await evaluated()).toMatchObject({ n: 0, accuracy: null, kappa: null })
  })

  it('is broken down by dataset and style, with and without unsupported facts', async () => {
    const found = await evaluated(['correct', 'correct'], ['correct', 'not_stored', 'unsupported'])
    expect(found).toMatchObject({ n: 2, accuracy: 0.5, supported: { n: 1, accuracy: 1 } })
    expect(Object.keys(found.byDataset)).toEqual(['coexisting'])
    expect(Object.keys(found.byStyle)).toEqual(['atomic'])
    expect(found.supported.byLabel).toMatchObject({ correct: { n: 1, accuracy: 1 } })
    expect(Object.keys(found.byKind)).toHaveLength(1)
  })
})

describe('the store of a case', () => {
  it('is the union over its dataset and style', async () => {
    const sizes: number[] = []
    const judge: Judge = {
      name: 'counting',
      key: 'counting',
      judgeFacts: async (facts, store) => {
        sizes.push(store.length)
        return facts.map(({ id }) => ({
          fact: id,
          label: 'correct',
          uncertain: false,
          support: [],
          reason: '',
          quotes: [],
        }))
      },
      judgeAnswer: async () => ({ grade: 'error', reason: '' }),
    }
    const cases = [CASE, { ...CASE, id: 'c2' }, { ...CASE, id: 'c3', style: 'note' }]
      .map((one) => JSON.stringify(one))
      .join('\n')
    expect((await evaluateJudge(judge, parseGold(cases, 'gold.jsonl'))).n).toBe(3)
    expect(sizes).toEqual([2, 1])
  })
})

/** How a judge that says the second of each pair agrees with labels that are the first. */
function evaluated(...pairs: [gold: FactLabel, said: FactLabel, source?: 'unsupported'][]): Promise<JudgeEvaluation> {
  const said = new Map(pairs.map(([, label], i) => [`c${i}/f1`, label]))
  const judge: Judge = {
    name: 'scripted',
    key: 'scripted',
    judgeFacts: async (facts) =>
      facts.map(({ id }) => ({
        fact: id,
        label: said.get(id)!,
        uncertain: false,
        support: [],
        reason: '',
        quotes: [],
      })),
    judgeAnswer: async () => ({ grade: 'error', reason: '' }),
  }
  const cases = pairs.map(([label, , source], i): GoldCase => {
    const fact = { ...CASE.facts[0]!, label, source_supports: source === undefined }
    return { ...CASE, id: `c${i}`, facts: [fact] }
  })
  return evaluateJudge(judge, cases)
}
