import type { Random } from '../../../base/random.js'
import { dayAfter } from '../days.js'
import { DOCUMENTS, type DocumentKind, type GoalKind, MEALS, type Meal, TASTES, type Taste } from '../trace.js'
import { keyAt, quotaSampler, type Range, randomInteger, sampleDistinct } from './draw.js'
import type { Act, Knobs, Weights } from './knobs.js'

/** What a session is meant for, before it is known what can be done. */
export type Purpose =
  | { of: 'neutral' }
  | { of: 'taste'; domain: Taste; act: Act }
  | { of: 'food'; meal: Meal }
  | { of: 'steps' }
  | { of: 'todo' | 'calendar'; act: Act }
  | { of: 'document'; kind: DocumentKind; act: Act }
  | { of: 'goal'; goal: GoalKind }

/** How likely a purchase comes next among those left of a day. */
const APPETITE: Record<Meal, number> = { breakfast: 45, coffee: 40, lunch: 40, dinner: 40, grocery: 20 }

/**
 * All sessions of a life in order. Weeks run from the first day; a short last week has the quota of a whole one, as in the published
 * data, so that a quarter of 92 days ends with a crowded day.
 */
export function schedule(random: Random, start: string, days: number, knobs: Knobs) {
  const due: Purpose[][] = Array.from({ length: days }, () => [])
  const draw = quotaSampler(random)
  const travel = knobs.tastes.travel
  const dates = sampleDistinct(random, [...due.keys()], randomInteger(random, travel.sessions))
  for (const date of dates) {
    due[date]!.push({ of: 'taste', domain: 'travel', act: draw('travel', travel.weights) })
  }
  for (let first = 0; first < days; first += 7) fillWeek(random, draw, due.slice(first, first + 7), knobs)
  return due.flatMap((purposes, index) =>
    fillDay(random, draw, purposes, knobs).map((purpose) => ({ day: dayAfter(start, index), purpose })),
  )
}

type Draw = ReturnType<typeof quotaSampler>

function fillWeek(random: Random, draw: Draw, week: Purpose[][], knobs: Knobs): void {
  const spread = (name: string, range: Range, weights: Weights, purpose: (act: Act) => Purpose) => {
    for (let left = randomInteger(random, range); left > 0; left--) {
      random.pick(week).push(purpose(draw(name, weights)))
    }
  }
  for (const domain of TASTES) {
    const { sessions, weights } = knobs.tastes[domain]
    if (domain !== 'travel') spread(domain, sessions, weights, (act) => ({ of: 'taste', domain, act }))
  }
  spread('grocery', [1, 2], { add: 1 }, () => ({ of: 'food', meal: 'grocery' }))
  spread('calendar', knobs.calendar.aWeek, knobs.calendar.weights, (act) => ({ of: 'calendar', act }))
  for (const kind of DOCUMENTS) {
    const { aWeek, weights } = knobs.documents[kind]
    spread(kind, aWeek, weights, (act) => ({ of: 'document', kind, act }))
  }
  const goals = [...sampleDistinct(random, MEALS, randomInteger(random, knobs.budgets)), 'steps' as const]
  week[0]!.push(...goals.map((goal): Purpose => ({ of: 'goal', goal })))
}

function fillDay(random: Random, draw: Draw, due: Purpose[], knobs: Knobs): Purpose[] {
  const food = due.flatMap((purpose) => (purpose.of === 'food' ? [purpose.meal] : []))
  for (const meal of ['breakfast', 'lunch', 'dinner'] as const) if (random.below(2) === 1) food.push(meal)
  for (let cups = randomInteger(random, [1, 2]); cups > 0; cups--) food.push('coffee')
  const meals = inOrder(random, food)

  const rest = due.filter((purpose) => purpose.of !== 'food')
  rest.push({ of: 'steps' })
  for (let left = randomInteger(random, knobs.todos.aDay); left > 0; left--) {
    rest.push({ of: 'todo', act: draw('todo', knobs.todos.weights) })
  }
  for (let left = randomInteger(random, knobs.neutral); left > 0; left--) rest.push({ of: 'neutral' })

  const day: Purpose[] = []
  for (const purpose of random.shuffle(rest)) {
    if (meals.length > 0 && random.random() < 0.3) day.push({ of: 'food', meal: meals.shift()! })
    day.push(purpose)
  }
  return [...day, ...meals.map((meal): Purpose => ({ of: 'food', meal }))]
}

/** What is eaten and bought in a day, one after the other: lunch comes after breakfast, and dinner after both. */
function inOrder(random: Random, food: Meal[]): Meal[] {
  const left = [...food]
  const order: Meal[] = []
  while (left.length > 0) {
    const waits = (meal: Meal) =>
      (meal === 'lunch' && left.includes('breakfast')) ||
      (meal === 'dinner' && (left.includes('breakfast') || left.includes('lunch')))
    const ready = left.filter((meal) => !waits(meal)).map((meal) => [meal, APPETITE[meal]])
    const next = keyAt<Meal>(Object.fromEntries(ready), random.random())
    order.push(...left.splice(left.indexOf(next), 1))
  }
  return order
}
