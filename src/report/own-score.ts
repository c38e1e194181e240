import { wilson } from '../base/intervals.js'
import { type Interval, scoreValue } from '../model/index.js'
import type { Point, TaskView } from './view.js'

/** The share of questions whose outcome is `correct`, which every cell with a reader has. It is a proportion, so it has an interval. */
const SHARE_OF_QUESTIONS = 'success'

/** A suite's own number of a task at one depth, 0 to 1; null without a reader, and for suites that name none. */
export function ownScore(
  { ownScore: name }: Pick<TaskView, 'ownScore'>,
  { scores, n, errors, trials, answer }: Point,
): { rate: number; ci95?: Interval } | null {
  const rate = name === undefined || !answer ? null : scoreValue(scores, name)
  if (rate === null) return null
  if (name !== SHARE_OF_QUESTIONS) return { rate }
  // Trials ask the same questions again: they are not more questions.
  const measured = (n - errors) / trials
  return { rate, ci95: wilson(rate * measured, measured) }
}

/** Whether a task was read and has a number of its suite's own. */
export function hasOwnScore(task: TaskView): boolean {
  return task.rows.some(({ points }) => points.some((point) => ownScore(task, point)))
}
