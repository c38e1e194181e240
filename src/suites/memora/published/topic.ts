import type { LedgerMeasure } from '../questions/ledger.js'
import { type DocumentKind, type GoalKind, MEALS, type Meal, TASTES, type Taste } from '../trace.js'

/** What a published question asks for. */
export type Topic =
  | { of: 'todos' }
  | { of: 'calendar' }
  | { of: 'document'; kind: DocumentKind; document: string }
  | { of: 'total'; measure: LedgerMeasure }
  | { of: 'goal'; goal: GoalKind }
  | { of: 'best'; measure: GoalKind; unit: 'week' | 'month' }
  | { of: 'budgets'; meal: Meal; side: 'met' | 'overspent'; unit: 'week' | 'month' }
  /** `subcategory` null: the whole domain. */
  | { of: 'tastes'; domain: Taste; subcategory: string | null }
  /** The id is of no known kind. */
  | { of: 'unknown' }

/** What is reckoned from entries and goals. */
export type Figure = Extract<Topic, { of: 'total' | 'goal' | 'best' | 'budgets' }>

/** What is remembered as it stands. */
export type KeptTopic = Extract<Topic, { of: 'todos' | 'calendar' | 'document' | 'tastes' }>

export function isFigure(topic: Topic): topic is Figure {
  return topic.of === 'total' || topic.of === 'goal' || topic.of === 'best' || topic.of === 'budgets'
}

/** Kinds of documents by their published names. */
export const RELEASED_KINDS: Record<string, DocumentKind> = {
  project_proposal: 'proposal',
  email_writeup: 'email',
  meeting_notes: 'notes',
  social_media_post: 'post',
}
const meals = MEALS.join('|')

const READERS: [pattern: RegExp, topic: (...parts: string[]) => Topic][] = [
  [/^activity_todos_\d+$/, () => ({ of: 'todos' })],
  [/^activity_calendar_\d+$/, () => ({ of: 'calendar' })],
  [
    new RegExp(`^content_(${Object.keys(RELEASED_KINDS).join('|')})_\\d+_([a-z_]+_\\d+)$`),
    (kind, document) => ({ of: 'document', kind: RELEASED_KINDS[kind!]!, document: document! }),
  ],
  [/^activity_(steps|food)_total_\d+$/, (measure) => ({ of: 'total', measure: measure as 'steps' | 'food' })],
  [new RegExp(`^activity_food_(${meals})_\\d+$`), (meal) => ({ of: 'total', measure: meal as Meal })],
  [/^goal_step_tracker_daily_steps_\d+(?:_\d+)?$/, () => ({ of: 'goal', goal: 'steps' })],
  [new RegExp(`^goal_food_expenses_(${meals})_\\d+(?:_\\d+)?$`), (meal) => ({ of: 'goal', goal: meal as Meal })],
  [
    new RegExp(`^comparative_goal_(met|exceeded|overspent)_(${meals})_(week|month)_\\d+$`),
    (given, meal, unit) => {
      const side = given === 'met' ? 'met' : 'overspent'
      return { of: 'budgets', meal: meal as Meal, side, unit: unit as 'week' | 'month' }
    },
  ],
  [
    new RegExp(`^comparative_(steps|${meals})_max_(week|month)_\\d+$`),
    (measure, unit) => ({ of: 'best', measure: measure as GoalKind, unit: unit as 'week' | 'month' }),
  ],
  [
    new RegExp(`^pref_(${TASTES.join('|')})_([a-z_]+)_\\d+$`),
    (domain, part) => ({ of: 'tastes', domain: domain as Taste, subcategory: part === 'general' ? null : part! }),
  ],
]

/**
 * What a question asks for, from its published id.
 *
 * @example topicOf('comparative_coffee_max_week_628') // { of: 'best', measure: 'coffee', unit: 'week' }
 */
export function topicOf(id: string): Topic {
  for (const [pattern, topic] of READERS) {
    const found = pattern.exec(id)
    if (found) return topic(...found.slice(1))
  }
  return { of: 'unknown' }
}

/** The name of a topic, as our own questions have it. */
export function subtypeOf(topic: Topic): string {
  switch (topic.of) {
    case 'document':
      return topic.kind
    case 'total':
      return topic.measure === 'food' || topic.measure === 'steps' ? `${topic.measure}-total` : 'food-by-meal'
    case 'goal':
      return topic.goal === 'steps' ? 'steps-goal' : 'food-goal'
    case 'best':
      return topic.measure === 'steps' ? 'best-steps-period' : 'best-food-period'
    case 'budgets':
      return `budgets-${topic.side}`
    case 'tastes':
      return topic.subcategory === null ? 'general' : 'subcategory'
    default:
      return topic.of
  }
}
