import { describe, expect, it } from 'vitest'
import {
  type Cell,
  type Criterion,
  type CriterionAsk,
  type CriterionVerdict,
  type ScoredQuestion,
  scoresByName,
  scoresOf,
} from '../../model/index.js'
import { readFigures } from '../beside-papers.js'
import { overallMemora, scoreMemora } from './score.js'

type Answer = 'yes' | 'no' | null

function criterion(type: Criterion['type'], act: CriterionAsk['act'], form: string, facts: string[] = []): Criterion {
  const expected = type === 'presence' || act === 'avoid' ? 'yes' : 'no'
  return { id: form, text: `${act} ${form}?`, type, expected, facts, asks: { act, forms: [form] } }
}

const says = (form: string, ...facts: string[]) => criterion('presence', 'mention', form, facts)
const forgets = (form: string, ...facts: string[]) => criterion('forgetting', 'mention', form, facts)

function result(
  criteria: Criterion[],
  answers: (Answer | CriterionVerdict['votes'])[] | null,
  more: Partial<ScoredQuestion> & { tags?: Record<string, string> } = {},
): ScoredQuestion {
  const { tags = { duration: 'weekly' }, ...rest } = more
  const verdicts = answers?.map((one, at): CriterionVerdict => {
    const base = { id: criteria[at]!.id, uncertain: false, reason: '' }
    return Array.isArray(one) ? { ...base, answer: null, votes: one } : { ...base, answer: (one ?? null) as Answer }
  })
  return {
    question: {
      id: 'q',
      task: 'remembering',
      text: '',
      needs: [],
      outdated: [],
      gold: { kind: 'criteria', criteria, text: '' },
      tags,
    },
    scenario: 's',
    outcome: null,
    evidence: null,
    answer: null,
    verdict: verdicts ? { grade: 'wrong', uncertain: false, reason: '', criteria: verdicts } : null,
    facts: [],
    outdated: [],
    side: {},
    pair: null,
    ...rest,
  }
}

const read = (...results: ScoredQuestion[]) => scoresByName(scoreMemora(results, { reader: true }))
const overall = (cells: readonly Cell[]) => scoresByName(overallMemora(cells, null))
const fact = (id: string, furthest: 'nothing' | 'stored' | 'faithful' | 'retrieved') => {
  const at = ['nothing', 'stored', 'faithful', 'retrieved'].indexOf(furthest)
  return { id, stored: at > 0, faithful: at > 1, retrieved: at > 2 }
}

