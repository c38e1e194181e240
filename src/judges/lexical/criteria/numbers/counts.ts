import { MONTH_NAMES } from '../../../../base/calendar.js'
import { plainNumbers } from '../../../../language/numbers.js'
import type { AnswerText } from '../answer-lines.js'

/** In how many weeks or months something held, or did not. */
export interface Count {
  /** `all` where nobody says how many there are. */
  count: number | 'all'
  /** Out of so many. */
  of?: number
  /** Those counted are the ones in which it was kept, or not; absent where that goes without saying. */
  side?: 'kept' | 'broken'
  /** Said in plain words; else put together from single weeks. */
  plain: boolean
}

const MONTH = MONTH_NAMES.join('|')
const BEYOND =
  /\b(?:over(?:spent|shot|spend\w*)?|exceed\w*|went past|above|beyond|miss(?:ed|es|ing)?|broke|blew|blown|failed|fell short|not (?:met|kept)|too much)\b|\u274c|\u2717|\u2718|\ud83d\udd34/
const KEPT =
  /\b(?:within|under|below|kept|keep|stay(?:ed)?|met|meet|hit|stuck|made it|manag(?:ed|e)|fine|ok|okay|on budget|reached|achieved|yes|you did(?! not)|good)\b|\u2705|\u2714|\u2713|\ud83d\udfe2/
/** "Never went over", "none of the weeks did you overspend". */
const NOT_BEYOND = new RegExp(String.raw`(?:\b(?:never|none|not|no|0)|n't)(?: [\w']+){0,6}? (?:${BEYOND.source})`)
const NEGATION = /\b(?:never|none|not|no|0)\b|n't\b/
/** Something is said of how many, though no number. */
const SOME = /\b(?:every|each|all|always|most|mostly|some|except|apart|any|never|whole|throughout)\b/
/** Those that are left when the ones asked for are counted. */
const OTHERS = /\bthe (?:other|others|remaining|rest)\b/
/** Where one group of weeks ends and the next begins. */
const BREAK =
  /;|\bbut (?!one\b|\d)|,? (?:and|while|whereas) (?=miss|went|over|exceed|only|you\b|fell|broke|blew)|, so (?=you\b)|[.!?] /

/** Counts of weeks or months, also as "none", "all but one", "two of the four", or week by week; the first is the likeliest. */
export function countsIn(unit: string, text: AnswerText): Count[] {
  const one = unit.replace(/s$/, '')
  const said = text.lines.flatMap(({ plain }) =>
    plainNumbers(plain)
      .split(BREAK)
      .filter((clause) => clause && !OTHERS.test(clause))
      .flatMap((clause) => (clause && (saidIn(one, clause) ?? listedIn(one, clause))) || []),
  )
  if (said.length > 0) return said
  return [ticked(one, text) ?? throughout(one, text) ?? bare(text)].filter((found) => found !== undefined)
}

/** "On two." of an answer that says nothing else. */
function bare({ plain }: AnswerText): Count | undefined {
  const numbers = plainNumbers(plain).match(/(?<![\w.,$])\d{1,2}(?![\w.,]*\d|\w|%)/g) ?? []
  if (numbers.length === 1) return { count: Number(numbers[0]), plain: false }
  return numbers.length === 0 && /\bboth\b/.test(plain) ? { count: 2, plain: false } : undefined
}

/** Whether an answer may tell a count in words that are not known here. */
export function mayCount(text: AnswerText): boolean {
  return SOME.test(text.plain)
}

/** "Every week": how many that is, somebody else may have said. */
function throughout(unit: string, text: AnswerText): Count | undefined {
  const all = new RegExp(String.raw`\b(?:every(?: single)?|each|all)(?: of)?(?: the| those| your)? ?${unit}s?\b`)
  const kept = text.lines.some(({ plain }) => all.test(plain) && KEPT.test(plain) && !NEGATION.test(plain))
  return kept ? { count: 'all', side: 'kept', plain: false } : undefined
}

