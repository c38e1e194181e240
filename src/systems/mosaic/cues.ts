import { fold } from '../../base/text.js'
import { PHRASES as phrases } from './phrases.js'

/** What statements do to what is known. */
export interface StatementCues {
  /** Clauses that they hang on: what would have to come about, or why something is so. */
  leans: readonly string[]
  /** They tell of something that is, or may be, other than it was: a change, a plan, a thought, or one that is called off. */
  isNews: boolean
  /** Somebody wants something forgotten. */
  isForget: boolean
  /** What they do to what was told before, where it was given and is not in their words. */
  stance?: NoteStance
  /** Whose attribute they tell of, which, in a noun or two, and what it is, where that was given: "user", "employer", "Finbank". */
  of?: string
  about?: string
  value?: string
}

/** Tells what holds, what would come about, that something is another now, what somebody only thinks of, or that a change is taken back. */
export type NoteStance = 'told' | 'rule' | 'change' | 'thought' | 'revoked'

/** What a statement hangs on, and where in it that stands. */
export interface LeaningClause {
  text: string
  from: number
  to: number
  /** What would have to come about, and not why something is so. */
  isCondition: boolean
}

const LEANING = anyOf([...phrases.condition, ...phrases.reason], 'g')
const CONDITION = anyOf(phrases.condition)
const REASON = anyOf(phrases.reason)
const OUTCOME = anyOf(phrases.outcome)
/** Tells of what has been, which nothing changes any more: "when we met", "because it rained". */
const PAST =
  /\b(?:was|were|had|did|went|got|saw|came|took|made|found|told|said|heard|felt|left|began|met|gave|knew|thought|ran|won|lost|bought|(?<!\b(?:is|are|am|be|been|being|get|gets|ever|the|an?|my|our|his|her|their|its) )[a-z]{2,}ed)\b/
const CHANGE = anyOf(phrases.change)
const WITHDRAWN = anyOf([...phrases.undone, ...phrases.withdrawn])
const REVOKED = anyOf([...phrases.undone, ...phrases.withdrawn, ...phrases.stays, ...phrases.unchanged])
const THOUGHT = anyOf([...phrases.plan, ...phrases.hearsay])
const NEWS = anyOf([...phrases.change, ...phrases.plan, ...phrases.undone, ...phrases.stays])
const FORGET = anyOf(phrases.forget)
const SEVERAL = anyOf(phrases.several)
const TOTAL = anyOf(phrases.total)
const ASKED = anyOf(phrases.asked)
const VERBS_OF_FORGETTING = phrases.forget.filter((phrase) => !/\s/.test(phrase))
/** An order that speaks of what was told: "strike that out", "don't store this". */
const ORDER = new RegExp(
  `^(?:and |so |then |just |also )*(?:${phrases.forget.join('|')}|(?:do not|don't) (?:keep|store|remember|retain)) ` +
    `(?:it|this|that|what|whatever|anything|everything|all|the fact|the entry|my|our)\\b`,
)

/** "Don't forget", "I will never forget", "you cannot delete". */
const KEPT = new RegExp(
  `(?:\\b(?:not|never|cannot|hardly)|n't)(?: (?:to|you|we|i|ever|even|just|simply|want to|mean to|let me|let us|let's))* (?:${VERBS_OF_FORGETTING.join('|')})\\b`,
  'g',
)

/** "Before I forget", "I would forget it myself", "we removed": who does it themselves asks nobody to. */
const DONE_BY_SPEAKER = new RegExp(
  `\\b(?:i|we)(?:'d|'ll|'ve)?(?: (?:would|will|might|may|could|can|have|had|always|often|just|only|also|then|already|easily|do|did|to))* (?:${VERBS_OF_FORGETTING.join('|')})\\b`,
  'g',
)

/** "I want to remove some details", "I have things to delete": tells that something is to go, and not what, unless it goes on to say. */
const ANNOUNCED = new RegExp(
  `(?:\\b(?:${VERBS_OF_FORGETTING.join('|')}) (?:some|several|certain|a few)\\b|` +
    `\\b(?:something|things)(?: else| more)? to (?:${VERBS_OF_FORGETTING.join('|')})\\b|` +
    `\\bwhat (?:needs|has|should|ought|is|i want|i'd like)(?: to)?(?: be)? (?:${VERBS_OF_FORGETTING.join('|')})\\b)(?!.*(?::|\\bnamely\\b))`,
  'g',
)

