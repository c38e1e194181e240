import { expect, it } from 'vitest'
import { lifeWith, load, newFolder } from '../../../../test/memora/lives.js'
import { questionsFor } from '../../../../test/memora/questions.js'
import { writeRelease } from '../../../../test/memora/release.js'
import { questionsOf } from '../../../model/index.js'
import { criteriaOf, nullFloor } from '../fama.js'
import { lintPublished } from '../lint/published.js'
import { simulate } from '../simulate/index.js'
import type { Operation } from '../trace.js'

const broken = ([report]: ReturnType<typeof lintPublished>) =>
  Object.fromEntries(report!.rules.flatMap(({ name, broken }) => (broken === 0 ? [] : [[name, broken]])))

it('reads every kind of question about a quarter, and agrees with all that is right by the rules of the release', async () => {
  const root = newFolder()
  const trace = simulate({ persona: 'startup_founder', days: 92, seed: 11 })
  const written = questionsFor(trace, 'month')
  writeRelease(root, 'quarterly', trace, written)
  const reports = lintPublished(root)
  const [{ counts }] = reports as [(typeof reports)[number]]
  const criteria = written.flatMap((one) => one.criteria)
  expect(counts).toMatchObject({ criteria: criteria.length, agreeing: criteria.length, 'not understood': 0 })

  const found = broken(reports)
  for (const rule of ['replay', 'order', 'content', 'criteria', 'understood', 'operations', 'said', 'dates'])
    expect(found).not.toHaveProperty(rule)
  const inAll = (fits: (type: string, part: string, text: string) => boolean) =>
    written.flatMap((one) => one.criteria.filter(([type, part, text]) => fits(type, part, text)))
  const twice = written.map(({ criteria: own }) => {
    const gone = own.filter(([type]) => type === 'forgetting_absence').map(([, , text]) => text)
    return gone.length - new Set(gone).size
  })
  expect(found.duplicates).toBe(twice.reduce((sum, count) => sum + count, 0))
  expect(found.avoid).toBe(inAll((_, part) => part === 'dislike').length)
  expect(found.overspend).toBe(written.filter(({ id }) => id.startsWith('comparative_goal_exceeded')).length)
  expect(found['month-values']).toBeGreaterThan(0)

  const { scenarios } = await load(root)
  const asked = scenarios.flatMap(questionsOf)
  const subtypes = new Set(asked.map(({ tags }) => tags.subtype))
  const kept = ['todos', 'calendar', 'proposal', 'email', 'notes', 'general', 'subcategory']
  const figures = ['food-total', 'food-by-meal', 'steps-total', 'best-steps-period', 'best-food-period', 'budgets-met']
  for (const subtype of [...kept, ...figures, 'budgets-overspent']) expect(subtypes).toContain(subtype)
  expect(nullFloor(asked)).toBe(0)
  const released = (await load(root, { view: 'released' })).scenarios.flatMap(questionsOf)
  expect(released).toHaveLength(written.length)
  // What is to be avoided is all that silence meets.
  expect(nullFloor(released.filter(({ task }) => task !== 'recommending'))).toBe(0)
  expect(nullFloor(released.filter(({ task }) => task === 'recommending'))).toBeGreaterThan(0.2)
})

it('reads a month: its weeks, their budgets, and the best of them', () => {
  const root = newFolder()
  const trace = simulate({ persona: 'software_engineer', days: 28, seed: 4 })
  const written = questionsFor(trace, 'week')
  writeRelease(root, 'monthly', trace, written)
  const [{ counts, rules }] = lintPublished(root) as [ReturnType<typeof lintPublished>[number]]
  expect(counts.agreeing).toBe(written.flatMap((one) => one.criteria).length)
  // Weeks have no months of thirty days in them, but overspending is graded in the same way.
  const of = (name: string) => rules.find((rule) => rule.name === name)!.broken
  expect(of('months') + of('month-values') + of('partial-budgets')).toBe(0)
  expect(of('overspend')).toBe(written.filter(({ id }) => id.includes('_exceeded_')).length)
})

it('takes 31 July and the end of August for what they are, and says nothing where that changes nothing', async () => {
  const walk = (day: string, count: number): [string, Operation] => [
    day,
    { of: 'steps', act: 'add', activity: 'walk', count },
  ]
  const spend = (day: string, amount: number): [string, Operation] => [
    day,
    { of: 'food', act: 'add', meal: 'dinner', amount },
  ]
  const goal: Operation = { of: 'goal', act: 'set', goal: 'dinner', value: 70, old: null }
  const trace = lifeWith(
    [
      walk('2025-06-05', 4000),
      spend('2025-06-06', 900),
      ['2025-06-15', goal],
      walk('2025-07-31', 7000),
      spend('2025-07-31', 1000),
      walk('2025-08-30', 8000),
      spend('2025-08-31', 10),
    ],
    '2025-08-31',
  )
  const root = newFolder()
  writeRelease(root, 'quarterly', trace, questionsFor(trace, 'month'))
  // The release has 31 July in its third window, and 30 and 31 August in none.
  expect(broken(lintPublished(root))).toMatchObject({
    'month-values': 1,
    months: 1,
    'partial-budgets': 2,
    overspend: 1,
  })
  const { scenarios, audit } = await load(root)
  const asks = (id: string) =>
    criteriaOf(scenarios.flatMap(questionsOf).find((one) => one.id.startsWith(id))!).map(({ asks }) => asks)
  expect(asks('comparative_steps_max')).toMatchObject([
    { forms: ['August', '3rd month'] },
    { numbers: [{ value: 8000, unit: 'steps' }] },
  ])
  expect(asks('comparative_dinner_max')).toMatchObject([
    { forms: ['July', '2nd month'] },
    { numbers: [{ value: 1000 }] },
  ])
  // By the calendar July alone is over; in June the money was spent before there was a budget.
  expect(asks('comparative_goal_exceeded')).toMatchObject([{ numbers: [{ value: 1, unit: 'months' }] }])
  expect(asks('comparative_goal_met')).toMatchObject([{ numbers: [{ value: 2, unit: 'months' }] }])
  const changed = audit.filter(({ action }) => action === 'repaired').map(({ row }) => row.split(' ')[1]!)
  expect(changed.filter((row) => row.includes('steps_max'))).toHaveLength(1)
  expect(changed.filter((row) => row.includes('dinner_max'))).toHaveLength(1)
})
