import { fold } from '../base/text.js'
import type { Threshold } from '../model/index.js'
import { numbersInDigits } from './numbers.js'

/** A number in a text with what bounds it: everything from `min` to `max`, ends included unless open. */
export interface Quantity {
  min: number
  max: number
  minOpen: boolean
  maxOpen: boolean
  /** `clock` (minutes of the day), `minutes`, `celsius`, `metres`, `percent`, `grams`, or '' for a bare count or rating. */
  dimension: string
  /** The numbers as written, for comparing with a quantity that names no unit. */
  written: [number, number]
  /** The number was given with nothing that says on which side of it. */
  bare: boolean
  text: string
}

const FACTORS: readonly [RegExp, string, number, number?][] = [
  [/^(?:seconds?|secs?)$/, 'minutes', 1 / 60],
  [/^(?:minutes?|mins?)$/, 'minutes', 1],
  [/^(?:hours?|hrs?|h)$/, 'minutes', 60],
  [/^days?$/, 'minutes', 1440],
  [/^weeks?$/, 'minutes', 10080],
  [/^(?:°\s?c|c|celsius|degrees celsius|degrees|°)$/, 'celsius', 1],
  [/^(?:°\s?f|f|fahrenheit|degrees fahrenheit)$/, 'celsius', 5 / 9, -32],
  [/^(?:meters?|metres?|m)$/, 'metres', 1],
  [/^(?:kilometers?|kilometres?|km)$/, 'metres', 1000],
  [/^(?:miles?|mi)$/, 'metres', 1609.344],
  [/^(?:feet|foot|ft)$/, 'metres', 0.3048],
  [/^(?:%|percent|per cent)$/, 'percent', 1],
  [/^(?:grams?|g)$/, 'grams', 1],
  [/^(?:kilograms?|kg)$/, 'grams', 1000],
]

/** Mentions of the scale itself are no bounds. */
const SCALE =
  /\b(?:on|in) (?:a|an|the|her|his|their) (?:(?:personal|self-rated|self-reported) )?(?:scale (?:of|from) \d+ (?:to|-|through) \d+|\d+(?:-| to )?\d*(?:-| )?(?:point )?(?:self-rated )?scale)|\bout of (?:a possible )?\d+\b|(?<=\d)\s?\/\s?10\b|\b\d+-point\b/g

const CLOCK = String.raw`\d{1,2}(?::\d{2})?\s?(?:a\.?m\b\.?|p\.?m\b\.?)|\d{1,2}:\d{2}|noon|midnight`
const NUMBER = String.raw`\d+(?:\.\d+)?`
const UNIT = String.raw`°\s?[cf]|°|%|degrees (?:celsius|fahrenheit)|per cent|\p{L}+`
const AMOUNT = new RegExp(
  String.raw`(?<from>${CLOCK}|${NUMBER})(?:\s?(?:-|to|and|until|till)\s?(?<to>${CLOCK}|${NUMBER}))?(?:[\s-]?(?<unit>${UNIT}))?`,
  'gu',
)

