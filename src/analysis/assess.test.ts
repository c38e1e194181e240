import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerVerdict, FactVerdict, Question, WitnessRecord } from '../model/index.js'
import { assessQuestion, type Evidence } from './assess.js'
import { boundsOf } from './bounds.js'

const question = (change: Partial<Question> = {}): Question => ({
  id: 'q',
  task: 't',
  text: 'What?',
  needs: [['f1', 'f2']],
  outdated: [],
  gold: { kind: 'free', text: 'that' },
  tags: {},
  ...change,
})

const witness = (change: Partial<WitnessRecord> = {}): WitnessRecord => ({
  question: 'q',
  probe: 'p',
  depth: { k: 5 },
  retrieved: [],
  scores: [],
  retrievedSnapshot: null,
  contextTokens: 0,
  sizes: [],
  ms: null,
  tokens: {},
  cost: 0,
  error: null,
  ...change,
})

const verdict = (
  fact: string,
  label: FactVerdict['label'],
  support: string[][] = [],
  uncertain = false,
): FactVerdict => ({
  fact,
  label,
  uncertain,
  support,
  reason: '',
  quotes: [],
})

const evidence = (verdicts: FactVerdict[], change: Partial<Evidence> = {}): Evidence => ({
  question: question(),
  witness: witness(),
  inStore: (fact) => verdicts.find((one) => one.fact === fact),
  inRetrieved: null,
  answered: null,
  correctionsOf: () => [],
  wasStored: () => false,
  statusOf: () => undefined,
  ...change,
})

const right: AnswerVerdict = { grade: 'right', uncertain: false, reason: '' }
const wrong: AnswerVerdict = { grade: 'wrong', uncertain: false, reason: '' }
const by = (verdict: AnswerVerdict | null) => ({ text: 'a', error: null, verdict })
const both = [verdict('f1', 'correct', [['m1']]), verdict('f2', 'correct', [['m2', 'm3'], ['m4']])]

describe('bounds', () => {
  const found = witness({ retrieved: ['m1', 'm2', 'm3'] })
  const ends = (given: Evidence) => {
    const bounds = boundsOf(given)
    return bounds && [bounds.worst.assessment, bounds.best.assessment]
  }

  it('are none where every verdict is certain', () => {
    expect(boundsOf(evidence(both, { witness: found, answered: by(right) }))).toBeNull()
  })

  it('take an uncertain fact as lost, and as kept and found', () => {
    for (const label of ['correct', 'summary_error', 'not_stored'] as const) {
      const unsure = evidence([both[0]!, verdict('f2', label, label === 'correct' ? [['m2']] : [], true)], {
        witness: found,
      })
      expect(ends(unsure)).toMatchObject([{ evidence: false, outcome: 'not_stored' }, { evidence: true }])
    }
  })

  it('cannot make up for what is certainly lost, nor find anything where nothing was retrieved', () => {
    const lost = evidence([verdict('f1', 'not_stored'), verdict('f2', 'correct', [['m2']], true)], { witness: found })
    expect(ends(lost)).toMatchObject([{ evidence: false }, { evidence: false }])
    const nothing = evidence([both[0]!, verdict('f2', 'correct', [['m2']], true)])
    expect(ends(nothing)).toMatchObject([{ evidence: false }, { evidence: false }])
  })

  it('take an uncertain outdated fact as standing in the way, and as gone', () => {
    const old = { question: question({ outdated: ['old'] }), witness: found }
    const unsure = evidence([...both, verdict('old', 'not_stored', [], true)], old)
    expect(ends(unsure)).toMatchObject([{ outcome: 'stale_memory' }, { outcome: 'answerable' }])
  })

  it('take an uncertain grade both ways, and criteria one by one', () => {
    const graded = { ...right, uncertain: true }
    expect(ends(evidence(both, { witness: found, answered: by(graded) }))).toMatchObject([
      { answer: false },
      { answer: true },
    ])
    const criterion = (id: string) => ({
      id,
      text: '',
      expected: 'no' as const,
      type: 'forgetting' as const,
      facts: [],
    })
    const gold = { kind: 'criteria' as const, criteria: [criterion('a'), criterion('b')], text: '' }
    const said = (id: string, uncertain: boolean) => ({ id, answer: 'no' as const, uncertain, reason: '' })
    const answered = by({ ...graded, criteria: [said('a', false), said('b', true)] })
    const { worst, best } = boundsOf(evidence(both, { question: question({ gold }), witness: found, answered }))!
    expect(worst.grade).toMatchObject({ grade: 'wrong', criteria: [{ answer: 'no' }, { answer: 'yes' }] })
    expect(best.grade).toMatchObject({ grade: 'right', criteria: [{ answer: 'no' }, { answer: 'no' }] })
  })

  it('enclose what is found, whatever is uncertain', () => {
    const label = fc.constantFrom('correct' as const, 'summary_error' as const, 'not_stored' as const)
    const one = (fact: string) =>
      fc.tuple(label, fc.boolean()).map(([is, unsure]) => verdict(fact, is, is === 'correct' ? [['m1']] : [], unsure))
    fc.assert(
      fc.property(one('f1'), one('f2'), one('old'), fc.boolean(), (f1, f2, old, isOutdated) => {
        const asked = question({ outdated: isOutdated ? ['old'] : [] })
        const given = evidence([f1, f2, old], { question: asked, witness: found })
        const bounds = boundsOf(given)
        if (!bounds) return
        const [low, plain, high] = [bounds.worst.assessment, assessQuestion(given), bounds.best.assessment].map((a) =>
          Number(a.evidence),
        )
        expect(low).toBeLessThanOrEqual(plain!)
        expect(plain).toBeLessThanOrEqual(high!)
      }),
    )
  })
})

