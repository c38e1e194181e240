import { Random } from '../../../base/random.js'
import { daysIn, isByMonth, lifeOf } from '../days.js'
import type { LifeTrace, Task } from '../trace.js'
import { lifeFrom, type QuestionCandidate } from './asking.js'
import { goals } from './goals.js'
import { recommending } from './recommending.js'
import { remembering } from './remembering.js'
import { drawInTurn, questionsFor, select } from './select.js'
import { sums } from './sums.js'
import { contextOf } from './working.js'

/** Every question that can be made of a life, by task. */
export function candidatesOf(trace: LifeTrace, seed: number): Record<Task, QuestionCandidate[]> {
  const life = lifeFrom(trace, seed)
  const context = contextOf(life)
  const there = (list: (QuestionCandidate | null)[]) => list.filter((one) => one !== null)
  return {
    remembering: there(remembering(life)),
    reasoning: there([...sums(context), ...goals(context)]),
    recommending: there(recommending(life)),
  }
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
