import { isIn, type Period } from '../days.js'
import { EMPTY, replay } from '../state.js'
import type { GoalKind, LifeState, LifeTrace, Meal } from '../trace.js'

/** What is added up: all food, one kind of it, or steps. */
export type LedgerMeasure = 'food' | Meal | 'steps'

/** The diary of a life as its memory states hold it. Money is counted in cents. */
export class LifeLedger {
  readonly #last: LifeState
  readonly #goals: { day: string; goals: LifeState['goals'] }[]

  constructor(trace: LifeTrace) {
    const states = replay(trace)
    this.#last = states.at(-1) ?? EMPTY
    const known = trace.sessions.map(({ day }, at) => ({ day, goals: states[at]!.goals }))
    this.#goals = known.filter(({ goals }, at) => goals !== known[at - 1]?.goals)
  }

  /** What was written down in a period: cents, or steps. */
  entries(measure: LedgerMeasure, period: Period): { session: number; day: string; amount: number }[] {
    const { food, steps } = this.#last
    if (measure === 'steps')
      return steps
        .filter(({ day }) => isIn(day, period))
        .map(({ session, day, count }) => ({ session, day, amount: count }))
    return food
      .filter(({ meal, day }) => (measure === 'food' || meal === measure) && isIn(day, period))
      .map(({ session, day, amount }) => ({ session, day, amount: Math.round(amount * 100) }))
  }

  total(measure: LedgerMeasure, period: Period): number {
    return this.entries(measure, period).reduce((sum, { amount }) => sum + amount, 0)
  }

  /** The goal that holds at the end of a day, cents a week or steps a day; null before the first. */
  goal(goal: GoalKind, day: string): { session: number; amount: number } | null {
    const held = this.#goals.findLast((one) => one.day <= day)?.goals.find((one) => one.goal === goal)
    if (!held) return null
    return { session: held.session, amount: goal === 'steps' ? held.value : Math.round(held.value * 100) }
  }
}
