import type { CriterionAsk } from '../../../model/index.js'
import { MEALS, type Meal } from '../trace.js'
import type { Item, Life, QuestionCandidate } from './asking.js'
import type { LifeFact } from './history.js'
import { daysIn, lifeOf, type Period } from './periods.js'
import { goalThing, mealName } from './telling.js'
import { countForms, money, periodText } from './wording.js'
import {
  asksFor,
  type Context,
  capital,
  counting,
  entryFacts,
  goalFact,
  make,
  measureText,
  named,
  number,
  plainItem,
  resultForms,
  worked,
} from './working.js'

type Status = NonNullable<CriterionAsk['status']>

const NEVER_OVER: Status = {
  forms: [
    'under budget',
    'within budget',
    'below budget',
    'within your budget',
    'under your budget',
    'left',
    'remaining',
    'stayed within',
  ],
  contrary: ['over budget', 'over your budget', 'overspent', 'exceeded', 'went over', 'above budget'],
}
const OVERSPENT: Status = { forms: NEVER_OVER.contrary, contrary: NEVER_OVER.forms.slice(0, 5) }
const MISSED = [
  'not met',
  'missed',
  'did not meet',
  "didn't meet",
  'not reach',
  "didn't reach",
  'below',
  'fell short',
  'short of',
  'under your goal',
]
const MET = ['met', 'reached', 'hit', 'exceeded', 'above', 'surpassed', 'achieved']

/** Goals and budgets against what was walked and spent. */
export function goals(context: Context): (QuestionCandidate | null)[] {
  return [
    ...[...MEALS, 'steps' as const].map((goal) => progress(context, goal)),
    ...MEALS.flatMap((meal) => (['met', 'overspent'] as const).map((side) => budgets(context, meal, side))),
    goalDays(context, lifeOf(context.life.trace)),
  ]
}

/** The last full week against the goal that held in it. */
function progress(context: Context, goal: Meal | 'steps'): QuestionCandidate | null {
  const { ledger, weeks, life } = context
  const week = weeks.at(-1)
  const held = week && ledger.goal(goal, week.to)
  if (!held) return null
  const entries = entryFacts(context, goal, week)
  const sum = ledger.total(goal, week)
  const actual = goal === 'steps' ? Math.round(sum / daysIn(week)) : sum
  worked(context, { what: 'progress', goal, in: week }, [held.amount, actual, held.amount - actual])
  const set = goalFact(life, held)
  const former = formerGoal(life, goal, set, [held.amount, actual, Math.abs(held.amount - actual)])
  const [noun, per] = goal === 'steps' ? ['goal', ' a day'] : [`${goal} budget`, ' a week']
  const about = goal === 'steps' ? 'as the average a day' : `on ${mealName(goal)} in that week`
  return make(context, {
    subtype: goal === 'steps' ? 'steps-goal' : 'food-goal',
    family: 'goal',
    ...(goal !== 'steps' && { about: goal }),
    slots: { period: periodText(week), kind: goal },
    presence: [
      number(`Does the answer name the ${noun} of ${measureText(goal, held.amount)}${per}?`, goal, held.amount, [set]),
      number(`Does the answer give ${measureText(goal, actual)} ${about}?`, goal, actual, entries),
      ...standing(goal, held.amount, actual, [set, ...entries]),
    ],
    forgetting: former,
    derived: {
      of: goal,
      text: `${capital(named(goal))} from ${periodText(week)}: ${measureText(goal, actual)}${goal === 'steps' ? ' a day on average' : ' in total'}.`,
      forms: resultForms(goal, actual),
    },
    beside: [set],
  })
}

