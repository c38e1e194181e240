import { type LedgerMeasure, LifeLedger } from '../questions/ledger.js'
import { daysIn, lifeOf, months, type Period } from '../questions/periods.js'
import { dayAfter } from '../simulate/draw.js'
import type { LifeTrace, Meal } from '../trace.js'

/** The total of a period, in cents or steps. */
export interface Summed {
  period: Period
  total: number
}

/** A period against its budget, both in cents; null where there was none. */
export interface Budgeted {
  period: Period
  spent: number
  budget: number | null
  /** The budget was set only after the period had begun. */
  partial: boolean
}

/**
 * What published questions ask to be reckoned, once as the release does it and once as it should be: the release takes days 1 to 30, 31 to 60
 * and 61 to 90 for months and four weekly budgets for that of a month.
 */
export class Reckoner {
  readonly ledger: LifeLedger
  readonly life: Period
  readonly #trace: LifeTrace

  constructor(trace: LifeTrace) {
    this.ledger = new LifeLedger(trace)
    this.life = lifeOf(trace)
    this.#trace = trace
  }

  total(measure: LedgerMeasure): number {
    return this.ledger.total(measure, this.life)
  }

  /** The goal at the end, and what it is compared with: steps a day, or what was spent. */
  progress(goal: Meal | 'steps'): { goal: number | null; actual: number } {
    const sum = this.ledger.total(goal, this.life)
    const held = this.ledger.goal(goal, this.life.to)
    return { goal: held?.amount ?? null, actual: goal === 'steps' ? sum / daysIn(this.life) : sum }
  }

  sums(measure: LedgerMeasure, periods: readonly Period[]): Summed[] {
    return periods.map((period) => ({ period, total: this.ledger.total(measure, period) }))
  }

  /** Weeks of the life from its first day; months as calendars have them, or of thirty days as in the release. */
  periods(unit: 'week' | 'month', as: 'released' | 'calendar'): Period[] {
    if (unit === 'month' && as === 'calendar') return months(this.#trace)
    const length = unit === 'week' ? 7 : 30
    const count = Math.floor(daysIn(this.life) / length)
    return Array.from({ length: count }, (_, at) => {
      const from = dayAfter(this.life.from, at * length)
      return { from, to: dayAfter(from, length - 1) }
    })
  }

  budgets(meal: Meal, unit: 'week' | 'month', as: 'released' | 'calendar'): Budgeted[] {
    return this.periods(unit, as).map((period) => {
      if (unit === 'week') return this.#week(meal, period)
      return as === 'released' ? this.#thirtyDays(meal, period) : this.#month(meal, period)
    })
  }

  #week(meal: Meal, period: Period): Budgeted {
    const budget = this.ledger.goal(meal, period.to)?.amount ?? null
    return { period, spent: this.ledger.total(meal, period), budget, partial: false }
  }

  #thirtyDays(meal: Meal, period: Period): Budgeted {
    const ends = [6, 13, 20, 27].map((days) => dayAfter(period.from, days))
    const weekly = ends.map((day) => this.ledger.goal(meal, day)?.amount ?? null)
    const set = weekly.flatMap((budget) => budget ?? [])
    const budget = set.length === 0 ? null : set.reduce((sum, one) => sum + one, 0)
    const partial = set.length > 0 && set.length < weekly.length
    return { period, spent: this.ledger.total(meal, period), budget, partial }
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
    if (from === '') return { period, spent: 0, budget: null, partial: false }
    const spent = this.ledger.total(meal, { from, to: period.to })
    return { period, spent, budget: sevenths / 7, partial: from > period.from }
  }
}

/** Periods that kept to their budget, or went over it. */
export function countOf(periods: readonly Budgeted[], side: 'met' | 'overspent'): number {
  return periods.filter(({ spent, budget }) => budget !== null && spent <= budget === (side === 'met')).length
}

/** The place of the greatest, counted from 0; the first of several. */
export function greatest(sums: readonly Summed[]): number {
  return sums.reduce((best, { total }, at) => (total > (sums[best]?.total ?? Number.NEGATIVE_INFINITY) ? at : best), 0)
}
