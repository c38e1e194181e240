import { fold } from '../../base/text.js'
import { readForgetWishes } from './forget-wish.js'
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
const OFF = anyOf([
  ...phrases.undone.filter((phrase) => phrase !== 'after all'),
  ...phrases.withdrawn.filter((phrase) => phrase !== 'scrap'),
  'carries on',
  'we keep',
  'i keep',
])
const THOUGHT = anyOf([...phrases.plan, ...phrases.hearsay])
const NEWS = anyOf([...phrases.change, ...phrases.plan, ...phrases.undone, ...phrases.stays])
const SEVERAL = anyOf(phrases.several)
const TOTAL = anyOf(phrases.total)
/** Speaks of whoever says it. */
export const SELF = /\b(?:i|my|we|our|me|us|mine|ours)\b/i
/** What is said in reply. */
const SAYING =
  'advice|answer|argument|calculation|comment|correction|estimate|explanation|feedback|idea|judge?ment|objection|opinion|outline|proposal|reasoning|recommendation|' +
  'reply|reasons?|response|suggestions?|take|thoughts?|tips?|verdict|view|warning|wording'
/** What an assistant does with what it is told, which is the speaker's own: "what have you already noted?" */
const KEEPING =
  '(?:(?:ever|already|still|also|even|just|really|actually) )*(?:know|have|been|told|note|noted|keep|kept|store|stored|record|recorded|save|saved|remember|remembered|' +
  'memori[sz]ed?|log|logged|list|listed|register|registered|write|written|wrote|get|got|hear|heard|learn|learned|see|seen|forget|forgotten|need|any|two|all|both|meet|met)'
/** Asks for what was said in reply: "what did you say", "you told me", "what was your advice". */
const REPLIED = new RegExp(
  `\\byou (?!${KEEPING}\\b)(?:[a-z]+ed|said|gave|made|sent|thought)\\b|\\byou told (?:me|us)\\b|` +
    `\\b(?:did|had|have|were|was) you (?!${KEEPING}\\b)[a-z]+|\\b(?:was|were) your (?:[a-z]+ )?(?:${SAYING})\\b`,
)
/** Wants to be told something by whoever is asked. */
const TELL_ME = /\byou (?:say|tell|give|suggest|recommend|advise)\b/

/** Clauses of one text that are kept: nobody says more, and each is embedded. */
const MOST_CLAUSES = 8
/** Words of a clause that are enough to look for it. */
const FEW = 3

/**
 * Reads what statements do, by the words that say so.
 *
 * @param said all sentences, questions among them: who asks whether something can be forgotten wants it forgotten
 */
export function cuesOf(told: readonly string[], said = told): StatementCues {
  const folded = told.map(fold)
  const isRule = folded.some((sentence) => CONDITION.test(sentence) && OUTCOME.test(sentence))
  return {
    leans: folded.flatMap((sentence) => clausesIn(sentence).map(({ text }) => text)).slice(0, MOST_CLAUSES),
    isNews: !isRule && folded.some((sentence) => NEWS.test(sentence)),
    isForget: isForgetting(said.map(fold)),
  }
}

/** Whether somebody wants something forgotten. Who says why a change is off takes it back, and wants to have that known. */
function isForgetting(folded: readonly string[]): boolean {
  const wishes = readForgetWishes(folded)
  // What is to be forgotten may itself speak of something that is off.
  const rest = wishes.reduce(
    (left, { object }) => (object === '' ? left : left.replace(object, ' ')),
    folded.join('\n'),
  )
  return wishes.some(({ isRetraction }) => !isRetraction || !OFF.test(rest))
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

/** Whether a question is about several things at once. */
export function wantsSeveral(question: string): boolean {
  return SEVERAL.test(fold(question))
}

/** Whether a question asks for what somebody was told in reply. */
export function wantsReply(question: string): boolean {
  return REPLIED.test(fold(question))
}

/** Whether a question asks how much or how many: what many entries come to. */
export function wantsTotal(question: string): boolean {
  return TOTAL.test(fold(question))
}

/** Whether a question counts: things, or days between them. */
export function wantsCount(question: string): boolean {
  return /\bhow many\b/i.test(question)
}

/** Whether somebody asks about themselves, and not about what they were told. */
export function isAboutAsker(question: string): boolean {
  return SELF.test(question) && !wantsReply(question) && !TELL_ME.test(fold(question))
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