const BEFORE: readonly [RegExp, Threshold['comparison']][] = [
  [/(?:within|in|during) (?:the |its |his |her |their )?(?:past|last|first)$/, 'at-most'],
  [
    /(?:no|not|never) (?:more|higher|greater|longer|later|warmer|hotter|over) than$|(?:at (?:the )?most|up to|a maximum of|max(?:imum)?|within|not exceed(?:ing)?|not above|capp?(?:ed|s)? .*at|limit of|limited to)$/,
    'at-most',
  ],
  [
    /(?:no|not) (?:less|fewer|lower|earlier|shorter|sooner) than$|(?:at (?:the very )?least|a minimum of|min(?:imum)?|a full|not (?:until|before)(?: .{0,24})?|as many as)$/,
    'at-least',
  ],
  [/(?:before|earlier than|prior to|ahead of|until|till|by)(?: (?:about|around|roughly|the))*$/, 'before'],
  [/(?:after|later than|from|since|following)(?: (?:about|around|roughly|the))*$/, 'after'],
  [
    /(?:below|under|beneath|less than|fewer than|lower than|short of|colder than|cooler than|quieter than|shorter than|dips? (?:below|under)|sub-?)(?: (?:about|around|roughly|a|the|level|of|rung|step|mark|notch|grade|stage|number|floor|line|stroke|point|score|rank))*$/,
    'below',
  ],
  [
    /(?:above|over|exceed(?:s|ed|ing)?|beyond|past|more than|upwards of|\p{L}+er than|tops?|surpass(?:es|ed)?|passes|in excess of)(?: (?:about|around|roughly|a|the|level|of|rung|step|mark|notch|grade|stage|number|floor|line|stroke|point|score|rank))*$/u,
    'above',
  ],
  [/(?:exactly|precisely|sharp at|on the dot of|just)$/, 'exactly'],
]
const AFTER: readonly [RegExp, Threshold['comparison']][] = [
  [
    /^\s*(?:\p{L}+ )?(?:or|and) (?:more|higher|above|longer|over|greater|up(?:wards?)?|beyond|warmer|hotter|later)|^\s*\+/u,
    'at-least',
  ],
  [/^\s*(?:\p{L}+ )?(?:or|and) (?:less|lower|below|fewer|under|shorter|colder|earlier)/u, 'at-most'],
  [/^\s*(?:\p{L}+ )?(?:at (?:the )?(?:very )?least|minimum)/u, 'at-least'],
  [/^\s*(?:\p{L}+ )?(?:at (?:the )?most|maximum|tops)/u, 'at-most'],
]

/** The quantities a text speaks of. Times of day, units and spelled-out numbers are brought to common terms. */
export function quantities(text: string): Quantity[] {
  const plain = numbersInDigits(fold(text)).replace(SCALE, ' ')
  const found: Quantity[] = []
  for (const match of plain.matchAll(AMOUNT)) {
    const { from, to, unit } = match.groups as { from: string; to?: string; unit?: string }
    const before = plain.slice(Math.max(0, match.index - 48), match.index).trimEnd()
    const after = plain.slice(match.index + match[0].length)
    const scale = scaleOf(from, to, unit)
    const low = scale.value(from, to)
    const high = to === undefined ? low : scale.value(to)
    const rest = scale.usesUnit ? after : `${unit ?? ''}${after}`
    const comparison =
      to !== undefined
        ? 'between'
        : (AFTER.find(([pattern]) => pattern.test(rest) || pattern.test(after))?.[1] ??
          BEFORE.find(([pattern]) => pattern.test(before))?.[1])
    found.push({
      ...bounds(comparison, low, high),
      dimension: scale.dimension,
      written: [Number.parseFloat(from), Number.parseFloat(to ?? from)],
      bare: comparison === undefined,
      text: match[0].trim(),
    })
  }
  if (/\bsingle[- ]digits?\b/.test(plain)) {
    found.push({ ...bounds('below', 10, 10), dimension: '', written: [10, 10], bare: false, text: 'single-digit' })
  }
  return found
}

