import { plainWords } from '../../../../language/tokens.js'
import { type AnswerText, opens, withoutAccents } from '../answer-lines.js'
import { measuresIn } from '../numbers/measures.js'
import { spelled } from './letters.js'

/** Lines this far apart may name it. */
const REACH = 2
const PROPER = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+/gu
/** Words with capitals from the beginning of a sentence on may be a heading. */
const OPENING = /(?:^|(?<=[.!?:] ))(?:\p{Lu}[\p{L}\p{N}-]*(?: (?=\p{Lu})|$|(?=[ ,.])))+/gu
/** A value with so many capitals is a title, in which they mean nothing. */
const TITLE_CASE = 0.5

/** The proper names inside of a value: words with a capital that no sentence begins with. */
function namesIn(value: string): string[] {
  const plain = withoutAccents(value)
    .replace(/\([^)]*\)/g, ' ')
    .replace(OPENING, ' ')
  const words = plain.match(/\p{L}{3,}/gu) ?? []
  if (words.filter((word) => /^\p{Lu}/u.test(word)).length > TITLE_CASE * words.length) return []
  return [...plain.matchAll(PROPER)]
    .filter(({ index }) => index > 0 && !/[.!?:"'] ?$/.test(plain.slice(0, index)))
    .map(({ 0: word }) => word)
    .filter((word) => !/\d/.test(word) && measuresIn(`in ${word}`, false).found.length === 0)
}

/**
 * Whether the names of a value stand around a line: all, some not, or others in the place of some.
 *
 * @example namesKept('Keep the Oslo depot', readAnswer('Keep the depot in Bergen.'), 0) // 'other'
 */
export function namesKept(value: string, text: AnswerText, line: number): 'all' | 'some' | 'other' {
  const wanted = namesIn(value)
  if (wanted.length === 0 || line < 0) return 'all'
  const near = text.lines
    .slice(Math.max(0, line - REACH), line + REACH + 1)
    .map(({ plain }) => `${plain} ${spelled(plain)}`)
  const there = new Set(near.flatMap((plain) => plainWords(plain)))
  const isThere = (word: string) => [...there].some((other) => akin(word.toLowerCase(), other))
  if (wanted.every(isThere)) return 'all'
  const here = text.lines[line]!
  const own = new Set(plainWords(value))
  const strangers = [...here.cased.matchAll(PROPER)].filter(
    ({ 0: word, index }) => !opens(here, index) && ![...own].some((other) => akin(word.toLowerCase(), other)),
  )
  return strangers.length > 0 ? 'other' : 'some'
}

/** "Chile" and "Chilean". */
function akin(a: string, b: string): boolean {
  if (a === b) return true
  const shorter = Math.min(a.length, b.length)
  return shorter >= 4 && a.slice(0, Math.max(4, shorter - 1)) === b.slice(0, Math.max(4, shorter - 1))
}
