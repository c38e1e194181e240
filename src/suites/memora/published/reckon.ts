import { dayAfter, daysIn, lifeOf, months, type Period, windows } from '../days.js'
import { type LedgerMeasure, LifeLedger } from '../questions/ledger.js'
import type { GoalKind, LifeTrace, Meal } from '../trace.js'

/** What a period cost against its budget, both in cents; null where there was none. */
interface Budgeted {
  spent: number
  budget: number | null
  /** The budget was set only after the period had begun. */
  partial: boolean
}

/** How something is reckoned: as the release does it, or as it should be. */
export type Reckoning = 'released' | 'calendar'

/**
 * What published questions ask to be reckoned, once as the release does it and once as it should be: the release takes days 1 to 30, 31 to 60
 * and 61 to 90 for months and four weekly budgets for that of a month.
 */
export class Reckoner {
  readonly ledger: LifeLedger
  readonly life: Period

  constructor(private readonly trace: LifeTrace) {
    this.ledger = new LifeLedger(trace)
    this.life = lifeOf(trace)
  }

  total(measure: LedgerMeasure): number {
    return this.ledger.total(measure, this.life)
  }

  /** The goal at the end, and what it is compared with: steps a day, or what was spent. */
  progress(goal: GoalKind): { goal: number | null; actual: number } {
    const sum = this.total(goal)
    const held = this.ledger.goal(goal, this.life.to)
    return { goal: held?.amount ?? null, actual: goal === 'steps' ? sum / daysIn(this.life) : sum }
  }

  /** The period with most of something, in cents or steps, and its place, counted from 0; the first of several. */
  best(
    measure: LedgerMeasure,
    unit: 'week' | 'month',
    as: Reckoning,
  ): { place: number; period: Period; total: number } {
    const sums = this.periods(unit, as).map((period) => ({ period, total: this.ledger.total(measure, period) }))
    const place = Math.max(
      0,
      sums.findIndex(({ total }) => sums.every((other) => other.total <= total)),
    )
    return { place, ...(sums[place] ?? { period: this.life, total: 0 }) }
  }

  /** Weeks of the life from its first day; months as calendars have them, or of thirty days as in the release. */
  periods(unit: 'week' | 'month', as: Reckoning): Period[] {
    if (unit === 'month' && as === 'calendar') return months(this.trace)
    return windows(this.life, unit === 'week' ? 7 : 30)
  }

  budgets(meal: Meal, unit: 'week' | 'month', as: Reckoning): Budgeted[] {
    return this.periods(unit, as).map((period) => {
      if (unit === 'month' && as === 'calendar') return this.#month(meal, period)
      const ends = unit === 'week' ? [period.to] : [6, 13, 20, 27].map((days) => dayAfter(period.from, days))
      const set = ends.flatMap((day) => this.ledger.goal(meal, day)?.amount ?? [])
      const budget = set.length === 0 ? null : set.reduce((sum, one) => sum + one, 0)
      return { spent: this.ledger.total(meal, period), budget, partial: budget !== null && set.length < ends.length }
    })
  }

  /** Every day since the first budget has a seventh of the weekly one; what was spent before counts for nothing. */
  #month(meal: Meal, period: Period): Budgeted {
    let [sevenths, from] = [0, '']
    for (let day = period.from; day <= period.to; day = dayAfter(day, 1)) {
      const goal = this.ledger.goal(meal, day)
      if (!goal) continue
      if (from === '') from = day
      sevenths += goal.amount
    }
    if (from === '') return { spent: 0, budget: null, partial: false }
    const spent = this.ledger.total(meal, { from, to: period.to })
    return { spent, budget: sevenths / 7, partial: from > period.from }
  }
}

/** Periods that kept to their budget, or went over it. */
export function countOf(periods: readonly Budgeted[], side: 'met' | 'overspent'): number {
  return periods.filter(({ spent, budget }) => budget !== null && spent <= budget === (side === 'met')).length
}
