import type { Journal, Kept } from '../parts/index.js'

/** One slot of a profile. Rows are replaced, never changed. */
export interface ProfileSlot extends Kept {
  readonly topic: string
  readonly subtopic: string
  readonly memo: string
  /** Counts up with every change of the profile: a larger one is newer. */
  readonly changed: number
}

/** What a slot is given or set to. */
type SlotChange = Omit<ProfileSlot, 'id' | 'text' | 'changed'>

/** Slots of one user, by topic and subtopic. */
export class Profile {
  #slots = new Map<string, ProfileSlot>()
  #changes = 0

  constructor(
    readonly nextId: () => string,
    readonly journal: Journal,
  ) {}

  get size(): number {
    return this.#slots.size
  }

  /** All slots, in the order in which they were first filled. */
  slots(): ProfileSlot[] {
    return [...this.#slots.values()]
  }

  /** All slots, those changed last first. */
  newestFirst(): ProfileSlot[] {
    return this.slots().sort((a, b) => b.changed - a.changed)
  }

  get(topic: string, subtopic: string): ProfileSlot | undefined {
    return this.#slots.get(keyOf(topic, subtopic))
  }

  /** Fills a slot, or replaces what is in it; it keeps its id. */
  set(change: SlotChange): ProfileSlot {
    const { topic, subtopic, memo } = change
    return this.#put({ ...change, text: `${topic}::${subtopic}: ${memo}` }, keyOf(topic, subtopic))
  }

  /** Puts a text in as it is, in a slot of its own. */
  insert({ id, text, time, sources }: Kept): void {
    this.#put({ topic: '', subtopic: id, memo: text, text, time, sources }, keyOf('', id), id)
  }

  delete({ topic, subtopic }: ProfileSlot): void {
    this.journal.delete(this.#slots, keyOf(topic, subtopic))
  }

  #put(change: SlotChange & { text: string }, key: string, id?: string): ProfileSlot {
    this.journal.note(() => this.#changes--)
    const slot = { ...change, id: this.#slots.get(key)?.id ?? id ?? this.nextId(), changed: ++this.#changes }
    this.journal.set(this.#slots, key, slot)
    return slot
  }
}

/** Names of slots in one spelling: lower case, joined by underscores. */
export function slotName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, '_')
}

function keyOf(topic: string, subtopic: string): string {
  return `${topic}\n${subtopic}`
}
