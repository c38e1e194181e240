import type { CriterionAsk, CuePart, Fact } from '../../../model/index.js'
import type { Instead } from '../questions/asking.js'
import type { LedgerMeasure } from '../questions/ledger.js'
import { goalInWords } from '../questions/telling.js'
import { asksFor, measureForms, measureName, measureText, resultForms } from '../questions/working.js'
import { capital, countForms, monthName, periodText, weekForms } from '../wording.js'
import type { ImportedLife } from './imported.js'
import type { SessionReading } from './reading.js'
import { countOf, type Reckoning } from './reckon.js'
import type { Figure, Topic } from './topic.js'

/** A criterion on a figure that was put right. */
export interface Mended {
  text: string
  asks: CriterionAsk
  /** What was wrong; null where the release comes to the same. */
  why: string | null
}

/** What is right where the release takes thirty days for a month, or answers for another count than was asked; null where nothing is to mend. */
export function mended(life: ImportedLife, topic: Topic, { asked }: SessionReading): Mended | null {
  if (topic.of === 'best' && topic.unit === 'month') return bestMonth(life, topic, asked[0]!.name === 'max_period')
  if (topic.of !== 'budgets' || (topic.unit === 'week' && topic.side === 'met')) return null
  const { meal, unit, side } = topic
  const units = `${unit}s`
  const released = countOf(life.reckoner.budgets(meal, unit, 'released'), 'met')
  const count = countOf(life.reckoner.budgets(meal, unit, 'calendar'), side)
  const how = `${side === 'met' ? 'within' : 'over'} the ${meal} budget`
  const given = `the release asks for the ${units} within the budget, ${released}`
  const why = `${count} ${units} were ${how}; ${given}${unit === 'month' ? ' by windows of 30 days' : ''}.`
  return {
    text: `Does the answer count ${count} ${count === 1 ? unit : units} ${how}?`,
    asks: { act: 'mention', forms: countForms(count, units), numbers: [{ value: count, unit: units }] },
    why: side === 'met' && count === released ? null : why,
  }
}

function bestMonth({ reckoner }: ImportedLife, { measure }: Figure & { of: 'best' }, isPeriod: boolean): Mended {
  const [was, is] = [reckoner.best(measure, 'month', 'released'), reckoner.best(measure, 'month', 'calendar')]
  const name = monthName(is.period.from)
  if (isPeriod) {
    const place = ['1st', '2nd', '3rd'][is.place]
    const given = `the release counts windows of 30 days, best from ${was.period.from}`
    return {
      text: `Does the answer name ${name} as the month with most ${measureName(measure)}?`,
      asks: { act: 'mention', forms: [name, ...(place ? [`${place} month`] : [])] },
      why: was.place === is.place ? null : `By calendar months ${name} has most ${measure}; ${given}.`,
    }
  }
  const [right, given] = [measureText(measure, is.total), measureText(measure, was.total)]
  return {
    text: `Does the answer give ${right} for it?`,
    asks: asksFor(measure, is.total),
    why: is.total === was.total ? null : `${name} has ${right} of ${measure}; the release has ${given} in 30 days.`,
  }
}

/** The result of a reasoning question as a memory may have drawn it, and the facts that are needed besides. */
export function derivedFor({ reckoner, history }: ImportedLife, topic: Figure, id: string, as: Reckoning): Instead {
  const make = (of: LedgerMeasure, text: string, ...parts: CuePart[]): Fact => ({
    id: `derived:${id}`,
    text,
    sources: [],
    cues: { kind: 'statement', explicit: true, parts: [{ role: 'what', forms: measureForms(of) }, ...parts] },
  })
  const number = (forms: string[]): CuePart => ({ role: 'number', forms })
  const whole = periodText(reckoner.life)
  switch (topic.of) {
    case 'total': {
      const { measure } = topic
      const total = reckoner.total(measure)
      const text = `${capital(measureName(measure))} from ${whole}: ${measureText(measure, total)} in total.`
      return { derived: make(measure, text, number(resultForms(measure, total))), said: [] }
    }
    case 'goal': {
      const { goal } = topic
      const actual = Math.round(reckoner.progress(goal).actual)
      const how = goal === 'steps' ? 'a day on average' : 'in total'
      const text = `${capital(measureName(goal))} from ${whole}: ${measureText(goal, actual)} ${how}.`
      const said = history.of(goalInWords(goal)).slice(-1)
      return { derived: make(goal, text, number(resultForms(goal, actual))), said }
    }
    case 'best': {
      const { measure, unit } = topic
      const { period, place, total } = reckoner.best(measure, unit, as)
      const text = `Most ${measureName(measure)}: ${periodText(period)}, with ${measureText(measure, total)}.`
      const forms = unit === 'month' ? [monthName(period.from)] : weekForms(period, place)
      return { derived: make(measure, text, number(resultForms(measure, total)), { role: 'value', forms }), said: [] }
    }
    case 'budgets': {
      const { meal, unit } = topic
      const side = as === 'released' ? 'met' : topic.side
      const count = countOf(reckoner.budgets(meal, unit, as), side)
      const text = `From ${whole}: ${count} ${unit}s ${side === 'met' ? 'within' : 'over'} the ${meal} budget.`
      return { derived: make(meal, text, number(countForms(count, `${unit}s`))), said: [] }
    }
  }
}
