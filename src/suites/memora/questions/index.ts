import { Random } from '../../../base/random.js'
import { daysIn, isByMonth, lifeOf } from '../days.js'
import type { LifeTrace, Task } from '../trace.js'
import { lifeFrom, type QuestionCandidate } from './asking.js'
import { goals } from './goals.js'
import { recommending } from './recommending.js'
import { remembering } from './remembering.js'
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

/** Questions of one task for a life of so many days: 5 up to a month, 10 for a quarter, and in proportion between and beyond. */
function questionsFor(days: number): number {
  if (days <= 28) return 5
  return days <= 92 ? Math.round(5 + (5 * (days - 28)) / 64) : Math.round((10 * days) / 92)
}

/**
 * Chooses among the questions of one task. Every family first gives the one that rests on most sessions, of a subtype that chance picks
 * where it has several; then those that rest on most sessions fill up. Where some ask for forgetting and others do not, the former come
 * first. The result goes from most sessions to fewest.
 */
function select(candidates: readonly QuestionCandidate[], count: number, random: Random) {
  const ranked = [...candidates].sort(byWeight)
  const families = [...new Set(ranked.map(({ family }) => family))]
  const firsts = families.map((name) => {
    const family = ranked.filter((one) => one.family === name)
    const best = family.filter((one) => forgets(one) === forgets(family[0]!))
    const subtype = random.pick([...new Set(best.map(subtypeOf))].sort())
    return best.find((one) => subtypeOf(one) === subtype)!
  })
  const chosen = firsts.sort(byWeight).slice(0, count)
  const rest = ranked.filter((one) => !chosen.includes(one))
  return [...chosen, ...rest.slice(0, count - chosen.length)].sort(byConsolidation)
}

/**
 * Draws questions of one task about a long life, where those that rest on most sessions rest on hundreds: their family gives one, and more
 * only when the others have nothing left. The others take turns. Chance picks within a family, first among those that ask for forgetting.
 */
function drawInTurn(candidates: readonly QuestionCandidate[], count: number, random: Random) {
  const names = [...new Set([...candidates].sort(byWeight).map(({ family }) => family))]
  const [heaviest = [], ...others] = names.map((name) =>
    random
      .shuffle(candidates.filter(({ family }) => family === name))
      .sort((a, b) => Number(forgets(b)) - Number(forgets(a))),
  )
  const families = random.shuffle(others)
  const inTurn = candidates.flatMap((_, turn) => families.flatMap((family) => family[turn] ?? []))
  return [...heaviest.slice(0, 1), ...inTurn, ...heaviest.slice(1)].slice(0, count).sort(byConsolidation)
}

function byWeight(a: QuestionCandidate, b: QuestionCandidate): number {
  return Number(forgets(b)) - Number(forgets(a)) || b.consolidation - a.consolidation
}

function byConsolidation(a: QuestionCandidate, b: QuestionCandidate): number {
  return b.consolidation - a.consolidation || (a.question.id < b.question.id ? -1 : 1)
}

const subtypeOf = ({ question }: QuestionCandidate): string => question.tags.subtype!

function forgets({ question }: QuestionCandidate): boolean {
  const { gold, task } = question
  return task === 'reasoning' || (gold.kind === 'criteria' && gold.criteria.some(({ type }) => type === 'forgetting'))
}
