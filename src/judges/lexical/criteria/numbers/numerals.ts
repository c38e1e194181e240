import { numbersInDigits } from '../../../../language/numbers.js'

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SMALL: ReadonlyMap<string, number> = new Map([
  ...ONES.map((word, i): [string, number] => [word, i]),
  ...TENS.map((word, i): [string, number] => [word, 20 + 10 * i]),
])
const LARGE: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
])
const WORD = [...SMALL.keys(), 'hundred', ...LARGE.keys()].join('|')
const SPELLED = new RegExp(
  String.raw`\b(?:(?:a|an) (?=hundred|thousand|million|billion))?(?:${WORD})(?:(?:-| |, | and |, and )(?:${WORD}))*(?: point(?: (?:${ONES.slice(0, 10).join('|')}))+(?: (?:hundred|thousand|million|billion))?)?\b`,
  'g',
)

/** Kept together, or the word alone would be read as a number. */
const SCALED = /(\d) (hundred|thousand|million|billion)\b/g
const HALF = new RegExp(
  String.raw`\b(\d+|${[...SMALL.keys()].join('|')})(?: and a half| 1/2) (thousand|million|k)\b`,
  'g',
)
const PARTS: Record<string, number> = { thirds: 3, quarters: 4, fifths: 5, sixths: 6, eighths: 8, tenths: 10 }
const FRACTION =
  /\b(two|three|four|five|seven|nine)[- ](thirds|quarters|fifths|sixths|eighths|tenths)\b(?! of an hour)/g
const MONTH_BEFORE = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\.? $/u
/** "64 059" and "64'059"; a day of a month before a number is no part of it. */
const GROUPED = /(?<![\p{L}\p{N}.,'])\d{1,3}(?:[ '\u2019]\d{3})+(?![\p{L}\p{N}]|[ ']\d{3})/gu
/** "1.264,70" and "482,19": a comma before the cents. */
const COMMA_CENTS = /(?<![\p{N}.,])(\d{1,3}(?:\.\d{3})+|\d+),(\d{2})(?![\p{N}]|,\d|\.\d)/gu
const CENTS = /(?<![\p{N}.,])\$?([\d,]+)(?: dollars?| bucks?)?,? (?:and )?(\d{1,2}) cents?\b/gu
const DOLLARS_BEFORE = /\b(?:usd|us dollars?) ?(?=\d)|\bus\$ ?(?=\d)|\$ (?=\d)/g
const DOLLARS_BEHIND = /(\d) ?(?:\$|us\$)(?!\d)/g

/**
 * A folded text with its numbers in digits that anybody reads alike: words, groups of three behind spaces or apostrophes, decimal commas,
 * dollars and cents.
 *
 * @example plainNumbers('four hundred twelve dollars and five cents') // '$412.05'
 */
export function plainNumbers(text: string): string {
  const spelled = text
    .replace(FRACTION, (_, n: string, part: string) => `${Math.round((100 * SMALL.get(n)!) / PARTS[part]!)} percent`)
    .replace(HALF, (_, whole: string, scale: string) => `${SMALL.get(whole) ?? whole}.5${scale}`)
    .replace(SCALED, '$1$2')
    .replace(SPELLED, spelledOut)
  return numbersInDigits(spelled)
    .replace(GROUPED, (run, at: number, whole: string) =>
      MONTH_BEFORE.test(whole.slice(0, at)) ? run : run.replace(/[ '\u2019]/g, ','),
    )
    .replace(COMMA_CENTS, (_, whole: string, cents: string) => `${whole.replaceAll('.', '')}.${cents}`)
    .replace(CENTS, (_, whole: string, cents: string) => `$${whole}.${cents.padStart(2, '0')}`)
    .replace(DOLLARS_BEFORE, '$')
    .replace(DOLLARS_BEHIND, '$1 dollars')
}

/** "one hundred twenty-one" is one number; "two three" is two. */
function spelledOut(run: string): string {
  const [whole = '', point] = run.split(' point ')
  const words = whole.split(/[\s,-]+/).filter((word) => !/^(?:and|an?)$/.test(word))
  if (/^(?:hundred|thousand|million|billion)$/.test(whole)) return run
  if (point === undefined) return numbersOf(words).join(' ')
  const digits = point.split(' ')
  const scale = SMALL.has(digits.at(-1)!) ? '' : digits.pop()!
  return `${numbersOf(words).join(' ')}.${digits.map((digit) => SMALL.get(digit)).join('')}${scale}`
}

function numbersOf(words: readonly string[]): number[] {
  const found: number[] = []
  let total = 0
  let part: number | undefined
  let smallest = Number.POSITIVE_INFINITY
  const close = () => {
    if (part !== undefined || total > 0) found.push(total + (part ?? 0))
    total = 0
    part = undefined
    smallest = Number.POSITIVE_INFINITY
  }
  for (const word of words) {
    const large = LARGE.get(word)
    const small = SMALL.get(word)
    if (large !== undefined) {
      if (large >= smallest) close()
      total += (part ?? 1) * large
      part = undefined
      smallest = large
    } else if (small === undefined) part = (part ?? 1) * 100
    else if (part === undefined) part = small
    else if (fits(part, small)) part += small
    else {
      close()
      part = small
    }
  }
  close()
  return found
}

/** Whether a small number goes on from what was said: a hundred takes all, twenty takes one to nine. */
function fits(before: number, small: number): boolean {
  if (before >= 100 && before % 100 === 0) return true
  return before % 100 >= 20 && before % 10 === 0 && small > 0 && small < 10
}
