import { entryOf } from '../../src/base/group-by.js'
import { Random } from '../../src/base/random.js'
import { FUNCTION_WORDS } from '../../src/language/function-words.js'
import { lemmas } from '../../src/language/morphology.js'
import { isWord, synsets } from '../../src/language/wordnet.js'
import type { Memory } from '../../src/model/index.js'

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’]*/gu
/** So many nouns of a memory are changed in a copy. */
const NOUNS = 2

/**
 * A store with near copies of every memory, up to a size: as many names, numbers and nouns as there are in it are others in each copy, drawn
 * from those of the whole store.
 */
export function withNearCopies(store: readonly Memory[], size: number, seed: string): Memory[] {
  const random = new Random(seed)
  const words = store.flatMap(({ text }) => wordsIn(text))
  const pool = {
    name: [...new Set(words.filter((word) => kindOf(word) === 'name'))],
    noun: [...new Set(words.filter((word) => kindOf(word) === 'noun'))],
  }
  const copies = Array.from({ length: Math.max(0, size - store.length) }, (_, i): Memory => {
    const { id, text, ...rest } = store[i % store.length]!
    return { ...rest, id: `${id}~${i}`, text: changed(text, pool, random) }
  })
  return [...store, ...copies]
}

function changed(text: string, pool: Record<'name' | 'noun', string[]>, random: Random): string {
  const nouns = wordsIn(text).filter((word) => kindOf(word) === 'noun')
  const some = new Set(nouns.length > 0 ? Array.from({ length: NOUNS }, () => random.pick(nouns)) : [])
  const others = new Map<string, string>()
  return text.replace(WORD, (word) => {
    const kind = kindOf(word)
    if (!kind || (kind === 'noun' && !some.has(word))) return word
    return entryOf(others, word, () =>
      kind === 'number' ? String(Number(word) + 1 + random.below(9)) : random.pick(pool[kind]),
    )
  })
}

function wordsIn(text: string): string[] {
  return text.match(WORD) ?? []
}

const known = new Map<string, 'name' | 'number' | 'noun' | undefined>()

function kindOf(word: string): 'name' | 'number' | 'noun' | undefined {
  if (!known.has(word)) known.set(word, readKind(word))
  return known.get(word)
}

function readKind(word: string): 'name' | 'number' | 'noun' | undefined {
  if (/^\d+$/.test(word)) return 'number'
  if (FUNCTION_WORDS.has(word.toLowerCase())) return undefined
  const forms = lemmas(word.toLowerCase())
  if (/^\p{Lu}\p{Ll}+$/u.test(word) && forms.every(({ lemma }) => !isWord(lemma))) return 'name'
  const isNoun = forms.some(({ lemma }) => synsets(lemma, 'n').length > 0 && synsets(lemma, 'v').length === 0)
  return isNoun && word.length > 3 && /^\p{Ll}+$/u.test(word) ? 'noun' : undefined
}
