import type { Random } from '../../../base/random.js'
import type { Archetype } from '../seed.js'
import type { Liking, OperationOf, Taste } from '../trace.js'
import type { Act, Drift } from './knobs.js'

interface Held {
  subcategory: string
  item: string
  liking: Liking
}

type Change = OperationOf<'taste'>

/** What somebody likes and dislikes in one domain, drawn from what people of their kind may come to like. */
export class Tastes {
  readonly #random: Random
  readonly #domain: Taste
  readonly #drift: Drift
  readonly #unused: Map<string, string[]>
  #held: Held[] = []
  /** Items that were turned, or that lost their place to another, latest last. */
  #turned: string[] = []
  #ousted: { subcategory: string; item: string; by: string }[] = []

  constructor(random: Random, domain: Taste, archetype: Archetype, drift: Drift) {
    this.#random = random
    this.#domain = domain
    this.#drift = drift
    this.#unused = new Map(Object.entries(archetype.subcategories).map(([name, items]) => [name, [...items]]))
  }

  /** What comes of a session with this purpose; what cannot be done gives way to what can, a first item at the latest. */
  act(act: Act): Change | null {
    switch (act) {
      case 'add':
        return this.#add() ?? this.#delete()
      case 'delete':
        return this.#delete() ?? this.#add()
      case 'update':
        return this.#update() ?? this.#add()
    }
  }

  #add(): Change | null {
    const open = [...this.#unused].filter(([, items]) => items.length > 0).map(([name]) => name)
    const all = [...this.#unused.keys()]
    if (open.length === 0) return null
    const drawn = this.#random.pick(all)
    const subcategory = open.includes(drawn) ? drawn : this.#random.pick(open)
    const item = this.#random.pick(this.#unused.get(subcategory)!)
    const liking: Liking = this.#random.random() < 0.7 ? 'like' : 'dislike'
    this.#hold({ subcategory, item, liking })
    return { of: 'taste', act: 'add', domain: this.#domain, subcategory, item, liking }
  }

  #delete(): Change | null {
    const likes = this.#spare(this.#changeable().filter((held) => held.liking === 'like'))
    if (likes.length === 0) return null
    const held = this.#random.pick(likes)
    this.#release(held)
    return { of: 'taste', act: 'delete', domain: this.#domain, ...held }
  }

  #update(): Change | null {
    if (this.#random.random() < this.#drift.flips) return this.#flip()
    return this.#replace() ?? this.#flip()
  }

  #flip(): Change | null {
    const open = this.#changeable()
    const changeable = [
      ...open.filter(({ liking }) => liking === 'dislike'),
      ...this.#spare(open.filter(({ liking }) => liking === 'like')),
    ]
    if (changeable.length === 0) return null
    const turned = changeable.filter((held) => this.#turned.includes(held.item))
    const back = this.#random.random() < this.#drift.reversals && turned.length > 0
    const held = this.#random.pick(back ? turned : changeable)
    const from = held.liking
    const to: Liking = from === 'like' ? 'dislike' : 'like'
    held.liking = to
    this.#turned.push(held.item)
    return { of: 'taste', act: 'flip', domain: this.#domain, subcategory: held.subcategory, item: held.item, from, to }
  }

  #replace(): Change | null {
    const likes = this.#changeable().filter(
      (held) => held.liking === 'like' && this.#unused.get(held.subcategory)!.length > 0,
    )
    if (likes.length === 0) return null
    const { old, item } = this.#reversal(likes) ?? this.#next(likes)
    const { subcategory, liking } = old
    this.#hold({ subcategory, item, liking })
    this.#release(old)
    this.#ousted.push({ subcategory, item: old.item, by: item })
    return { of: 'taste', act: 'replace', domain: this.#domain, subcategory, item, old: old.item, liking }
  }

  /** An item that was put in another's place, and that other, to change places again. */
  #reversal(likes: Held[]): { old: Held; item: string } | undefined {
    if (this.#random.random() >= this.#drift.reversals) return undefined
    const choices = this.#ousted.flatMap(({ subcategory, item, by }) => {
      const old = likes.find((held) => held.subcategory === subcategory && held.item === by)
      return old && this.#unused.get(subcategory)!.includes(item) ? [{ old, item }] : []
    })
    return choices.length > 0 ? this.#random.pick(choices) : undefined
  }

  #next(likes: Held[]): { old: Held; item: string } {
    const follows = this.#random.random() < this.#drift.follows
    const latest = this.#ousted.at(-1)?.by
    const old = (follows && likes.find((held) => held.item === latest)) || this.#random.pick(likes)
    return { old, item: this.#random.pick(this.#unused.get(old.subcategory)!) }
  }

  /**
   * Of some likes those that may go. Nobody loses all they like, and a part of the domain loses its last only when every part is down to
   * one: there must be something left to suggest from.
   */
  #spare(likes: Held[]): Held[] {
    const liked = this.#held.filter(({ liking }) => liking === 'like')
    if (liked.length < 2) return []
    const rich = likes.filter(({ subcategory }) => liked.filter((one) => one.subcategory === subcategory).length > 1)
    return rich.length > 0 ? rich : likes
  }

  /** What has been watched, read, heard or visited stays so. */
  #changeable(): Held[] {
    return this.#held.filter((held) => !held.subcategory.startsWith('already_'))
  }

  #hold(held: Held): void {
    const unused = this.#unused.get(held.subcategory)!
    unused.splice(unused.indexOf(held.item), 1)
    this.#held.push(held)
  }

  #release(held: Held): void {
    this.#held.splice(this.#held.indexOf(held), 1)
    this.#unused.get(held.subcategory)!.push(held.item)
    this.#turned = this.#turned.filter((item) => item !== held.item)
  }
}
