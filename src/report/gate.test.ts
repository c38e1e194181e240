import { describe, expect, it } from 'vitest'
import { fixture } from '../../bench/report/fixture.js'
import { UserError } from '../base/errors.js'
import { type Cell, type Summary, scoresOf } from '../model/index.js'
import { evaluateGate, type PlannedCell, requireGate } from './gate.js'

const base = fixture({ questions: 20 }).summary

function cell(change: Partial<Cell>): Cell {
  const evidence: Cell['evidence'] = { n: 100, complete: 60, rate: 0.6, ci95: [0.5, 0.69], bounds: [0.55, 0.7] }
  return { ...base.cells[0]!, evidence, depth: 'all', ...change }
}

const summary: Summary = {
  ...base,
  cells: [
    cell({ suite: 'memfail', task: 'long-hop', subject: { system: 'bm25', model: null }, depth: { k: 5 } }),
    cell({ suite: 'memfail', task: 'long-hop', subject: { system: 'bm25:k1=1.2', model: null }, depth: { k: 5 } }),
    cell({
      suite: 'memfail',
      task: 'long-hop',
      subject: { system: 'bm25', model: null },
      depth: { k: 10 },
      evidence: { n: 100, complete: 90, rate: 0.9, ci95: [0.82, 0.95], bounds: [0.9, 0.9] },
    }),
    cell({
      suite: 'meme',
      task: 'cascade',
      subject: { system: 'files', model: null },
      evidence: { n: 100, complete: 80, rate: 0.8, ci95: [0.71, 0.87], bounds: [0.8, 0.8] },
    }),
    cell({
      suite: 'memfail',
      task: 'long-hop',
      subject: { guesser: 'always-no' },
      evidence: null,
      answer: { n: 100, correct: 50, accuracy: 0.5, ci95: [0.4, 0.6], bounds: [0.5, 0.5] },
      scores: [],
    }),
  ],
}

describe('a gate', () => {
  it.each([
    ['evidence>=0.6', true],
    ['evidence >= 60%', true],
    ['evidence>0.6', false],
    ['memfail/long-hop:bm25@10.evidence>=0.9', true],
    ['memfail.evidence<1', true],
    ['long-hop@5.evidence>=0.61', false],
    ['meme/cascade@fixed.evidence>=0.8', true],
    [':bm25:k1=1.2.evidence<=0.6', true],
    ['@10.evidence.low>=0.82', true],
    ['@10.evidence.low>=0.83', false],
    ['evidence.high<=0.95', true],
    ['@5.evidence.worst>=0.55', true],
    ['@5.evidence.worst>=0.56', false],
    ['@5.evidence.best<=0.7', true],
    ['@5.evidence.best<0.7', false],
    ['stored.worst>=0', true],
    ['evidence>=0.5; meme.evidence>=0.8, @10.evidence>=0.9', true],
    ['evidence>=0.5; meme.evidence>=0.81', false],
    [':guess:always-no.answer<=0.5', true],
    ['score.success<=1', true],
    ['errors<=0.5', true],
  ])('reads %s', (expression, ok) => {
    const result = evaluateGate(summary, expression)
    expect(result).toMatchObject({ ok, status: ok ? 'passed' : 'failed' })
  })

  it('names what fell short', () => {
    const { title, message } = evaluateGate(summary, '@5.evidence>=0.7')
    expect(title).toBe('Gate failed: 2 of 2 checks; 2 checks could turn by uncertain verdicts')
    expect(message.split('\n')[0]).toBe('memfail/long-hop:bm25@5: evidence is 0.6, wanted >= 0.7')
  })

  it('says when uncertain verdicts could turn it, and is silent when they could not', () => {
    const passed = evaluateGate(summary, '@5.evidence>=0.58')
    expect(passed).toMatchObject({
      ok: true,
      title: 'Gate passed: 2 checks; 2 checks could turn by uncertain verdicts',
    })
    expect(passed.message).toContain(
      'bm25@5: evidence could be 0.55 to 0.7 by what is uncertain, and >= 0.58 hangs on it',
    )
    expect(evaluateGate(summary, '@5.evidence>=0.5').title).toBe('Gate passed: 2 checks')
    expect(evaluateGate(summary, '@5.evidence.worst>=0.5').title).toBe('Gate passed: 2 checks')
  })

  it('fails on a number that was not measured', () => {
    const result = evaluateGate(summary, 'answer>=0')
    expect(result.ok).toBe(false)
    expect(result.message).toContain('answer was not measured')
  })

  it.each(['invalid', 'partial'] as const)('fails a run that is %s', (status) => {
    expect(evaluateGate({ ...summary, status }, 'evidence>=0')).toMatchObject({ ok: false })
  })

  it('leaves guessers out unless they are named', () => {
    expect(evaluateGate(summary, 'long-hop.evidence>=0').ok).toBe(true)
  })

  it.each([
    ['', /empty/],
    ['evidence', /Expected a condition/],
    ['evidence>=lots', /Expected a condition/],
    ['evidense>=0.5', /no metric "evidense"/],
    ['evidence>=80', /rate from 0 to 1/],
    ['evidence>=101%', /rate from 0 to 1/],
    ['@5.not_stored<=-0.1', /rate from 0 to 1/],
    ['cost<=5%', /no share/],
    ['@five.evidence>=0.5', /not a selector/],
    ['stored.low>=0.5', /has no interval/],
    ['errors.worst>=0.5', /has no interval/],
    ['memfail/nothing.evidence>=0.5', /matches no cell/],
    [':chroma.evidence>=0.5', /matches no cell/],
    ['@7.evidence>=0.5', /matches no cell/],
  ])('refuses "%s" and says why', (expression, why) => {
    expect(() => evaluateGate(summary, expression)).toThrow(why)
    expect(() => evaluateGate(summary, expression)).toThrow(UserError)
  })

  it('tells what it knows', () => {
    try {
      evaluateGate(summary, 'evidense>=0.5')
      expect.unreachable()
    } catch (error) {
      expect((error as UserError).hint).toMatch(/Did you mean "evidence"\?.*Known: evidence, answer, stored/)
    }
  })
})

