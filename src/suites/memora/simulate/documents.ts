import type { Random } from '../../../base/random.js'
import type { SeedDocumentKind as SeedKind } from '../seed.js'
import type { DocumentKind, Operation } from '../trace.js'
import { Draft, type Source } from './draft.js'
import { between, some } from './draw.js'
import type { Act, DocumentKnobs } from './knobs.js'

/** The names that the seed data has for the kinds of documents. */
export const SEED_KINDS: Record<DocumentKind, SeedKind> = {
  proposal: 'proposals',
  email: 'emails',
  notes: 'notes',
  post: 'posts',
}

/** Documents of one kind: those still to begin, drafts that grow and shrink, and complete ones, which are left alone. */
export class Desk {
  readonly #random: Random
  readonly #kind: DocumentKind
  readonly #knobs: DocumentKnobs
  readonly #waiting: Source[]
  readonly #drafts: { draft: Draft; completes: number }[] = []
  #begun = 0

  constructor(random: Random, kind: DocumentKind, sources: Source[], knobs: DocumentKnobs) {
    this.#random = random
    this.#kind = kind
    this.#knobs = knobs
    this.#waiting = sources
  }

  /** An addition without anything to begin becomes an update; updates and deletions stand in for each other. */
  act(act: Act): Operation | string {
    const begins = act === 'add' || this.#drafts.length === 0
    if (begins && this.#waiting.length > 0) return this.#add()
    if (this.#drafts.length === 0) return `${act} ${this.#kind}: all are complete`
    const first = act === 'delete' ? 'delete' : 'update'
    return (
      this.#revise(first) ??
      this.#revise(first === 'delete' ? 'update' : 'delete') ??
      `${act} ${this.#kind}: no draft has anything for it`
    )
  }

  #add(): Operation {
    const source = this.#waiting.shift()!
    this.#begun++
    const draft = new Draft(this.#random, `${this.#kind}-${this.#begun}`, SEED_KINDS[this.#kind], source)
    this.#drafts.push({ draft, completes: between(this.#random, this.#knobs.completes) })
    return {
      of: 'document',
      act: 'add',
      kind: this.#kind,
      document: draft.id,
      title: draft.title,
      fields: draft.told,
    }
  }

  #revise(act: 'update' | 'delete'): Operation | null {
    for (const entry of some(this.#random, this.#drafts, this.#drafts.length)) {
      const { draft } = entry
      const count = between(this.#random, act === 'update' ? this.#knobs.brings : this.#knobs.takes)
      const revisions = act === 'update' ? draft.reveal(count) : draft.withdraw(count)
      if (revisions.length === 0) continue
      draft.sessions++
      const completes = draft.sessions >= entry.completes
      if (completes) this.#drafts.splice(this.#drafts.indexOf(entry), 1)
      return { of: 'document', act, kind: this.#kind, document: draft.id, title: draft.title, revisions, completes }
    }
    return null
  }
}
