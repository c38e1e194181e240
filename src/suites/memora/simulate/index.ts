import { Random } from '../../../base/random.js'
import { type PersonaId, readSeed, type Seed } from '../seed.js'
import { DOCUMENTS, type DocumentKind, type LifeTrace, type Operation, TASTES, type Taste } from '../trace.js'
import { CalendarBook, TodoList } from './agenda.js'
import { Diary } from './diary.js'
import { Desk, SEED_KINDS } from './documents.js'
import type { Source } from './draft.js'
import { dayAfter, some } from './draw.js'
import { DRIFT, type Drift, KNOBS, type Knobs, timelineOf } from './knobs.js'
import { type Purpose, schedule } from './schedule.js'
import { Tastes } from './tastes.js'

/** The day on which every simulated life begins. */
const START = '2025-06-01'

export interface LifeOptions {
  persona: PersonaId
  days: number
  seed: number
  /** Documents of each kind that the persona writes: 2 in a week, 6 in a month and 10 in a quarter unless said otherwise. */
  pool?: number
  /** How often things happen; by default as in the published data of the nearest duration. */
  knobs?: Knobs
  /** How tastes change. */
  drift?: Partial<Drift>
  /** What the life draws from; the seed data of the project by default. */
  material?: Seed
}

/**
 * The life of a persona: what every session does to the memory, over so many days. Same options, same trace; every persona has its own
 * stream of chance, so that one more persona leaves the others as they are.
 *
 * @example simulate({ persona: 'content_writer', days: 7, seed: 1 }).sessions.length // about 155
 */
export function simulate(options: LifeOptions): LifeTrace {
  const { persona, days, seed } = options
  if (!Number.isInteger(days) || days < 1)
    throw new RangeError(`Expected a whole number of days from 1 up, got ${days}`)
  const knobs = options.knobs ?? KNOBS[timelineOf(days)]
  const random = new Random(`memora/${persona}/${days}/${seed}`)
  const life = new Life(random, options, knobs)
  const sessions = schedule(random, START, days, knobs).map(({ day, purpose }, index) => {
    const done = life.act(purpose, day)
    const number = index + 1
    return typeof done === 'string' ? { number, day, operation: null, failed: done } : { number, day, operation: done }
  })
  return { persona, start: START, end: dayAfter(START, days - 1), sessions }
}

class Life {
  readonly #tastes: Record<Taste, Tastes>
  readonly #diary: Diary
  readonly #todos: TodoList
  readonly #calendar: CalendarBook
  readonly #desks: Record<DocumentKind, Desk>

  constructor(random: Random, options: LifeOptions, knobs: Knobs) {
    const { persona } = options
    const material = options.material ?? ownMaterial()
    const { archetypes } = personaOf(material, persona)
    const drift = { ...DRIFT, ...options.drift }
    const tastes = (domain: Taste) => {
      const archetype = material.preferences[domain].find(({ id }) => id === archetypes[domain])!
      return new Tastes(random, domain, archetype, drift)
    }
    const desk = (kind: DocumentKind) => {
      const sources = some<Source>(random, material.documents[persona][SEED_KINDS[kind]], options.pool ?? knobs.pool)
      return new Desk(random, kind, sources, knobs.documents[kind])
    }
    this.#tastes = record(TASTES, tastes)
    this.#desks = record(DOCUMENTS, desk)
    this.#diary = new Diary(random, material.activities)
    this.#todos = new TodoList(random, material.todos[persona])
    this.#calendar = new CalendarBook(random, material.calendar[persona])
  }

  /** What comes of a purpose, null where it is to leave the memory alone, or why nothing can come of it. */
  act(purpose: Purpose, today: string): Operation | null | string {
    switch (purpose.of) {
      case 'neutral':
        return null
      case 'taste':
        return (
          this.#tastes[purpose.domain].act(purpose.act) ?? `${purpose.act} taste: nothing is left in ${purpose.domain}`
        )
      case 'food':
        return this.#diary.food(purpose.meal)
      case 'steps':
        return this.#diary.steps()
      case 'todo':
        return this.#todos.act(purpose.act)
      case 'calendar':
        return this.#calendar.act(purpose.act, today)
      case 'document':
        return this.#desks[purpose.kind].act(purpose.act)
      case 'goal':
        return this.#diary.goal(purpose.goal)
    }
  }
}

let read: Seed | undefined

function ownMaterial(): Seed {
  read ??= readSeed()
  return read
}

function personaOf({ personas }: Seed, persona: string): Seed['personas'][number] {
  const found = personas.find(({ id }) => id === persona)
  if (found) return found
  throw new RangeError(`Expected a persona of ${personas.map(({ id }) => id).join(', ')}, got ${persona}`)
}

function record<Key extends string, Value>(keys: readonly Key[], value: (key: Key) => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>
}
