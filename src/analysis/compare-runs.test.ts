import { describe, expect, it } from 'vitest'
import type { ComparableRun, ComparedResult } from './comparable.js'
import { compareContestants } from './compare-runs.js'
import { pairRuns } from './contestants.js'

type Given = Partial<ComparedResult> & { id: string; cluster?: string }

/** A run of one system with these results, of one task. */
function runOf(
  name: string,
  given: readonly Given[],
  more: { reader?: string; own?: string; system?: string } = {},
): ComparableRun {
  const { reader = 'none', own = null, system = 's' } = more
  const ids = [...new Set(given.map(({ id }) => id))]
  const clusterOf = (id: string) => given.find((one) => one.id === id)?.cluster ?? id
  const place = { suite: 'x', task: 't', scenario: 'x/1' }
  const empty = { contestant: 0, depth: '5', outcome: 'answerable', evidence: null, answer: null, own: null } as const
  return {
    run: name,
    status: 'valid',
    setting: {},
    spending: [],
    suites: [{ name: 'x', cluster: 'life', defaultK: [5], tasks: ['t'], own }],
    contestants: [{ system, model: null, reader }],
    questions: ids.map((id) => ({ ...place, id, text: id, cluster: clusterOf(id), print: id })),
    results: given.map(({ id, cluster: _, ...result }) => ({ ...empty, ...result, question: ids.indexOf(id) })),
  }
}

const many = (n: number, result: (i: number) => Partial<Given>): Given[] =>
  Array.from({ length: n }, (_, i) => ({ id: `q${i}`, ...result(i) }))

const only = (a: ComparableRun, b: ComparableRun) => compareContestants([a, 0], [b, 0]).tasks[0]!

describe('two systems compared', () => {
  it('are never called different over fewer than six clusters, however clear it looks', () => {
    const lives = (evidence: number, n: number) => many(40, (i) => ({ evidence, cluster: `life ${i % n}` }))
    const few = only(runOf('a', lives(0, 5)), runOf('b', lives(1, 5)))
    expect(few).toMatchObject({ verdict: 'undecided', by: 'question', corrected: null, difference: 1 })
    expect(few.needed!.questions).toBeGreaterThanOrEqual(48)
    expect(only(runOf('a', lives(0, 6)), runOf('b', lives(1, 6)))).toMatchObject({ verdict: 'better', p: 2 / 64 })
  })

  it('count what the suite counts where somebody reads, and answers where it counts nothing', () => {
    const with2 = (values: Partial<Given>) => many(8, () => values)
    const named = { reader: 'r', own: 'points' }
    const scored = only(
      runOf('a', with2({ own: 0.25, answer: 1 }), named),
      runOf('b', with2({ own: 0.75, answer: 1 }), named),
    )
    expect(scored).toMatchObject({ measure: 'points', a: 0.25, b: 0.75, verdict: 'better' })
    const answered = only(runOf('a', with2({ answer: 0 }), named), runOf('b', with2({ answer: 1 }), named))
    expect(answered).toMatchObject({ measure: 'answer', difference: 1 })
    const mixed = only(runOf('a', with2({ evidence: 1, answer: 0 }), named), runOf('b', with2({ evidence: 1 })))
    expect(mixed).toMatchObject({ measure: 'evidence', verdict: 'equal' })
  })

  it('average trials, and leave out what could not be measured', () => {
    const trials = [1, 0].flatMap((evidence) => many(8, () => ({ evidence })))
    const found = only(
      runOf('a', trials),
      runOf(
        'b',
        many(8, (i) => ({ evidence: i === 0 ? null : 1 })),
      ),
    )
    expect(found).toMatchObject({ n: 7, unmeasured: 1, a: 0.5, b: 1, changed: 7 })
    expect(found.p).toBeCloseTo(2 / 2 ** 7, 12)
  })

  it('have flips by stage: lost, gained, and failed elsewhere', () => {
    const a = runOf('a', [
      { id: 'q1', evidence: 1, outcome: 'answerable' },
      { id: 'q2', evidence: 0, outcome: 'not_stored' },
      { id: 'q3', evidence: 0, outcome: 'not_stored' },
      { id: 'q4', evidence: 0, outcome: 'not_stored' },
    ])
    const b = runOf('b', [
      { id: 'q4', evidence: 0, outcome: 'not_stored' },
      { id: 'q3', evidence: 0, outcome: 'not_retrieved' },
      { id: 'q2', evidence: 1, outcome: 'answerable' },
      { id: 'q1', evidence: 0, outcome: 'summary_error' },
      { id: 'q5', evidence: 1, outcome: 'answerable' },
    ])
    const { flips, unpaired } = only(a, b)
    expect(flips.map(({ change, question, from, to }) => [change, question, from, to])).toEqual([
      ['lost', 'q1', 'answerable', 'summary_error'],
      ['gained', 'q2', 'not_stored', 'answerable'],
      ['moved', 'q3', 'not_stored', 'not_retrieved'],
    ])
    expect(unpaired).toEqual({ a: 0, b: 1 })
  })

  it('are no pair by a question that only has the same id', () => {
    const a = runOf(
      'a',
      many(3, () => ({ evidence: 1 })),
    )
    const b = runOf(
      'b',
      many(3, () => ({ evidence: 0 })),
    )
    const other = {
      ...b,
      questions: b.questions.map((question, i) => (i === 0 ? { ...question, print: 'other' } : question)),
    }
    expect(only(a, other)).toMatchObject({ n: 2, unpaired: { a: 1, b: 1 } })
  })
})

describe('who is compared with whom', () => {
  it('is the same system, or the only one of each', () => {
    const a = runOf('a', [], { system: 'old' })
    const b = runOf('b', [], { system: 'new' })
    expect(pairRuns(a, b)).toEqual({ pairs: [[0, 0]], alone: [] })
    const two = { ...b, contestants: [...b.contestants, { system: 'third', model: null, reader: 'none' }] }
    expect(() => pairRuns(a, two)).toThrow(/no system in common: old; and new, third/)
  })

  it('goes by reader and model where there are several', () => {
    const who = (model: string | null, reader: string) => ({ system: 's', model, reader })
    const a = { ...runOf('a', []), contestants: [who('m', 'r1'), who('m', 'r2')] }
    const b = { ...runOf('b', []), contestants: [who('n', 'r2'), who('n', 'r1')] }
    expect(pairRuns(a, b).pairs).toEqual([
      [0, 1],
      [1, 0],
    ])
    const other = { ...b, contestants: [who('n', 'r3'), who('n', 'r4')] }
    expect(pairRuns(a, other)).toMatchObject({
      pairs: [],
      alone: [expect.stringMatching(/several/), expect.any(String)],
    })
  })
})
