import { escapeRegExp, fold } from '../../../base/text.js'
import { isBeing } from '../../../language/beings.js'
import { coverage } from '../../../language/match.js'
import { lemmas } from '../../../language/morphology.js'
import { isSaid, openingStranger, ownedStranger } from '../../../language/strangers.js'
import { contentTokens } from '../../../language/tokens.js'
import { follow, isWord, synsets } from '../../../language/wordnet.js'
import type { Fact } from '../../../model/index.js'
import { type Passage, wordString } from '../store/view.js'
import { formsOf } from './finding.js'

const SPEAKER = /\b(?:user|i|me|my|mine|we|our|they|their|them)\b/
const CAPITALISED = /(?<![.!?]\s)(?<!^)\b\p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+/gu

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

/**
 * Whether a passage tells of somebody close to the person or the user what the fact tells of themselves: "Odo's sister whittles", "the
 * user's mother wants". Somebody who takes part in the fact is no stranger; nor, further on in the passage, is anybody it mentions.
 */
export function ofRelative(fact: Fact, passage: Passage): boolean {
  const who = formsOf(fact.cues, 'who')
  const parts = fact.cues.parts
    .filter(({ role }) => role !== 'who' && role !== 'detail')
    .flatMap(({ forms }) => forms.slice(0, 3))
  const [inParts, anywhere] = [
    wordString(fact.cues.explicit ? parts.join(' ') : `${parts.join(' ')} ${fact.text}`),
    wordString(fact.text),
  ]
  const owners = who.length > 0 ? who.map(escapeRegExp) : ['user', 'speaker']
  const subject = new RegExp(`^(?:the )?(?:${owners.join('|')})['\u2019]s ((?:[\\p{L}-]+ ){0,2}[\\p{L}-]+)`, 'iu').exec(
    passage.text,
  )
  if (subject && namesStranger(subject[1]!, inParts)) return true
  if (who.length > 0) return false
  return [...passage.text.matchAll(/\b(?:user['\u2019]s|my) ((?:[\p{L}-]+ ){0,2}[\p{L}-]+)/giu)].some(([, noun]) =>
    namesStranger(noun!, anywhere),
  )
}

/** Whether a statement brings in a person of whom the fact knows nothing: "makes my gardener jealous" for "makes me jealous". */
export function bringsStranger(fact: Fact, { text, span }: Passage): boolean {
  if (span > 1) return false
  return contentTokens(text).some((token) => isPersonNoun(token.text) && coverage(token.text, fact.text).score < 0.5)
}

const SUBJECT = /^(?:an?|the|our|my|some|one of (?:the|our|my)) ((?:[\p{L}-]+ ){0,2}[\p{L}-]+)|^(someone|somebody)\b/iu

/** Whether a passage opens with some other person as its subject: "The nurses on the ward want to pick it up." */
export function ofThirdPerson(fact: Fact, { text }: Passage): boolean {
  if (formsOf(fact.cues, 'who').length > 0) return false
  const [, phrase, somebody] = SUBJECT.exec(text) ?? []
  if (somebody !== undefined) return true
  const person = phrase?.split(' ').find(isPerson)
  return person !== undefined && !/^(?:user|speaker)$/i.test(person)
}

const FIRST_PERSON = /\b(?:i|me|my|mine|myself)\b/
const THIRD_PERSON = /\b(?:they|he|she)\b/

/**
 * The word for a person, animal or group in a passage that neither the fact nor its cue forms mention, or that opens the passage in the
 * user's place; or he, she or they in a first-person passage, unless the fact has one of them. Undefined if there is none. In passages of
 * several sentences only possessives ("my boss") are checked. For facts with explicit cues.
 */
export function findOtherPerson(fact: Fact, { text, span }: Passage): string | undefined {
  const said = `${fact.text} ${fact.cues.parts.flatMap(({ forms }) => forms).join(' ')}`
  const named = [...fact.text.matchAll(NAME)].map(([name]) => name)
  const owned = ownedStranger(text, ['user', ...named], said)
  if (owned !== undefined || span > 1) return owned
  const opening = openingStranger(text, said)
  if (opening !== undefined) return opening
  const other = contentTokens(text).find((token) => isBeing(token.text) && !isSaid(token.text, said))
  if (other) return other.text
  const folded = fold(text)
  if (!FIRST_PERSON.test(folded) || THIRD_PERSON.test(fold(fact.text))) return undefined
  return THIRD_PERSON.exec(folded)?.[0]
}

const NAME = /(?<=\p{L}[\p{L},']*\s)\p{Lu}\p{L}+|^\p{Lu}\p{Ll}+/gu

function namesStranger(phrase: string, said: string): boolean {
  return phrase.split(' ').some((word) => isPerson(word) && !said.includes(wordString(word)))
}

/** Whether a word mostly means a person: its first sense as a noun is a kind of person, and it is no adjective besides ("favorite"). */
function isPerson(word: string): boolean {
  return word.toLowerCase().split('-').some(isPersonNoun)
}

function isPersonNoun(word: string): boolean {
  const bare = lemmas(word)[0]!.lemma
  if (synsets(bare, 'a').length > 0) return false
  let sense = synsets(bare, 'n')[0]
  for (let depth = 0; sense && depth < 9; depth++) {
    if (sense.words.includes('person') && sense.words.includes('individual')) return true
    const up = sense.pointers.find(({ symbol }) => symbol === '@')
    sense = up && follow(up)
  }
  return false
}

type Named = 'full' | 'part' | undefined

const named = new Map<string, Map<string, Named>>()
const MOST_NAMED = 1000
let held = 0

/**
 * Whether a text names somebody, by the full name or by a word of it that is no title or common noun. Remembered, for a whole memory is
 * looked through for each of its passages.
 */
export function names(text: string, who: readonly string[]): Named {
  const key = who.join('\0')
  let known = named.get(key)
  if (known?.has(text)) return known.get(text)
  if (held++ >= MOST_NAMED) {
    named.clear()
    held = 0
    known = undefined
  }
  if (!known) {
    known = new Map()
    named.set(key, known)
  }
  const found = namedIn(wordString(text), who)
  known.set(text, found)
  return found
}

function namedIn(words: string, who: readonly string[]): Named {
  if (who.some((name) => words.includes(wordString(name)))) return 'full'
  const parts = who
    .flatMap((name) => name.split(/\s+/))
    .filter((part) => part.length > 2 && /^\p{Lu}/u.test(part) && !isWord(part.toLowerCase()))
  return parts.some((part) => words.includes(wordString(part))) ? 'part' : undefined
}

const REFUSAL = /\b(?:not|never|no|cannot|can't|couldn't|won't|doesn't|don't|didn't) (?:[\p{L}']+ ){0,5}$/u

/** Whether the name stands behind a denial: "could not bear radio dramas". */
export function isRefused(fact: Fact, { text }: Passage): boolean {
  const [folded, said] = [fold(text), fold(fact.text)]
  return formsOf(fact.cues, 'value').some((form) => {
    const [at, was] = [folded.indexOf(fold(form)), said.indexOf(fold(form))]
    return at > 0 && REFUSAL.test(folded.slice(0, at)) && !(was > 0 && REFUSAL.test(said.slice(0, was)))
  })
}
