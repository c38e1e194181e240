import { describe, expect, it } from 'vitest'
import type { Criterion } from '../../../model/index.js'
import { PERSONAS } from '../seed.js'
import { simulate } from '../simulate/index.js'
import type { LifeTrace, Meal, Operation } from '../trace.js'
import { candidatesOf } from './index.js'
import { recount } from './recount.js'

const food = (meal: Meal, amount: number): Operation => ({ of: 'food', act: 'add', meal, amount })
const steps = (count: number): Operation => ({ of: 'steps', act: 'add', activity: 'desk day', count })
const goal = (name: Meal | 'steps', value: number, old: number | null = null): Operation => ({
  of: 'goal',
  act: 'set',
  goal: name,
  value,
  old,
})

/** Two weeks: coffee stays within its budget of 10 in the first and goes over that of 8 in the second. */
const TRACE: LifeTrace = {
  persona: 'content_writer',
  start: '2025-06-01',
  end: '2025-06-14',
  sessions: (
    [
      ['01', goal('coffee', 10)],
      ['01', goal('steps', 8000)],
      ['02', food('coffee', 4.1)],
      ['02', food('lunch', 12.35)],
      ['03', food('coffee', 5.2)],
      ['03', steps(9000)],
      ['08', goal('coffee', 8, 10)],
      ['09', food('coffee', 6.05)],
      ['10', food('coffee', 3.1)],
      ['11', steps(5000)],
    ] as [string, Operation][]
  ).map(([day, operation], at) => ({ number: at + 1, day: `2025-06-${day}`, operation })),
}

function reasoned(id: string) {
  const found = candidatesOf(TRACE, 1).reasoning.find(({ question }) => question.id === id)
  return { ...found!, criteria: (found!.question.gold as { criteria: Criterion[] }).criteria }
}

const texts = (id: string) => reasoned(id).criteria.map(({ text }) => text)
const numbers = (id: string) => reasoned(id).criteria.flatMap(({ asks }) => asks!.numbers ?? [])

describe('reasoning', () => {
  it('adds up to the cent, and takes the entries or the right total', () => {
    expect(numbers('food-total')).toEqual([{ value: 30.8, unit: '$' }])
    expect(numbers('food-by-meal:coffee')).toEqual([{ value: 18.45, unit: '$' }])
    expect(numbers('steps-total')).toEqual([{ value: 14_000, unit: 'steps' }])
    expect(numbers('food-average')).toEqual([{ value: 2.2, unit: '$' }])
    const { question, derived } = reasoned('food-by-meal:coffee')
    expect(question.needs).toEqual([
      ['food:coffee:3', 'food:coffee:5', 'food:coffee:8', 'food:coffee:9'],
      ['derived:food-by-meal:coffee'],
    ])
    expect(derived[0]).toMatchObject({
      sources: [],
      text: 'Spending on coffee from 1 to 14 June 2025: $18.45 in total.',
    })
  })

  it('compares the last full week with the goal in force, and not with the one before it', () => {
    expect(texts('food-goal:coffee')).toEqual([
      'Does the answer name the coffee budget of $8.00 a week?',
      'Does the answer give $9.15 on coffee in that week?',
      'Does the answer say that the spending was over the budget?',
      'Does the answer say that $1.15 was spent beyond the budget?',
      'Does the answer go by the former coffee budget of $10.00?',
    ])
    const { question } = reasoned('food-goal:coffee')
    expect(question.needs[1]).toEqual(['goal:coffee:7', 'derived:food-goal:coffee'])
    expect(question.outdated).toEqual(['goal:coffee:1'])
    expect(texts('steps-goal').at(-1)).toBe('Does the answer say that the goal was not met?')
  })

  it('counts weeks as asked: within the budget, or over it', () => {
    expect(numbers('budgets-met:coffee')).toEqual([{ value: 1, unit: 'weeks' }])
    expect(numbers('budgets-overspent:coffee')).toEqual([{ value: 1, unit: 'weeks' }])
    expect(numbers('steps-goal-days')).toEqual([{ value: 1, unit: 'days' }])
    expect(reasoned('budgets-met:coffee').question.needs[0]).toContain('goal:coffee:7')
  })

  it('names the week with most, and has the question say when weeks begin', () => {
    expect(texts('best-food-period:coffee')).toEqual([
      'Does the answer name the week of 1 to 7 June 2025 as the week with most?',
      'Does the answer give $9.30 for it?',
    ])
    expect(reasoned('best-food-period:coffee').question.text).toContain('Sunday')
  })

  it('goes by calendar months in a quarter', () => {
    const trace = simulate({ persona: 'financial_analyst', days: 92, seed: 5 })
    const sums = new Map<string, number>()
    for (const { day, operation } of trace.sessions) {
      if (operation?.of !== 'steps') continue
      sums.set(day.slice(0, 7), (sums.get(day.slice(0, 7)) ?? 0) + operation.count)
    }
    expect([...sums.keys()]).toEqual(['2025-06', '2025-07', '2025-08'])
    const best = candidatesOf(trace, 5).reasoning.find(({ question }) => question.id === 'best-steps-period')!
    const [, most] = (best.question.gold as { criteria: Criterion[] }).criteria
    expect(most!.asks!.numbers).toEqual([{ value: Math.max(...sums.values()), unit: 'steps' }])
  })

  it('comes to the same by the states of memory and by the operations, for every persona and duration', () => {
    for (const persona of PERSONAS) {
      for (const days of [7, 17]) {
        const found = candidatesOf(simulate({ persona, days, seed: 11 }), 11).reasoning
        expect(found.length).toBeGreaterThan(8)
      }
    }
  })

  it('has a second way that works out each thing sought by itself', () => {
    const whole = { from: '2025-06-01', to: '2025-06-14' }
    const [first, second] = [
      { from: '2025-06-01', to: '2025-06-07' },
      { from: '2025-06-08', to: '2025-06-14' },
    ]
    expect(recount(TRACE, { what: 'total', of: 'food', in: whole })).toEqual([3080])
    expect(recount(TRACE, { what: 'progress', goal: 'coffee', in: second })).toEqual([800, 915, -115])
    expect(recount(TRACE, { what: 'progress', goal: 'steps', in: first })).toEqual([8000, 1286, 6714])
    expect(recount(TRACE, { what: 'best', of: 'coffee', among: [first, second] })).toEqual([0, 930])
    expect(recount(TRACE, { what: 'weeks', meal: 'coffee', side: 'overspent', among: [first, second] })).toEqual([1])
    expect(recount(TRACE, { what: 'days', in: whole })).toEqual([1])
  })
})
