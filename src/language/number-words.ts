/** From zero to nineteen. */
export const UNITS: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )

/** From twenty to ninety. */
export const TENS: readonly string[] = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** From zeroth to thirty-first: as far as days of a month go. */
export const ORDINALS: readonly string[] = [
  ...'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  ...UNITS.slice(13).map((word) => `${word}th`),
  'twentieth',
  ...'first second third fourth fifth sixth seventh eighth ninth'.split(' ').map((word) => `twenty-${word}`),
  'thirtieth',
  'thirty-first',
]

/** A whole number below 1000 in words; larger ones in digits. */
export function numberWords(value: number): string {
  if (value < 20) return UNITS[value]!
  if (value < 100) return TENS[Math.floor(value / 10) - 2]! + (value % 10 === 0 ? '' : `-${UNITS[value % 10]}`)
  if (value >= 1000) return String(value)
  const rest = value % 100 === 0 ? '' : ` and ${numberWords(value % 100)}`
  return `${UNITS[Math.floor(value / 100)]} hundred${rest}`
}
