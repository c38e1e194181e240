import type { LifeResults, Result } from '../analysis/results.js'
import { isUnmeasured, scoredQuestion } from '../analysis/scores.js'
import type { Fact } from '../model/index.js'
import type { CriterionTrace } from './data.js'

/** What became of each criterion of a question; nothing where its suite does not grade by criteria, or it could not be measured. */
export function criterionTraces(result: Result, reader: boolean, facts: ReadonlyMap<string, Fact>): CriterionTrace[] {
  const { gold } = result.question
  const stages = result.life.suite.criteria?.(scoredQuestion(result), { reader })
  if (!stages || gold.kind !== 'criteria' || isUnmeasured(result.assessment)) return []
  return gold.criteria.map(({ text, type, expected, facts: own }, at) => {
    const { met, cause, words } = stages[at]!
    const told = [...new Set(own.flatMap((id) => facts.get(id)?.sources ?? []))].sort()
    const verdict = result.grade?.criteria?.[at]
    return {
      ...{ text, type, expected, met, cause, told },
      ...(words !== undefined && { words }),
      ...(verdict && { reason: verdict.reason, ...(verdict.votes && { votes: verdict.votes }) }),
    }
  })
}

/** Facts that the criteria of a question speak of besides what it needs and what is outdated: how things were taken back. */
export function correctionsIn({ question: { gold, needs, outdated } }: Result): string[] {
  if (gold.kind !== 'criteria') return []
  const known = new Set([...needs.flat(), ...outdated])
  return [...new Set(gold.criteria.flatMap(({ facts }) => facts))].filter((id) => !known.has(id))
}

/** Whether a faithful version of a fact is among what was retrieved. */
export function isFound(
  { witness }: Result,
  fact: string,
  life: Pick<LifeResults, 'verdictIn' | 'verdictAt'>,
): boolean {
  if (witness.retrievedSnapshot !== null) return life.verdictIn(witness.retrievedSnapshot, fact)?.label === 'correct'
  const found = new Set(witness.retrieved)
  const verdict = life.verdictAt(witness.probe, fact)
  if (verdict?.label !== 'correct') return false
  return verdict.support.some((set) => set.length > 0 && set.every((memory) => found.has(memory)))
}