describe('a gate on a score of a part of the questions', () => {
  const scores = [...scoresOf({ recall: 0.5 }), ...scoresOf({ recall: 0.9 }, 'short')]
  const parted = {
    ...summary,
    cells: [cell({ suite: 'own', task: 'all', subject: { system: 'bm25', model: null }, depth: { k: 5 }, scores })],
  }

  it.each([
    ['score.recall>=0.5', true],
    ['score.recall>=0.6', false],
    ['score.recall[short]>=0.9', true],
    ['own/all:bm25@5.score.recall[short]>=0.91', false],
  ])('%s: %s', (expression, ok) => {
    expect(evaluateGate(parted, expression).ok).toBe(ok)
  })
})

describe('a gate before the run', () => {
  const planned: PlannedCell[] = [
    {
      suite: 'memfail',
      task: 'long-hop',
      subject: { system: 'bm25', model: null },
      depth: { k: 5 },
      answered: false,
      scores: ['success'],
    },
    {
      suite: 'memfail',
      task: 'long-hop',
      subject: { system: 'bm25', model: null },
      depth: { tokens: 1000 },
      answered: false,
      scores: [],
    },
    {
      suite: 'memora',
      task: 'remembering',
      subject: { system: 'files', model: null },
      depth: 'all',
      answered: true,
      scores: ['fama', 'mpa'],
    },
  ]

  it.each([
    'evidence>=0.8',
    'evidence>=80%',
    'long-hop:bm25@5.evidence.low>=0.3',
    '@1000t.evidence>=0.3; @fixed.answer>=0.5',
    'memora.score.fama>=0.5',
    'score.fama[weekly]>=0.5, score.mpa[week one]>=1.5',
    'cost<=12',
  ])('is taken when the run will have it: %s', (expression) => {
    expect(() => requireGate(expression, planned)).not.toThrow()
  })

  it.each([
    ['evidnce>=0.5', /no metric "evidnce"/],
    ['evidence>=80', /rate from 0 to 1/],
    ['meme.evidence>=0.5', /matches no cell/],
    ['memfail/persona.evidence>=0.5', /matches no cell/],
    [':dense.evidence>=0.5', /matches no cell/],
    ['@10.evidence>=0.5', /matches no cell/],
    ['@500t.evidence>=0.5', /matches no cell/],
    ['memfail@fixed.evidence>=0.5', /matches no cell/],
    ['memfail.answer>=0.5', /nothing answers/],
    ['score.fma>=0.5', /no metric "fma"/],
    ['score.fama_weekly>=0.5', /no metric "fama_weekly"/],
    ['memfail.score.fama>=0.5', /no cell that has a score "fama"/],
  ])('is refused when it will not: %s', (expression, why) => {
    expect(() => requireGate(expression, planned)).toThrow(why)
    expect(() => requireGate(expression, planned)).toThrow(UserError)
  })

  it('says how a per cent is written', () => {
    try {
      requireGate('evidence>=80', planned)
      expect.unreachable()
    } catch (error) {
      expect((error as UserError).hint).toContain('80 % is written 80% or 0.8')
    }
  })
})
