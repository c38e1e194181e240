import { plainWords } from '../../../../language/tokens.js'
import { isWord } from '../../../../language/wordnet.js'
import type { CriterionAsk } from '../../../../model/index.js'
import type { AnswerText, Line } from '../answer-lines.js'
import { isAside, saysAny } from '../aside.js'
import type { CriterionFinding } from '../finding.js'
import { mentionsOf } from '../items.js'
import { type Measure, measuresIn, sameMeasure } from '../numbers/measures.js'
import { personOf, ROLE } from '../parts.js'
import { bestMatchInAnswer, type Gist, matchesByLine } from './gist.js'
import { isGone, isOpen } from './gone.js'
import type { Leftover } from './leftover.js'
import { aimOf, roleFit } from './roles.js'

/** How a value is told: word for word, in other words, perhaps in words that nothing else explains, or not. */
interface Told {
  how: 'named' | 'told' | 'guessed' | 'not'
  line: number
  at: number
  end: number
  /** 1 when named; for the gist, midway between its words and words that can stand for them. */
  share: number
  /** All of its thoughts are plainly there. */
  whole: boolean
  /** Told but for a number, an aim or a role, in whose place there is another or none. */
  flaw?: 'gap' | 'role'
}

/** A value is told from this mark on. */
export const TELLS = 0.39
/** From here on it is as good as certain, and below `SILENT` as good as certain that it is not. */
const PLAIN = 0.8
const SILENT = 0.28
/** So little is nothing, whatever lines are left over. */
const NOTHING = 0.2
/** So much of it holds its line even against a value that fits better. */
const CLEAR = 0.7
/** A value of so few words stands or falls with each. */
const SHORT = 3
const MOST = 0.75
const NEARLY_ALL = 0.95
/** A title has no more words, and of what it is for at least so much must be there. */
const LONGEST_TITLE = 5
const HALF = 0.5
/** Of several values each needs less, when together they come to more. */
const EACH = 0.31
const TOGETHER = 0.46

export interface Circumstances {
  forgetting: boolean
  /** Read from a published text, word for word. */
  literal: boolean
  /** The day that a published text gives; an answer need not give it, but no other. */
  day?: string | undefined
  /** It is about something to be done or to come, which may be named as done, over or cancelled. */
  pending: boolean
  /** What the other criteria leave unexplained of the answer. */
  leftover?: Leftover
}

/** Judges whether an answer states all values of a criterion, as current ones, not as done, over or denied. */
export function judgeValueCriterion(
  { forms, parts = [], status }: CriterionAsk,
  text: AnswerText,
  { forgetting, literal, day, pending, leftover }: Circumstances,
): CriterionFinding {
  const any = forms.map((form) => tellingAmong(form, text, leftover))
  const best = any.reduce<Told | undefined>((top, one) => (top && rank(top) >= rank(one) ? top : one), undefined)
  const wanted = [...(forms[0] === undefined ? [] : [forms[0]]), ...parts]
  const first = [...(best ? [best] : []), ...parts.map((part) => tellingAmong(part, text, leftover))]
  const all = first.map((one, i) =>
    isTold(one, TELLS) || one.flaw ? one : (elsewhere(wanted[i]!, text, leftover) ?? one),
  )
  const mean = all.reduce((sum, { share }) => sum + share, 0) / all.length
  const least = all.length > 1 && mean >= TOGETHER ? EACH : TELLS
  const missing = all.filter((one) => !isTold(one, least))
  if (missing.length > 0) {
    const sure = missing.some((one) => isSurelyMissing(one, wanted[all.indexOf(one)]!, text, leftover))
    return { yes: false, sure, reason: `It does not tell ${wanted[all.indexOf(missing[0]!)]}.` }
  }
  const lines = all.map(({ line }) => text.lines[line]!)
  const task = pending && (status === undefined || status.forms.length === 0)
  const aside = all.every(({ at, end }, i) =>
    task ? isGone(wanted[i]!, lines[i]!, at, end) : isAside(lines[i]!, at, end),
  )
  const against = () => status && all.every(({ at, end }, i) => says(lines[i]!, status.contrary, at, end))
  const contrary = status && (task ? aside || (!literal && against()) : against())
  if (contrary) {
    const sure = aside || status.forms.length > 0
    return { yes: false, sure, reason: `It tells ${wanted[0]} with what speaks against it.` }
  }
  if (aside) {
    const asSaid = literal && status === undefined && forgetting
    return { yes: asSaid, sure: false, reason: `It names ${wanted[0]} only as something that no longer holds.` }
  }
  const places = wanted.flatMap((value) => mentionsOf(value, text)).map(({ line }) => text.lines[line]!)
  if (status && status.forms.length > 0 && ![...lines, ...places].some((line) => says(line, status.forms))) {
    return { yes: false, sure: true, reason: `It names ${wanted[0]}, but not with ${status.forms[0]}.` }
  }
  if (day !== undefined && lines.some((line) => isOnAnother(day, line)))
    return { yes: false, sure: false, reason: `It gives another day for ${wanted[0]}.` }
  const plain = all.every(({ how, share, whole }) => whole && (how === 'named' || (how === 'told' && share >= PLAIN)))
  const open =
    !task || literal || lines.every((line) => isOpen(line) || datesIn(`${line.heading} | ${line.plain}`).length > 0)
  if (!open && status)
    return { yes: false, sure: false, as: 'not said to be open', reason: `It names ${wanted[0]}, and not as open.` }
  return { yes: true, sure: plain && open, reason: `It tells ${wanted.join(', ')}.` }
}

