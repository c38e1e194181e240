import { DAY_NAMES, MONTH_NAMES } from '../../../base/calendar.js'
import { fold, sentences, words } from '../../../base/text.js'
import { wordStart } from '../../../language/stems.js'
import { distance, ordinal, weekdayOf } from '../days.js'
import { dateForms, numberForms } from '../wording.js'

/** How a text speaks of a day: it says that day, names its weekday, names another weekday or another date, or leaves it open. */
export type DateSaid = 'said' | 'weekday' | 'other weekday' | 'other date' | 'vague'

const MONTH = MONTH_NAMES.join('|')
const DATE = new RegExp(
  `\\b(?:(?:${MONTH}) \\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTH})|the \\d{1,2}(?:st|nd|rd|th))\\b`,
)

/**
 * Whether a text of a day says another day.
 *
 * @example dateSaid('It is on June 14.', '2025-06-14', '2025-06-02') // 'said'
 */
export function dateSaid(text: string, day: string, today: string): DateSaid {
  const plain = ` ${fold(text).replace(/[.,!?;:*"]|'(?= )/g, ' ')} `
  const has = (form: string) => plain.includes(` ${fold(form)} `) || plain.includes(` ${fold(form)}'s `)
  if (relativeForms(day, today).some(has)) return 'said'
  if (dateForms(day).some(has) || (distance(today, day) <= 31 && has(`the ${ordinal(Number(day.slice(-2)))}`)))
    return 'said'
  if (DATE.test(plain)) return 'other date'
  const named = coming(plain).map((weekday) => DAY_NAMES.indexOf(weekday))
  if (named.length > 0) return named[0] === weekdayOf(day) ? 'weekday' : 'other weekday'
  return 'vague'
}

/** Ways to speak of a day from another. */
function relativeForms(day: string, today: string): string[] {
  const days = distance(today, day)
  const weeks = days > 0 && days % 7 === 0 ? days / 7 : 0
  return [
    ...numberForms(days).map((count) => `${count} day${days === 1 ? '' : 's'}`),
    ...(weeks === 0 ? [] : numberForms(weeks).map((count) => `${count} week${weeks === 1 ? '' : 's'}`)),
    ...(weeks === 1 ? ['in a week', 'a week from now', 'a week from today'] : []),
    ...(days === 0 ? ['today', 'tonight'] : []),
    ...(days === 1 ? ['tomorrow'] : []),
    ...(days === 2 ? ['day after tomorrow'] : []),
  ]
}

/** Weekdays in a text; "instead of Friday" and "not Friday" speak of the one that was. */
function coming(plain: string): string[] {
  const current = plain.replace(/\b(?:instead of|not|from)(?: (?:this|the|next|last))? [a-z]+day\b/g, ' ')
  return [...current.matchAll(new RegExp(`\\b(${DAY_NAMES.join('|')})\\b`, 'g'))].map(([, weekday]) => weekday!)
}

/** The day in words, as it was said in a text, for recognising it there. */
export function dayAsSaid(text: string, day: string, today: string): string[] {
  const plain = fold(text)
  return [...relativeForms(day, today), ...weekdayForms(day, today)].filter((form) => plain.includes(form))
}

function weekdayForms(day: string, today: string): string[] {
  const name = DAY_NAMES[weekdayOf(day)]!
  return distance(today, day) <= 14 ? [`next ${name}`, `this ${name}`, `on ${name}`] : []
}

/** The share of the words of a phrase that stand in a text, in any form. */
export function overlap(phrase: string, text: string): number {
  const wanted = new Set(words(phrase).map(wordStart))
  const found = new Set(words(text).map(wordStart))
  let shared = 0
  for (const stem of wanted) if (found.has(stem)) shared++
  return wanted.size === 0 ? 0 : shared / wanted.size
}

/** The first sentence that shares most words with a phrase; all sentences when none shares any. */
export function closestSentence(texts: readonly string[], phrase: string): string[] {
  const all = texts.flatMap(sentences)
  const shares = all.map((sentence) => overlap(phrase, sentence))
  const most = shares.reduce((best, share) => Math.max(best, share), 0)
  return most === 0 ? all : all.filter((_, at) => shares[at] === most).slice(0, 1)
}

/** A text that has so many of the words of a name names it. */
const NAMED = 0.6

/** The closest sentence to a name, if it has enough of its words. */
export function sentenceNaming(texts: readonly string[], name: string): string[] {
  return closestSentence(texts, name).filter((sentence) => overlap(name, sentence) >= NAMED)
}

/** Whether a text says a number, however it groups its digits, or in thousands and millions. */
export function saysNumber(text: string, value: number): boolean {
  const plain = fold(text).replace(/(\d),(?=\d{3})/g, '$1')
  const forms = [value.toFixed(2), String(value)]
  if (Number.isInteger(value)) {
    if (value % 1000 === 0) forms.push(`${value / 1000}k`, `${value / 1000} k`, `${value / 1000} thousand`)
    if (value >= 1_000_000) forms.push(`${value / 1_000_000} million`, `${value / 1_000_000}m`)
  }
  return forms.some((form) => new RegExp(`(?<![\\d.])${form.replaceAll('.', '\\.')}(?!\\d|\\.\\d|k\\b)`).test(plain))
}
