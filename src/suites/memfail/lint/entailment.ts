import { fold } from '../../../base/text.js'
import { type Quantity, quantities } from '../../../language/quantities.js'

const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
  'eleventh',
  'twelfth',
]

const UNITS = 'seconds?|minutes?|hours?|days?|weeks?|months?|nights?|mornings?|evenings?'

/** Numbers of a condition that a text never says: not in digits, in words, as a place in a row, or in another unit. */
export function saysNumbersOf(condition: string, text: string): string[] {
  const said = quantities(plainNumbers(text))
  return (
    quantities(plainNumbers(condition))
      // A bare "one" is an article more often than a bound.
      .filter((wanted) => !(wanted.bare && wanted.dimension === '' && wanted.written[0] === 1))
      .filter((wanted) => !said.some((found) => isSameNumber(wanted, found)))
      .map(({ text: written }) => written)
  )
}

/** "the tenth day", "three quiet days", "another full day", "a task or two", "a single one" with their numbers in sight. */
function plainNumbers(text: string): string {
  const places = ORDINALS.map(
    (word, i) => [new RegExp(`\\b(?:${word}|${i + 1}(?:st|nd|rd|th))\\b`, 'g'), `${i + 1}`] as const,
  )
  return places
    .reduce((plain, [pattern, number]) => plain.replace(pattern, number), fold(text))
    .replace(/\b(?:a|an|another|one) (?:full|whole|single|entire) /g, '1 ')
    .replace(/\b(?:a|an|1) ([\p{L}-]+) or (?:two|2)\b/gu, '2 $1')
    .replace(/\bsingle\b(?! digit|-digit)/g, '1')
    .replace(
      new RegExp(
        `\\b([\\p{L}\\d]+) (?:full|whole|quiet|straight|consecutive|long|entire|solid|silent|unbroken) (?=${UNITS})`,
        'gu',
      ),
      '$1 ',
    )
}

/** Equal as they are written, by what they amount to, or as counts: fewer than three is at most two. */
function isSameNumber(a: Quantity, b: Quantity): boolean {
  const close = (x: number, y: number) => Math.abs(x - y) < 1e-6 * Math.max(1, Math.abs(x))
  const ends = ({ min, max }: Quantity) => [min, max].filter(Number.isFinite)
  if (a.dimension === b.dimension && ends(a).every((end) => ends(b).some((other) => close(end, other)))) return true
  if (a.written.every((number) => b.written.some((other) => close(number, other)))) return true
  const counts = a.dimension === '' && b.dimension === ''
  const next =
    a.maxOpen && Number.isFinite(a.max)
      ? a.written[0] - 1
      : a.minOpen && Number.isFinite(a.min)
        ? a.written[0] + 1
        : Number.NaN
  return counts && b.written.some((other) => close(next, other))
}

/**
 * Whether a situation meets a bound, by their numbers alone; null when they cannot be compared. Only plain cases are decided: one number in
 * the condition, one of the same kind in the situation.
 */
export function meetsBound(condition: string, situation: string): boolean | null {
  const bounds = quantities(condition).filter(({ bare }) => !bare)
  const values = quantities(situation).filter(({ bare, min, max }) => bare && min === max)
  const [bound] = bounds
  if (bounds.length !== 1 || !bound || bound.min > bound.max) return null
  const same = values.filter(({ dimension }) => dimension === bound.dimension && dimension !== '')
  const [value] = same
  if (same.length !== 1 || !value) return null
  const above = bound.minOpen ? value.min > bound.min : value.min >= bound.min
  const below = bound.maxOpen ? value.max < bound.max : value.max <= bound.max
  return above && below
}
