import { plainWords } from '../../../language/tokens.js'
import type { CriterionAsk } from '../../../model/index.js'
import type { AnswerText } from './answer-lines.js'
import { isAside, saysAny } from './aside.js'
import type { Finding } from './figures.js'
import { gistOf } from './gist.js'
import { mentionsOf } from './items.js'
import type { Leftover } from './leftover.js'
import { personOf } from './parts.js'

/** How a value is told: word for word, in other words, perhaps in words that nothing else explains, or not. */
interface Told {
  how: 'named' | 'told' | 'guessed' | 'not'
  line: number
  at: number
  end: number
  /** 1 when named; for the gist, midway between its words and words that can stand for them. */
  share: number
}

/** A value is told from this mark on. */
export const TELLS = 0.39
/** From here on it is as good as certain, and below `SILENT` as good as certain that it is not. */
const PLAIN = 0.52
const SILENT = 0.28
/** So much of it holds its line even against a value that fits better. */
const CLEAR = 0.7
/** Of several values each needs less, when together they come to more. */
const EACH = 0.31
const TOGETHER = 0.46

export interface Circumstances {
  forgetting: boolean
  /** Read from a published text, word for word. */
  literal: boolean
  /** What the other criteria leave unexplained of the answer. */
  leftover?: Leftover
}

/** Whether values are told, all of them, and as ones that hold. */
export function readTelling(
  { forms, parts = [], status }: CriterionAsk,
  text: AnswerText,
  { forgetting, literal, leftover }: Circumstances,
): Finding {
  const any = forms.map((form) => tellingAmong(form, text, leftover))
  const best = any.reduce<Told | undefined>((top, one) => (top && rank(top) >= rank(one) ? top : one), undefined)
  const wanted = [...(forms[0] === undefined ? [] : [forms[0]]), ...parts]
  const first = [...(best ? [best] : []), ...parts.map((part) => tellingAmong(part, text, leftover))]
  const all = first.map((one, i) => (isTold(one, TELLS) ? one : (elsewhere(wanted[i]!, text, leftover) ?? one)))
  const mean = all.reduce((sum, { share }) => sum + share, 0) / all.length
  const least = all.length > 1 && mean >= TOGETHER ? EACH : TELLS
  const missing = all.filter((one) => !isTold(one, least))
  if (missing.length > 0) {
    const sure = missing.some((one) => one.share < SILENT && !(leftover?.may(wanted[all.indexOf(one)]!, text) ?? false))
    return { yes: false, sure, reason: `It does not tell ${wanted[all.indexOf(missing[0]!)]}.` }
  }
  const lines = all.map(({ line }) => text.lines[line]!)
  const aside = all.every(({ at, end }, i) => isAside(lines[i]!, at, end))
  const contrary = status !== undefined && all.every(({ at, end }, i) => saysAny(lines[i]!, status.contrary, at, end))
  if (contrary) {
    const sure = aside || status.forms.length > 0
    return { yes: false, sure, reason: `It tells ${wanted[0]} with what speaks against it.` }
  }
  if (aside) {
    const asSaid = literal && status === undefined && forgetting
    return { yes: asSaid, sure: false, reason: `It names ${wanted[0]} only as something that no longer holds.` }
  }
  if (status && status.forms.length > 0 && !lines.some((line) => saysAny(line, status.forms))) {
    return { yes: false, sure: true, reason: `It names ${wanted[0]}, but not with ${status.forms[0]}.` }
  }
  const plain = all.every(({ how, share }) => how === 'named' || (how === 'told' && share >= PLAIN))
  return { yes: true, sure: plain, reason: `It tells ${wanted.join(', ')}.` }
}

function tellingAmong(value: string, text: AnswerText, leftover: Leftover | undefined): Told {
  const told = telling(value, text)
  if (told.how !== 'told' || told.share < EACH || !leftover?.tellsOther(value, told.line, text)) return told
  return { ...told, share: told.share < CLEAR ? EACH - 0.01 : PLAIN - 0.01 }
}

function isTold({ how, share }: Told, least: number): boolean {
  return how === 'named' || how === 'guessed' || (how === 'told' && share >= least)
}

/** A line that nothing else explains, and that comes nearer to this value than to any other that is not told. */
function elsewhere(value: string, text: AnswerText, leftover: Leftover | undefined): Told | undefined {
  const line = leftover?.lineFor(value, text)
  if (line === undefined) return undefined
  return { how: 'guessed', line, ...placeOf(value, text, line), share: TELLS }
}

function rank({ how, share }: Told): number {
  return how === 'named' ? 2 : share
}

export function telling(value: string, text: AnswerText): Told {
  const person = personOf(value)
  const [named] = mentionsOf(person ?? value, text)
  if (named) return { how: 'named', ...named, share: 1 }
  if (person) return { how: 'not', line: -1, at: 0, end: 0, share: 0 }
  const { score, line, numberLost } = gistOf(value, text)
  return { how: numberLost ? 'not' : 'told', line, ...placeOf(value, text, line), share: score }
}

/** From the first to the last of its words in the line. */
function placeOf(value: string, text: AnswerText, line: number): { at: number; end: number } {
  const plain = text.lines[line]?.plain ?? ''
  const spots = plainWords(value)
    .filter((word) => word.length > 3)
    .map((word) => plain.indexOf(word.slice(0, 5)))
    .filter((at) => at >= 0)
  if (spots.length === 0) return { at: 0, end: plain.length }
  return { at: Math.min(...spots), end: Math.min(plain.length, Math.max(...spots) + 5) }
}
