import { fold } from '../../../base/text.js'
import type { Fact } from '../../../model/index.js'
import { type Passage, wordString } from '../store/view.js'
import { lemmas } from '../words/morphology.js'
import { isWord } from '../words/wordnet.js'
import { formsOf } from './finding.js'

const SPEAKER = /\b(?:user|i|me|my|mine|we|our|they|their|them)\b/
const CAPITALISED = /(?<![.!?]\s)(?<!^)\b\p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+/gu

/** Whether a passage is one of the damaged versions that were written with the fact. */
export function isDamagedCopy(fact: Fact, passage: Passage): boolean {
  const words = wordString(passage.text)
  return (fact.cues.damaged ?? []).some((damaged) => wordString(damaged) === words)
}

/**
 * Whether a passage tells of another person what the fact tells of the user: it has a name that neither the fact nor the dictionary
 * knows, and nowhere speaks of the user.
 */
export function ofSomebodyElse(fact: Fact, passage: Passage): boolean {
  if (SPEAKER.test(fold(passage.text)) || formsOf(fact.cues, 'who').length > 0) return false
  const said = fold(fact.text)
  return [...passage.text.matchAll(CAPITALISED)].some(([name]) => {
    const word = name.toLowerCase()
    return !said.includes(word) && lemmas(word).every(({ lemma }) => !isWord(lemma))
  })
}

/** Whether a text names somebody, by the full name or by a word of it that is no title or common noun. */
export function names(text: string, who: readonly string[]): 'full' | 'part' | undefined {
  const words = wordString(text)
  if (who.some((name) => words.includes(wordString(name)))) return 'full'
  const parts = who.flatMap((name) => name.split(/\s+/)).filter((part) => part.length > 2 && /^\p{Lu}/u.test(part) && !isWord(part.toLowerCase()))
  return parts.some((part) => words.includes(wordString(part))) ? 'part' : undefined
}
