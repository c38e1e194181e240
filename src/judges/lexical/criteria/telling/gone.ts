import { lemmas } from '../../../../language/morphology.js'
import { relatedWords } from '../../../../language/relations.js'
import { contentTokens, wordsOf } from '../../../../language/tokens.js'
import type { Line } from '../answer-lines.js'
import { isAside } from '../aside.js'

/** Where what is said of one thing ends and another begins. */
const BREAK =
  /;|\s-+\s|\b(?:but|while|whereas|although|though|however)\b|,? (?:which )?(?:leaving|leaves)\b|,? so (?:that )?(?:what|all|only|the)\b|[.!?](?= )/g
/** Said of something that is behind the user or was taken out. */
const GONE =
  /\b(?:behind you|out of the way|off (?:the|your) (?:list|plate|calendar|hands)|taken care of|took care of|take(?:s|n)? care of already|(?:been|is|are|was|were|got|gets|already|all|now) (?:\w+ )?(?:done|completed|finished|handled|sorted|settled|dealt with|wrapped up|cancelled|canceled|called off|dropped|removed|deleted|scrapped|shelved|ticked off|crossed off|checked off|struck|closed|over|past|gone)|(?:took|has taken|have taken|already) place|no longer|any (?:more|longer)|not (?:in|on) (?:the|your) (?:list|calendar)|ha(?:s|ve) (?:already )?(?:happened|passed|gone by)|(?:cross|tick|check|struck|strike|took|take|taken|drop|dropped|crossed|ticked|checked)(?:ed)?\b[^.;]{1,60}\boff\b|called off|went ahead (?:last|on)|(?:i|you)(?:'ve| have)? (?:already )?(?:finished|completed|cancelled|canceled|dropped|removed|deleted|scrapped|ticked|crossed|did|done|wrapped up|handled|knocked out)|not (?:needed|necessary|on (?:the|your) (?:list|calendar)) any ?(?:more|longer)|moved to (?:next|another|a later)|postponed|yesterday|last (?:week|month|night)|earlier this (?:week|month)|(?:went|gone) out|backed up|done\b(?! by| before| yet)|nothing is open)/
/** Said of something that is still to come. */
const OPEN =
  /\b(?:still|pending|open|outstanding|remain(?:s|ing)?|left|to[- ]do|need(?:s)? to|has to|have to|must|upcoming|coming up|next|yet to|not (?:yet )?(?:done|finished|completed)|waiting|due (?:on|by|in|to|next|today|tomorrow))\b/
const UNDONE =
  /(?:\bnot|n't|\bnever|\byet to)(?: \w+){0,2} (?:do|done|finish(?:ed)?|complete|completed|tick(?:ed)? off|cross(?:ed)? off|handled?)\b/
/** Said of something in the state it has when it is done, and not of what is planned. */
const STATE =
  /\b(?:has|have|had)(?: now| already| all| since)? (?:been|had|\p{L}+(?:ed|wn|ne|ept|old|ung|ought|uilt))\b|'ve (?:now |already )?\p{L}+(?:ed|wn|ne|ept|old|ung|ought)\b|\b(?:is|are|was|were|got|came|went)(?: now| already| all)? (?:\p{L}+(?:ed|wn|ne|ept|old|ung|uilt)\b|(?:in|back|off|over|up|out)\b)/u
const PLANNED =
  /\b(?:scheduled|planned|booked|moved|expected|supposed|meant|needed|invited|shifted|not|never|yet|will|should)\b|n't\b|\?/
const PASSIVE = /(?:'ve|\b(?:has|have|had|is|are|was|were|been|got|already)) (?:been |now |already |all )?(\p{L}+)\b/gu

/** Whether a line says of what it names that it is still open: in a list, or in words. */
export function isOpen({ plain, bullet }: Line): boolean {
  return bullet || OPEN.test(plain)
}

/** Whether a place in a line names a task or an event as done, over, cancelled or taken out. */
export function isGone(value: string, line: Line, at: number, end: number): boolean {
  const { start, text: segment } = segmentOf(line.plain, at)
  const [from, to] = [Math.max(0, at - start), Math.max(0, Math.min(segment.length, end - start))]
  const text = withoutNotes(segment.slice(0, from)) + segment.slice(from)
  const cased = line.cased.slice(start, start + text.length)
  const part: Line = { ...line, plain: text, cased, titles: [] }
  if (UNDONE.test(text)) return line.done
  if (isAside(part, from, to)) return true
  if (OPEN.test(text) && !/\bnothing\b/.test(text)) return false
  return GONE.test(text) || isCarriedOut(value, text) || (!line.bullet && isDone(text, from))
}

function isDone(text: string, at: number): boolean {
  const before = text
    .slice(0, at)
    .split(/[,:]|\band\b/)
    .at(-1)!
  const clause = before + text.slice(at).split(/[,:]| and (?:the|your|you)\b/)[0]!
  return STATE.test(clause) && !PLANNED.test(clause)
}

/** What stands in parentheses belongs to what stands before it. */
function withoutNotes(text: string): string {
  return text.replace(/\([^()]*\)/g, (note) => ' '.repeat(note.length))
}

function segmentOf(plain: string, at: number): { start: number; text: string } {
  let start = 0
  for (const found of plain.matchAll(BREAK)) {
    const behind = found.index + found[0].length
    if (behind <= at) start = behind
    else if (found.index > at) return { start, text: plain.slice(start, found.index) }
  }
  return { start, text: plain.slice(start) }
}

/** "The cake has been ordered" of "Order birthday cake". */
function isCarriedOut(value: string, text: string): boolean {
  const verb = contentTokens(value)[0]
  if (!verb) return false
  const words = wordsOf(verb)
  const others = new Set([...words].flatMap((word) => [...relatedWords(word, 'v')].map(([other]) => other)))
  return [...text.matchAll(PASSIVE)].some(
    ([, done]) =>
      /(?:ed|en|t|ne|de|ght|wn|id|ung|old|ead)$/.test(done!) &&
      lemmas(done!).some(({ lemma }) => lemma !== done && (words.has(lemma) || others.has(lemma))),
  )
}