describe('FAMA', () => {
  it('is presence less the weighted share of what was not forgotten, and never below 0', () => {
    const criteria = [says('a'), says('b'), forgets('c'), forgets('d')]
    expect(read(result(criteria, ['yes', 'yes', 'no', 'no']))).toMatchObject({ fama: 1, mpa: 1, faa: 1, reduction: 0 })
    expect(read(result(criteria, ['yes', 'yes', 'yes', 'no']))).toMatchObject({
      fama: 0.75,
      mpa: 1,
      faa: 0.5,
      reduction: -0.25,
    })
    expect(read(result(criteria, ['no', 'no', 'yes', 'yes']))).toMatchObject({ fama: 0, mpa: 0, faa: 0 })
    expect(read(result([says('a'), says('b')], ['yes', 'no']))).toMatchObject({ fama: 0.5, mpa: 0.5, faa: null })
  })

  it('takes criteria that no judge could decide for incorrect, as the paper; a variant leaves them out of every denominator', () => {
    const criteria = [says('a'), says('b'), forgets('c')]
    const scores = read(result(criteria, ['yes', null, null]))
    expect(scores).toMatchObject({ mpa: 0.5, faa: 0, fama_judged: 1, criteria: 1, criteria_unjudged: 2 })
    expect(scores.fama).toBeCloseTo(0.5 - 1 / 3)
    expect(scores.fama_as_coded).toBeCloseTo(0.5 - 1 / 3)
    expect(scores.fama_corrected).toBeCloseTo(0.5 - 1 / 3)
    expect(read(result(criteria, [null, null, 'no']))).toMatchObject({ fama: 0, mpa: 0, faa: 1, fama_judged: null })
  })

  it('counts votes as coded: unclear is wrong, a failed vote did not come, and half is not most', () => {
    const votes = (...answers: ('yes' | 'no' | 'unclear' | null)[]) =>
      answers.map((answer, at) => ({ judge: `${at}`, answer }))
    const coded = (...answers: ('yes' | 'no' | 'unclear' | null)[]) =>
      read(result([says('a')], [votes(...answers)])).fama_as_coded
    expect(coded('yes', 'yes', 'unclear')).toBe(1)
    expect(coded('yes', 'unclear', null)).toBe(0)
    expect(coded('yes', 'no', null)).toBe(0)
    expect(coded('yes', null, null)).toBe(1)
    expect(coded(null, null, null)).toBe(0)
  })

  it('corrected has every criterion once and asks avoidance of forgetting, which takes the reward from silence', () => {
    const avoid = criterion('presence', 'avoid', 'jazz')
    const criteria = [says('a'), avoid, forgets('c'), { ...forgets('c'), text: 'in other words?' }]
    const silent = read(result(criteria, ['no', 'yes', 'no', 'no']))
    expect(silent).toMatchObject({ fama: 0.5, fama_null: 0.5, fama_normalised: 0, fama_corrected: 0 })
    expect(silent).toMatchObject({ fama_corrected_null: 0, mpa_null: 0.5, faa_null: 1 })
    const good = read(result(criteria, ['yes', 'yes', 'yes', 'yes']))
    expect(good).toMatchObject({ fama: 0.5, fama_normalised: 0 })
    expect(good.fama_corrected).toBeCloseTo(1 - (2 / 3) * 0.5)
    expect(read(result([avoid], ['yes']))).toMatchObject({
      fama: 1,
      fama_null: 1,
      fama_normalised: null,
      fama_corrected: null,
    })
  })
})

describe('without a reader', () => {
  it('scores evidence and no answers', () => {
    const one = result([says('a', 'f1'), forgets('b', 'f2', 'f3')], null, {
      facts: [fact('f1', 'retrieved'), fact('f0', 'faithful')],
      outdated: [
        { id: 'f2', live: true, standing: true },
        { id: 'f3', live: true, standing: false },
      ],
      tags: { duration: 'weekly', consolidation: '7', mutation: '2' },
    })
    const other = result([says('a')], null, {
      facts: [fact('f1', 'retrieved')],
      tags: { duration: 'weekly', consolidation: '3', mutation: '0' },
    })
    expect(scoresByName(scoreMemora([one, other], { reader: false }))).toEqual({
      fama: null,
      mpa: null,
      faa: null,
      reduction: null,
      fama_judged: null,
      fama_as_coded: null,
      fama_corrected: null,
      fama_null: 0,
      fama_corrected_null: 0,
      mpa_null: 0,
      faa_null: 1,
      fama_normalised: null,
      evidence_presence: 0.75,
      evidence_forgetting: 0.5,
      outdated_in_store: 1,
      consolidation: 5,
      consolidation_max: 7,
      mutation: 1,
      mutation_max: 2,
      criteria: 3,
      criteria_missed: 1,
      criteria_unjudged: 0,
      never_stored: 0,
      damaged: 0,
      partial_retrieval: 0,
      outdated_kept: 1,
      misread: 0,
    })
  })
})

it('says of every missed criterion where it was lost', () => {
  const criteria = [
    says('a', 'f1'),
    says('b', 'f2'),
    says('c', 'f3'),
    says('d', 'f4'),
    forgets('e', 'f5'),
    says('g', 'f1'),
  ]
  const scores = read(
    result(criteria, ['no', 'no', 'no', 'no', 'yes', null], {
      facts: [fact('f1', 'nothing'), fact('f2', 'stored'), fact('f3', 'faithful'), fact('f4', 'retrieved')],
      outdated: [{ id: 'f5', live: true, standing: true }],
    }),
  )
  const causes = { never_stored: 1, damaged: 1, partial_retrieval: 1, misread: 1, outdated_kept: 1 }
  expect(scores).toMatchObject({ criteria: 5, criteria_missed: 5, ...causes })
})

