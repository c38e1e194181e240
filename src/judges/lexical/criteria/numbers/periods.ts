import { MONTH_NAMES } from '../../../../base/calendar.js'
import { ORDINALS, UNITS } from '../../../../language/number-words.js'
import { MONTH } from '../../../../language/numbers.js'
import type { AnswerText } from '../answer-lines.js'
import type { CriterionFinding } from '../finding.js'

const NTH = ORDINALS.slice(1).join('|')
const WEEK = new RegExp(
  String.raw`\b(?:(?<ordinal>${NTH}|opening|last|final|\d+(?:st|nd|rd|th)) (?:full |whole |of the (?:\w+ )?)?(?<unit>week|month|one)s?|(?<now>this (?:very |past |current |last )?week|week (?:that |which )?(?:ends|ending|ended) today|week we're in)|(?<unit2>week|month) (?:number |no\. ?|#)?(?<number>\d+|${UNITS.slice(1, 7).join('|')})\b)`,
  'g',
)
const RANGE = new RegExp(
  String.raw`\b(?:(?<month>${MONTH})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?|(?<day2>\d{1,2})(?:st|nd|rd|th)?(?: ?- ?\d{1,2}| to \d{1,2})?(?:st|nd|rd|th)?(?: of)? (?<month2>${MONTH}))`,
  'g',
)
/** "From Sunday the 15th to Saturday the 21st", without a month. */
const DAYS = new RegExp(
  String.raw`\bthe (?<from>\d{1,2})(?:st|nd|rd|th)(?! (?:of )?${MONTH}| week| month)(?:,? ?(?:to|through|until|till|and|-) ?(?:\w+day,? )?(?:the )?\d{1,2}(?:st|nd|rd|th)?)?`,
  'g',
)
const SUPERLATIVE =
  /\b(?:most|highest|biggest|largest|greatest|top(?:ped|s)?|best|peak(?:ed)?|maximum|max|busiest|strongest|record|winner|won|led|leads|came first|number one|priciest|costliest|heaviest)\b/
const RUNNER = /\b(?:came next|next|second|runner|followed|behind|least|lowest|then)\b/
const LEAST = /\b(?:least|lowest|fewest|smallest)\b/
/** Where what is said of one period ends and another begins. */
const BREAK = /[;,]|\b(?:but|while|whereas|and|followed|then|ahead)\b/
/** Right before a period: another was it. */
const NOT = /\bnot (?:in |during )?(?:the |your )?$/
const ORDINAL = new RegExp(String.raw`\b(?:${NTH}|last)\b`)

/** A period an answer names: a week by its number, or by month and number in the month; a month by its name or number. */
interface Named {
  key: string
  line: number
  at: number
}

/** The keys a wanted period goes by. */
function periodKeys(forms: readonly string[]): Set<string> {
  return new Set(forms.flatMap((form) => named(form.toLowerCase(), 0, 'week').map(({ key }) => key)))
}

/** Whether forms name a week or month at all. */
export function isPeriod(forms: readonly string[]): boolean {
  return (
    forms.length > 0 &&
    forms.some((form) => /^(?:week|month) \d+$/i.test(form) || MONTH_NAMES.includes(form.toLowerCase()))
  )
}

/** Whether an answer gives a period as the one that stands out. */
export function judgePeriodCriterion(forms: readonly string[], text: AnswerText): CriterionFinding {
  const wanted = periodKeys(forms)
  const weeks = [...wanted].some(isWeek)
  const dated = [...wanted].some((key) => / week /.test(key))
  const given = text.lines
    .flatMap(({ plain }, line) => named(plain, line, weeks ? 'week' : 'month'))
    .filter(({ key }) => isWeek(key) === weeks)
    .map((one) => (dated ? one : { ...one, key: one.key.replace(/^.* (?=week )/, '') }))
  if (given.length === 0) return { yes: false, sure: !ORDINAL.test(text.plain), reason: 'It names no period.' }
  const top =
    given.find(({ line, at }) => standsOut(text.lines[line]!.plain, at)) ??
    given.find(({ line }) => SUPERLATIVE.test(text.lines[line]!.plain)) ??
    given[0]!
  const rivals = new Set(given.filter(({ line, key }) => line === top.line && !wanted.has(key)).map(({ key }) => key))
  const hit = given.filter(({ line }) => line === top.line).some(({ key }) => wanted.has(key))
  const yes = hit && (wanted.has(top.key) || rivals.size === 0)
  const ranked = RUNNER.test(text.lines[top.line]!.plain)
  return {
    yes,
    sure: !hit || rivals.size === 0 || (ranked && wanted.has(top.key)),
    reason: yes ? 'It gives that period.' : hit ? 'It gives another period first.' : 'It gives another period.',
  }
}

/** Whether the part of a line in which a period is named says that it has most. */
function standsOut(plain: string, at: number): boolean {
  const before = plain.slice(0, at).split(BREAK).at(-1)!
  const clause = before + plain.slice(at).split(BREAK)[0]!
  return SUPERLATIVE.test(clause) && !LEAST.test(clause)
}

const isWeek = (key: string): boolean => /\bweek /.test(key)

function named(plain: string, line: number, asked: string): Named[] {
  const found: Named[] = []
  for (const match of plain.matchAll(WEEK)) {
    const { ordinal, unit, unit2, number, now } = match.groups as Record<string, string | undefined>
    const of = now || unit === 'one' ? asked : (unit ?? unit2)!
    found.push({ key: `${of} ${placeOf(now ? 'last' : (ordinal ?? number!), of)}`, line, at: match.index })
  }
  for (const match of plain.matchAll(RANGE)) {
    const { day, day2, month, month2 } = match.groups as Record<string, string | undefined>
    const week = Math.ceil(Number(day ?? day2) / 7)
    if (week >= 1 && week <= 5)
      found.push({ key: `${(month ?? month2)!.slice(0, 3)} week ${week}`, line, at: match.index })
  }
  for (const match of plain.matchAll(DAYS))
    found.push({ key: `week ${Math.ceil(Number(match.groups!.from) / 7)}`, line, at: match.index })
  MONTH_NAMES.forEach((name) => {
    const at = new RegExp(`\\b${name}\\b`).exec(plain)?.index
    if (at !== undefined && (name !== 'may' || /\b(?:in|of|was) may\b/.test(plain))) found.push({ key: name, line, at })
  })
  return found.filter(({ at }) => !NOT.test(plain.slice(0, at))).sort((a, b) => a.at - b.at)
}

function placeOf(word: string, unit: string): number {
  if (word === 'opening') return 1
  // A month is taken as four weeks, a quarter has three months.
  if (word === 'last' || word === 'final') return unit === 'week' ? 4 : 3
  const at = ORDINALS.indexOf(word)
  if (at > 0) return at
  const numeral = UNITS.indexOf(word)
  return numeral > 0 ? numeral : Number.parseInt(word, 10)
}
