import { Random } from '../../../base/random.js'
import { articles, finish } from './english.js'
import { capacity, Digits, expand, type Lexicon, type Scope } from './expand.js'
import { keyOf, permute } from './permutation.js'

/** Bumped whenever a row may change. */
export const GENERATOR_VERSION = '1'

/** Where the texts of one row come from. The same task, seed and index give the same texts. */
export class RowSource {
  readonly random: Random

  constructor(
    readonly task: string,
    readonly seed: number,
    readonly index: number,
    readonly lexicon: Lexicon,
  ) {
    this.random = new Random(`${task}/${seed}/${index}`)
  }

  /** A template written out at random. */
  text(template: string, scope: Scope): string {
    return articles(expand(template, this.lexicon, scope, this.random))
  }

  /** A finished sentence of one of the templates. */
  sentence(templates: readonly string[], scope: Scope): string {
    return finish(this.text(this.random.pick(templates), scope))
  }

  /**
   * A template written out so that no two indices give the same text, as long as there are fewer of them than the template has texts:
   * its choices are the digits of a permuted index.
   */
  unique(template: string, scope: Scope, index = this.index, lexicon = this.lexicon): string {
    return textAtIndex(template, lexicon, scope, index, keyOf(template, this.seed), this.random)
  }

  /** The row's origin, as it is stored with it. */
  provenance(spec: Record<string, string | number | boolean>) {
    const { task, seed, index } = this
    return { generator: `memfail/${task}`, version: GENERATOR_VERSION, seed, index, spec }
  }
}

/** The text with a number among all texts of a template, in an order set by the key. */
export function textAtIndex(
  template: string,
  lexicon: Lexicon,
  scope: Scope,
  index: number,
  key: number,
  random: Random,
): string {
  const size = capacity(template, lexicon)
  return articles(expand(template, lexicon, scope, new Digits(permute(index, size, key), size, random)))
}

/** As many different members of a list as asked for, in random order. */
export function sample<T>(list: readonly T[], count: number, random: Random): T[] {
  const left = [...list]
  const chosen: T[] = []
  while (chosen.length < count && left.length > 0) chosen.push(left.splice(random.below(left.length), 1)[0]!)
  return chosen
}

/** The number of a row in its id: from 1, with six digits. @example formatRowNumber(0) // '000001' */
export function formatRowNumber(index: number): string {
  return String(index + 1).padStart(6, '0')
}