describe('an assessment', () => {
  it('without a verdict on a fact is an error, but its answer counts where that was graded', () => {
    const one = (answered: Evidence['answered']) => {
      const { outcome, evidence: complete, answer } = assessQuestion(evidence(both.slice(1), { answered }))
      return [outcome, complete, answer]
    }
    expect(one(by(right))).toEqual(['error', null, true])
    expect(one(by(wrong))).toEqual(['error', null, false])
    expect(one(by({ grade: 'error', reason: 'no reply' }))).toEqual(['error', null, null])
    expect(one(by(null))).toEqual(['error', null, null])
    expect(one(null)).toEqual(['error', null, null])
    const lost = { answered: by(right), witness: witness({ error: 'gone' }) }
    expect(assessQuestion(evidence(both, lost)).answer).toBeNull()
  })

  it('takes the worst stage over the needed facts', () => {
    const label = (...verdicts: FactVerdict[]) => assessQuestion(evidence(verdicts)).outcome
    expect(label(verdict('f1', 'not_stored'), verdict('f2', 'summary_error', [['m1']]))).toBe('not_stored')
    expect(label(verdict('f1', 'summary_error', [['m1']]), verdict('f2', 'correct', [['m2']]))).toBe('summary_error')
    expect(label(...both)).toBe('not_retrieved')
  })

  it('counts a fact as retrieved when all memories of one supporting set are there', () => {
    const outcome = (...retrieved: string[]) =>
      assessQuestion(evidence(both, { witness: witness({ retrieved }) })).outcome
    expect(outcome('m1', 'm2')).toBe('not_retrieved')
    expect(outcome('m1', 'm2', 'm3')).toBe('answerable')
    expect(outcome('m4', 'm1')).toBe('answerable')
  })

  it('accepts that a fact is gone, if it was there before', () => {
    const outcome = (label: FactVerdict['label'], wasStored: boolean) =>
      assessQuestion(
        evidence([verdict('tombstone', 'not_stored'), verdict('value', label, [['m1']])], {
          question: question({ needs: [['tombstone']], gone: ['value'], outdated: ['value'] }),
          wasStored: () => wasStored,
        }),
      ).outcome
    expect(outcome('not_stored', true)).toBe('answerable')
    expect(outcome('not_stored', false)).toBe('not_stored')
    expect(outcome('correct', true)).toBe('not_stored')
  })

  it('calls it a stale answer when the reader uses what no longer holds although the correction was there', () => {
    const given = { witness: witness({ retrieved: ['m1', 'm4'] }) }
    expect(assessQuestion(evidence(both, { ...given, answered: by({ ...wrong, stale: true }) })).outcome).toBe(
      'stale_answer',
    )
    expect(assessQuestion(evidence(both, { ...given, answered: by(wrong) })).outcome).toBe('reasoning_error')
  })

  it('is satisfied by any one alternative, and reports the one that came furthest', () => {
    const facts = [verdict('f1', 'not_stored'), verdict('f2', 'not_stored'), verdict('f3', 'correct', [['m9']])]
    const given = { question: question({ needs: [['f1', 'f2'], ['f3']] }), witness: witness({ retrieved: ['m9'] }) }
    const assessment = assessQuestion(evidence(facts, given))
    expect(assessment.outcome).toBe('answerable')
    expect(assessment.facts.map(({ id }) => id)).toEqual(['f3'])
  })

  it('leaves a question that needs no fact out of the evidence, and unmeasured without a reader', () => {
    const misleading = question({ needs: [] })
    expect(assessQuestion(evidence([], { question: misleading }))).toMatchObject({
      outcome: null,
      evidence: null,
      answer: null,
    })
    const answered = { question: misleading, answered: by(right) }
    expect(assessQuestion(evidence([], answered))).toMatchObject({ outcome: 'correct', evidence: null, answer: true })
  })

  it('blames the reader only when the evidence was complete', () => {
    const complete = { witness: witness({ retrieved: ['m1', 'm4'] }) }
    expect(assessQuestion(evidence(both, { ...complete, answered: by(wrong) })).outcome).toBe('reasoning_error')
    expect(assessQuestion(evidence(both, { ...complete, answered: by(right) })).outcome).toBe('correct')
    const lucky = assessQuestion(evidence(both, { answered: by(right) }))
    expect(lucky).toMatchObject({ outcome: 'not_retrieved', answer: true, evidence: false })
  })

  it('calls an outdated memory stale unless its replacement stands beside it or it is marked as gone', () => {
    const facts = [...both, verdict('old', 'correct', [['m7']]), verdict('new', 'correct', [['m8']])]
    const stale = (retrieved: string[], change: Partial<Evidence> = {}) =>
      assessQuestion(
        evidence(facts, {
          question: question({ outdated: ['old'] }),
          witness: witness({ retrieved }),
          correctionsOf: (fact) => (fact === 'old' ? ['new'] : []),
          ...change,
        }),
      ).outcome
    expect(stale(['m1', 'm4', 'm7'])).toBe('stale_memory')
    expect(stale(['m1', 'm4', 'm7', 'm8'])).toBe('answerable')
    expect(stale(['m1', 'm4'])).toBe('answerable')
    expect(stale(['m1', 'm4', 'm7'], { statusOf: (id) => (id === 'm7' ? 'invalidated' : 'live') })).toBe('answerable')
  })

  it('is an error, never a zero, when a witness, a verdict or a grade is missing', () => {
    expect(assessQuestion(evidence(both, { witness: witness({ error: 'down' }) }))).toMatchObject({
      outcome: 'error',
      error: 'down',
    })
    expect(assessQuestion(evidence([both[0]!])).outcome).toBe('error')
    const answered = { witness: witness({ retrieved: ['m1', 'm4'] }), answered: by(null) }
    expect(assessQuestion(evidence(both, answered)).outcome).toBe('error')
    expect(
      assessQuestion(evidence(both, { ...answered, answered: by({ grade: 'error', reason: 'no letter' }) })),
    ).toMatchObject({
      outcome: 'error',
      answer: null,
    })
  })

  it('judges what was retrieved by itself when it is not made of entries of the store', () => {
    const inRetrieved = (fact: string) =>
      fact === 'f1' ? verdict('f1', 'correct', [['r']]) : verdict(fact, 'summary_error', [['r']])
    expect(assessQuestion(evidence(both, { inRetrieved })).facts.map(({ retrieved }) => retrieved)).toEqual([
      true,
      false,
    ])
  })

  it('never gets worse when more is retrieved, as long as nothing is outdated', () => {
    const ids = ['m1', 'm2', 'm3', 'm4', 'm5']
    const rank = { not_retrieved: 0, answerable: 1 }
    fc.assert(
      fc.property(fc.subarray(ids), fc.subarray(ids), (some, more) => {
        const outcome = (retrieved: string[]) =>
          rank[assessQuestion(evidence(both, { witness: witness({ retrieved }) })).outcome as keyof typeof rank]
        expect(outcome([...some, ...more])).toBeGreaterThanOrEqual(outcome(some))
      }),
    )
  })
})
