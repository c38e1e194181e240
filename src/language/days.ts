import { DAY_NAMES, MONTH_STEMS } from '../base/calendar.js'
import { fold } from '../base/text.js'
import { ORDINALS, UNITS } from './number-words.js'

/** Days from the first to the last, as `2023-05-08`; one day when they are the same. */
export interface DaySpan {
  from: string
  to: string
}

const SEASONS: Record<string, readonly [number, number]> = {
  spring: [2, 3],
  summer: [5, 3],
  autumn: [8, 3],
  fall: [8, 3],
  winter: [11, 3],
}
const DAY_MS = 86_400_000

const MONTH = String.raw`(${MONTH_STEMS.join('|').replace('sep', 'sept?')})[a-z]*\.?`
const NUMBER = String.raw`(\d{1,2})(?:st|nd|rd|th)?`
const YEAR = String.raw`(?:,?\s*(?:of\s+)?|\.\s*)((?:19|20)\d{2})\b`

/** Days, months and years as they are written, the fullest forms first. */
const WRITTEN: readonly [RegExp, (found: RegExpExecArray, year: number | undefined) => DaySpan | null][] = [
  [/\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b/g, ([, y, m, d]) => day(Number(y), Number(m) - 1, Number(d))],
  [
    new RegExp(String.raw`\b${MONTH}\s+${NUMBER}\s*(?:-|–|to|and)\s*${NUMBER}(?:${YEAR})?`, 'g'),
    ([, m, a, b, y], year) => joined(dayOf(a!, m!, y, year), dayOf(b!, m!, y, year)),
  ],
  [
    new RegExp(String.raw`\b${NUMBER}\s*(?:-|–|to|and)\s*${NUMBER}(?:\s+of)?\s*${MONTH}(?:${YEAR})?`, 'g'),
    ([, a, b, m, y], year) => joined(dayOf(a!, m!, y, year), dayOf(b!, m!, y, year)),
  ],
  [
    new RegExp(String.raw`\b${MONTH}[\s-]+${NUMBER}(?!\d)(?:${YEAR}|-(\d{4}))?`, 'g'),
    ([, m, d, y, z], year) => dayOf(d!, m!, y ?? z, year),
  ],
  [
    new RegExp(String.raw`\b${NUMBER}(?:\s+of)?\s*${MONTH}(?:${YEAR})?`, 'g'),
    ([, d, m, y], year) => dayOf(d!, m!, y, year),
  ],
  [new RegExp(String.raw`\b${MONTH}${YEAR}`, 'g'), ([, m, y]) => months(Number(y), monthOf(m!), 1)],
  [
    new RegExp(String.raw`\b(spring|summer|autumn|fall|winter)${YEAR}`, 'g'),
    ([, season, y]) => months(Number(y), ...SEASONS[season!]!),
  ],
  [/\b((?:19|20)\d{2})\b/g, ([, y]) => months(Number(y), 0, 12)],
]

/** What narrows a month down, before it. */
const PART_OF =
  /\b(?:(first|second|third|fourth|last) (week|weekend) (?:of|in)|(early|mid|middle of|late|(?:the )?beginning of|(?:the )?end of|start of))[\s-]*$/
/** What is told by its distance from a day. */
const COUNT = String.raw`(?:(an?|${UNITS.slice(1, 11).join('|')}|a few|few|a couple of|several|\d+)\s+)?`
const SPANS = 'days?|nights?|weeks?|weekends?|months?|years?'
const SIDES = 'before|after|prior to|preceding|following|of|from'
const AWAY = new RegExp(
  [
    String.raw`\b${COUNT}(?:the\s+|on\s+)*(?:previous\s+|last\s+|following\s+|next\s+)?`,
    String.raw`(${SPANS}|${DAY_NAMES.join('|')})\s+(${SIDES})\s+(?:the\s+)?(?:week of\s+)?$`,
  ].join(''),
)
/** What is told by its distance from the time of speaking. */
const AGO = new RegExp(
  [
    String.raw`\b(?:(yesterday|today|tonight|tomorrow|this morning|last night)|`,
    String.raw`(last|next|this|this past) (week|weekend|month|year|${DAY_NAMES.join('|')})|${COUNT}(${SPANS}) ago)\b`,
  ].join(''),
  'g',
)

/**
 * The days that a text names, in its order: written out, as part of a month or a season, or by their distance from another day, as in "the
 * Friday before 15 July 2023". With `spoken`, the day of speaking, also by their distance from that one ("two weeks ago");
 * with that or a `year`, dates without a year.
 *
 * @example daySpans('the week before 9 June 2023') // [{ from: '2023-06-02', to: '2023-06-08' }]
 */