/** In quotation marks: a title or a saying, which asks for nothing itself. */
export const QUOTED = /"([^"]+)"|(?<![\p{L}\p{N}])'((?:(?!\s').)+)'(?![\p{L}\p{N}])/gu
/** Speaks of whoever says it. */
export const SELF = /\b(?:i|my|we|our|me|us|mine|ours)\b/i
/** Asks for what was said in reply: "what did you say", "you told me". */
const REPLIED = /\byou (?:[a-z]+ed|said|say|told|tell|gave|give|wrote|made|sent|suggest|recommend|advise)\b/

/** Clauses of one text that are kept: nobody says more, and each is embedded. */
const MOST_CLAUSES = 8
/** Words of a clause that are enough to look for it. */
const FEW = 3

/** Reads what statements do, by the words that say so. */
export function cuesOf(told: readonly string[]): StatementCues {
  const folded = told.map(fold)
  const isRule = folded.some((sentence) => CONDITION.test(sentence) && OUTCOME.test(sentence))
  return {
    leans: folded.flatMap((sentence) => clausesIn(sentence).map(({ text }) => text)).slice(0, MOST_CLAUSES),
    isNews: !isRule && folded.some((sentence) => NEWS.test(sentence)),
    isForget: folded.some(isRequestToForget),
  }
}

/** What folded sentences do to what was told before. In doubt they change nothing. */
export function stanceOf(folded: readonly string[]): NoteStance {
  const has = (words: RegExp) => folded.some((sentence) => words.test(sentence))
  if (folded.some((sentence) => CONDITION.test(sentence) && OUTCOME.test(sentence) && !REASON.test(sentence)))
    return 'rule'
  if (has(REVOKED)) return 'revoked'
  if (has(THOUGHT)) return 'thought'
  return has(CHANGE) ? 'change' : 'told'
}

/** Whether folded sentences take back what was told before, and do not only say that something stays as it was. */
export function isTakenBack(folded: readonly string[]): boolean {
  return stanceOf(folded) === 'revoked' && folded.some((sentence) => WITHDRAWN.test(sentence))
}

/** Whether a folded sentence wants something forgotten. Who says not to forget something wants it kept. */
export function isRequestToForget(sentence: string): boolean {
  const said = sentence.replace(QUOTED, ' \ue000 ')
  const wanted = [KEPT, DONE_BY_SPEAKER, ANNOUNCED].reduce((rest, other) => rest.replace(other, ' '), said)
  return (FORGET.test(wanted) && ASKED.test(said)) || ORDER.test(said)
}

/** Whether a question is about several things at once. */
export function wantsSeveral(question: string): boolean {
  return SEVERAL.test(fold(question))
}

/** Whether a question asks how much or how many: what many entries come to. */
export function wantsTotal(question: string): boolean {
  return TOTAL.test(fold(question))
}

/** Whether somebody asks about themselves, and not about what they were told. */
export function isAboutAsker(question: string): boolean {
  return SELF.test(question) && !REPLIED.test(fold(question))
}

/** Words that ask for something to be forgotten, taken out of a text. */
export function withoutRequest(text: string): string {
  return fold(text).replace(new RegExp(`${FORGET.source}|${ASKED.source}`, 'g'), ' ')
}

/** What follows each word of condition or reason in a folded sentence, as far as the clause goes. */
export function clausesIn(sentence: string): LeaningClause[] {
  return [...sentence.matchAll(LEANING)].flatMap((found) => {
    const [word] = found
    const from = found.index + word.length
    const rest = sentence.slice(from)
    let to = from + /^[\s:,]*/.exec(rest)![0].length
    const begin = to
    for (const part of sentence.slice(begin).split(/(?<=[;,])(?=\s)|(?=[.!?]$)/)) {
      to += part.length
      if (wordCount(sentence.slice(begin, to)) >= FEW) break
    }
    const text = sentence
      .slice(begin, to)
      .split(/[;,](?=\s|$)|[.!?]$/)
      .map((part) => part.trim())
      .join(' ')
      .trim()
    if (wordCount(text) < 2) return []
    if (PAST.test(text)) return []
    return [{ text, from: found.index, to, isCondition: CONDITION.test(word) }]
  })
}

function wordCount(text: string): number {
  return text.trim().split(/\s+/).length
}

/** A pattern of phrases, longer ones first; one that begins with a sign stands behind it. */
export function anyOf(list: readonly string[], flags = ''): RegExp {
  const sorted = [...list].sort((a, b) => b.length - a.length)
  const sources = sorted.map((phrase) => {
    const [, sign, words] = /^(\[\S+\]) (.*)$/.exec(phrase) ?? [undefined, undefined, phrase]
    return sign ? `(?<=${sign} )${words}` : `\\b${words}`
  })
  return new RegExp(`(?:${sources.join('|')})\\b`, flags)
}
