import { UserError } from '../base/errors.js'
import { isKeepable } from '../base/keepable.js'
import type { LoadedPlanSuite } from '../engine/plan.js'
import { conversationsOf, probesOf, questionsOf } from '../model/index.js'

/**
 * Refuses data whose ids no database keeps as they are: with a NUL, or half a sign. What is kept under one is never found again.
 *
 * @throws UserError
 */
export function requireKeepableIds({ suite, scenarios }: Pick<LoadedPlanSuite, 'suite' | 'scenarios'>): void {
  const refuse = (what: string, id: string) => {
    if (isKeepable(id)) return
    throw new UserError(
      `The suite ${suite.name} has a ${what} whose id no database keeps: ${JSON.stringify(id)}.`,
      'Take the NUL, or the half of a surrogate pair, out of the id.',
    )
  }
  for (const scenario of scenarios) {
    refuse('scenario', scenario.id)
    for (const { id } of scenario.facts) refuse('fact', id)
    for (const { id } of conversationsOf(scenario)) refuse('conversation', id)
    for (const { id } of probesOf(scenario)) refuse('probe', id)
    for (const { id, task } of questionsOf(scenario)) {
      refuse('question', id)
      refuse('task', task)
    }
  }
}
