import { distance } from '../days.js'
import { History } from '../questions/history.js'
import { eventThing } from '../questions/telling.js'
import { finalState } from '../state.js'
import type { LifeState, LifeTrace } from '../trace.js'
import { type ImportedTrace, traceOf } from './operations.js'
import { type LifePlace, type ReleasedLife, readLife, sharedBy } from './read.js'
import { Reckoner } from './reckon.js'
import { type DateSaid, dateSaid } from './said.js'

/** An event that was moved, and what was said of the day it was moved to. */
export interface Reschedule {
  session: number
  event: string
  day: string
  said: DateSaid
  /** Days from the day on which it was moved to the new one; less than one where that was over already. */
  ahead: number
}

/** A published life with everything that follows from its operations. */
export interface ImportedLife extends ImportedTrace {
  released: ReleasedLife
  state: LifeState
  history: History
  reckoner: Reckoner
  reschedules: Reschedule[]
}

/** Reads a life of a release and recomputes its state. */
export function importLife(root: string, place: LifePlace): ImportedLife {
  const released = readLife(root, place)
  const imported = traceOf(released)
  const { trace } = imported
  return {
    ...imported,
    released,
    state: finalState(trace),
    history: new History(trace),
    reckoner: new Reckoner(trace),
    reschedules: reschedules(released, trace),
  }
}

/** What the user says in a session where there is something to remember. */
export function sharedIn({ sessions }: ReleasedLife, session: number): string {
  const file = sessions.find(({ session_id }) => session_id === session)
  return file ? sharedBy(file).join(' ') : ''
}

function reschedules(released: ReleasedLife, { sessions }: LifeTrace): Reschedule[] {
  return sessions.flatMap(({ number, day: today, operation }) => {
    if (operation?.of !== 'calendar' || operation.act !== 'update') return []
    const { event, day } = operation
    const said = dateSaid(sharedIn(released, number), day, today)
    return [{ session: number, event, day, said, ahead: distance(today, day) }]
  })
}

/** Events whose last move was to a day that nobody said. */
export function unsaidEvents({ history, reschedules }: ImportedLife): Set<string> {
  const isLast = ({ event, session }: Reschedule) => history.of(eventThing(event)).at(-1)!.session === session
  return new Set(reschedules.filter((move) => isLast(move) && !isTold(move)).map(({ event }) => event))
}

/** A weekday says which day is meant no longer than this ahead. */
const FURTHEST_WEEKDAY = 14

/** Whether a day so far ahead can be known from the way in which it was spoken of. */
export function isTold({ said, ahead }: Pick<Reschedule, 'said' | 'ahead'>): boolean {
  return said === 'said' || (said === 'weekday' && ahead <= FURTHEST_WEEKDAY)
}
