import { FUNCTION_WORDS } from '../../../language/function-words.js'
import { areOfOneKind } from '../../../language/kinds.js'
import { digitsOf, numbersInDigits } from '../../../language/numbers.js'
import { indexStem } from '../../../language/stems.js'
import { plainWords } from '../../../language/tokens.js'
import type { PhrasePlace } from './phrase.js'

/** A value with a note in parentheses behind it: "dentist (every 6 months)". Parentheses of a call are no note. */
export interface Noted {
  head: string
  note: string
}

/** A value that has a note, taken apart. */
export function noteOf(form: string): Noted | undefined {
  const [, head, note] = /^(.*\S)\s+\(([^()]+)\)\s*$/.exec(form) ?? []
  return head === undefined || note === undefined ? undefined : { head, note }
}

/** A form, and the form without its note. */
export function formsWithoutNote(form: string): string[] {
  const noted = noteOf(form)
  return noted ? [form, noted.head] : [form]
}

/** What became of a note in a text that has the value it belongs to; `unlike`: something else seems to stand in its place. */
export type NoteFate = 'kept' | 'altered' | 'unlike' | 'words dropped' | 'figures dropped'

/**
 * How the note of a value fared where the value stands: its words are there, others of their kind are ("every 3 months" for "every 6
 * months", "monthly" for "weekly"), or nothing is. Undefined where the value does not stand at all.
 */
export function noteIn(note: string, places: readonly PhrasePlace[], plain: string): NoteFate | undefined {
  const wanted = readNote(note)
  const fates = places.map((place) => fateAt(wanted, place, plain))
  for (const fate of ['kept', 'altered', 'unlike'] as const) if (fates.includes(fate)) return fate
  if (places.length === 0) return undefined
  return wanted.amounts.size > 0 ? 'figures dropped' : 'words dropped'
}

interface Note {
  /** Words that must be there, as stems or digits. */
  stems: readonly string[]
  /** The words as they stand, without figures. */
  words: readonly string[]
  /** How much of what: "every 6 months" is 6 of `month`. */
  amounts: ReadonlyMap<string, string>
}

function readNote(note: string): Note {
  const words = telling(note)
  return {
    stems: words.map(stemOf),
    words: telling(note, false).filter((word) => digitsOf(word) === undefined),
    amounts: new Map(amountsIn(words).map(({ unit, number }) => [unit, number])),
  }
}

function fateAt({ stems, words, amounts }: Note, { at, end }: PhrasePlace, plain: string): NoteFate | undefined {
  const behind = behindOf(plain.slice(end), stems)
  const before = /[^,.;:()]*$/.exec(plain.slice(0, at))![0].split(' ').slice(-4).join(' ')
  const after = telling(behind)
  const own = (unit: string) => amounts.get(unit) ?? (stems.includes(unit) ? '1' : undefined)
  const other = ({ unit, number }: Amount) => own(unit) !== undefined && own(unit) !== number
  const rival = amountsIn(after).find(other)
  // Between a value and its note stands nothing else: "dentist every 3 months".
  if (rival) return rival.place === 0 ? 'altered' : 'unlike'
  if (amountsIn(telling(before)).some(other)) return 'unlike'
  const there = new Set([...after, ...telling(before)].map(stemOf))
  if (stems.every((stem) => there.has(stem))) return 'kept'
  const [inside] = /^\s*[([][^)\]]*/.exec(behind) ?? []
  if (
    inside !== undefined &&
    telling(inside).length > 0 &&
    !telling(inside).some((word) => stems.includes(stemOf(word)))
  )
    return 'unlike'
  const beside = [telling(behind, false)[0], telling(before, false).at(-1)].filter((word) => word !== undefined)
  return words.length === 1 && beside.some((word) => areOfOneKind(word, words[0]!)) ? 'unlike' : undefined
}

/** What stands behind a value and may be its note: up to the next pause, and on as long as it goes on with the note. */
function behindOf(rest: string, stems: readonly string[]): string {
  const [first = '', ...others] = rest.split(/[,;]|\.(?=\s|$)|\n|\band\b/)
  let found = first
  for (const part of others) {
    const [word] = telling(part)
    if (word === undefined || (digitsOf(word) === undefined && !stems.includes(stemOf(word)))) break
    found += ` ${part}`
  }
  return found
}

interface Amount {
  unit: string
  number: string
  /** Telling words before it. */
  place: number
}

/** Figures with what they count: the words behind them up to the next figure, two at most. */
function amountsIn(words: readonly string[]): Amount[] {
  return words.flatMap((word, at) => {
    const number = digitsOf(word)
    if (number === undefined) return []
    const behind = words.slice(at + 1, at + 3)
    const next = behind.findIndex((other) => digitsOf(other) !== undefined)
    return behind.slice(0, next < 0 ? behind.length : next).map((unit) => ({ unit: stemOf(unit), number, place: at }))
  })
}

/** Words that say something, numbers in digits if so wanted: "2x" and "twice" are 2 times. */
function telling(text: string, digits = true): string[] {
  return plainWords(digits ? numbersInDigits(text.replace(/(\d)\s?x\b/g, '$1 times')) : text).filter(
    (word) => digitsOf(word) !== undefined || (word.length > 1 && !FUNCTION_WORDS.has(word)),
  )
}

function stemOf(word: string): string {
  return digitsOf(word) ?? indexStem(word)
}
