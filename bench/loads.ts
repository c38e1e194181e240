import { readFigures } from '../src/suites/beside-papers.js'
import type { Duration } from '../src/suites/memora/days.js'
import type { QuestionCandidate } from '../src/suites/memora/questions/asking.js'

const LOADS = ['consolidation', 'consolidation_max', 'mutation', 'mutation_max'] as const

/** How many sessions a question rests on, and how many changed or withdrew something that it asks for: the mean, and the most. */
export type Loads = Record<(typeof LOADS)[number], number>

/** The loads of questions, counted as in the paper's Table 1: changes are those of remembering and recommending. */
export function loadsOf(asked: readonly QuestionCandidate[]): Loads {
  const changing = asked.filter(({ question }) => question.task !== 'reasoning')
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [sessions, changes] = [asked.map((one) => one.consolidation), changing.map((one) => one.mutation)]
  return {
    consolidation: mean(sessions),
    consolidation_max: Math.max(...sessions),
    mutation: mean(changes),
    mutation_max: Math.max(...changes),
  }
}

const FIGURES = readFigures(new URL('../src/suites/memora/figures.json', import.meta.url))

/** What Table 1 gives for a duration. */
export function publishedLoads(timeline: Duration): Loads {
  const known = FIGURES.filter(({ source, at }) => source === 'Memora Table 1' && at?.duration === timeline)
  return Object.fromEntries(LOADS.map((name) => [name, known.find(({ score }) => score === name)!.value])) as Loads
}
