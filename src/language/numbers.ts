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
    .replace(SPELLED, (run) => spelledValue(run.split(/[\s-]+/).filter((word) => word !== 'and')))
}

/** "one hundred twenty" is one number; "two three" is two. */
function spelledValue(parts: readonly string[]): string {
  const numbers: number[] = []
  let current: number | undefined
  for (const part of parts) {
    const value = VALUES.get(part)!
    if (current === undefined) current = value
    else if (value >= 100) current *= value
    else if (
      (current >= 100 && current % 100 === 0) ||
      (current >= 20 && current % 10 === 0 && value < 10 && current < 100)
    )
      current += value
    else {
      numbers.push(current)
      current = value
    }
  }
  if (current !== undefined) numbers.push(current)
  return numbers.join(' ')
}
