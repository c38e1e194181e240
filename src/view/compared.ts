import type { Flip, SystemComparison } from '../analysis/compare-runs.js'
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
export interface ShownComparison {
  a: { run: string; label: string }
  b: { run: string; label: string }
  tasks: ComparedTask[]
  leftOut: string[]
}

export interface ComparedTask {
  id: string
  a: number
  b: number
  difference: string
  range: string
  verdict: string
  words: string
  grounds: string
  spent: string
  depths: [a: string, b: string]
  ways: { change: Flip['change']; way: string; n: number }[]
  flips: Flip[]
}

const MOST_TEXT = 300

/** Comparisons as pages show them. */
export function shownComparisons({ comparisons, alone }: ComparedSystems): {
  comparisons: ShownComparison[]
  alone: readonly string[]
} {
  return { comparisons: comparisons.map(shown), alone }
}

function shown({ a, b, tasks, leftOut }: SystemComparison): ShownComparison {
  return {
    a: { run: a.run, label: contestantWords(a) },
    b: { run: b.run, label: contestantWords(b) },
    tasks: tasks.map((task) => ({
      ...{ id: `${task.suite}/${task.task}`, a: task.a, b: task.b, verdict: task.verdict },
      ...{ difference: signedPoints(task.difference), range: pointsRange(task.ci95), words: verdictWords(task) },
      ...{ grounds: comparisonGrounds(task), spent: spentWords(task.spent), ways: waysOf(task.flips) },
      depths: [depthKey(task.depths[0]), depthKey(task.depths[1])],
      flips: task.flips.map((flip) => ({ ...flip, text: clipText(flip.text, MOST_TEXT) })),
    })),
    leftOut,
  }
}
