import { normalQuantile } from '../base/intervals.js'
import type { Plan } from '../engine/plan.js'
import { type Depth, depthMemories, depthTokens } from '../model/depth.js'
import { leastEvidenceIn } from '../model/least-evidence.js'
import { questionsOf } from '../model/scenario.js'
import type { Suite } from '../model/suite.js'

/** What a perfect search could make of the questions of a task at one depth. */
export interface Ceiling {
  /** Questions that need something. */
  n: number
  /** Of these, what `oracle` completes: every memory holds one fact in its original words, with its time. */
  reachable: number
  /** The same with words alone: more than that no store of one fact a memory can complete. */
  most: number
  /** Right answers that evidence and guessing explain. */
  mostAnswers: number
}

/** Guessers may be lucky: so much is within chance. */
const LUCK = normalQuantile(0.975)

/**
 * The share of a task's questions that a perfect search could answer at a depth if every memory held one fact in its original words: their
 * smallest evidence, with its corrections, fits in the depth. Questions that need no evidence do not count; null if no other is left.
 */
export function retrievalCeiling(plan: Plan, suite: Suite, task: string, depth: Depth): number | null {
  const { n, reachable } = ceilingOf(plan, suite, task, depth)
  return n === 0 ? null : reachable / n
}

/** The ceiling of a task at a depth, of evidence and of answers. */
export function ceilingOf(plan: Plan, suite: Suite, task: string, depth: Depth): Ceiling {
  const limit = depthMemories(depth) ?? depthTokens(depth) ?? Number.POSITIVE_INFINITY
  const ceiling = { n: 0, reachable: 0, most: 0 }
  let free = 0
  /** For each guesser, its chances on questions that no evidence reaches. */
  const guessed = suite.guessers.map(() => ({ mean: 0, variance: 0 }))
  for (const { scenario, questions } of askedQuestions(plan, suite, task)) {
    const [whole, words] = [leastEvidenceIn(scenario), leastEvidenceIn(scenario, 'words')]
    const asked = new Set(questions)
    const chances = suite.guessers.map((guesser) => guesser.guess(scenario))
    for (const [i, question] of questionsOf(scenario).entries()) {
      if (!asked.has(question)) continue
      if (question.needs.length === 0) {
        free++
        continue
      }
      ceiling.n++
      if ((whole(question, depth)?.size ?? Number.POSITIVE_INFINITY) <= limit) ceiling.reachable++
      if ((words(question, depth)?.size ?? Number.POSITIVE_INFINITY) <= limit) ceiling.most++
      else
        for (const [at, guess] of guessed.entries()) {
          const chance = chances[at]![i] ?? 0
          guess.mean += chance
          guess.variance += chance * (1 - chance)
        }
    }
  }
  const luck = Math.max(0, ...guessed.map(({ mean, variance }) => mean + LUCK * Math.sqrt(variance)))
  return { ...ceiling, mostAnswers: free + ceiling.most + luck }
}

/** The questions of a task that are asked, by scenario. */
export function askedQuestions(plan: Plan, suite: Suite, task: string) {
  const lives = plan.lives.filter((life) => life.suite === suite)
  return [...new Map(lives.map(({ scenario, asks }) => [scenario, asks]))].map(([scenario, asks]) => {
    return { scenario, questions: asks.map(({ question }) => question).filter((question) => question.task === task) }
  })
}
