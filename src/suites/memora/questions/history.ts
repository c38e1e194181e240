import { entryOf, groupBy } from '../../../base/group-by.js'
import type { LifeTrace } from '../trace.js'
import { type Telling, tellings } from './telling.js'

/** One thing told in one session, tied to what it revises. */
export interface LifeFact extends Telling {
  id: string
  session: number
  day: string
  /** The last of its thing, when that held with another value. */
  replaces?: string
  /** Everything else told of its thing that no longer holds with it. */
  invalidates?: string[]
  /** The day on which it was first revised. */
  until?: string
}

/** Everything told in a life, thing by thing and session by session. */
export class History {
  readonly facts: readonly LifeFact[]
  readonly #things = new Map<string, LifeFact[]>()
  readonly #sessions: Map<number, LifeFact[]>

  constructor({ sessions }: LifeTrace) {
    this.facts = sessions.flatMap((session) =>
      tellings(session).map((telling) => this.#link(telling, session.number, session.day)),
    )
    this.#sessions = groupBy(this.facts, ({ session }) => session)
  }

  /** All that was told of a thing, in order. */
  of(thing: string): readonly LifeFact[] {
    return this.#things.get(thing) ?? []
  }

  /** What was told in a session. */
  at(session: number): readonly LifeFact[] {
    return this.#sessions.get(session) ?? []
  }

  /** Things whose key begins so, in the order in which they were first told of. */
  things(prefix: string): string[] {
    return [...this.#things.keys()].filter((thing) => thing.startsWith(prefix))
  }

  #link(telling: Telling, session: number, day: string): LifeFact {
    const fact: LifeFact = { ...telling, id: `${telling.name}:${session}`, session, day }
    const before = entryOf(this.#things, fact.thing, () => [])
    // What is merely written down, meal by meal and walk by walk, revises nothing.
    const isEntry = /^(?:food|steps):/.test(fact.thing)
    const differing = isEntry ? [] : before.filter((one) => !agrees(one, fact))
    for (const one of differing) one.until ??= day
    const last = before.at(-1)
    if (last && fact.holds && last.holds && differing.includes(last)) fact.replaces = last.id
    const others = differing.filter(({ id }) => id !== fact.replaces).map(({ id }) => id)
    if (others.length > 0) fact.invalidates = others
    before.push(fact)
    return fact
  }
}

/** The last word on a thing. */
export const current = (told: readonly LifeFact[]): LifeFact => told.at(-1)!

/** What was once told of a thing as holding, and does not hold as it is now. */
export const outdated = (told: readonly LifeFact[]): LifeFact[] =>
  told.filter((fact) => fact.holds && !agrees(fact, current(told)))

const agrees = (a: Telling, b: Telling): boolean => a.holds === b.holds && a.value === b.value
