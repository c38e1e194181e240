import { MONTH_NAMES } from '../base/calendar.js'
import { ORDINALS, TENS, UNITS } from './number-words.js'

/** Values of single number words. */
const VALUES: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, i): [string, number] => [word, i]),
  ...TENS.map((word, i): [string, number] => [word, 20 + 10 * i]),
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
  ['dozen', 12],
  ['twice', 2],
  ['thrice', 3],
])

const ORDINAL_VALUES: ReadonlyMap<string, number> = new Map(ORDINALS.slice(0, 13).map((word, i) => [word, i]))

/** The digits a word stands for: `seven` and `7` are `7`, `7th` and `seventh` are `7th`. Undefined for other words. */
export function digitsOf(word: string): string | undefined {
  if (/^\d/.test(word)) return word.replace(/(?<=\d),(?=\d{3}\b)/g, '').replace(/^0+(?=\d)/, '')
  const value = VALUES.get(word)
  if (value !== undefined) return String(value)
  const ordinal = ORDINAL_VALUES.get(word)
  return ordinal !== undefined && ordinal > 3 ? `${ordinal}th` : undefined
}

const NUMBER_WORD = [...VALUES.keys()].filter((word) => !['twice', 'thrice', 'dozen'].includes(word)).join('|')
const SCALED = /\b(\d+(?:\.\d+)?) (hundred|thousand|million|billion)\b/g
const SPELLED = new RegExp(String.raw`\b(?:${NUMBER_WORD})(?:[\s-]+(?:and\s+)?(?:${NUMBER_WORD}))*\b`, 'g')

/**
 * A folded text with its spelled-out numbers in digits.
 *
 * @example numbersInDigits('forty-seven minutes, half a dozen times') // '47 minutes, 6 times'
 */
export function numbersInDigits(text: string): string {
  return text
    .replace(/\bhalf (?:a|an) dozen\b/g, '6')
    .replace(/\b(?:a )?couple of\b/g, '2')
    .replace(/\b(?:a )?dozen\b/g, '12')
    .replace(/\bthree (?:fifths|fifth)\b/g, '60 percent')
    .replace(/\btwo (?:fifths)\b/g, '40 percent')
    .replace(/\bfour (?:fifths)\b/g, '80 percent')
    .replace(/\bthree[- ]quarters\b/g, '75 percent')
    .replace(/\bhalf (?:a|an) (hour|day|minute|year|mile)\b/g, '0.5 $1')
    .replace(/\btwice\b/g, '2 times')
    .replace(/\bonce (?=every|per|an?\b)/g, '1 time ')
    .replace(/\bevery (?:other|second) (hour|day|week|month|year)\b/g, 'every 2 $1s')
    .replace(/\b(?:every fortnight|fortnightly|biweekly)\b/g, 'every 2 weeks')
    .replace(/(?<!times? )\b(?:a|an) (hour|day|week|month|year)\b(?! of\b)/g, '1 $1')
    .replace(/\bthrice\b/g, '3 times')
    .replace(SCALED, (_, digits: string, scale: string) => String(Number(digits) * VALUES.get(scale)!))
    .replace(SPELLED, (run) => spelledValue(run.split(/[\s-]+/).filter((word) => word !== 'and')))
}

/** "one hundred twenty thousand six" is one number; "two three" is two. */
function spelledValue(words: readonly string[]): string {
  const found: number[] = []
  let [total, part, least] = [0, -1, Number.POSITIVE_INFINITY]
  const close = () => {
    if (part >= 0 || total > 0) found.push(total + Math.max(0, part))
    ;[total, part, least] = [0, -1, Number.POSITIVE_INFINITY]
  }
  for (const value of words.map((word) => VALUES.get(word)!)) {
    if (value >= 1000) {
      if (value >= least) close()
      total += (part < 0 ? 1 : part) * value
      ;[part, least] = [-1, value]
    } else if (value === 100) part = (part < 0 ? 1 : part) * 100
    else if (part >= 0 && !goesOn(part, value)) {
      close()
      part = value
    } else part = Math.max(0, part) + value
  }
  close()
  return found.join(' ')
}

/** A hundred takes all that is smaller, twenty takes one to nine. */
function goesOn(before: number, small: number): boolean {
  return before > 0 && (before % 100 === 0 || (before % 100 >= 20 && before % 10 === 0 && small > 0 && small < 10))
}

const SCALE = 'hundred|thousand|million|billion'
const RUN = new RegExp(
  String.raw`\b(?:(?:a|an) (?=${SCALE}))?(?:${NUMBER_WORD})(?:(?:-| |, | and |, and )(?:${NUMBER_WORD}))*(?: point(?: (?:${UNITS.slice(0, 10).join('|')}))+(?: (?:${SCALE}))?)?\b`,
  'g',
)
const HALF = new RegExp(
  String.raw`\b(\d+|${[...UNITS, ...TENS].join('|')})(?: and a half| 1/2) (thousand|million|k)\b`,
  'g',
)
const PARTS: Record<string, number> = { thirds: 3, quarters: 4, fifths: 5, sixths: 6, eighths: 8, tenths: 10 }
const FRACTION =
  /\b(two|three|four|five|seven|nine)[- ](thirds|quarters|fifths|sixths|eighths|tenths)\b(?! of an hour)/g

