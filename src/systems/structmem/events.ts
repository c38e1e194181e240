import { type Journal, type Kept, minuteOf, VectorTable, weekdayOf } from '../parts/index.js'
import { FIXED } from './fixed.js'

/** A fact or a relation. */
export interface Event extends Kept {
  /** What was recorded, without its time. */
  readonly memory: string
  /** When its turn was said, in milliseconds: turns of a conversation are half a second apart. */
  readonly moment: number
}

/** Neighbours looked at first when those that are alike are gathered. */
const FIRST_LOOK = 16

interface Like {
  id: string
  score: number
}

/** An event with its time written before it, as it is kept and found. */
export function eventText(memory: string, time: string): string {
  return [minuteOf(time), weekdayOf(time), memory].filter((part) => part !== '').join(' ')
}

/** Events with the likenesses between them, which are worked out once, when an event is added. */
export class Events {
  readonly rows: VectorTable<Event>
  /** For each event, the events of the same time or before that are like it, best first. */
  readonly #queues = new Map<string, readonly Like[]>()

  constructor(
    dimensions: number,
    /** Least cosine of events that are alike. */
    readonly threshold: number,
    readonly journal: Journal,
  ) {
    this.rows = new VectorTable(dimensions, journal)
  }

  add(event: Event, vector: Float32Array): void {
    for (const { row, score } of this.#alike(vector)) {
      if (row.moment <= event.moment) this.#enqueue(event.id, { id: row.id, score })
      if (row.moment >= event.moment) this.#enqueue(row.id, { id: event.id, score })
    }
    this.rows.set(event, vector)
  }

  delete(id: string): void {
    this.rows.delete(id)
    this.journal.delete(this.#queues, id)
  }

  /** Events that have others to be compared with: those that have them among the first of their queue. In the order of the store. */
  targets(): { target: Event; newer: Event[] }[] {
    const newer = new Map<string, Event[]>()
    for (const [id, queue] of this.#queues) {
      const event = this.rows.get(id)
      if (!event) continue
      for (const like of queue.filter((one) => this.rows.has(one.id)).slice(0, FIXED.queue)) {
        newer.set(like.id, [...(newer.get(like.id) ?? []), event])
      }
    }
    return this.rows.rows().flatMap((target) => {
      const found = newer.get(target.id)
      return found ? [{ target, newer: found }] : []
    })
  }

  #alike(vector: Float32Array) {
    for (let look = FIRST_LOOK; ; look *= 2) {
      const near = this.rows.nearest(vector, look)
      if (near.length < look || near.at(-1)!.score < this.threshold) {
        return near.filter(({ score }) => score >= this.threshold)
      }
    }
  }

  #enqueue(id: string, like: Like): void {
    const queue = this.#queues.get(id) ?? []
    const at = queue.findIndex(({ score }) => score < like.score)
    this.journal.set(this.#queues, id, queue.toSpliced(at < 0 ? queue.length : at, 0, like))
  }
}
