import { entryOf } from '../base/group-by.js'
import { momentOf, placeKey, type ReaderRef, type Subject, withFirstTrial } from '../model/index.js'
import type { LifeResults } from './results.js'

/** What stores did with conversations in which something said before was changed or taken back. */
export interface ChangeRow {
  suite: string
  subject: Subject
  reader: ReaderRef | null
  /** Such conversations, and those after which the store was another than before. */
  n: number
  written: number
  /** Tokens of the store before and after them, on average. */
  before: number
  after: number
}

/** Collects, life by life, how stores take changes. Only where they were kept from conversation to conversation. */
export class Changes {
  readonly #rows = new Map<string, ChangeRow>()

  add({ planned: { suite, scenario, key }, reader, moments }: LifeResults): void {
    const changing = new Set(
      scenario.facts.flatMap(({ replaces, invalidates = [], sources }) =>
        replaces !== undefined || invalidates.length > 0 ? sources : [],
      ),
    )
    const kept = scenario.timeline.flatMap((event) => moments.get(momentOf(event)) ?? [])
    const told = new Set([...changing].map((id) => `after ${id}`))
    const subject = { subject: key.subject, reader: withFirstTrial(reader) }
    for (const [at, now] of kept.entries()) {
      const before = kept[at - 1]
      if (!told.has(now.moment) || !before || now.snapshot === null || before.snapshot === null) continue
      const empty = { suite: suite.name, ...subject, n: 0, written: 0, before: 0, after: 0 }
      const row = entryOf(this.#rows, `${suite.name} ${placeKey(subject)}`, () => empty)
      row.n++
      if (now.snapshot !== before.snapshot) row.written++
      row.before += (before.tokens - row.before) / row.n
      row.after += (now.tokens - row.after) / row.n
    }
  }

  rows(): ChangeRow[] {
    return [...this.#rows.values()]
  }
}
