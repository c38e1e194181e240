import { Random } from '../../../base/random.js'
import { render, type Slots } from './phrase.js'

/** The chance of one conversation. Within it no phrase of a list comes twice before all have come. */
export class Voice {
  readonly random: Random
  readonly #used = new Map<readonly string[], Set<string>>()

  constructor(seed: string) {
    this.random = new Random(seed)
  }

  say(phrases: readonly string[], slots: Slots = {}): string {
    let used = this.#used.get(phrases)
    if (!used || used.size === phrases.length) {
      used = new Set()
      this.#used.set(phrases, used)
    }
    let phrase = this.random.pick(phrases)
    while (used.has(phrase)) phrase = this.random.pick(phrases)
    used.add(phrase)
    return render(phrase, this.random, slots)
  }

  chance(share: number): boolean {
    return this.random.random() < share
  }
}
