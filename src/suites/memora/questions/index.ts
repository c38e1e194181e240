import { Random } from '../../../base/random.js'
import type { Task } from '../tasks.js'
import type { LifeTrace } from '../trace.js'
import { lifeFrom, type QuestionCandidate } from './asking.js'
import { daysIn, isByMonth, lifeOf } from './periods.js'
import { reasoning } from './reasoning.js'
import { recommending } from './recommending.js'
import { remembering } from './remembering.js'
import { drawInTurn, questionsFor, select } from './select.js'

export { TASKS, type Task } from '../tasks.js'
export type { QuestionCandidate } from './asking.js'
export { current, History, type LifeFact, outdated } from './history.js'
export { durationOf } from './periods.js'

/** Every question that can be made of a life, by task. */
export function candidatesOf(trace: LifeTrace, seed: number): Record<Task, QuestionCandidate[]> {
  const life = lifeFrom(trace, seed)
  return { remembering: remembering(life), reasoning: reasoning(life), recommending: recommending(life) }
}

export interface AskOptions {
  seed: number
  tasks: readonly Task[]
  /** Questions of each task; by default what the length of the life calls for. */
  count?: number
}

/**
 * The questions asked at the end of a life, from its trace alone.
 *
 * @example askOf(trace, { seed: 1, tasks: TASKS }).length // 15 for a week
 */
export function askOf(trace: LifeTrace, { seed, tasks, count }: AskOptions): QuestionCandidate[] {
  const most = count ?? questionsFor(daysIn(lifeOf(trace)))
  const candidates = candidatesOf(trace, seed)
  return tasks.flatMap((task) => {
    const random = new Random(`memora/choice/${trace.persona}/${trace.end}/${seed}/${task}`)
    // There is one list of tasks and one calendar, and documents rest on few sessions however long a life is.
    const choose = isByMonth(trace) && task !== 'remembering' ? drawInTurn : select
    return choose(candidates[task], most, random)
  })
}
