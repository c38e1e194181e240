import { fold } from '../../base/text.js'
import { HybridTable, type Kept } from '../parts/index.js'
import type { TimeSpan } from './when.js'

/** One statement, with the fields it can be looked up by. */
export interface Entry extends Kept {
  readonly keywords: readonly string[]
  /** When it happens or holds, as the model gave it. */
  readonly timestamp: string | null
  readonly location: string | null
  readonly persons: readonly string[]
  readonly entities: readonly string[]
  readonly topic: string
}

/** What entries must have; what is empty or null does not count. */
export interface Fields {
  persons: readonly string[]
  entities: readonly string[]
  location: string | null
  span: TimeSpan | null
}

/** Entries, which are only ever added, searched by meaning, by words and by fields. */
export class Entries extends HybridTable<Entry> {
  /** Entries that have all that is asked, oldest first; none when nothing is asked. */
  byFields({ persons, entities, location, span }: Fields, k: number): string[] {
    const tests: ((entry: Entry) => boolean)[] = []
    if (persons.length > 0) tests.push((entry) => overlaps(entry.persons, persons))
    if (entities.length > 0) tests.push((entry) => overlaps(entry.entities, entities))
    if (location) tests.push((entry) => fold(entry.location ?? '').includes(fold(location)))
    if (span) tests.push(({ timestamp }) => timestamp !== null && within(timestamp.slice(0, 10), span))
    if (tests.length === 0) return []
    const found = this.rows().filter((entry) => tests.every((test) => test(entry)))
    return found.slice(0, k).map(({ id }) => id)
  }
}

function overlaps(ours: readonly string[], theirs: readonly string[]): boolean {
  const wanted = new Set(theirs.map(fold))
  return ours.some((name) => wanted.has(fold(name)))
}

function within(day: string, { from, to }: TimeSpan): boolean {
  return day >= from && day <= to
}
