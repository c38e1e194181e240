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
  readonly #sessions = new Map<number, LifeFact[]>()

  constructor(trace: LifeTrace) {
    this.facts = trace.sessions.flatMap((session) => {
      const told = tellings(session).map((telling) => this.#link(telling, session.number, session.day))
      if (told.length > 0) this.#sessions.set(session.number, told)
      return told
    })
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
    const before = this.#things.get(fact.thing)
    if (!before) {
      this.#things.set(fact.thing, [fact])
      return fact
    }
    // What is merely written down, meal by meal and walk by walk, revises nothing.
    const differing = isEntry(fact) ? [] : before.filter((one) => !agrees(one, fact))
    for (const one of differing) one.until ??= day
    const last = before.at(-1)!
    if (fact.holds && last.holds && differing.includes(last)) fact.replaces = last.id
    const others = differing.filter(({ id }) => id !== fact.replaces).map(({ id }) => id)
    if (others.length > 0) fact.invalidates = others
    before.push(fact)
    return fact
  }
}

/** The last word on a thing. */
export function current(told: readonly LifeFact[]): LifeFact {
  return told.at(-1)!
}

/** What was once told of a thing as holding, and does not hold as it is now. */
export function outdated(told: readonly LifeFact[]): LifeFact[] {
  const now = current(told)
  return told.filter((fact) => fact.holds && !agrees(fact, now))
}

function agrees(a: Telling, b: Telling): boolean {
  return a.holds === b.holds && a.value === b.value
}

function isEntry({ thing }: Telling): boolean {
  return thing.startsWith('food:') || thing.startsWith('steps:')
}
