import type { Plan } from '../engine/plan.js'
import { count } from '../report/format.js'
import { duration } from './progress.js'

/**
 * What is ahead of a run, told when it begins: how many questions, about how long, and how to make it smaller. Embedding comes on top where
 * vectors are not kept yet; the progress tells the time left at the rate so far, from the first percent on.
 *
 * @param ms how long it will take, as far as that is known; null for a run that had begun before: what it asks is settled then
 */
export function startLine({ lives, request }: Pick<Plan, 'lives' | 'request'>, ms: number | null): string {
  const questions = lives.reduce((sum, { asks }) => sum + asks.reduce((n, { depths }) => n + depths.length, 0), 0)
  const many = `${count(questions)} questions, over all systems and depths`
  if (ms === null) return `${many}; the time left is told from the first percent on.`
  const outside = lives.some(({ subject }) => subject.outside)
  const how = outside ? ', and what a memory of your own takes besides' : ''
  return `${many}; ${duration(ms)}${how}. Fewer: ${request.size === 'quick' ? '' : '--size quick, '}--limit <n>.`
}