/** A month in small letters, in full or short, as the source of a pattern. */
export const MONTH = `(?:${MONTH_NAMES.map((name) => name.replace(/^(...)(.+)$/, '$1(?:$2)?')).join('|')}|sept)`

/** From thirty-first down to first, so that the longest fits first. */
const NTH = ORDINALS.slice(1).reverse().join('|')
const NTH_OF = new RegExp(String.raw`\b(${NTH})(?= (?:of )?${MONTH}\b)`, 'g')
const NTH_IN = new RegExp(String.raw`\b(${MONTH}\.?) (?:the )?(${NTH})\b`, 'g')
const MONTH_BEFORE = new RegExp(String.raw`\b${MONTH}\.? $`)
/** "64 059" and "64'059"; a day of a month before a number is no part of it. */
const GROUPED = /(?<![\p{L}\p{N}.,'])\d{1,3}(?:[ '\u2019]\d{3})+(?![\p{L}\p{N}]|[ ']\d{3})/gu
/** "1.264,70" and "482,19": a comma before the cents. */
const COMMA_CENTS = /(?<![\p{N}.,])(\d{1,3}(?:\.\d{3})+|\d+),(\d{2})(?![\p{N}]|,\d|\.\d)/gu
/** "37 dollars and 41 cents", "47 dollars 90", "37 cents". */
const CENTS = /(?<![\p{N}.,])\$?([\d,]+)(?: dollars?| bucks?)?,? (?:and )?(\d{1,2}) cents?\b/gu
const BARE_CENTS = /(?<![\p{N}.,]) (\d{1,2}) cents?\b/gu
const DOLLARS_AND =
  /(?<![\p{N}.,])([\d,]+) (?:dollars?|bucks?) (\d{2})(?![\p{N}%]|[.,:]\d| (?:times|days|weeks|steps)\b)/gu
const DOLLARS_BEFORE = /\b(?:usd|us dollars?) ?(?=\d)|\bus\$ ?(?=\d)|\$ (?=\d)/g
const DOLLARS_BEHIND = /(\d) ?(?:\$|us\$)(?!\d)/g

/**
 * A folded text with its numbers in digits that anybody reads alike: as `numbersInDigits`, and with groups of three behind spaces or
 * apostrophes, decimal commas, dollars and cents, and days of a month. Scales stay words: "1.5million".
 *
 * @example plainNumbers('four hundred twelve dollars and five cents') // '$412.05'
 */
export function plainNumbers(text: string): string {
  const spelled = text
    .replace(NTH_OF, (word: string) => `${ORDINALS.indexOf(word)}th`)
    .replace(NTH_IN, (_, month: string, word: string) => `${month} ${ORDINALS.indexOf(word)}`)
    .replace(FRACTION, (_, n: string, part: string) => `${Math.round((100 * VALUES.get(n)!) / PARTS[part]!)} percent`)
    .replace(HALF, (_, whole: string, scale: string) => `${VALUES.get(whole) ?? whole}.5${scale}`)
    .replace(/(\d) (hundred|thousand|million|billion)\b/g, '$1$2')
    .replace(RUN, spelledOut)
  return numbersInDigits(spelled)
    .replace(GROUPED, (run, at: number, whole: string) =>
      MONTH_BEFORE.test(whole.slice(0, at)) ? run : run.replace(/[ '\u2019]/g, ','),
    )
    .replace(COMMA_CENTS, (_, whole: string, cents: string) => `${whole.replaceAll('.', '')}.${cents}`)
    .replace(CENTS, (_, whole: string, cents: string) => `$${whole}.${cents.padStart(2, '0')}`)
    .replace(DOLLARS_AND, (_, whole: string, cents: string) => `$${whole}.${cents}`)
    .replace(BARE_CENTS, (_, cents: string) => ` $0.${cents.padStart(2, '0')}`)
    .replace(DOLLARS_BEFORE, '$')
    .replace(DOLLARS_BEHIND, '$1 dollars')
}

function spelledOut(run: string): string {
  const [whole = '', point] = run.split(' point ')
  if (VALUES.get(whole)! >= 100) return run
  const number = spelledValue(whole.split(/[\s,-]+/).filter((word) => !/^(?:and|an?)$/.test(word)))
  if (point === undefined) return number
  const digits = point.split(' ')
  const scale = VALUES.get(digits.at(-1)!)! < 10 ? '' : digits.pop()!
  return `${number}.${digits.map((digit) => VALUES.get(digit)).join('')}${scale}`
}
