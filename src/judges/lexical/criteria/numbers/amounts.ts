import { TENS, UNITS } from '../../../../language/number-words.js'
import { MONTH, plainNumbers } from '../../../../language/numbers.js'
import type { AnswerText } from '../answer-lines.js'

/** A number in an answer. */
export interface Amount {
  value: number
  /** The place to which it was rounded, when it was: 100 for "8.9k". */
  step: number
  /** Given as not exact: "about", "just under", "8.9k". */
  rounded: boolean
  /** `$`, `steps`, `%`, another noun behind it, or ''. */
  unit: string
  line: number
  /** Where it stands in the line with its numbers in digits. */
  at: number
  end: number
  /** What stands right before it, and what from it on. */
  before: string
  behind: string
}

const ABOUT =
  /(?:about|around|roughly|approximately|approx\.?|nearly|almost|some|circa|give or take|somewhere (?:around|near)|in the region of|on the order of|close(?:r)? to|just (?:under|over|shy of|above|below|short of|past)|(?:a|an) (?:touch|bit|little|shade|hair|tad|whisker) (?:over|under|above|below|more than|less than|shy of)|(?:slightly|well|a little) (?:over|under|above|below|more than|less than)|more than|less than|over|under|~|\u2248)\s*$/
const BEFORE_DATE = new RegExp(String.raw`\b${MONTH}\.? (?:\d{1,2}(?:st|nd|rd|th)?(?:,| ?-| to| and) ?)?$`)
const AFTER_DATE = new RegExp(String.raw`^(?:st|nd|rd|th)?(?: of)?(?: ?- ?\d{1,2})? ${MONTH}\b`)
const NUMBER =
  /(?<![\p{L}\p{N}.,])(?<money>(?:us)?\$|\u20ac|\u00a3)?\s?(?<digits>\d{1,3}(?:,\d{3})+|\d+)(?<part>\.\d+)?\s?(?<scale>k|m|mm|mn|bn|thousand|million|billion|grand|hundred)?(?![\p{L}\p{N}])\s?(?<unit>%|per cent|\p{L}+)?/gu
/** A line without any of these has no number. */
const MAY_COUNT = new RegExp(String.raw`\d|\b(?:${[...UNITS, ...TENS].join('|')}|hundred|thousand|dozen)\b`)
const SCALES: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  grand: 1e3,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
  hundred: 100,
}
const known = new WeakMap<AnswerText, readonly Amount[]>()

/** The numbers of an answer that are no dates or times of day. */
export function amountsIn(text: AnswerText): readonly Amount[] {
  let found = known.get(text)
  if (!found) {
    found = text.lines.flatMap(({ plain }, line) => amountsOfLine(plain, line))
    known.set(text, found)
  }
  return found
}

function amountsOfLine(text: string, line: number): Amount[] {
  if (!MAY_COUNT.test(text)) return []
  const plain = plainNumbers(text)
  const found: Amount[] = []
  for (const match of plain.matchAll(NUMBER)) {
    const { money, digits, part = '', scale, unit = '' } = match.groups as Record<string, string | undefined>
    const before = plain.slice(Math.max(0, match.index - 40), match.index)
    const behind = plain.slice(match.index + (money?.length ?? 0) + digits!.length)
    const bare = !money && part === '' && !scale
    if (
      bare &&
      (BEFORE_DATE.test(before) ||
        AFTER_DATE.test(behind) ||
        /^(?:st|nd|rd|th)\b|^:\d\d|^-\d\d-\d\d/.test(behind) ||
        /\d-$/.test(before))
    )
      continue
    // "73.408 steps" has a point between groups of three.
    const grouped = !money && /^\.\d{3}$/.test(part) && /^steps?$/.test(unit)
    const times = scale ? SCALES[scale]! : grouped ? 1e3 : 1
    const value = Number(`${digits!.replaceAll(',', '')}${part}`) * times
    const about = ABOUT.test(before.replace(/(?:us)?\$$/, ''))
    found.push({
      value: Math.round(value * 100) / 100,
      step: stepOf(digits!.replaceAll(',', ''), part, times),
      rounded: about || (scale !== undefined && times < 1e9 && part !== ''),
      unit: money ? '$' : unitOf(unit),
      line,
      at: match.index,
      end: match.index + match[0].length - unit.length,
      before,
      behind: plain.slice(match.index, match.index + 48),
    })
  }
  return found
}

function stepOf(digits: string, part: string, times: number): number {
  if (part !== '') return times * 10 ** -(part.length - 1)
  const zeros = /0*$/.exec(digits)![0].length
  return times * 10 ** (zeros === digits.length ? 0 : zeros)
}

function unitOf(word: string): string {
  if (/^(?:dollars?|bucks?|usd)$/.test(word)) return '$'
  if (/^(?:%|per cent|percent)$/.test(word)) return '%'
  return /^(?:steps?|weeks?|months?|days?|years?|hours?|minutes?)$/.test(word) ? word.replace(/s?$/, 's') : ''
}

export type Agreement = 'exact' | 'rounded' | 'near' | 'none'

const RANK: readonly Agreement[] = ['none', 'near', 'rounded', 'exact']
/** Rounding may take away this share of a number, and no more. */
const LOSS = 0.012
/** Numbers this near, or rounded without saying so, leave a doubt. */
const NEAR = 0.03

/** The places at which an answer gives a number best, and how well; none and `none` where it does not. */
export function placesOf(
  wanted: { value: number; unit?: string },
  text: AnswerText,
): { how: Agreement; places: readonly Amount[] } {
  const given = amountsIn(text)
    .filter(({ unit }) => wanted.unit === undefined || unit === '' || unit === wanted.unit)
    .map((place) => ({ place, how: agree(wanted.value, place) }))
  const how = RANK.findLast((rank) => given.some((one) => one.how === rank)) ?? 'none'
  return { how, places: how === 'none' ? [] : given.filter((one) => one.how === how).map(({ place }) => place) }
}

function agree(wanted: number, { value, step, rounded }: Amount): Agreement {
  if (Math.abs(value - wanted) < 0.005) return 'exact'
  const off = Math.abs(value - wanted) / Math.max(1, Math.abs(wanted))
  const isRounding = Math.abs(Math.round(wanted / step) * step - value) < 0.005 || Math.abs(value - wanted) < step
  if (rounded && isRounding && off <= LOSS) return 'rounded'
  if ((rounded && off <= NEAR) || (isRounding && off <= LOSS)) return 'near'
  return 'none'
}
