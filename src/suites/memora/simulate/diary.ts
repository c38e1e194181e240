import type { Random } from '../../../base/random.js'
import type { Activities } from '../seed.js'
import type { Meal, Operation } from '../trace.js'
import { between, multiple } from './draw.js'

/** What is written down as it comes: money spent on food, steps walked, and goals for both. */
export class Diary {
  readonly #random: Random
  readonly #activities: Activities
  readonly #goals = new Map<Meal | 'steps', number>()

  constructor(random: Random, activities: Activities) {
    this.#random = random
    this.#activities = activities
  }

  food(meal: Meal): Operation {
    const { min, max } = this.#random.pick(this.#activities.meals[meal])
    return { of: 'food', act: 'add', meal, amount: between(this.#random, [min * 100, max * 100]) / 100 }
  }

  steps(): Operation {
    const { activity, min, max } = this.#random.pick(this.#activities.steps)
    return { of: 'steps', act: 'add', activity, count: between(this.#random, [min, max]) }
  }

  /** A goal is always another than the one it takes the place of. */
  goal(goal: Meal | 'steps'): Operation {
    const old = this.#goals.get(goal) ?? null
    let value = this.#draw(goal)
    while (value === old) value = this.#draw(goal)
    this.#goals.set(goal, value)
    return { of: 'goal', act: 'set', goal, value, old }
  }

  #draw(goal: Meal | 'steps'): number {
    if (goal !== 'steps') {
      const range = this.#activities.goals.food[goal]
      return multiple(this.#random, range, range.round)
    }
    const { min, max, rounding } = this.#activities.goals.steps
    const value = between(this.#random, [min, max])
    const step = rounding.find(({ below }) => value < below)!.round
    return Math.round(value / step) * step
  }
}