/** Whether a line says any of some words, or gives the day that they stand for. */
function says(line: Line, words: readonly string[], at = 0, end = 0): boolean {
  if (saysAny(line, words, at, end)) return true
  const wanted = datesIn(words[0] ?? '')
  return wanted.length > 0 && datesIn(`${line.heading} | ${line.plain}`).some((one) => sameMeasure(one, wanted[0]!))
}

function datesIn(text: string): Measure[] {
  return measuresIn(text, false).found.filter(({ kind }) => kind === 'date')
}

/** Whether a line or its heading gives days, and not this one. */
function isOnAnother(day: string, { plain, heading }: Line): boolean {
  const [wanted] = datesIn(day)
  const given = datesIn(`${heading} | ${plain}`)
  return wanted !== undefined && given.length > 0 && !given.some((one) => sameMeasure(one, wanted))
}

/** Nothing comes near it and no line may tell it otherwise, or all of it is there but for what is plainly another. */
function isSurelyMissing(
  { share, flaw }: Told,
  value: string,
  text: AnswerText,
  leftover: Leftover | undefined,
): boolean {
  if (flaw === 'role' || personOf(value)) return true
  return share < NOTHING || (share < SILENT && !(leftover?.may(value, text) ?? false))
}

function tellingAmong(value: string, text: AnswerText, leftover: Leftover | undefined): Told {
  const told = matchValue(value, text)
  if (told.how !== 'told' || told.share < EACH || !leftover?.tellsOther(value, told.line, text)) return told
  return { ...told, share: told.share < CLEAR ? EACH - 0.01 : PLAIN - 0.01 }
}

function isTold({ how, share }: Told, least: number): boolean {
  return how === 'named' || how === 'guessed' || (how === 'told' && share >= least)
}

/** A line that nothing else explains, and that comes nearer to this value than to any other that is not told. */
function elsewhere(value: string, text: AnswerText, leftover: Leftover | undefined): Told | undefined {
  const line = personOf(value) ? undefined : leftover?.lineFor(value, text)
  if (line === undefined) return undefined
  return { how: 'guessed', line, ...placeOf(value, text, line), share: TELLS, whole: false }
}

function rank({ how, share }: Told): number {
  return how === 'named' ? 2 : share
}

/** How well an answer states a value: where, how much of it, and what speaks against it. */
export function matchValue(value: string, text: AnswerText): Told {
  const person = personOf(value)
  if (person) return tellingOf(value, person, text)
  const named = mentionsOf(value, text).find(({ whole }) => whole)
  if (named && !matchesByLine(value, text)[named.line]?.gaps) return { how: 'named', ...named, share: 1, whole: true }
  const gist = bestMatchInAnswer(value, text)
  const { score, line, size } = gist
  const flaw = flawOf(value, text, gist)
  return {
    how: flaw ? 'not' : 'told',
    line,
    ...placeOf(value, text, line),
    share: score,
    whole: (size > SHORT || isCompact(gist)) && !isDenied(value, text, line),
    ...(flaw && { flaw }),
  }
}

function flawOf(value: string, text: AnswerText, { line, gaps, size }: Gist): Told['flaw'] {
  if (gaps > 0) return 'gap'
  const aim = ROLE.test(value) && size <= LONGEST_TITLE ? aimOf(value) : ''
  return aim !== '' && (matchesByLine(aim, text)[line]?.share ?? 0) < HALF ? 'gap' : undefined
}

/** The words of a short value stand close together, and hardly one is said otherwise. */
function isCompact({ at, size, score }: Gist): boolean {
  if (score >= NEARLY_ALL) return true
  return score >= MOST && at.length >= size && Math.max(...at) - Math.min(...at) <= 2 * size + 2
}

const DENIAL =
  /\b(?:no(?! (?:less|fewer|later|more|doubt))|not(?! (?:only|just|less|fewer))|never|none|without|neither|nor|cannot|lacks?|fails?)\b|n't\b/

/** Whether a line says no where a value does not. */
function isDenied(value: string, text: AnswerText, line: number): boolean {
  return DENIAL.test(text.lines[line]?.plain ?? '') && !DENIAL.test(value.toLowerCase())
}

/** A person is told by name; with another role it is not the same. */
function tellingOf(value: string, person: string, text: AnswerText): Told {
  const places = mentionsOf(person, text).filter((one) => one.whole || !isNamesake(person, text, one))
  const fits = places.map((place) => ({ place, fit: roleFit(value, text, place) }))
  const best = fits.find(({ fit }) => fit === 'same') ?? fits.find(({ fit }) => fit === 'other') ?? fits[0]
  if (!best) return { how: 'not', line: -1, at: 0, end: 0, share: 0, whole: false }
  if (best.fit === 'other') return { how: 'not', ...best.place, share: 1, whole: false, flaw: 'role' }
  return { how: 'named', ...best.place, share: 1, whole: best.fit === 'same' }
}

/** Whether a surname stands behind another first name. */
function isNamesake(person: string, text: AnswerText, { line, at }: { line: number; at: number }): boolean {
  const first = /(\p{Lu}[\p{L}'-]+) $/u.exec(text.lines[line]!.cased.slice(0, at))?.[1]
  return (
    first !== undefined &&
    !person.startsWith(first) &&
    !isWord(first.toLowerCase()) &&
    !/^(?:Mr|Mrs|Ms|Dr|Prof)$/.test(first)
  )
}

/** From the first to the last of its words in the line. */
export function placeOf(value: string, text: AnswerText, line: number): { at: number; end: number } {
  const plain = text.lines[line]?.plain ?? ''
  const spots = plainWords(value)
    .filter((word) => word.length > 3)
    .map((word) => plain.indexOf(word.slice(0, 5)))
    .filter((at) => at >= 0)
  if (spots.length === 0) return { at: 0, end: plain.length }
  return { at: Math.min(...spots), end: Math.min(plain.length, Math.max(...spots) + 5) }
}
