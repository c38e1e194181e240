import { daysIn, isByMonth, lifeOf, months, type Period } from '../days.js'
import { type GoalKind, MEALS } from '../trace.js'
import { capital, mealName, monthName, periodText, weekForms } from '../wording.js'
import type { QuestionCandidate } from './asking.js'
import type { LedgerMeasure } from './ledger.js'
import {
  amountItem,
  type Context,
  entryFacts,
  makeReasoningQuestion,
  measureName,
  measureText,
  plainItem,
  resultForms,
  verifyByRecount,
} from './working.js'

/** Totals and averages, of a long life also month by month, and the week or month with most. */
export function sums(context: Context): (QuestionCandidate | null)[] {
  const { trace } = context.life
  const measures: LedgerMeasure[] = ['food', ...MEALS, 'steps']
  return [
    ...[lifeOf(trace), ...(isByMonth(trace) ? months(trace) : [])].flatMap((period) => [
      ...measures.map((of) => sum(context, of, period, 'total')),
      ...(['food', 'steps'] as const).map((of) => sum(context, of, period, 'average')),
    ]),
    ...[...MEALS, 'steps' as const].map((of) => best(context, of)),
  ]
}

/** What comes together in a period, in all or a day. */
function sum(context: Context, of: LedgerMeasure, period: Period, what: 'total' | 'average'): QuestionCandidate | null {
  const { life, ledger } = context
  const isWhole = period.from === life.trace.start && period.to === life.trace.end
  const isMeal = of !== 'food' && of !== 'steps'
  const days = daysIn(period)
  const total = ledger.total(of, period)
  const value = what === 'total' ? total : Math.round(total / days)
  verifyByRecount(context, { what, of, in: period }, [value])
  const figure = measureText(of, value)
  const how = what === 'total' ? 'in all' : 'a day on average'
  // All that was spent in a long life is a family of its own: nothing rests on as many entries.
  const isApart = !isByMonth(life.trace) || (of === 'food' && isWhole)
  const about = [isMeal ? of : [], isWhole ? [] : period.from.slice(0, 7)].flat().join(':')
  const text = `Does the answer give ${figure} ${how} for ${measureName(of)}?`
  return makeReasoningQuestion(context, {
    subtype: isMeal ? 'food-by-meal' : `${of}-${what}`,
    family: isMeal ? 'total of a meal' : isApart ? 'total' : 'total of a part',
    ...(about !== '' && { about }),
    slots: { period: periodText(period), meal: mealName(of), days: String(days) },
    presence: [amountItem(text, of, value, entryFacts(context, of, period))],
    derived: {
      of,
      text: `${capital(measureName(of))} from ${periodText(period)}: ${figure} ${what === 'total' ? 'in total' : how}.`,
      forms: resultForms(of, value),
    },
  })
}

/** The period with most of something; none where two are equal. */
function best(context: Context, of: GoalKind): QuestionCandidate | null {
  const { ledger, weeks, life } = context
  const byMonth = isByMonth(life.trace)
  const among = byMonth ? months(life.trace) : weeks
  const sums = among.map((period) => ledger.total(of, period))
  const most = Math.max(...sums)
  if (among.length < 2 || most <= 0 || sums.filter((sum) => sum === most).length > 1) return null
  const place = sums.indexOf(most)
  verifyByRecount(context, { what: 'best', of, among }, [place, most])
  const span = { from: among[0]!.from, to: among.at(-1)!.to }
  const entries = entryFacts(context, of, span)
  const period = among[place]!
  const forms = byMonth ? [monthName(period.from)] : weekForms(period, place)
  const name = byMonth ? monthName(period.from) : `the week of ${periodText(period)}`
  const unit = byMonth ? 'calendar month' : 'week'
  return makeReasoningQuestion(context, {
    subtype: of === 'steps' ? 'best-steps-period' : 'best-food-period',
    family: 'best period',
    ...(of !== 'steps' && { about: of }),
    slots: { period: periodText(span), unit, meal: mealName(of) },
    ...(!byMonth && { weeks: weeks[0]! }),
    presence: [
      plainItem(`Does the answer name ${name} as the ${unit} with most?`, { act: 'mention', forms }, entries),
      amountItem(`Does the answer give ${measureText(of, most)} for it?`, of, most, entries),
    ],
    derived: {
      of,
      text: `Most ${of === 'steps' ? 'steps' : `spending on ${mealName(of)}`}: ${name}, with ${measureText(of, most)}.`,
      forms: resultForms(of, most),
    },
  })
}
