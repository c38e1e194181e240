import type { Plan } from '../engine/plan.js'
import { REQUEST_SETTINGS } from './settings/table.js'

/** Which prompts readers and judges were given; null where they have none. */
export type PromptWords = Record<'reader' | 'judge', string | null>

/** Everything that was asked for, in words. */
export function choicesOf(
  plan: Pick<Plan, 'request' | 'suites' | 'subjects'>,
  prompts: PromptWords,
): { label: string; value: string }[] {
  const choices = REQUEST_SETTINGS.flatMap(([, { choices }]) => choices?.({ ...plan, prompts }) ?? [])
  return choices.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}
