import { entryOf } from '../../src/base/group-by.js'
import { Random } from '../../src/base/random.js'
import type { Memory } from '../../src/model/index.js'
import { kindOf, WORD, type WordPool, wordsIn } from './word-pools.js'

/** So many nouns of a memory are changed in a copy. */
const NOUNS = 2

/** A store with near copies of every memory, up to a size: all names and numbers and some nouns are others in each copy, drawn from a pool. */
export function withNearCopies(store: readonly Memory[], size: number, seed: string, pool: WordPool): Memory[] {
  const random = new Random(seed)
  const copies = Array.from({ length: Math.max(0, size - store.length) }, (_, i): Memory => {
    const { id, text, ...rest } = store[i % store.length]!
    return { ...rest, id: `${id}~${i}`, text: changed(text, pool, random) }
  })
  return [...store, ...copies]
}

function changed(text: string, pool: WordPool, random: Random): string {
  const nouns = wordsIn(text).filter((word) => kindOf(word) === 'noun')
  const some = new Set(nouns.length > 0 ? Array.from({ length: NOUNS }, () => random.pick(nouns)) : [])
  const others = new Map<string, string>()
  return text.replace(WORD, (word) => {
    const kind = kindOf(word)
    if (!kind || (kind === 'noun' && !some.has(word))) return word
    return entryOf(others, word, () =>
      kind === 'number' ? numberAfter(word, 1 + random.below(9), pool) : random.pick(pool[kind]),
    )
  })
}

/** The number so many steps behind another, of those that the pool does not leave out. */
function numberAfter(word: string, steps: number, { without }: WordPool): string {
  let number = Number(word)
  for (let left = steps; left > 0; number++) if (!without.has(String(number + 1))) left--
  return String(number)
}