function saidIn(unit: string, clause: string): Count | undefined {
  const side = sideOf(clause)
  const all = new RegExp(
    String.raw`\b(?:every(?: single)?|each|all)(?: of)?(?: the| those| your)?(?: \d+)? ?${unit}s?\b(?! but| except)`,
  )
  const but = new RegExp(
    String.raw`\b(?:all|every ${unit}|each ${unit})(?: ${unit}s)? (?:but|except) (?:for )?(?:1|(\d+))(?: of (?:the |those |your )?(\d+))?`,
  ).exec(clause)
  if (but?.[2]) return { count: Number(but[2]) - Number(but[1] ?? 1), of: Number(but[2]), ...side, plain: true }
  if (but) return undefined
  if (side.side === 'broken' && NOT_BEYOND.test(clause)) {
    const of = new RegExp(String.raw`\b(\d+) (?:\p{L}+ )?${unit}s\b`, 'u').exec(clause)?.[1]
    return { count: of && of !== '0' ? Number(of) : 'all', side: 'kept', plain: false }
  }
  if (all.test(clause) && side.side === 'broken') return { count: 0, side: 'kept', plain: true }
  if (
    new RegExp(
      String.raw`\b(?:none|never|not once|zero|0)\b|\bno ${unit}\b|\bnot (?:a single|1|any)\b|(?:n't|\bnot)\b[^.]*\b(?:in|for) any\b|\bfailed every\b`,
    ).test(clause)
  )
    return { count: 0, ...(side.side && { side: 'kept' }), plain: true }
  const of =
    /(?<!every )\b(\d+|(?:a )?single)(?: \p{L}+)? (?:out )?of (?:the |those |your |these )?(?:full |past |last )?(\d+)/u.exec(
      clause,
    )
  if (of) return { count: /single/.test(of[1]!) ? 1 : Number(of[1]), of: Number(of[2]), ...side, plain: true }
  const whole = /\b(?:all|every 1 of)(?: of)?(?: the| your)? (\d+)\b/.exec(clause)
  if (whole) return { count: Number(whole[1]), of: Number(whole[1]), ...side, plain: true }
  const some = new RegExp(
    String.raw`\b(\d+) (?:\p{L}+ ){0,2}(?:${unit}s?|times?)\b|(?<!every )\b(?:a )?(single|lone|sole) (?:${unit})\b|\b(once|twice)\b(?! (?:every|per|a|an)\b)|\b(?:only|just) (?:the )?(1)\b`,
    'u',
  ).exec(clause)
  if (!some) return undefined
  const count = some[3] === 'twice' ? 2 : Number(some[1] ?? 1)
  return { count, ...side, plain: true }
}

/** "Weeks 1, 3 and 4 were fine", "in June and July you did". */
function listedIn(unit: string, clause: string): Count | undefined {
  if (sideOf(clause).side !== 'kept') return undefined
  const list = new RegExp(String.raw`\b${unit}s? (\d+(?:(?:, and |, | and | & )\d+)+)`).exec(clause)?.[1]
  if (list) return { count: list.match(/\d+/g)!.length, side: 'kept', plain: false }
  if (unit !== 'month') return undefined
  const named = new Set(clause.match(new RegExp(String.raw`\b(?:${MONTH})\b`, 'g')))
  return named.size > 1 ? { count: named.size, side: 'kept', plain: false } : undefined
}

function sideOf(clause: string): Pick<Count, 'side'> {
  return KEPT.test(clause) ? { side: 'kept' } : BEYOND.test(clause) ? { side: 'broken' } : {}
}

/** Lines for single weeks, each with its verdict. */
function ticked(unit: string, text: AnswerText): Count | undefined {
  const single = new RegExp(
    unit === 'month' ? String.raw`\b(?:month \d|${MONTH})\b` : String.raw`^\W*(?:${unit} )?\d\b|\b${unit} \d\b`,
  )
  const lines = text.lines.filter(
    ({ plain, done }) => single.test(plain) && (done || BEYOND.test(plain) || KEPT.test(plain)),
  )
  if (lines.length < 2) return undefined
  const count = lines.filter(({ plain, done }) => done || (KEPT.test(plain) && !BEYOND.test(plain))).length
  return { count, of: lines.length, side: 'kept', plain: false }
}
