import { distance } from '../../src/suites/memora/days.js'
import { TITLES } from '../../src/suites/memora/published/operations.js'
import { RELEASED_KINDS } from '../../src/suites/memora/published/topic.js'
import { finalState } from '../../src/suites/memora/state.js'
import {
  type FieldValue,
  type LifeTrace,
  MEALS,
  type Meal,
  type Operation,
  TASTES,
} from '../../src/suites/memora/trace.js'
import type { Wanted, Written } from './release.js'

/** How criteria are worded. Published data has other words for the same. */
export interface Words {
  open(task: string): string
  done(task: string): string
  ahead(event: string, day: string): string
  over(event: string, day: string): string
  field(name: string, value: string): string
  removed(name: string, value: string): string
  amount(of: string, value: string): string
  most(of: string, place: string): string
  met(meal: string, count: number, unit: string): string
  like(item: string): string
  dislike(item: string): string
  gone(item: string): string
}

const OWN: Words = {
  open: (task) => `Is "${task}" among what is left to do?`,
  done: (task) => `Is "${task}" still among what is left to do?`,
  ahead: (event, day) => `Is ${event} ahead, on ${day}?`,
  over: (event) => `Is ${event} told as ahead?`,
  field: (name, value) => `Under ${name}, is there: ${value}?`,
  removed: (name, value) => `Under ${name}, is there still: ${value}?`,
  amount: (of, value) => `Is ${value} given for ${of}?`,
  most: (of, place) => `Is the ${place} the one with most ${of}?`,
  met: (meal, count, unit) => `Was the ${meal} budget kept to in ${count} ${unit}s?`,
  like: (item) => `Is the liking for ${item} followed?`,
  dislike: (item) => `Is ${item} left alone, to be avoided?`,
  gone: (item) => `Is ${item} drawn on?`,
}

const yes = (text: string, part = ''): Wanted => ['memory_presence', part, text]
const no = (text: string): Wanted => ['forgetting_absence', '', text]
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * Every question that the release would ask about a life of a month or a quarter, by the release's own rules: months of thirty days,
 * overspending graded by budgets kept, a criterion for every deletion. They are reckoned here in the simplest way, apart from the reader
 * that is to be tested.
 */
export function questionsFor(trace: LifeTrace, unit: 'week' | 'month', words: Words = OWN): Written[] {
  const last = trace.sessions.at(-1)!.number
  return [
    ...remembering(trace, last, words),
    ...reasoning(trace, last, unit, words),
    ...recommending(trace, last, words),
  ]
}

/** The ids that documents get in a release: their kind, and a number in the order in which they were begun. */
function documentIds(trace: LifeTrace): Map<string, string> {
  const ids = new Map<string, string>()
  for (const { document, kind } of operationsOf(trace, 'document')) {
    const [name] = Object.entries(RELEASED_KINDS).find(([, one]) => one === kind)!
    if (!ids.has(document)) ids.set(document, `${name}_${ids.size + 1}`)
  }
  return ids
}

function remembering(trace: LifeTrace, last: number, words: Words): Written[] {
  const { todos, events, documents } = finalState(trace)
  const done = operationsOf(trace, 'todo').filter(
    ({ act, task }) => act === 'delete' && !todos.some((one) => one.task === task),
  )
  const [ahead, over] = [events.filter(({ day }) => day > trace.end), events.filter(({ day }) => day <= trace.end)]
  const ids = documentIds(trace)
  return [
    asked('remembering', `activity_todos_${last}`, [
      ...todos.map(({ task }) => yes(words.open(task))),
      ...done.map(({ task }) => no(words.done(task))),
    ]),
    asked('remembering', `activity_calendar_${last}`, [
      ...ahead.map(({ event, day }) => yes(words.ahead(event, day))),
      ...over.map(({ event, day }) => no(words.over(event, day))),
    ]),
    ...documents.map(({ id, kind, title, fields }) => {
      const known = { [TITLES[kind]]: title, ...fields }
      const removed = operationsOf(trace, 'document').flatMap((one) =>
        one.document === id && one.act === 'delete' ? one.revisions : [],
      )
      const gone = removed.map((one): [string, string | number] => [one.field, 'value' in one ? one.value : one.from])
      const item = ids.get(id)!
      return asked('remembering', `content_${item.replace(/_\d+$/, '')}_${last}_${item}`, [
        ...Object.entries(known).map(([field, value]) => yes(words.field(field, [value].flat().join(', ')))),
        ...gone
          .filter(([field, value]) => ![fields[field] ?? []].flat<FieldValue[]>().includes(value))
          .map(([field, value]) => no(words.removed(field, String(value)))),
      ])
    }),
  ].filter(({ criteria }) => criteria.length > 0)
}

