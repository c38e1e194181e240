import { groupBy } from '../../../base/group-by.js'
import type { CriterionAsk } from '../../../model/index.js'
import { daysIn } from '../days.js'
import { type GoalKind, MEALS, type Meal } from '../trace.js'
import { capital, countForms, mealName, money, periodText } from '../wording.js'
import type { Item, Life, QuestionCandidate } from './asking.js'
import type { LifeFact } from './history.js'
import { goalInWords } from './telling.js'
import {
  amountItem,
  asksFor,
  type Context,
  countItem,
  entryFacts,
  makeReasoningQuestion,
  measureName,
  measureText,
  plainItem,
  resultForms,
  verifyByRecount,
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
    goalDays(context),
  ]
}

/** The last full week against the goal that held in it. */
function progress(context: Context, goal: GoalKind): QuestionCandidate | null {
  const { ledger, weeks, life } = context
  const week = weeks.at(-1)
  const held = week && ledger.goal(goal, week.to)
  if (!held) return null
  const isSteps = goal === 'steps'
  const entries = entryFacts(context, goal, week)
  const sum = ledger.total(goal, week)
  const actual = isSteps ? Math.round(sum / daysIn(week)) : sum
  verifyByRecount(context, { what: 'progress', goal, in: week }, [held.amount, actual, held.amount - actual])
  const set = life.history.at(held.session)[0]!
  const aim = `${isSteps ? 'goal' : `${goal} budget`} of ${measureText(goal, held.amount)} a ${isSteps ? 'day' : 'week'}`
  const about = isSteps ? 'as the average a day' : `on ${mealName(goal)} in that week`
  const result = `${measureText(goal, actual)}${isSteps ? ' a day on average' : ' in total'}`
  return makeReasoningQuestion(context, {
    subtype: isSteps ? 'steps-goal' : 'food-goal',
    family: 'goal',
    ...(!isSteps && { about: goal }),
    slots: { period: periodText(week), kind: goal },
    presence: [
      amountItem(`Does the answer name the ${aim}?`, goal, held.amount, [set]),
      amountItem(`Does the answer give ${measureText(goal, actual)} ${about}?`, goal, actual, entries),
      ...standing(goal, held.amount, actual, [set, ...entries]),
    ],
    forgetting: formerGoal(life, goal, set, [held.amount, actual, Math.abs(held.amount - actual)]),
    derived: {
      of: goal,
      text: `${capital(measureName(goal))} from ${periodText(week)}: ${result}.`,
      forms: resultForms(goal, actual),
    },
    beside: [set],
  })
}

/** On which side of the goal it is, and for money by how much. */
function standing(goal: GoalKind, wanted: number, actual: number, facts: readonly LifeFact[]): Item[] {
  const says = (text: string, status: Status) =>
    plainItem(`Does the answer say that the ${text}?`, { act: 'mention', forms: status.forms, status }, facts)
  if (goal === 'steps') {
    return actual >= wanted
      ? [says('goal was met', { forms: MET, contrary: MISSED })]
      : [says('goal was not met', { forms: MISSED, contrary: [] })]
  }
  const over = actual > wanted
  const difference = money(Math.abs(wanted - actual))
  const much = over ? `${difference} was spent beyond the budget` : `${difference} of the budget is left`
  return [
    says(`spending was ${over ? 'over' : 'within'} the budget`, over ? OVERSPENT : NEVER_OVER),
    ...(wanted === actual
      ? []
      : [amountItem(`Does the answer say that ${much}?`, goal, Math.abs(wanted - actual), facts)]),
  ]
}

/** The goal before the one in force, unless its number has some other right to be in the answer. */
function formerGoal(life: Life, goal: GoalKind, set: LifeFact, taken: readonly number[]): Item[] {
  const told = life.history.of(goalInWords(goal)).filter(({ session }) => session <= set.session)
  const before = told.at(-2)
  if (!before) return []
  const value = Number(before.value) * (goal === 'steps' ? 1 : 100)
  if (taken.includes(value)) return []
  const name = goal === 'steps' ? 'goal' : `${goal} budget`
  const text = `Does the answer go by the former ${name} of ${measureText(goal, value)}?`
  return [{ text, asks: asksFor(goal, value), told: [before, set], needs: [], outdated: [before] }]
}

/** Full weeks, since the first budget, that were within it or over it: whichever is asked. A count of none is not asked for. */
function budgets(context: Context, meal: Meal, side: 'met' | 'overspent'): QuestionCandidate | null {
  const { ledger, weeks, life } = context
  const counted = weeks.filter((week) => ledger.goal(meal, week.to) !== null)
  if (counted.length < 2) return null
  const within = counted.filter((week) => ledger.total(meal, week) <= ledger.goal(meal, week.to)!.amount).length
  const count = side === 'met' ? within : counted.length - within
  verifyByRecount(context, { what: 'weeks', meal, side, among: counted }, [count])
  if (count === 0) return null
  const span = { from: counted[0]!.from, to: counted.at(-1)!.to }
  const goals = new Set(counted.map((week) => life.history.at(ledger.goal(meal, week.to)!.session)[0]!))
  const facts = [...goals, ...entryFacts(context, meal, span)]
  const result = `${count === 1 ? '1 week was' : `${count} weeks were`} ${side === 'met' ? 'within' : 'over'} the ${meal} budget`
  return makeReasoningQuestion(context, {
    subtype: `budgets-${side}`,
    family: 'budgets',
    about: meal,
    slots: { period: periodText(span), kind: meal, weeks: String(counted.length) },
    weeks: weeks[0]!,
    presence: [countItem(`Does the answer count ${result}?`, count, 'weeks', facts)],
    derived: { of: meal, text: `From ${periodText(span)} ${result}.`, forms: countForms(count, 'weeks') },
  })
}

/** Days on which the step goal of the day was reached. */
function goalDays(context: Context): QuestionCandidate | null {
  const { ledger, life } = context
  const set = life.history.of(goalInWords('steps'))
  if (!set[0]) return null
  const period = { from: set[0].day, to: life.trace.end }
  const perDay = groupBy(ledger.entries('steps', period), ({ day }) => day)
  const count = [...perDay].filter(([day, entries]) => {
    const walked = entries.reduce((sum, { amount }) => sum + amount, 0)
    return walked >= ledger.goal('steps', day)!.amount
  }).length
  verifyByRecount(context, { what: 'days', in: period }, [count])
  if (count === 0) return null
  const facts = [...set, ...entryFacts(context, 'steps', period)]
  const text = `Does the answer count ${count} ${count === 1 ? 'day' : 'days'} on which the step goal was reached?`
  return makeReasoningQuestion(context, {
    subtype: 'steps-goal-days',
    family: 'budgets',
    slots: { period: periodText(period) },
    presence: [countItem(text, count, 'days', facts)],
    derived: {
      of: 'steps',
      text: `The step goal was reached on ${count} days from ${periodText(period)}.`,
      forms: countForms(count, 'days'),
    },
  })
}
