import { fold, sentences } from '../../base/text.js'
import type { Conversation, Memory } from '../../model/index.js'
import { englishAnalyzer } from '../bm25/analyze.js'
import { splitUnits } from '../units.js'
import { clausesIn, cuesOf, isTakenBack, SELF, type StatementCues } from './cues.js'
import { readForgetWishes } from './forget-wish.js'
import { passagesOf } from './passages.js'
import { PHRASES } from './phrases.js'

/** Something that was said, as it was said, with what it does to what is known. */
export interface SaidNote {
  memory: Memory
  cues: StatementCues
  /** What it does was given, and is not in its words. */
  isGiven?: boolean
  terms: readonly string[]
  /** Said by the assistant. */
  isReply: boolean
  /** How much it says, 0 to 1: greetings, questions and replies of an assistant say little about anybody. */
  weight: number
  /** It tells something and wants nothing, unless that it is noted. */
  isTelling: boolean
  /** It speaks of whoever says it. */
  isOwn: boolean
  /** It takes back something that was told before. */
  isWithdrawal: boolean
}

/** Turns text into the terms by which notes are found. */
export const analyze = englishAnalyzer({ stem: true })

/** The terms of a question, each of which counts once. */
export function queryOf(question: string): ReadonlyMap<string, number> {
  return new Map(analyze(question).map((term) => [term, 1]))
}

/** How little a note without substance counts, how much one of an assistant does, and one of nobody in particular. */
const THIN = 0.3
const ASSISTANT = 0.5
const NOBODY = 0.85
/** Different words of a statement that has substance. */
const FULL = 5
/** What says so much, of as much as can be, may be what somebody wants forgotten. */
const FULL_ENOUGH = 0.6

/** How a turn of an assistant begins. */
const REPLY = 'Assistant: '
/** A sentence that wants something. */
const ASKING = /\?$|\bplease\b|\b(?:i'd|i would) like\b/
const LEAD = `^(?:(?:and|also|then|so|ok|okay|now|yes|hi|hello|hey|next),? )*(?:(?:can|could|would|will) you )?(?:please |kindly |just |also |do )*`
/** A part of one that wants something noted, or what is noted changed: it tells that something. */
const NOTING = new RegExp(
  `${LEAD}(?:(?:add|log|note|record|register|enter|include|save|mark|jot|put|write|remember)\\b|keep (?:this|that|in mind|track)\\b|` +
    `(?:switch|swap|move|replace|change|update|correct)\\b.*\\b(?:my|our|mine|ours)\\b)`,
)
/** How something is to be shown: who asks for that has nothing noted. */
const SHOWN =
  /\b(?:side by side|main points|bullet points|(?:in|into|as|to) (?:an? |one |the )?(?:short |simple |small )?(?:table|poem|rhyme|sentence|paragraph|words?|nutshell|overview)|briefly|shorter|simpler)\b/
/** A part of one that wants something done or told. */
const ORDERING = new RegExp(`${LEAD}(?:${PHRASES.ordering.join('|')})\\b`)
/** How a question begins, and how it goes on behind what is told first. */
const QUESTION =
  '(?:can|could|would|will|do|does|did|is|are|was|were|have|has|should|shall|may|might|how|what|which|when|where|who|whose|why|any)\\b'
const ASKS = new RegExp(`^(?:(?:and|so|but|also|ok|okay|hi|hello|hey|well),? )*${QUESTION}`)
const THEN_ASKS = new RegExp(`[,;:] (?:and |so |but |or |then |please )*${QUESTION}`)
/** Code that somebody shows. */
const CODE = /```[\s\S]*?(?:```|$)/g
/** Where a part of a sentence may begin that wants something of its own. */
const PARTS = /(?<=[:;,]|\s[-]) /

/** Notes of a conversation, in the order of saying: a turn is one, or several where it is long. @param name what their ids begin with */
export function notesOf(conversation: Conversation, name: string): SaidNote[] {
  return splitUnits(conversation, { kind: 'turn' }, 'plain', name).flatMap(partsOf)
}

function partsOf(turn: Memory): SaidNote[] {
  const who = turn.text.startsWith(REPLY) ? REPLY : ''
  const said = turn.text.slice(who.length)
  const passages = (who === REPLY ? [said] : beforeRequest(said)).flatMap(passagesOf)
  // Who replies wants nothing forgotten, whatever the words.
  if (passages.length === 1 || (who !== REPLY && !isSameWished(said, passages))) return [noteOf(turn)]
  return passages.map((text, i) => noteOf({ ...turn, id: `${turn.id}.${i + 1}`, text: who + text }))
}

