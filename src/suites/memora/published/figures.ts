import type { CriterionAsk, CuePart, Fact } from '../../../model/index.js'
import type { LifeFact } from '../questions/index.js'
import { goalThing, mealForms } from '../questions/telling.js'
import { countForms, moneyForms, monthName, periodText, weekForms } from '../questions/wording.js'
import { asksFor, capital, measureText, named } from '../questions/working.js'
import type { ImportedLife } from './imported.js'
import type { SessionReading } from './reading.js'
import { countOf, greatest } from './reckon.js'
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
  const released = countOf(life.reckoner.budgets(meal, unit, 'released'), 'met')
  const count = countOf(life.reckoner.budgets(meal, unit, 'calendar'), side)
  const how = side === 'met' ? 'within' : 'over'
  const asks = {
    act: 'mention' as const,
    forms: countForms(count, `${unit}s`),
    numbers: [{ value: count, unit: `${unit}s` }],
  }
  const given = `the release asks for the ${unit}s within the budget, ${released}`
  const why = `${count} ${unit}s were ${how} the ${meal} budget; ${given}${unit === 'month' ? ' by windows of 30 days' : ''}.`
  return {
    text: `Does the answer count ${count} ${unit}${count === 1 ? '' : 's'} ${how} the ${meal} budget?`,
    asks,
    why: side === 'met' && count === released ? null : why,
  }
}

function bestMonth({ reckoner }: ImportedLife, { measure }: Figure & { of: 'best' }, isPeriod: boolean): Mended {
  const sums = (as: 'released' | 'calendar') => reckoner.sums(measure, reckoner.periods('month', as))
  const [window, month] = [sums('released'), sums('calendar')]
  const [was, is] = [window[greatest(window)]!, month[greatest(month)]!]
  const name = monthName(is.period.from)
  const place = ['1st', '2nd', '3rd'][greatest(month)]
  if (isPeriod) {
    const asks = { act: 'mention' as const, forms: [name, ...(place ? [`${place} month`] : [])] }
    const why = `By calendar months ${name} has most ${measure}; the release counts windows of 30 days, best from ${was.period.from}.`
    const same = greatest(window) === greatest(month)
    return {
      text: `Does the answer name ${name} as the month with most ${named(measure)}?`,
      asks,
      why: same ? null : why,
    }
  }
  const why = `${name} has ${measureText(measure, is.total)} of ${measure}; the release has ${measureText(measure, was.total)} in 30 days.`
  const text = `Does the answer give ${measureText(measure, is.total)} for it?`
  return { text, asks: asksFor(measure, is.total), why: is.total === was.total ? null : why }
}

/** The result of a reasoning question as a memory may have drawn it, and the facts that are needed besides. */
export function derivedFor(
  { reckoner, history }: ImportedLife,
  topic: Figure,
  id: string,
  as: 'released' | 'calendar',
): { fact: Fact; beside: LifeFact[] } {
  const make = (text: string, what: string[], ...parts: Fact['cues']['parts']) => ({
    id: `derived:${id}`,
    text,
    sources: [],
    cues: { kind: 'statement' as const, explicit: true, parts: [{ role: 'what' as const, forms: what }, ...parts] },
  })
  const what = (of: string) =>
    of === 'steps' ? ['steps', 'walked'] : of === 'food' ? ['food', 'meals'] : mealForms(of)
  const whole = periodText(reckoner.life)
  switch (topic.of) {
    case 'total': {
      const { measure } = topic
      const total = reckoner.total(measure)
      const text = `${capital(named(measure))} from ${whole}: ${measureText(measure, total)} in total.`
      return { fact: make(text, what(measure), resultPart(measure, total)), beside: [] }
    }
    case 'goal': {
      const { goal } = topic
      const actual = Math.round(reckoner.progress(goal).actual)
      const text = `${capital(named(goal))} from ${whole}: ${measureText(goal, actual)}${goal === 'steps' ? ' a day on average' : ' in total'}.`
      const beside = history.of(goalThing(goal)).slice(-1)
      return { fact: make(text, what(goal), resultPart(goal, actual)), beside }
    }
    case 'best': {
      const { measure, unit } = topic
      const sums = reckoner.sums(measure, reckoner.periods(unit, as))
      const at = greatest(sums)
      const { period, total } = sums[at]!
      const text = `Most ${named(measure)}: ${periodText(period)}, with ${measureText(measure, total)}.`
      const when = {
        role: 'value' as const,
        forms: unit === 'month' ? [monthName(period.from)] : weekForms(period, at),
      }
      return { fact: make(text, what(measure), resultPart(measure, total), when), beside: [] }
    }
    case 'budgets': {
      const { meal, unit, side } = topic
      const count = countOf(reckoner.budgets(meal, unit, as), as === 'released' ? 'met' : side)
      const how = as === 'released' || side === 'met' ? 'within' : 'over'
      const text = `From ${whole}: ${count} ${unit}s ${how} the ${meal} budget.`
      const number = { role: 'number' as const, forms: countForms(count, `${unit}s`) }
      return { fact: make(text, what(meal), number), beside: [] }
    }
  }
}

/** The part by which a result is known: its number. */
function resultPart(of: string, value: number): CuePart {
  return { role: 'number', forms: of === 'steps' ? countForms(value) : moneyForms(value) }
}
