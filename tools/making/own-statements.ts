import { fold } from '../../src/base/text.js'
import { type Token, tokenize } from '../../src/language/tokens.js'
import { follow, type Synset, synsets } from '../../src/language/wordnet.js'
import type { Meaning } from './meaning.js'

/** Lexicographers' files of WordNet: animals, artifacts, the body, food, natural objects, persons, plants, possessions. */
const THINGS: ReadonlySet<number> = new Set([5, 6, 8, 13, 17, 18, 20, 21])
/** Thinking, speaking, feeling and perceiving. */
const OF_THE_MIND: ReadonlySet<number> = new Set([31, 32, 37, 39])
/** What may lead to a noun, with one word between. */
const LEADS =
  /^(?:a|an|the|my|our|his|her|their|some|two|three|four|five|no|to|of|in|at|by|with|for|on|up|as|from|into)$/

/** Whether a word stands, in its first sense, for something of a kind. */
export function isKindOf(word: string, ...kinds: string[]): boolean {
  let sense: Synset | undefined = synsets(word, 'n')[0]
  for (let level = 0; sense && level < 9; level++) {
    if (sense.words.some((one) => kinds.includes(one))) return true
    const up = sense.pointers.find(({ symbol }) => symbol === '@')
    sense = up && follow(up)
  }
  return false
}

/**
 * Whether a sentence tells something about the life of its speaker: the subject is the speaker or something of theirs, and a thing, somebody,
 * an occupation or an illness is named. What people think, feel and say of the talk itself is none of that.
 */
export async function tellsOfSpeaker(sentence: string, meaning: Meaning): Promise<boolean> {
  const clauses = fold(sentence).split(/[,;:.!?]+ ?/)
  if (clauses.some((clause) => isOwnClause(clause))) return true
  if (!clauses.some((clause) => /^i(?:'m| am) \w+$/.test(clause))) return false
  const [health] = await meaning.of(sentence, 'My body or my health is affected.')
  return health!.entailed >= 0.7
}

function isOwnClause(clause: string): boolean {
  const [, rest] = /^(?:and |but |so )*(?:i|we|my [\w-]+ and i)(?:'\w+)? (.*)$/.exec(clause) ?? []
  if (rest === undefined) {
    const [, noun, then] = /^(?:and |but |so )*(?:my|our) ([\w'-]+) (.*)$/.exec(clause) ?? []
    if (noun === undefined || isKindOf(noun, 'body part', 'mind')) return false
    return isThing(tokenize(noun)[0]) && !isOfTheMind(tokenize(then!))
  }
  if (/^(?:would|might|could|should)\b|\b(?:you|your|it|that|this)\b/.test(rest)) return false
  const words = tokenize(rest)
  const named = words.filter((word, at) => isThing(word) && leadsTo(words, at))
  return isOfTheMind(words) ? named.some(({ at }) => at <= verbAt(words) + 3) : named.length > 0
}

function leadsTo(words: readonly Token[], at: number): boolean {
  return [words[at - 1], words[at - 2]].some((word) => word !== undefined && LEADS.test(word.text))
}

function verbAt(words: readonly Token[]): number {
  return words.findIndex(
    ({ weight, lemmas }) => weight > 0 && lemmas.some(({ lemma }) => synsets(lemma, 'v').length > 0),
  )
}

function isOfTheMind(words: readonly Token[]): boolean {
  const verb = words[verbAt(words)]
  return (verb?.lemmas ?? []).some(({ lemma }) => OF_THE_MIND.has(synsets(lemma, 'v')[0]?.file ?? -1))
}

function isThing(word: Token | undefined): boolean {
  if (!word || word.weight < 1) return false
  const [first] = word.lemmas.flatMap(({ lemma }) => synsets(lemma, 'n')[0] ?? [])
  return (
    first !== undefined && (THINGS.has(first.file) || isKindOf(first.words[0]!, 'occupation', 'illness', 'offspring'))
  )
}
