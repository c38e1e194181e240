import { Random } from '../../../base/random.js'
import { inflectionStem } from '../../../language/stems.js'
import type { Inventory } from './inventory.js'
import { render, type Slots } from './phrase.js'

/** How often a phrase is drawn anew because its own words happen to name something to be remembered. */
const TRIES = 20

/** The chance of one conversation. Within it no phrase of a list comes twice before all have come. */
export class Voice {
  readonly random: Random
  readonly #used = new Map<readonly string[], Set<string>>()

  /** `inventory` has the names that no phrase may say of itself. */
  constructor(
    seed: string,
    private readonly inventory: Inventory,
  ) {
    this.random = new Random(seed)
  }

  say(phrases: readonly string[], slots: Slots = {}): string {
    let said = render(this.#draw(phrases), this.random, slots)
    for (let tries = 1; tries < TRIES && this.inventory.names(said.bare); tries++) {
      said = render(this.#draw(phrases), this.random, slots)
    }
    return said.text
  }

  /** One of several frames with a slot for these items, none that names something by itself or repeats a word of them if possible. */
  frame(frames: readonly string[], items: readonly string[]): string {
    const neutral = frames.filter((frame) => !this.inventory.names(frame.replace('{item}', '|')))
    const fitting = neutral.filter((frame) => !items.some((item) => repeats(frame, item)))
    return this.random.pick([fitting, neutral, frames].find((choice) => choice.length > 0)!)
  }

  chance(share: number): boolean {
    return this.random.random() < share
  }

  #draw(phrases: readonly string[]): string {
    let used = this.#used.get(phrases)
    if (!used || used.size === phrases.length) {
      used = new Set()
      this.#used.set(phrases, used)
    }
    let phrase = this.random.pick(phrases)
    while (used.has(phrase)) phrase = this.random.pick(phrases)
    used.add(phrase)
    return phrase
  }
}

/** Words for one thing: an item that ends with one of them is not followed by another. */
const FILMS = /^(?:film|movie|cinema|picture)$/

/** Whether a frame has a word of the item, as in `chamber music music` and `disaster movie films`. */
function repeats(frame: string, item: string): boolean {
  const stems = (text: string) => (text.toLowerCase().match(/\p{L}+/gu) ?? []).map(inflectionStem)
  const said = stems(item)
  const [before, after] = frame.split('{item}').map(stems) as [string[], string[]]
  if ([...before, ...after].some((word) => word.length > 3 && said.includes(word))) return true
  return FILMS.test(said.at(-1) ?? '') && FILMS.test(after[0] ?? '')
}
