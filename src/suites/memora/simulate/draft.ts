import type { Random } from '../../../base/random.js'
import { DOCUMENT_FIELDS, type SeedDocumentKind as SeedKind } from '../seed.js'
import type { FieldValue, Revision } from '../trace.js'
import { between, some } from './draw.js'

/** A document as it is in the seed data: everything that may ever be said of it. */
export interface Source {
  title: string
  fields: Record<string, string | string[] | { min: number; max: number }>
}

interface Element {
  field: string
  value: string
}

/** A document in the making: what has been told of it, and what is still to come. */
export class Draft {
  readonly id: string
  readonly title: string
  /** What the first session tells. */
  readonly told: Record<string, FieldValue> = {}
  sessions = 1
  readonly #random: Random
  readonly #hidden: Element[] = []
  readonly #shown: Element[] = []
  readonly #budgets: number[] = []
  readonly #range: { min: number; max: number } | undefined

  /** Tells all required fields, half of the optional ones, and 50–70 % of every list among them. */
  constructor(random: Random, id: string, kind: SeedKind, source: Source) {
    this.#random = random
    this.id = id
    this.title = source.title
    const { required, optional } = DOCUMENT_FIELDS[kind]
    const chosen = some<string>(random, optional, Math.floor(optional.length / 2))
    for (const field of [...required, ...optional]) {
      const value = source.fields[field]!
      const shown = (required as readonly string[]).includes(field) || chosen.includes(field)
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
    while (revisions.length < count) {
      const least = change === 'added' ? 1 : 2
      const fields = [...new Set(from.map(({ field }) => field))].filter(
        (field) => elements(from, field).length >= least,
      )
      if (budget && !revisions.some(({ field }) => field === 'budget')) fields.push('budget')
      if (fields.length === 0) break
      const field = this.#random.pick(fields)
      if (field === 'budget') {
        revisions.push(revise())
        continue
      }
      const element = this.#random.pick(elements(from, field))
      from.splice(from.indexOf(element), 1)
      const other = change === 'added' ? this.#shown : this.#hidden
      other.push(element)
      revisions.push({ ...element, change })
    }
    return revisions
  }

  #list(field: string, values: string[], shown: boolean): void {
    const share = 0.5 + 0.2 * this.#random.random()
    const count = shown ? Math.max(1, Math.floor(values.length * share)) : 0
    const first = some(this.#random, values, count)
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
      const drawn = between(this.#random, [min, max])
      const step = drawn < 100_000 ? 5_000 : drawn < 1_000_000 ? 25_000 : 50_000
      value = Math.round(drawn / step) * step
    }
    this.#budgets.push(value)
    return value
  }
}

function elements(list: Element[], field: string): Element[] {
  return list.filter((element) => element.field === field)
}
