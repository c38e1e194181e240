import { groupBy } from '../../../base/group-by.js'
import type { Random } from '../../../base/random.js'
import { DOCUMENT_FIELDS, SEED_KINDS, type SeedDocument } from '../seed.js'
import type { DocumentKind, FieldValue, Operation, Revision } from '../trace.js'
import { randomInteger, sampleDistinct } from './draw.js'
import type { Act, DocumentKnobs } from './knobs.js'

/** Simulates the documents of one kind: each call adds, updates or cuts one, or says why it cannot. */
export function documentSimulator(
  random: Random,
  kind: DocumentKind,
  waiting: SeedDocument[],
  knobs: DocumentKnobs,
): (act: Act) => Operation | string {
  const drafts: { draft: Draft; document: string; sessions: number; completes: number }[] = []
  let begun = 0
  const begin = (source: SeedDocument): Operation => {
    const draft = new Draft(random, kind, source)
    const document = `${kind}-${++begun}`
    drafts.push({ draft, document, sessions: 1, completes: randomInteger(random, knobs.completes) })
    return { of: 'document', act: 'add', kind, document, title: draft.title, fields: draft.told }
  }
  const revise = (act: 'update' | 'delete'): Operation | null => {
    for (const entry of sampleDistinct(random, drafts, drafts.length)) {
      const { draft, document } = entry
      const count = randomInteger(random, act === 'update' ? knobs.brings : knobs.takes)
      const revisions = act === 'update' ? draft.reveal(count) : draft.withdraw(count)
      if (revisions.length === 0) continue
      const completes = ++entry.sessions >= entry.completes
      if (completes) drafts.splice(drafts.indexOf(entry), 1)
      return { of: 'document', act, kind, document, title: draft.title, revisions, completes }
    }
    return null
  }
  // An addition without anything to begin becomes an update; updates and deletions stand in for each other.
  return (act) => {
    const begins = act === 'add' || drafts.length === 0
    if (begins && waiting.length > 0) return begin(waiting.shift()!)
    if (drafts.length === 0) return `${act} ${kind}: all are complete`
    const first = act === 'delete' ? 'delete' : 'update'
    const other = act === 'delete' ? 'update' : 'delete'
    return revise(first) ?? revise(other) ?? `${act} ${kind}: no draft has anything for it`
  }
}

interface Element {
  field: string
  value: string
}

/** A document in the making: what has been told of it, and what is still to come. */
class Draft {
  readonly title: string
  readonly told: Record<string, FieldValue> = {}
  readonly #random: Random
  readonly #hidden: Element[] = []
  readonly #shown: Element[] = []
  readonly #budgets: number[] = []
  readonly #range: { min: number; max: number } | undefined

  /** Tells all required fields, half of the optional ones, and 50–70 % of every list among them. */
  constructor(random: Random, kind: DocumentKind, { title, fields }: SeedDocument) {
    this.#random = random
    this.title = title
    const { required, optional } = DOCUMENT_FIELDS[SEED_KINDS[kind]]
    const chosen = sampleDistinct(random, optional, Math.floor(optional.length / 2))
    for (const field of [...required, ...optional]) {
      const value = fields[field]!
      const shown = required.includes(field) || chosen.includes(field)
      if (typeof value === 'string') {
        if (shown) this.told[field] = value
        else this.#hidden.push({ field, value })
      } else if (Array.isArray(value)) this.#list(field, value, shown)
      else {
        this.#range = value
        this.told[field] = this.#budget()
      }
    }
  }

  /** Up to so many things come to light, the budget revised among them. Nothing left to tell: no revisions. */
  reveal(count: number): Revision[] {
    return this.#choose(count, this.#range !== undefined, this.#hidden, 'added', () => {
      const from = this.#budgets.at(-1)!
      return { field: 'budget', change: 'revised', from, to: this.#budget() }
    })
  }

  /** Up to so many things are taken back; every list keeps one, and a revised budget may go back to what it was before. */
  withdraw(count: number): Revision[] {
    return this.#choose(count, this.#budgets.length > 1, this.#shown, 'removed', () => {
      const from = this.#budgets.pop()!
      return { field: 'budget', change: 'reverted', from, to: this.#budgets.at(-1)! }
    })
  }

  /** Draws a field each time, the budget at most once, then one of its elements, which goes over to the other side. */
  #choose(
    count: number,
    budget: boolean,
    from: Element[],
    change: 'added' | 'removed',
    revise: () => Revision,
  ): Revision[] {
    const revisions: Revision[] = []
    const [least, other] = change === 'added' ? [1, this.#shown] : [2, this.#hidden]
    while (revisions.length < count) {
      const byField = groupBy(from, ({ field }) => field)
      const fields = [...byField.keys()].filter((field) => byField.get(field)!.length >= least)
      if (budget && !revisions.some(({ field }) => field === 'budget')) fields.push('budget')
      if (fields.length === 0) break
      const field = this.#random.pick(fields)
      if (field === 'budget') revisions.push(revise())
      else {
        const element = this.#random.pick(byField.get(field)!)
        from.splice(from.indexOf(element), 1)
        other.push(element)
        revisions.push({ ...element, change })
      }
    }
    return revisions
  }

  #list(field: string, values: string[], shown: boolean): void {
    const share = 0.5 + 0.2 * this.#random.random()
    const count = shown ? Math.max(1, Math.floor(values.length * share)) : 0
    const first = sampleDistinct(this.#random, values, count)
    if (shown) this.told[field] = first
    for (const value of values) (first.includes(value) ? this.#shown : this.#hidden).push({ field, value })
  }

  /** A round budget within the range, at least 5 % from the one before. */
  #budget(): number {
    const { min, max } = this.#range!
    const old = this.#budgets.at(-1)
    const fits = (value: number) =>
      value >= min && value <= max && (old === undefined || Math.abs(value - old) >= 0.05 * old)
    let value = 0
    while (!fits(value)) {
      const drawn = randomInteger(this.#random, [min, max])
      const step = drawn < 100_000 ? 5_000 : drawn < 1_000_000 ? 25_000 : 50_000
      value = Math.round(drawn / step) * step
    }
    this.#budgets.push(value)
    return value
  }
}