function reasoning(trace: LifeTrace, last: number, unit: 'week' | 'month', words: Words): Written[] {
  const entries = trace.sessions.flatMap(({ day, operation: one }) =>
    one?.of === 'food'
      ? [{ of: one.meal as string, day, value: one.amount }]
      : one?.of === 'steps'
        ? [{ of: 'steps', day, value: one.count }]
        : [],
  )
  const number = ({ day }: { day: string }) => distance(trace.start, day) + 1
  const windows = (unit === 'week' ? [7, 14, 21, 28] : [30, 60, 90]).map(
    (to, _, all) => [to - all[0]! + 1, to] as const,
  )
  const within = (of: string, [from, to]: readonly [number, number]) =>
    sum(entries.flatMap((one) => (one.of === of && number(one) >= from && number(one) <= to ? [one.value] : [])))
  const shown = (of: string, value: number) => (of === 'steps' ? value.toLocaleString('en') : `$${value.toFixed(2)}`)
  const whole = (of: string) =>
    sum(entries.flatMap((one) => (one.of === of || (of === 'food' && one.of !== 'steps') ? [one.value] : [])))
  const total = (of: string, id: string) =>
    asked('reasoning', `activity_${id}_${last}`, [yes(words.amount(of, shown(of, whole(of))), 'total')])
  const best = (of: string) => {
    const sums = windows.map((window) => within(of, window))
    const most = Math.max(...sums)
    const place = `${['1st', '2nd', '3rd', '4th'][sums.indexOf(most)]} ${unit}`
    return asked('reasoning', `comparative_${of}_max_${unit}_${last}`, [
      yes(words.most(of, place), 'max_period'),
      yes(words.amount(of, shown(of, most)), 'max_value'),
    ])
  }
  const budgetAt = (meal: Meal, day: number) =>
    trace.sessions
      .flatMap((one) =>
        one.operation?.of === 'goal' && one.operation.goal === meal && number(one) <= day ? [one.operation.value] : [],
      )
      .at(-1)
  const budgets = (meal: Meal) => {
    const periods = windows.flatMap(([from, to]) => {
      const ends = unit === 'week' ? [to] : [6, 13, 20, 27].map((after) => from + after)
      const set = ends.flatMap((day) => budgetAt(meal, day) ?? [])
      return set.length === 0 ? [] : [within(meal, [from, to]) <= sum(set)]
    })
    const met = periods.filter((kept) => kept).length
    const graded = [yes(words.met(meal, met, unit), 'met_count')]
    return [
      ...(periods.length > 0 ? [asked('reasoning', `comparative_goal_met_${meal}_${unit}_${last}`, graded)] : []),
      ...(met < periods.length
        ? [asked('reasoning', `comparative_goal_exceeded_${meal}_${unit}_${last}`, graded)]
        : []),
    ]
  }
  const eaten = MEALS.filter((meal) => entries.some(({ of }) => of === meal))
  return [
    total('food', 'food_total'),
    total('steps', 'steps_total'),
    ...eaten.map((meal) => total(meal, `food_${meal}`)),
    ...['steps', ...eaten].map(best),
    ...MEALS.flatMap(budgets),
  ]
}

function recommending(trace: LifeTrace, last: number, words: Words): Written[] {
  const { tastes } = finalState(trace)
  return TASTES.flatMap((domain) => {
    const own = tastes.filter((one) => one.domain === domain)
    const parts = [...new Set(own.map(({ subcategory }) => subcategory))].filter((part) => !part.startsWith('already_'))
    return ['general', ...parts].map((part) => {
      const held = own.filter(({ subcategory }) => part === 'general' || subcategory === part)
      return asked('recommending', `pref_${domain}_${part}_${last}`, [
        ...held.map(({ item, liking }) => yes(liking === 'like' ? words.like(item) : words.dislike(item), liking)),
        ...forgotten(trace, domain, part).map((item) => no(words.gone(item))),
      ])
    })
  }).filter(({ criteria }) => criteria.length > 0)
}

/** Items withdrawn or replaced and not taken up again, by name alone as the release goes by it. */
function forgotten(trace: LifeTrace, domain: string, part: string): string[] {
  const gone = new Set<string>()
  for (const one of operationsOf(trace, 'taste')) {
    if (one.domain !== domain || (part !== 'general' && one.subcategory !== part)) continue
    if (one.act === 'replace') gone.add(one.old)
    if (one.act === 'delete') gone.add(one.item)
    else gone.delete(one.item)
  }
  return [...gone]
}

function operationsOf<Kind extends Operation['of']>(trace: LifeTrace, kind: Kind): Extract<Operation, { of: Kind }>[] {
  return trace.sessions.flatMap(({ operation }) =>
    operation?.of === kind ? [operation as Extract<Operation, { of: Kind }>] : [],
  )
}

const asked = (task: Written['task'], id: string, criteria: Wanted[]): Written => ({
  task,
  id,
  text: `${id}?`,
  criteria,
})
