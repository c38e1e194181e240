const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')

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

const ORDINAL_VALUES: ReadonlyMap<string, number> = new Map(ORDINALS.map((word, i) => [word, i]))

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
