import { fold, sentences } from '../../base/text.js'
import { FUNCTION_WORDS } from '../../language/function-words.js'
import { lemmas } from '../../language/morphology.js'
import { senseCount } from '../../language/wordnet.js'
import { isAboutAsker, wantsSeveral } from './cues.js'

/** Words that sort things: in the plural they ask for things of one kind. */
const KINDS =
  /\b(?:kinds|sorts|types|styles|forms|varieties|genres|categories|flavou?rs|brands|ones|favou?rites|options|(?:which|what) (?:two|three|four|five|six|seven|eight|nine|ten|\d+)|(?:each|every) (?:kind|sort|type|style|form|variety|genre|one))\b/
/** What somebody has more than one of. */
const SEVERAL = /\b(?:what|which) (?:are|were) (?:my|our) ([\p{L}' -]+)/gu
/** Words that are asked for, behind "which" and "what". */
const ASKED = /\b(?:which|what) (?:of )?(?:my |our |the |these |those )?((?:[\p{L}\p{N}'-]+ ?){1,4})/gu
/** What stands behind a plural that is asked for, and what may stand behind a verb as well. */
const BEHIND =
  /^(?:do|does|did|are|were|am|have|has|had|should|would|will|can|could|shall|may|might|must|i|we|and|or|go|belong|fit|suit|need)$/
const BEHIND_VERBS_TOO = /^(?:to|in|on|of|by|for|from|with|that)$/
/** A noun with what is said of it by somebody about themselves: "languages that I speak". */
const OF_MINE = /([\p{L}-]+s)(?: that| which)? (?:i|we)\b/gu

/** What asks for a place, a time, a person, a reason, a number, yes or no, or for a text. */
const ONE =
  /^(?:and |but |so |remind me,? )*(?:where|when|who|whom|whose|why|how (?:much|many|long|old|far|often|soon|big|tall)|is|are|was|were|am|do|does|did|have|has|had|at what time|what time|write|draft|compose|plan)\b/
/** What asks for all that is known of something, of whatever kind it is. */
const OVERVIEW = /\b(?:overview|summary|summari[sz]e|describe|fully|completely|nothing out|know (?:about|of))\b/
const ORDERED = /^(?:and |then |please )*(?:list|give|tell|show|name)\b/
/** What asks for something new to be thought of, which goes by more than things of one kind. */
const WISH =
  /(?:^|[.!?;,] )(?:please )?(?:suggest|recommend|propose)\b|\b(?:you|to) (?:suggest|recommend|propose)\b|\b(?:each|every|any|your|some) (?:suggestion|recommendation|proposal)s?\b/
/** One thing that is asked for by what it is. */
const SINGLE =
  /\b(?:which|what) ([\p{L}-]+)(?: of mine)? (?:will|do|did|does|is|was|am|should|would|can|could|shall|must|has|have|had)\b/u
/** Two words that may be somebody's name in full, and any name within a sentence. */
const FULL_NAME = /(\p{Lu}\p{Ll}+) \p{Lu}\p{Ll}/gu
const NAME = /[\p{L},;] (?!I\b)\p{Lu}\p{Ll}/u

/**
 * Whether all things of a kind may be wanted, although words do not say so: somebody asks about themselves and nobody else, and for no
 * single thing, place, time, person, reason or number, nor for all that is known.
 */
export function mayWantSet(question: string): boolean {
  const last = sentences(question).at(-1) ?? ''
  if (!isAboutAsker(question) || NAME.test(last) || namesSomebody(question)) return false
  if (isOrdered(question) || OVERVIEW.test(fold(question)) || WISH.test(fold(question))) return false
  return !ONE.test(fold(last)) && !asksForOne(fold(last))
}

/** Whether it is told beside the question to leave nothing out: "List it all." */
function isOrdered(question: string): boolean {
  return sentences(question).some((sentence) => ORDERED.test(fold(sentence)) && wantsSeveral(sentence))
}

/** "Ada Byron", but not "On Friday". */
function namesSomebody(question: string): boolean {
  return [...question.matchAll(FULL_NAME)].some(([, first]) => !FUNCTION_WORDS.has(first!.toLowerCase()))
}

function asksForOne(question: string): boolean {
  const noun = SINGLE.exec(question)?.[1]
  return noun !== undefined && senseCount(noun, 'n') > 0 && !/(?<![su])s$/.test(noun)
}

/**
 * Whether a question wants all things of a kind: "which hats do I bring?", "what sorts of music?". It is told by a plural that is asked for, or
 * by words that sort things.
 */
export function wantsSet(question: string): boolean {
  const folded = fold(question)
  if (WISH.test(folded) || isOrdered(question)) return false
  if (KINDS.test(folded) || asksForPlural(folded)) return true
  const named = [...folded.matchAll(OF_MINE), ...folded.matchAll(SEVERAL)].map(([, words]) => words!.split(' '))
  return named.some((words) => words.some(isPlural))
}

function asksForPlural(question: string): boolean {
  for (const [, asked] of question.matchAll(ASKED)) {
    const words = asked!.trim().split(' ')
    const at = words.findIndex((word, i) => {
      const next = words[i + 1]
      if (next === undefined || BEHIND_VERBS_TOO.test(next)) return isPlural(word)
      return BEHIND.test(next) && nounsOf(word).length > 0
    })
    // What comes before a plural belongs to it: "which blue hats", not "what do cats".
    if (at >= 0 && words.slice(0, at).every((word) => !FUNCTION_WORDS.has(word))) return true
  }
  return false
}

/** Whether a word is the plural of a noun, and not likelier a form of a verb: "goes". */
function isPlural(word: string): boolean {
  return nounsOf(word).some((noun) => senseCount(noun, 'n') >= senseCount(noun, 'v'))
}

/** Nouns whose plural a word can be. One that is a noun as it stands may mean a single thing: "means", "series". */
function nounsOf(word: string): string[] {
  if (FUNCTION_WORDS.has(word) || !/(?<![su])s$/.test(word) || senseCount(word, 'n') > 0) return []
  return lemmas(word).flatMap(({ lemma, pos }) =>
    lemma !== word && pos.includes('n') && senseCount(lemma, 'n') > 0 ? [lemma] : [],
  )
}
