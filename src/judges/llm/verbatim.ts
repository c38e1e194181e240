import {
  type AnswerVerdict,
  asTold,
  conversationsOf,
  questionsOf,
  type Scenario,
  type Suite,
} from '../../model/index.js'
import { createBm25Store, memoriesOfHits } from '../../systems/bm25/index.js'
import type { BillCase } from './bill.js'

/** A scenario as a memory would leave it that keeps every turn as said and finds by words: what bills are compared over. */
export function verbatimCase(scenario: Scenario, suite: Pick<Suite, 'grade'>, k: number): BillCase {
  const { log, index, store, weigh } = createBm25Store({})
  for (const conversation of conversationsOf(scenario)) store(asTold(conversation))
  return {
    facts: scenario.facts,
    questions: questionsOf(scenario),
    store: log.memories.slice(),
    retrieved: ({ query, text }) => memoriesOfHits(index.search(weigh(query ?? text), k), log.memories),
    grade: (question, answer): AnswerVerdict | null => {
      const plain = suite.grade(question, answer)
      if (!plain) return null
      const { grade, reason } = plain
      return grade === 'error' ? { grade, reason } : { grade, uncertain: false, reason }
    },
  }
}
