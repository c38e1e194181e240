import type { Random } from '../../../base/random.js'
import type { Calendar, EventKind, PersonaId, Todos } from '../seed.js'
import type { Operation } from '../trace.js'
import { between, dayAfter, take } from './draw.js'
import type { Act } from './knobs.js'

type List = 'work' | 'personal'

/** Open tasks; what is done may be taken up again later. */
export class TodoList {
  readonly #random: Random
  readonly #waiting: Record<List, string[]>
  readonly #open: { list: List; task: string }[] = []

  constructor(random: Random, tasks: Todos[PersonaId]) {
    this.#random = random
    this.#waiting = { work: [...tasks.work], personal: [...tasks.personal] }
  }

  act(act: Act): Operation | string {
    if (act === 'delete' && this.#open.length > 0) {
      const done = take(this.#random, this.#open)
      this.#waiting[done.list].push(done.task)
      return { of: 'todo', act: 'delete', ...done }
    }
    const lists = (['work', 'personal'] as const).filter((list) => this.#waiting[list].length > 0)
    if (lists.length === 0) return 'add task: all are open'
    const list = this.#random.pick(lists)
    const task = take(this.#random, this.#waiting[list])
    this.#open.push({ list, task })
    return { of: 'todo', act: 'add', list, task }
  }
}

interface Entry {
  kind: EventKind
  event: string
  offsets: number[]
  day: string
}

/** Events ahead. One that is over stays as it was, and does not come a second time. */
export class CalendarBook {
  readonly #random: Random
  readonly #waiting: Record<EventKind, { name: string; offsets: number[] }[]>
  readonly #entries: Entry[] = []

  constructor(random: Random, events: Calendar[PersonaId]) {
    this.#random = random
    this.#waiting = { work: [...events.work], personal: [...events.personal], birthdays: [...events.birthdays] }
  }

  act(act: Act, today: string): Operation | string {
    if (act === 'add' || this.#entries.length === 0) return this.#add(today)
    const ahead = this.#entries.filter((entry) => entry.day > today)
    if (ahead.length === 0) return `${act} event: all are over`
    const entry = this.#random.pick(ahead)
    const { kind, event, offsets, day: old } = entry
    if (act === 'delete') {
      this.#entries.splice(this.#entries.indexOf(entry), 1)
      this.#waiting[kind].push({ name: event, offsets })
      return { of: 'calendar', act: 'delete', kind, event, day: old }
    }
    do entry.day = fitting(kind, today, between(this.#random, [1, 30]))
    while (entry.day === old)
    return { of: 'calendar', act: 'update', kind, event, day: entry.day, old }
  }

  #add(today: string): Operation | string {
    const kinds = (Object.keys(this.#waiting) as EventKind[]).filter((kind) => this.#waiting[kind].length > 0)
    if (kinds.length === 0) return 'add event: none is left'
    const kind = this.#random.pick(kinds)
    const { name: event, offsets } = take(this.#random, this.#waiting[kind])
    const day = fitting(kind, today, this.#random.pick(offsets))
    this.#entries.push({ kind, event, offsets, day })
    return { of: 'calendar', act: 'add', kind, event, day }
  }
}

/** The day so many days ahead; what belongs to work falls on the Friday before a weekend, or on Monday where that is not ahead. */
function fitting(kind: EventKind, today: string, ahead: number): string {
  const day = dayAfter(today, ahead)
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  if (kind !== 'work' || (weekday !== 0 && weekday !== 6)) return day
  const friday = dayAfter(day, weekday === 6 ? -1 : -2)
  return friday > today ? friday : dayAfter(friday, 3)
}
