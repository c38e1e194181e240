import { Random } from '../../../base/random.js'
import { dayAfter } from '../days.js'
import { archetypeOf, PERSONAS, type PersonaId, readSeed, recordOf, SEED_KINDS } from '../seed.js'
import { DOCUMENTS, type LifeTrace, type Operation, TASTES } from '../trace.js'
import { calendarBook, diary, todoList } from './agenda.js'
import { documentSimulator } from './documents.js'
import { sampleDistinct } from './draw.js'
import { DRIFT, type Drift, KNOBS, type Knobs, timelineOf } from './knobs.js'
import { type Purpose, schedule } from './schedule.js'
import { tastesIn } from './tastes.js'

/** The day on which every simulated life begins. */
const START = '2025-06-01'

export interface LifeOptions {
  persona: PersonaId
  days: number
  seed: number
  drift?: Partial<Drift>
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
  if (!PERSONAS.includes(persona)) throw new RangeError(`Expected a persona of ${PERSONAS.join(', ')}, got ${persona}`)
  const knobs = KNOBS[timelineOf(days)]
  const random = new Random(`memora/${persona}/${days}/${seed}`)
  const act = actor(random, options, knobs)
  const sessions = schedule(random, START, days, knobs).map(({ day, purpose }, index) => {
    const done = act(purpose, day)
    const number = index + 1
    return typeof done === 'string' ? { number, day, operation: null, failed: done } : { number, day, operation: done }
  })
  return { persona, start: START, end: dayAfter(START, days - 1), sessions }
}

/** Somebody who acts: what comes of a purpose, null where it is to leave the memory alone, or why nothing can come of it. */
function actor(random: Random, { persona, drift }: LifeOptions, knobs: Knobs) {
  const seed = readSeed()
  const tastes = recordOf(TASTES, (domain) =>
    tastesIn(random, domain, archetypeOf(seed, persona, domain)!, { ...DRIFT, ...drift }),
  )
  const desks = recordOf(DOCUMENTS, (kind) => {
    const sources = sampleDistinct(random, seed.documents[persona][SEED_KINDS[kind]], knobs.pool)
    return documentSimulator(random, kind, sources, knobs.documents[kind])
  })
  const { food, steps, goal } = diary(random, seed.activities)
  const todos = todoList(random, seed.todos[persona])
  const calendar = calendarBook(random, seed.calendar[persona])
  return (purpose: Purpose, today: string): Operation | null | string => {
    switch (purpose.of) {
      case 'neutral':
        return null
      case 'taste':
        return tastes[purpose.domain](purpose.act) ?? `${purpose.act} taste: nothing is left in ${purpose.domain}`
      case 'food':
        return food(purpose.meal)
      case 'steps':
        return steps()
      case 'todo':
        return todos(purpose.act)
      case 'calendar':
        return calendar(purpose.act, today)
      case 'document':
        return desks[purpose.kind](purpose.act)
      case 'goal':
        return goal(purpose.goal)
    }
  }
}
