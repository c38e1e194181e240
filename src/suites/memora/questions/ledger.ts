import { replay } from '../state.js'
import type { LifeState, LifeTrace, Meal } from '../trace.js'
import { isIn, type Period } from './periods.js'

/** What is added up: all food, one kind of it, or steps. */
export type LedgerMeasure = 'food' | Meal | 'steps'

/** Something written down: cents, or steps. */
export interface LedgerEntry {
  session: number
  day: string
  amount: number
}

/** A goal in force: cents a week, or steps a day. */
export interface Goal {
  session: number
  amount: number
}

/** The diary of a life as its memory states hold it. Money is counted in cents. */
export class LifeLedger {
  readonly #last: LifeState
  readonly #goals: { day: string; goals: LifeState['goals'] }[] = []

  constructor(trace: LifeTrace) {
    const states = replay(trace)
    this.#last = states.at(-1) ?? { tastes: [], food: [], steps: [], todos: [], events: [], documents: [], goals: [] }
    trace.sessions.forEach(({ day }, at) => {
      const { goals } = states[at]!
      const known = this.#goals.at(-1)
      if (known?.goals !== goals) this.#goals.push({ day, goals })
    })
  }

  entries(measure: LedgerMeasure, period: Period): LedgerEntry[] {
    const { food, steps } = this.#last
    if (measure === 'steps') {
      return steps
        .filter(({ day }) => isIn(day, period))
        .map(({ session, day, count }) => ({ session, day, amount: count }))
    }
    return food
      .filter(({ meal, day }) => (measure === 'food' || meal === measure) && isIn(day, period))
      .map(({ session, day, amount }) => ({ session, day, amount: Math.round(amount * 100) }))
  }

  total(measure: LedgerMeasure, period: Period): number {
    return this.entries(measure, period).reduce((sum, { amount }) => sum + amount, 0)
  }

  /** The goal that holds at the end of a day; null before the first. */
  goal(goal: Meal | 'steps', day: string): Goal | null {
    const held = this.#goals.findLast((one) => one.day <= day)?.goals.find((one) => one.goal === goal)
    if (!held) return null
    return { session: held.session, amount: goal === 'steps' ? held.value : Math.round(held.value * 100) }
  }
}
