import type { Plan } from '../engine/plan.js'
import { count } from '../report/format.js'

/**
 * What is ahead of a run, told when it begins: how many questions, and how to make it smaller. How long they take nobody knows before some were
 * asked; the progress tells it from the first percent on.
 *
 * @param resumed whether the run had begun before: what it asks is settled then
 */
export function startLine({ lives, request }: Pick<Plan, 'lives' | 'request'>, resumed: boolean): string {
  const questions = lives.reduce((sum, { asks }) => sum + asks.reduce((n, { ks }) => n + ks.length, 0), 0)
  const many = `${count(questions)} questions, over all systems and depths; the time left is told from the first percent on.`
  if (resumed) return many
  return `${many} Fewer: ${request.size === 'quick' ? '' : '--size quick, '}--limit <n>.`
}