/** What a turn tells before it asks to have something forgotten, by itself: what is looked for may be in it. */
function beforeRequest(text: string): string[] {
  const said = sentences(text)
  const [wish] = readForgetWishes(said.map(fold))
  if (!wish || wish.at === 0) return [text]
  let from = 0
  for (const sentence of said.slice(0, wish.at)) from = text.indexOf(sentence, from) + sentence.length
  const parts = [text.slice(0, from).trim(), text.slice(from).trim()]
  return noteOf({ id: '', text: parts[0]! }).weight > NOBODY * FULL_ENOUGH && isSameWished(text, parts) ? parts : [text]
}

/** Whether parts of a text want the same forgotten as the whole, and name it: a wish may point at what stands in another part. */
function isSameWished(text: string, parts: readonly string[]): boolean {
  const wished = (part: string) => readForgetWishes(sentences(part).map(fold)).map(({ object }) => object)
  const whole = wished(text)
  return whole.every(Boolean) && whole.join('\n') === parts.flatMap(wished).join('\n')
}

/** What says nothing about anything. */
const NO_CUES: StatementCues = { leans: [], isNews: false, isForget: false }

/** A memory read as a note. @param given what it does; read from its words when absent */
export function noteOf(memory: Memory, given?: StatementCues): SaidNote {
  const isReply = memory.text.startsWith(REPLY)
  const said = sentences(memory.text.replace(CODE, ' '))
  const told = statementsIn(said)
  const cues = isReply || memory.status === 'tombstone' ? NO_CUES : (given ?? cuesOf(told, said))
  return {
    memory,
    cues,
    ...(given && { isGiven: true }),
    terms: analyze(memory.text),
    isReply,
    weight: (isReply ? ASSISTANT : 1) * substance([...told, ...said.flatMap(toldFirst)]),
    isTelling: !isReply && said.length > 0 && (isTold(said.map(fold)) || isExplained(told.map(fold), given)),
    isOwn: SELF.test(memory.text),
    isWithdrawal: !isReply && (given?.stance ? given.stance === 'revoked' : isTakenBack(told.map(fold))),
  }
}

/** What a note still does that lost something. What was given with it may hold what was lost, and goes. */
export function cuesLeft({ cues, isGiven }: SaidNote, { status }: Memory): StatementCues | undefined {
  if (!isGiven) return undefined
  const { isNews, stance } = cues
  return { leans: [], isNews: isNews && status !== 'tombstone', isForget: false, ...(stance && { stance }) }
}

/** Whether sentences only tell, or have something noted before they ask: behind a question it says what is to be in the answer. */
function isTold(said: readonly string[]): boolean {
  if (!said.some(isAsking)) return true
  const question = said.findIndex((sentence) => sentence.endsWith('?'))
  return said.slice(0, question < 0 ? undefined : question).some(isNoting)
}

function isAsking(sentence: string): boolean {
  return (ASKING.test(sentence) || isOrdering(sentence)) && !isNoting(sentence)
}

function isOrdering(sentence: string): boolean {
  return sentence.split(PARTS).some((part) => ORDERING.test(part))
}

function isNoting(sentence: string): boolean {
  return sentence.split(PARTS).some((part) => NOTING.test(part) && !SHOWN.test(part))
}

/** Whether something is told with what it hangs on, whatever is asked beside it. */
function isExplained(told: readonly string[], given?: StatementCues): boolean {
  if (given) return given.leans.length > 0
  const isOwn = (sentence: string) => !isAsking(sentence) || (SELF.test(sentence) && !isOrdering(sentence))
  return told.some((sentence) => isOwn(sentence) && clausesIn(sentence).length > 0)
}

/** What is stated: questions left out, but for what they quote. */
function statementsIn(said: readonly string[]): string[] {
  return said.flatMap((sentence) => {
    if (!sentence.endsWith('?')) return [sentence]
    return sentence.match(/"[^"]+"/g) ?? []
  })
}

/** What a question tells before it asks: "I handed the draft in on Monday, can you …?" */
function toldFirst(sentence: string): string[] {
  const folded = fold(sentence)
  const told = folded.slice(0, Math.max(0, folded.search(THEN_ASKS)))
  return told === '' || !folded.endsWith('?') || ASKS.test(folded) ? [] : [told]
}

function substance(told: readonly string[]): number {
  const terms = new Set(told.flatMap((sentence) => analyze(sentence)))
  const whose = told.some((sentence) => SELF.test(sentence)) ? 1 : NOBODY
  return whose * (THIN + (1 - THIN) * Math.min(1, terms.size / FULL))
}