/** On which side of the goal it is, and for money by how much. */
function standing(goal: Meal | 'steps', wanted: number, actual: number, facts: readonly LifeFact[]): Item[] {
  if (goal === 'steps') {
    const met = actual >= wanted
    const status = { forms: met ? MET : MISSED, contrary: met ? MISSED : [] }
    const text = met ? 'Does the answer say that the goal was met?' : 'Does the answer say that the goal was not met?'
    return [plainItem(text, { act: 'mention', forms: status.forms, status }, facts)]
  }
  const over = actual > wanted
  const status = over ? OVERSPENT : NEVER_OVER
  const side = over ? 'over' : 'within'
  const difference = Math.abs(wanted - actual)
  const much = over ? `${money(difference)} was spent beyond the budget` : `${money(difference)} of the budget is left`
  return [
    plainItem(
      `Does the answer say that the spending was ${side} the budget?`,
      { act: 'mention', forms: status.forms, status },
      facts,
    ),
    ...(difference === 0 ? [] : [number(`Does the answer say that ${much}?`, goal, difference, facts)]),
  ]
}

/** The goal before the one in force, unless its number has some other right to be in the answer. */
function formerGoal(life: Life, goal: Meal | 'steps', set: LifeFact, taken: readonly number[]): Item[] {
  const told = life.history.of(goalThing(goal)).filter(({ session }) => session <= set.session)
  const before = told.at(-2)
  const value = before && Number(before.value) * (goal === 'steps' ? 1 : 100)
  if (value === undefined || taken.includes(value)) return []
  const text = `Does the answer go by the former ${goal === 'steps' ? 'goal' : `${goal} budget`} of ${measureText(goal, value)}?`
  return [{ text, asks: asksFor(goal, value), told: [before!, set], needs: [], outdated: [before!] }]
}

/** Full weeks, since the first budget, that were within it or over it: whichever is asked. A count of none is not asked for. */
function budgets(context: Context, meal: Meal, side: 'met' | 'overspent'): QuestionCandidate | null {
  const { ledger, weeks, life } = context
  const counted = weeks.filter((week) => ledger.goal(meal, week.to) !== null)
  if (counted.length < 2) return null
  const met = counted.filter((week) => ledger.total(meal, week) <= ledger.goal(meal, week.to)!.amount).length
  const [count] = worked(context, { what: 'weeks', meal, side, among: counted }, [
    side === 'met' ? met : counted.length - met,
  ])
  if (count === 0) return null
  const span = { from: counted[0]!.from, to: counted.at(-1)!.to }
  const goals = new Set(counted.map((week) => goalFact(life, ledger.goal(meal, week.to)!)))
  const facts = [...goals, ...entryFacts(context, meal, span)]
  const how = side === 'met' ? 'within' : 'over'
  return make(context, {
    subtype: `budgets-${side}`,
    family: 'budgets',
    about: meal,
    slots: { period: periodText(span), kind: meal, weeks: String(counted.length) },
    weeks: weeks[0]!,
    presence: [
      counting(`Does the answer count ${weeksText(count!)} ${how} the ${meal} budget?`, count!, 'weeks', facts),
    ],
    derived: {
      of: meal,
      text: `From ${periodText(span)} ${weeksText(count!)} ${how} the ${meal} budget.`,
      forms: countForms(count!, 'weeks'),
    },
  })
}

/** Days on which the step goal of the day was reached. */
function goalDays(context: Context, whole: Period): QuestionCandidate | null {
  const { ledger, life } = context
  const first = life.history.of(goalThing('steps'))[0]
  if (!first) return null
  const period = { from: first.day, to: whole.to }
  const entries = ledger.entries('steps', period)
  const perDay = new Map<string, number>()
  for (const { day, amount } of entries) perDay.set(day, (perDay.get(day) ?? 0) + amount)
  const reached = [...perDay].filter(([day, walked]) => walked >= ledger.goal('steps', day)!.amount).length
  const [count] = worked(context, { what: 'days', in: period }, [reached])
  if (count === 0) return null
  const facts = [...life.history.of(goalThing('steps')), ...entryFacts(context, 'steps', period)]
  const text = `Does the answer count ${count} ${count === 1 ? 'day' : 'days'} on which the step goal was reached?`
  return make(context, {
    subtype: 'steps-goal-days',
    family: 'budgets',
    slots: { period: periodText(period) },
    presence: [counting(text, count!, 'days', facts)],
    derived: {
      of: 'steps',
      text: `The step goal was reached on ${count} days from ${periodText(period)}.`,
      forms: countForms(count!, 'days'),
    },
  })
}

const weeksText = (count: number): string => (count === 1 ? '1 week was' : `${count} weeks were`)
