import { Random } from '../src/base/random.js'

const CONSONANTS = 'bcdfghklmnprstvwz'
const VOWELS = 'aeiou'
const COMMON = 'the a of to and in that i is was for it with as on my me we'.split(' ')
const VOCABULARY = 20_000
/** Flattens the head of the distribution, as in real text once its commonest words are set aside. */
const OFFSET = 20

/**
 * Endless made-up sentences, the same for the same seed. Every other word is one of the commonest English words; the others follow a
 * Zipf–Mandelbrot law over 20,000 made-up words.
 */
export class SyntheticText {
  #random: Random
  #cumulative = new Float64Array(VOCABULARY)

  constructor(seed: number) {
    this.#random = new Random(seed)
    let sum = 0
    for (let rank = 0; rank < VOCABULARY; rank++) {
      sum += 1 / (rank + 1 + OFFSET)
      this.#cumulative[rank] = sum
    }
  }

  sentence(): string {
    return this.#words(8 + this.#random.below(13))
  }

  /** A question that shares a few words with what it asks about. */
  questionAbout(sentence: string): string {
    const words = sentence.replace('.', '').split(' ')
    const asked = Array.from({ length: 4 }, () => this.#random.pick(words))
    return `${this.#words(6).replace('.', '')} ${asked.join(' ')}?`
  }

  #words(count: number): string {
    const words = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? this.#random.pick(COMMON) : this.#word()))
    return `${words.join(' ')}.`
  }

  #word(): string {
    const target = this.#random.random() * this.#cumulative[VOCABULARY - 1]!
    let low = 0
    let high = VOCABULARY - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#cumulative[middle]! < target) low = middle + 1
      else high = middle
    }
    return nameOf(low)
  }
}

/** The same made-up word for the same rank. */
function nameOf(rank: number): string {
  let name = ''
  for (let rest = rank + 85; rest > 0; rest = Math.floor(rest / 85)) {
    const syllable = rest % 85
    name += CONSONANTS[syllable % 17]! + VOWELS[Math.floor(syllable / 17)]!
  }
  return `${name}n`
}
