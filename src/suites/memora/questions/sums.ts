import { MEALS, type Meal } from '../trace.js'
import type { QuestionCandidate } from './asking.js'
import type { LedgerMeasure } from './ledger.js'
import { daysIn, isByMonth, lifeOf, months, type Period } from './periods.js'
import { mealName } from './telling.js'
import { monthName, periodText, weekForms } from './wording.js'
import {
  amount,
  type Context,
  capital,
  entryFacts,
  make,
  measureText,
  named,
  number,
  plainItem,
  resultForms,
  worked,
} from './working.js'

/** Totals and averages, of a long life also month by month, and the week or month with most. */
export function sums(context: Context): (QuestionCandidate | null)[] {
  const { trace } = context.life
  const whole = lifeOf(trace)
  const measures: LedgerMeasure[] = ['food', ...MEALS, 'steps']
  return [
    ...[whole, ...(isByMonth(trace) ? months(trace) : [])].flatMap((period) => [
      ...measures.map((of) => total(context, of, period)),
      ...(['food', 'steps'] as const).map((of) => average(context, of, period)),
    ]),
    ...[...MEALS, 'steps' as const].map((of) => best(context, of)),
  ]
}

const isWhole = ({ life: { trace } }: Context, { from, to }: Period): boolean =>
  from === trace.start && to === trace.end

/** All that was spent in a long life is a family of its own: nothing rests on as many entries. */
const familyOf = (context: Context, of: 'food' | 'steps', period: Period): string =>
  !isByMonth(context.life.trace) || (of === 'food' && isWhole(context, period)) ? 'total' : 'total of a part'

/** What sets a question apart from others of its subtype: the meal, and the month where it is not about the whole life. */
function about(context: Context, period: Period, meal: LedgerMeasure | null): { about?: string } {
  const parts = [...(meal === null ? [] : [meal]), ...(isWhole(context, period) ? [] : [period.from.slice(0, 7)])]
  return parts.length === 0 ? {} : { about: parts.join(':') }
}

function total(context: Context, of: LedgerMeasure, period: Period): QuestionCandidate | null {
  const entries = entryFacts(context, of, period)
  const [sum] = worked(context, { what: 'total', of, in: period }, [context.ledger.total(of, period)])
  const subtype = of === 'food' || of === 'steps' ? `${of}-total` : 'food-by-meal'
  return make(context, {
    subtype,
    family: of === 'food' || of === 'steps' ? familyOf(context, of, period) : 'total of a meal',
    ...about(context, period, subtype === 'food-by-meal' ? of : null),
    slots: { period: periodText(period), meal: mealName(of) },
    presence: [amount(`in all for ${named(of)}`, of, sum!, entries)],
    derived: {
      of,
      text: `${capital(named(of))} from ${periodText(period)}: ${measureText(of, sum!)} in total.`,
      forms: resultForms(of, sum!),
    },
  })
}

function average(context: Context, of: 'food' | 'steps', period: Period): QuestionCandidate | null {
  const days = daysIn(period)
  const entries = entryFacts(context, of, period)
  const value = Math.round(context.ledger.total(of, period) / days)
  const [mean] = worked(context, { what: 'average', of, in: period }, [value])
  return make(context, {
    subtype: `${of}-average`,
    family: familyOf(context, of, period),
    ...about(context, period, null),
    slots: { period: periodText(period), days: String(days) },
    presence: [amount(`a day on average for ${named(of)}`, of, mean!, entries)],
    derived: {
      of,
      text: `${capital(named(of))} from ${periodText(period)}: ${measureText(of, mean!)} a day on average.`,
      forms: resultForms(of, mean!),
    },
  })
}

/** The period with most of something; none where two are equal. */
function best(context: Context, of: Meal | 'steps'): QuestionCandidate | null {
  const { ledger, weeks, life } = context
  const byMonth = isByMonth(life.trace)
  const among = byMonth ? months(life.trace) : weeks
  const sums = among.map((period) => ledger.total(of, period))
  const most = Math.max(...sums)
  if (among.length < 2 || most <= 0 || sums.filter((sum) => sum === most).length > 1) return null
  const place = sums.indexOf(most)
  worked(context, { what: 'best', of, among }, [place, most])
  const span = { from: among[0]!.from, to: among.at(-1)!.to }
  const entries = entryFacts(context, of, span)
  const period = among[place]!
  const forms = byMonth ? [monthName(period.from)] : weekForms(period, place)
  const name = byMonth ? monthName(period.from) : `the week of ${periodText(period)}`
  const unit = byMonth ? 'calendar month' : 'week'
  return make(context, {
    subtype: of === 'steps' ? 'best-steps-period' : 'best-food-period',
    family: 'best period',
    ...(of !== 'steps' && { about: of }),
    slots: { period: periodText(span), unit, meal: mealName(of) },
    ...(!byMonth && { weeks: weeks[0]! }),
    presence: [
      plainItem(`Does the answer name ${name} as the ${unit} with most?`, { act: 'mention', forms }, entries),
      number(`Does the answer give ${measureText(of, most)} for it?`, of, most, entries),
    ],
    derived: {
      of,
      text: `Most ${of === 'steps' ? 'steps' : `spending on ${mealName(of)}`}: ${name}, with ${measureText(of, most)}.`,
      forms: resultForms(of, most),
    },
  })
}
