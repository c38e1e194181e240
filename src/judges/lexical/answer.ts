import { fold, sentences, shortened } from '../../base/text.js'
import { isNegated } from '../../language/markers.js'
import { coverage } from '../../language/match.js'
import { compareQuantities, quantities } from '../../language/quantities.js'
import type { AnswerVerdict, Gold, Question } from '../../model/index.js'
import { gradeCriteria } from './criteria/index.js'
import { gradeDate } from './date.js'
import { itemsBesides } from './list-items.js'
import { namingConfidence } from './naming.js'
import { gradeEvents, gradeSequence } from './sequence.js'
import { gradeCurrent, gradeUnsure, gradeVerbatim, gradeWithheld, isGiven } from './values.js'

/**
 * Grades an answer against its gold by words alone. What cannot be read is an error and never a wrong answer.
 *
 * @example gradeAnswer(question, 'No, it is only 9 °C.') // { grade: 'right', … } for a gold of "no"
 */
export function gradeAnswer(question: Question, answer: string): AnswerVerdict {
  const { gold } = question
  if (answer.trim() === '' && gold.kind !== 'criteria') return { grade: 'error', reason: 'The answer is empty.' }
  if (isExpected(gold, answer))
    return {
      grade: 'right',
      uncertain: false,
      reason: 'It is the expected answer word for word.',
      ...(gold.kind === 'list' && { credit: { partial: 1 } }),
    }
  switch (gold.kind) {
    case 'yes-no':
      return gradeYesNo(gold.answer, answer)
    case 'list':
      return gradeList(gold.items, answer)
    case 'abstain':
      return gradeAbstain(gold, answer)
    case 'choice':
      return gradeChoice(question, gold, answer)
    case 'free':
      return gradeFree(gold.text, answer)
    case 'date':
      return gradeDate(gold, answer, NO_KNOWLEDGE.test(fold(answer)))
    case 'verbatim':
      return gradeVerbatim(gold, answer)
    case 'sequence':
      return gold.free ? gradeEvents(gold, answer, NO_KNOWLEDGE.test(fold(answer))) : gradeSequence(gold, answer)
    case 'current':
      return gradeCurrent(gold, answer)
    case 'unsure':
      return gradeUnsure(gold, answer)
    case 'withheld':
      return gradeWithheld(gold, answer)
    case 'criteria':
      return gradeCriteria(gold, answer)
  }
}

/** Golds of which the text is an answer as somebody gives it. */
const ANSWERS: ReadonlySet<Gold['kind']> = new Set(['free', 'list', 'date', 'yes-no', 'abstain'])

/** The answer is the expected one, apart from case and punctuation. */
export function isExpected({ kind, text }: Gold, answer: string): boolean {
  const plain = (words: string) =>
    fold(words)
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  return ANSWERS.has(kind) && plain(text) !== '' && plain(text) === plain(answer)
}

