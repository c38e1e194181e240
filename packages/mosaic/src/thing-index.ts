import type { SystemContext } from 'memscope'
import { KindInventory } from './kinds.js'
import { ShareTable } from './share-table.js'
import { type Thing, thingsIn } from './things.js'

/** Things that are embedded together; between batches a run can be stopped. */
const BATCH = 256

/** A thing that notes speak of. */
interface KnownThing extends Thing {
  /** How many notes speak of it. */
  uses: number
}

/**
 * What notes speak of, and what kinds of things that is. A thing is kept once for all notes that name it: what is kept grows with the words
 * somebody uses, and not with how much they say. Nothing is looked up before somebody asks for things of a kind.
 */
export class ThingIndex {
  /** Texts that were not read yet, by note. */
  #unread = new Map<number, string>()
  #things: KnownThing[] = []
  #places = new Map<string, number>()
  /** What kinds those are of that are embedded: the first so many. */
  #shares = new ShareTable()
  /** Things of each note, by place. */
  #ofNote: Uint32Array[] = []
  #settling: Promise<KindInventory> | undefined

  constructor(readonly context: Pick<SystemContext, 'embed' | 'signal'>) {}

  /** How many things are known. */
  get size(): number {
    return this.#places.size
  }

  /** Takes in what a note says. Notes come in their order, each once. */
  add(text: string): void {
    this.#unread.set(this.#ofNote.push(NOTHING) - 1, text)
  }

  /** Puts another text in the place of a note's; what no note speaks of any more is gone. */
  set(note: number, text: string): void {
    this.#unread.set(note, text)
    for (const place of this.#ofNote[note]!) {
      const thing = this.#things[place]!
      if (--thing.uses > 0) continue
      this.#places.delete(thing.name)
      this.#things[place] = { name: '', meaning: '', uses: 0 }
      if (place < this.#shares.size) this.#shares.clear(place)
    }
    this.#ofNote[note] = NOTHING
  }

  /** Resolves when it is known of every thing what kinds it is of. */
  settle(): Promise<KindInventory> {
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined
    })
    return this.#settling
  }

  /** How well the thing of each note fits best that is of the kinds somebody asks for; 0 for a note that speaks of none. */
  fit(asked: Float64Array): Float64Array {
    const fits = this.#shares.sums(asked)
    const best = new Float64Array(this.#ofNote.length)
    for (let note = 0; note < best.length; note++)
      for (const place of this.#ofNote[note]!) if (fits[place]! > best[note]!) best[note] = fits[place]!
    return best
  }

  async #settle(): Promise<KindInventory> {
    const { embed, signal } = this.context
    const inventory = await KindInventory.open(embed)
    this.#read(inventory)
    while (this.#shares.size < this.#things.length) {
      signal.throwIfAborted()
      const batch = this.#things.slice(this.#shares.size, this.#shares.size + BATCH)
      const vectors = await embed.embed(batch.map(({ meaning }) => meaning))
      for (const [i, thing] of batch.entries()) {
        const place = this.#shares.add(inventory.sharesOf(thing, vectors[i]!))
        // One that was forgotten meanwhile has lost its place.
        if (this.#things[place] !== thing) this.#shares.clear(place)
      }
      this.#read(inventory)
    }
    return inventory
  }

  #read(inventory: KindInventory): void {
    for (const [note, text] of this.#unread)
      this.#ofNote[note] = Uint32Array.from(
        thingsIn(text, (key) => inventory.isNamed(key)),
        (thing) => this.#use(thing),
      )
    this.#unread.clear()
  }

  #use(thing: Thing): number {
    let place = this.#places.get(thing.name)
    if (place === undefined) {
      place = this.#things.push({ ...thing, uses: 0 }) - 1
      this.#places.set(thing.name, place)
    }
    this.#things[place]!.uses++
    return place
  }
}

const NOTHING = new Uint32Array(0)
