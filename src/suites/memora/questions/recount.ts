import { daysIn, distance, type Period } from '../days.js'
import type { GoalKind, LifeTrace, Meal } from '../trace.js'
import type { LedgerMeasure } from './ledger.js'

/** What a reasoning question asks to be worked out. */
export type Sought =
  | { what: 'total' | 'average'; of: LedgerMeasure; in: Period }
  /** Goal, what it was set against, and the difference: food for the week, steps a day on average. */
  | { what: 'progress'; goal: GoalKind; in: Period }
  /** The place of the period with the highest total, and that total. */
  | { what: 'best'; of: LedgerMeasure; among: Period[] }
  /** Weeks with a budget that were within it, or over it. */
  | { what: 'weeks'; meal: Meal; side: 'met' | 'overspent'; among: Period[] }
  /** Days on which the goal of the day was reached. */
  | { what: 'days'; in: Period }

/**
 * Works out what is sought a second time, straight from the operations: day by day into one table, without the states of memory and
 * without the ledger that the gold comes from.
 */
export function recount(trace: LifeTrace, sought: Sought): number[] {
  const table = tabulate(trace)
  const span = (period: Period) => [table.place(period.from), table.place(period.to)] as const
  const sum = (of: LedgerMeasure, period: Period) => {
    const [first, last] = span(period)
    let sum = 0
    for (let day = first; day <= last; day++) sum += table.days[day]?.[of] ?? 0
    return sum
  }
  switch (sought.what) {
    case 'total':
      return [sum(sought.of, sought.in)]
    case 'average':
      return [Math.round(sum(sought.of, sought.in) / daysIn(sought.in))]
    case 'progress': {
      const goal = table.goalOn(sought.goal, table.place(sought.in.to))
      const done = sum(sought.goal, sought.in)
      const compared = sought.goal === 'steps' ? Math.round(done / daysIn(sought.in)) : done
      return [goal, compared, goal - compared]
    }
    case 'best': {
      let [place, most] = [-1, Number.NEGATIVE_INFINITY]
      sought.among.forEach((period, at) => {
        const found = sum(sought.of, period)
        if (found > most) [place, most] = [at, found]
      })
      return [place, most]
    }
    case 'weeks': {
      const within = sought.among.map(
        (week) => sum(sought.meal, week) <= table.goalOn(sought.meal, table.place(week.to)),
      )
      return [within.filter((met) => met === (sought.side === 'met')).length]
    }
    case 'days': {
      const [first, last] = span(sought.in)
      let count = 0
      for (let day = first; day <= last; day++) if ((table.days[day]?.steps ?? 0) >= table.goalOn('steps', day)) count++
      return [count]
    }
  }
}

type Row = Record<LedgerMeasure, number>

interface Table {
  place(day: string): number
  days: Row[]
  /** Infinite where none was set: nothing reaches it, and nothing goes over it. */
  goalOn(goal: GoalKind, place: number): number
}

function tabulate({ start, sessions }: LifeTrace): Table {
  const place = (day: string) => distance(start, day)
  const days: Row[] = []
  const goals: { goal: GoalKind; place: number; value: number }[] = []
  for (const { day, operation } of sessions) {
    const at = place(day)
    const row = days[at] ?? { food: 0, breakfast: 0, lunch: 0, dinner: 0, coffee: 0, grocery: 0, steps: 0 }
    days[at] = row
    if (operation?.of === 'food') {
      const cents = Number(operation.amount.toFixed(2).replace('.', ''))
      row.food += cents
      row[operation.meal] += cents
    } else if (operation?.of === 'steps') row.steps += operation.count
    else if (operation?.of === 'goal') {
      const value = operation.goal === 'steps' ? operation.value : operation.value * 100
      goals.unshift({ goal: operation.goal, place: at, value })
    }
  }
  const goalOn = (goal: GoalKind, at: number) =>
    goals.find((one) => one.goal === goal && one.place <= at)?.value ?? Number.POSITIVE_INFINITY
  return { place, days, goalOn }
}