const NO_KNOWLEDGE =
  /\b(?:no (?:information|record|mention|memory|memories|details?|data|knowledge|idea|evidence)|(?:do not|don't|does not|doesn't|did not|didn't) (?:have|contain|include|mention|know|say|find|see|recall|specify)|not (?:mentioned|known|specified|sure|aware|stated|recorded|provided|enough)|nothing (?:is |about|in|on|known|recorded|that)|(?:cannot|can't|can not|could not|couldn't|unable to) (?:answer|determine|tell|say|find|know|confirm)|unknown|unclear|isn't mentioned|never mentioned|insufficient)\b/

/** Whether a line admits that nothing is known. */
export function saysNothingIsKnown(line: string): boolean {
  return NO_KNOWLEDGE.test(fold(line))
}

/** Ordered by how plainly they speak; the first that occurs earliest decides. */
const SAYS_YES =
  /^(?:yes|yeah|yep|sure|certainly|definitely|absolutely|of course|indeed)\b|\banswer(?: is|:)\W*yes\b|\b(?:would|will|does|is|should|can)(?: most| very)? (?:likely|probably|definitely|certainly|surely|indeed)\b|\b(?:likely|probably|expected) (?:to|will|would|yes)\b|\b(?:he|she|they|it|i|you) (?:would|will|does|do|should)\b(?! not| never|n't| only| refuse| avoid)/
const SAYS_NO =
  /^(?:no|nope|not really|never)\b|\banswer(?: is|:)\W*no\b|\b(?:is|it's|seems|very|highly) ?unlikely\b|\bunlikely\b|\b(?:would|will|does|do|should|is|are|can|could)(?:n't| not| never)\b|\bwon't\b|\bcannot\b|\b(?:probably|likely|certainly|definitely) not\b|\bnot (?:likely|expected)\b/

/** The first clear yes or no of an answer; undefined when there is none. */
export function readYesNo(answer: string): 'yes' | 'no' | undefined {
  for (const sentence of sentences(answer)) {
    const text = fold(sentence).replace(/^[^\p{L}]+/u, '')
    if (NO_KNOWLEDGE.test(text)) continue
    const [yes, no] = [SAYS_YES.exec(text), SAYS_NO.exec(text)]
    if (yes && no) return no.index <= yes.index ? 'no' : 'yes'
    if (yes) return 'yes'
    if (no) return 'no'
  }
  return undefined
}

/** It says yes in one sentence and no in another: whatever is asked, such an answer takes no side. */
export function saysBoth(answer: string): boolean {
  // "No." is no abbreviation here.
  const said = answer.split(/(?<=[.!?])\s+|\n+/)
  const takes = (side: RegExp) => said.some((sentence) => side.test(sentence))
  return takes(PLAIN_YES) && takes(PLAIN_NO)
}

/** A sentence that is a yes or a no, or begins with one set apart. */
const PLAIN_YES = /^\W*yes\W*(?:$|(?<=[,.;:!\u2013\u2014-]\W*))/i
const PLAIN_NO = /^\W*no\W*(?:$|(?<=[,.;:!\u2013\u2014-]\W*))/i

const BOTH: AnswerVerdict = { grade: 'wrong', uncertain: false, reason: 'It says both yes and no.' }

function gradeYesNo(gold: 'yes' | 'no', answer: string): AnswerVerdict {
  if (saysBoth(answer)) return BOTH
  const said = readYesNo(answer)
  if (said === undefined) return { grade: 'error', reason: 'No clear yes or no could be read from the answer.' }
  const plain = /^\W*(?:yes|no)\b/i.test(answer)
  return {
    grade: said === gold ? 'right' : 'wrong',
    uncertain: !plain,
    reason: `It says ${said}, and the answer is ${gold}.`,
  }
}

function gradeList(items: readonly string[], answer: string): AnswerVerdict {
  const lines = sentences(answer)
  const found = items.map((item) =>
    Math.max(
      0,
      ...lines.map((line) => (turnsDown(line, item) ? 0 : isGiven(item, line) ? 1 : namingConfidence([item], line))),
    ),
  )
  const missing = items.filter((_, i) => found[i]! < 0.7)
  if (missing.length > 0) {
    const near = found.some((score) => score > 0.4 && score < 0.7)
    const partial = (items.length - missing.length) / items.length
    return { grade: 'wrong', uncertain: near, reason: `It does not name ${missing.join(', ')}.`, credit: { partial } }
  }
  const besides = besidesIn(items, answer)
  if (isOverfull(items, besides)) {
    const partial = items.length / (items.length + besides.length)
    return {
      grade: 'wrong',
      uncertain: false,
      reason: `It also names ${shortened(besides.join(', '), 80)}.`,
      credit: { partial },
    }
  }
  return {
    grade: 'right',
    uncertain: besides.length > 0 || found.some((score) => score < 0.9),
    reason: `It names all of ${items.join(', ')}.`,
    credit: { partial: 1 },
  }
}

/** More than half as many things besides as were asked for: fewer may be words around a list. */
export function isOverfull(items: readonly string[], besides: readonly string[]): boolean {
  return besides.length > items.length / 2
}

/** What a list holds besides the items that were asked for. */
export function besidesIn(items: readonly string[], answer: string): string[] {
  const names = (item: string, piece: string) => isGiven(item, piece) || namingConfidence([item], piece) > 0.4
  return itemsBesides(items, answer, names)
}

/** The line names the item only to set it aside. */
function turnsDown(line: string, item: string): boolean {
  const before = fold(line).split(fold(item))[0] ?? ''
  return before !== fold(line) && isNegated(before.split(/[,;:.]/).at(-1) ?? '')
}

const DENIES = /\b(?:no|not|never|nobody|instead)\b|n't\b/

function gradeAbstain({ about, lure }: Extract<Gold, { kind: 'abstain' }>, answer: string): AnswerVerdict {
  if (saysBoth(answer)) return BOTH
  const lines = sentences(answer)
  const abstains = lines.some((line) => NO_KNOWLEDGE.test(fold(line)))
  if (!abstains) {
    // Who is not taken in may say whose it is instead of saying that nothing is known.
    const uncertain = lure !== undefined && (DENIES.test(fold(answer)) || coverage(lure, answer).exact < 0.5)
    return { grade: 'wrong', uncertain, reason: `It answers as if ${about} were known.` }
  }
  if (lure !== undefined) {
    const taken = lines.filter((line) => !NO_KNOWLEDGE.test(fold(line))).join(' ')
    const reason = `It says that nothing is known of ${about}.`
    return { grade: 'right', uncertain: taken !== '' && coverage(lure, taken).exact >= 0.5, reason }
  }
  const first = about.split(/\s+/)[0] ?? about
  const told = lines.filter(
    (line) =>
      !NO_KNOWLEDGE.test(fold(line)) &&
      fold(line).includes(fold(first)) &&
      !/\b(?:if|could|let me know|tell|share|provide|would you|more about)\b/i.test(line),
  )
  if (told.length > 0)
    return {
      grade: 'wrong',
      uncertain: true,
      reason: `It admits to knowing nothing, then tells of ${about} all the same.`,
    }
  return { grade: 'right', uncertain: false, reason: `It says that nothing is known of ${about}.` }
}

/** Only what the suite's letter parser could not read comes here. */
function gradeChoice(question: Question, gold: Extract<Gold, { kind: 'choice' }>, answer: string): AnswerVerdict {
  const named = (question.choices ?? []).filter(({ text }) => coverage(text, answer).exact >= 0.9)
  const right = coverage(gold.text, answer).exact >= 0.9
  const others = named.filter(({ letter }) => letter !== gold.letter)
  if (right && others.length === 0)
    return { grade: 'right', uncertain: true, reason: `It gives the text of ${gold.letter}.` }
  if (!right && others.length === 1)
    return { grade: 'wrong', uncertain: true, reason: `It gives the text of ${others[0]!.letter}.` }
  return { grade: 'error', reason: 'No single option could be read from the answer.' }
}

function gradeFree(gold: string, answer: string): AnswerVerdict {
  const { exact } = coverage(gold, answer)
  const wanted = quantities(gold)
  const given = quantities(answer)
  const lost = wanted.some(
    (one) => !given.some((other) => ['equal', 'unbound'].includes(compareQuantities(one, other) ?? '')),
  )
  const turned = isNegated(gold) !== isNegated(answer)
  const right = exact >= 0.65 && !lost && !turned
  const reason = lost
    ? 'A number of the expected answer is missing or different.'
    : turned
      ? 'It denies what the expected answer affirms, or the other way round.'
      : `It has ${Math.round(100 * exact)} % of the content of the expected answer.`
  return { grade: right ? 'right' : 'wrong', uncertain: !(exact >= 0.95 && right) && exact > 0.1, reason }
}
