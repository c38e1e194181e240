import type { SystemComparison } from '../analysis/compare-runs.js'
import { contestantWords } from '../analysis/contestants.js'
import { depthKey } from '../model/index.js'
import {
  type ComparedSystems,
  comparisonGrounds,
  pointsRange,
  spentWords,
  verdictWords,
  waysOf,
} from '../report/comparison.js'
import { clipText, signedPoints } from '../report/format.js'

/** Two systems task by task, with everything in words that the command says too. */
export type ShownComparison = ReturnType<typeof shown>

export type ComparedTask = ShownComparison['tasks'][number]

const MOST_TEXT = 300

/** Comparisons as pages show them. */
export function shownComparisons({ comparisons, alone }: ComparedSystems) {
  return { comparisons: comparisons.map(shown), alone }
}

function shown({ a, b, tasks, leftOut }: SystemComparison) {
  return {
    a: { run: a.run, label: contestantWords(a) },
    b: { run: b.run, label: contestantWords(b) },
    tasks: tasks.map((task) => ({
      id: `${task.suite}/${task.task}`,
      a: task.a,
      b: task.b,
      verdict: task.verdict,
      difference: signedPoints(task.difference),
      range: pointsRange(task.ci95),
      words: verdictWords(task),
      grounds: comparisonGrounds(task),
      spent: spentWords(task.spent),
      ways: waysOf(task.flips),
      depths: [depthKey(task.depths[0]), depthKey(task.depths[1])] as const,
      flips: task.flips.map((flip) => ({ ...flip, text: clipText(flip.text, MOST_TEXT) })),
    })),
    leftOut,
  }
}