/** A threshold of explicit cues as a quantity. */
export function thresholdQuantity({ comparison, value, to, unit }: Threshold): Quantity {
  const scale = scaleOf(String(value), to === undefined ? undefined : String(to), unit?.toLowerCase())
  const clock = unit !== undefined && /^(?:clock|hour of day|o'clock|am|pm|time)$/i.test(unit)
  const dimension = clock ? 'clock' : scale.dimension
  const half = unit !== undefined && /^pm$/i.test(unit) ? 12 : 0
  const hour = (amount: number) => (half > 0 || /^am$/i.test(unit ?? '') ? (amount % 12) + half : amount)
  const number = (amount: number) => (clock ? hour(amount) * 60 : scale.value(String(amount)))
  return {
    ...bounds(comparison, number(value), number(to ?? value)),
    dimension,
    written: [value, to ?? value],
    bare: false,
    text: `${value}${unit ? ` ${unit}` : ''}`,
  }
}

export type QuantityAgreement = 'equal' | 'different' | 'unbound'

/** Whether two quantities bound the same values. `unbound`: the number is there, but not on which side of it. */
export function compareQuantities(wanted: Quantity, found: Quantity): QuantityAgreement | undefined {
  if (wanted.dimension !== found.dimension && wanted.dimension !== '' && found.dimension !== '') return undefined
  const mixed = wanted.dimension !== found.dimension
  const [a, b] = mixed ? [closed(asWritten(wanted)), closed(asWritten(found))] : [closed(wanted), closed(found)]
  if (near(a.min, b.min) && near(a.max, b.max)) return 'equal'
  const loose = mixed ? near(wanted.written[0], found.written[0]) : near(finite(wanted), finite(found))
  if (
    loose &&
    Number.isFinite(wanted.min) === Number.isFinite(found.min) &&
    Number.isFinite(wanted.max) === Number.isFinite(found.max)
  ) {
    return 'equal'
  }
  if (loose && (found.bare || wanted.bare)) return 'unbound'
  return 'different'
}

function bounds(
  comparison: Threshold['comparison'] | undefined,
  low: number,
  high: number,
): Pick<Quantity, 'min' | 'max' | 'minOpen' | 'maxOpen'> {
  switch (comparison) {
    case 'below':
    case 'before':
      return { min: Number.NEGATIVE_INFINITY, max: low, minOpen: true, maxOpen: true }
    case 'at-most':
      return { min: Number.NEGATIVE_INFINITY, max: low, minOpen: true, maxOpen: false }
    case 'above':
    case 'after':
      return { min: low, max: Number.POSITIVE_INFINITY, minOpen: true, maxOpen: true }
    case 'at-least':
      return { min: low, max: Number.POSITIVE_INFINITY, minOpen: false, maxOpen: true }
    default:
      return { min: low, max: high, minOpen: false, maxOpen: false }
  }
}

interface Scale {
  dimension: string
  usesUnit: boolean
  value(text: string, partner?: string): number
}

function scaleOf(from: string, to: string | undefined, unit: string | undefined): Scale {
  if (/[:apn]/.test(from) || (to !== undefined && /[:apn]/.test(to))) {
    return { dimension: 'clock', usesUnit: false, value: (text, partner) => clockMinutes(text, partner) }
  }
  const factor = unit === undefined ? undefined : FACTORS.find(([pattern]) => pattern.test(unit))
  if (!factor) return { dimension: '', usesUnit: false, value: Number }
  const [, dimension, times, plus = 0] = factor
  return { dimension, usesUnit: true, value: (text) => (Number(text) + plus) * times }
}

/** Minutes of the day; "6-7 am" lends its half of the day to the first number. */
function clockMinutes(text: string, partner?: string): number {
  if (text === 'noon') return 720
  if (text === 'midnight') return 0
  const [, hours, minutes, half] = /^(\d{1,2})(?::(\d{2}))?\s?([ap])?/.exec(text)!
  const side = half ?? (partner === undefined ? undefined : /([ap])\.?m/.exec(partner)?.[1])
  const hour = (Number(hours) % 12) + (side === 'p' ? 12 : 0)
  return (side === undefined ? Number(hours) : hour) * 60 + Number(minutes ?? 0)
}

/** Counts and ratings are whole: fewer than 3 is at most 2. */
function closed({ min, max, minOpen, maxOpen, dimension }: Quantity): { min: number; max: number } {
  const whole = dimension === '' && [min, max].every((end) => !Number.isFinite(end) || Number.isInteger(end))
  if (!whole) return { min: minOpen ? min + 1e-9 : min, max: maxOpen ? max - 1e-9 : max }
  return { min: minOpen ? min + 1 : min, max: maxOpen ? max - 1 : max }
}

function asWritten(quantity: Quantity): Quantity {
  const [low, high] = quantity.written
  return {
    ...quantity,
    dimension: '',
    min: Number.isFinite(quantity.min) ? low : quantity.min,
    max: Number.isFinite(quantity.max) ? high : quantity.max,
  }
}

function near(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) < 1e-6 * Math.max(1, Math.abs(a))
}

function finite({ min, max }: Quantity): number {
  return Number.isFinite(min) ? min : max
}