export function daySpans(text: string, { spoken, year: told }: { spoken?: string; year?: number } = {}): DaySpan[] {
  const plain = fold(text).replace(/[`'"]/g, '')
  const year = told ?? (spoken === undefined ? undefined : Number(spoken.slice(0, 4)))
  const found: { at: number; end: number; span: DaySpan }[] = []
  const add = (at: number, end: number, span: DaySpan | null) => {
    if (span && found.every((one) => end <= one.at || at >= one.end)) found.push({ at, end, span })
  }
  for (const [pattern, read] of WRITTEN)
    for (const match of plain.matchAll(pattern)) {
      const span = read(match, year)
      const near = span && narrowed(plain.slice(0, match.index), span)
      add(near ? near.at : match.index, match.index + match[0].length, near ? near.span : span)
    }
  if (spoken !== undefined)
    for (const match of plain.matchAll(AGO))
      add(match.index, match.index + match[0].length, ago(match, spoken.slice(0, 10)))
  const spans = found.sort((a, b) => a.at - b.at)
  return between(plain, spans) ?? spans.map(({ span }) => span)
}

/** Whether a day, month or year as it is kept (`2023-05`) is one that a span names. */
export function isDayNamed(when: string, spans: readonly DaySpan[]): boolean {
  const [y, m, d] = when.split('-').map(Number)
  const wanted = d ? day(y!, m! - 1, d) : m ? months(y!, m - 1, 1) : months(y!, 0, 12)
  return spans.some(({ from, to }) => from === wanted.from && to === wanted.to)
}

/** The span as it is kept, where it is a day, a month or a year; null where it is anything else. */
export function wholeDate({ from, to }: DaySpan): string | null {
  if (from === to) return from
  return [from.slice(0, 4), from.slice(0, 7)].find((when) => isDayNamed(when, [{ from, to }])) ?? null
}

/** Days moved by so many. */
function shiftDay(iso: string, days: number): string {
  return new Date(Date.parse(`${iso.slice(0, 10)}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

function between(plain: string, spans: readonly { at: number; end: number; span: DaySpan }[]): DaySpan[] | null {
  const [a, b, ...more] = spans
  if (!a || !b || more.length > 0) return null
  const joins =
    /\b(?:between|from)\s*$/.test(plain.slice(0, a.at)) &&
    /^\s*(?:and|to|until|till)\s*$/.test(plain.slice(a.end, b.at))
  return joins && a.span.from <= b.span.to ? [{ from: a.span.from, to: b.span.to }] : null
}

/** A span narrowed or moved by what stands before it. */
function narrowed(before: string, span: DaySpan): { at: number; span: DaySpan } | null {
  const away = AWAY.exec(before)
  const moved = away && distant(away, span)
  if (moved) return { at: away.index, span: moved }
  const part = PART_OF.exec(before)
  if (!part || span.from === span.to) return null
  const [, order, unit, edge] = part
  const last = Number(span.to.slice(8))
  const at = (from: number, to: number) => ({
    at: part.index,
    span: { from: `${span.from.slice(0, 8)}${pad(from)}`, to: `${span.from.slice(0, 8)}${pad(Math.min(to, last))}` },
  })
  if (span.from.slice(0, 7) !== span.to.slice(0, 7)) return null
  if (edge) return /early|beginning|start/.test(edge) ? at(1, 10) : /late|end/.test(edge) ? at(21, last) : at(11, 20)
  if (unit === 'weekend') {
    const first = 1 + ((6 - weekdayOf(span.from) + 7) % 7)
    const start = order === 'last' ? lastWeekend(first, last) : first + 7 * (ORDINALS.indexOf(order!) - 1)
    return at(start, start + 1)
  }
  const start = order === 'last' ? last - 6 : 1 + 7 * (ORDINALS.indexOf(order!) - 1)
  return at(start, start + 6)
}

function lastWeekend(first: number, last: number): number {
  return first + 7 * Math.floor((last - 1 - first) / 7)
}

/** "two weekends before" a day. */
function distant([, count, unit, side]: RegExpExecArray, { from, to }: DaySpan): DaySpan | null {
  const bare = unit!.replace(/s$/, '')
  const weekday = DAY_NAMES.indexOf(unit!)
  const many = countOf(count)
  if (side === 'of')
    return from !== to ? null : bare === 'week' ? weekAround(from) : bare === 'weekend' ? weekendBy(from, 0) : null
  const back = /before|prior|preceding/.test(side!)
  if (many === null && bare !== 'day') return null
  if (many === null)
    return back ? { from: shiftDay(from, -6), to: shiftDay(from, -1) } : { from: shiftDay(to, 1), to: shiftDay(to, 6) }
  if (weekday >= 0) {
    const gap = back ? (weekdayOf(from) - weekday + 7) % 7 || 7 : (weekday - weekdayOf(to) + 7) % 7 || 7
    return one(shiftDay(back ? from : to, (back ? -1 : 1) * (gap + 7 * (many - 1))))
  }
  if (bare === 'weekend') return weekendBy(back ? from : to, back ? -many : many)
  if (bare === 'day' || bare === 'night') return one(shiftDay(back ? from : to, back ? -many : many))
  if (bare === 'week')
    return back
      ? { from: shiftDay(from, -7 * many), to: shiftDay(from, -7 * (many - 1) - 1) }
      : { from: shiftDay(to, 7 * (many - 1) + 1), to: shiftDay(to, 7 * many) }
  return calendarStep(back ? from : to, bare, back ? -many : many)
}

function ago([, plain, which, unit, count, units]: RegExpExecArray, today: string): DaySpan | null {
  if (plain) return one(shiftDay(today, /yesterday|last night/.test(plain) ? -1 : plain === 'tomorrow' ? 1 : 0))
  const step = which === 'next' ? 1 : which === 'this' ? 0 : -1
  const bare = (unit ?? units!).replace(/s$/, '')
  const many = unit ? 1 : countOf(count)
  if (many === null) return null
  const weekday = DAY_NAMES.indexOf(unit ?? '')
  if (weekday >= 0) {
    const gap = step < 0 ? -((weekdayOf(today) - weekday + 7) % 7 || 7) : (weekday - weekdayOf(today) + 7) % 7 || 7
    return one(shiftDay(today, gap))
  }
  const by = unit ? step : -many
  if (bare === 'day' || bare === 'night') return one(shiftDay(today, by))
  if (bare === 'weekend') return weekendBy(today, by)
  if (bare === 'week') return unit ? weekAround(shiftDay(today, 7 * by)) : one(shiftDay(today, 7 * by))
  return calendarStep(today, bare, by)
}

function calendarStep(from: string, unit: string, by: number): DaySpan {
  const [y, m] = from.split('-').map(Number)
  if (unit === 'year') return months(y! + by, 0, 12)
  return months(y!, m! - 1 + by, 1)
}

/** The Saturday and Sunday nearest before a day, or after it; 0 is the one it lies in or ends the week of. */
function weekendBy(iso: string, by: number): DaySpan {
  const weekday = weekdayOf(iso)
  const saturday =
    by < 0
      ? shiftDay(iso, -((weekday + 1) % 7 || 7) - (weekday === 0 ? 7 : 0))
      : shiftDay(iso, weekday === 0 ? -1 : 6 - weekday)
  const moved = by > 1 ? shiftDay(saturday, 7 * (by - 1)) : by < -1 ? shiftDay(saturday, 7 * (by + 1)) : saturday
  const start = by > 0 && moved <= iso ? shiftDay(moved, 7) : moved
  return { from: start, to: shiftDay(start, 1) }
}

function weekAround(iso: string): DaySpan {
  const monday = shiftDay(iso, -((weekdayOf(iso) + 6) % 7))
  return { from: monday, to: shiftDay(monday, 6) }
}

function countOf(word: string | undefined): number | null {
  if (word === undefined || /^an?$/.test(word)) return 1
  if (/few|several/.test(word)) return null
  if (/couple/.test(word)) return 2
  const spelled = UNITS.indexOf(word)
  return spelled > 0 ? spelled : Number(word)
}

function dayOf(number: string, month: string, year: string | undefined, usual: number | undefined): DaySpan | null {
  const y = year === undefined ? usual : Number(year)
  return y === undefined ? null : day(y, monthOf(month), Number(number))
}

function day(year: number, month: number, number: number): DaySpan {
  return one(new Date(Date.UTC(year, month, number)).toISOString().slice(0, 10))
}

function one(iso: string): DaySpan {
  return { from: iso, to: iso }
}

function joined(a: DaySpan | null, b: DaySpan | null): DaySpan | null {
  return a && b ? { from: a.from, to: b.to } : null
}

function months(year: number, month: number, many: number): DaySpan {
  const at = (m: number, d: number) => new Date(Date.UTC(year, m, d)).toISOString().slice(0, 10)
  return { from: at(month, 1), to: at(month + many, 0) }
}

function monthOf(name: string): number {
  return MONTH_STEMS.indexOf(name.slice(0, 3))
}

function weekdayOf(iso: string): number {
  return new Date(`${iso}T00:00:00Z`).getUTCDay()
}

function pad(number: number): string {
  return String(number).padStart(2, '0')
}