it('gives every duration by itself where there are several', () => {
  const weekly = result([says('a')], ['yes'])
  const monthly = result([says('a')], ['no'], { tags: { duration: 'monthly' } })
  expect(read(weekly, monthly)).toMatchObject({ fama: 0.5, 'fama[weekly]': 1, 'fama[monthly]': 0, 'mpa[monthly]': 0 })
  expect(read(weekly)).not.toHaveProperty(['fama[weekly]'])
  expect(read(weekly, monthly)).not.toHaveProperty('fama_sum')
  const quarterly = result([says('a')], ['yes'], { tags: { duration: 'quarterly', consolidation: '40' } })
  expect(read(weekly, monthly, quarterly)).toMatchObject({
    fama_sum: 2,
    'fama_null[weekly]': 0,
    'consolidation[quarterly]': 40,
  })
})

it('takes the three tasks together only when all are there', () => {
  const cell = (task: string, fama: number) =>
    ({ task, scores: scoresOf({ fama, mpa: 1, reduction: fama - 1 }) }) as unknown as Cell
  const cells = [cell('remembering', 1), cell('reasoning', 0.2), cell('recommending', 0.6)]
  expect(overall(cells)).toMatchObject({ mpa: 1, mpa_sum: 3 })
  expect(overall(cells).fama).toBeCloseTo(0.6)
  expect(overall(cells).reduction_sum).toBeCloseTo(-1.2)
  expect(overall(cells.slice(1))).toMatchObject({ fama: null, mpa_sum: null })
})

it('sums tasks by duration as Table 5, and counts sessions as Table 1', () => {
  const cell = (task: string, mpa: number, sessions: number, changes: number) =>
    ({
      task,
      scores: scoresOf(
        {
          mpa,
          reduction: -0.1,
          consolidation: sessions,
          consolidation_max: 2 * sessions,
          mutation: changes,
          mutation_max: changes,
        },
        'weekly',
      ),
    }) as unknown as Cell
  const cells = [cell('remembering', 0.5, 3, 4), cell('reasoning', 0.2, 9, 0), cell('recommending', 0.8, 6, 2)]
  const scores = overall(cells)
  expect(scores['mpa_sum[weekly]']).toBeCloseTo(1.5)
  expect(scores['reduction_sum[weekly]']).toBeCloseTo(-0.3)
  expect(scores).toMatchObject({ 'consolidation[weekly]': 6, 'consolidation_max[weekly]': 18 })
  expect(scores).toMatchObject({ 'mutation[weekly]': 3, 'mutation_max[weekly]': 4, mpa_sum: null })
})

it('has the published figures; the sums of Table 4 are those of Table 3 but for one, which the paper itself has so', () => {
  const all = readFigures(new URL('./figures.json', import.meta.url))
  expect(all.filter(({ source }) => source === 'Memora Table 3')).toHaveLength(14 * 9)
  const named = (system: string, task: string, duration: string) =>
    all.find(
      (one) => one.system === system && one.task === task && one.at?.duration === duration && one.score === 'fama',
    )?.value
  expect(named('langmem', 'reasoning', 'weekly')).toBe(0.3)
  expect(named('memobase', 'recommending', 'quarterly')).toBe(0.4562)
  const differing = all.filter((sum) => {
    if (sum.source !== 'Memora Table 4') return false
    const parts = all.filter(
      (one) =>
        one.source === 'Memora Table 3' &&
        one.task === sum.task &&
        one.system === sum.system &&
        one.model === sum.model &&
        one.at?.reasoning === sum.at?.reasoning,
    )
    return Math.abs(parts.reduce((total, { value }) => total + value, 0) - sum.value) > 2e-4
  })
  expect(differing.map(({ model, task }) => `${model} ${task}`)).toEqual(['qwen3-32b reasoning'])
})
