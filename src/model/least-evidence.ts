import { countTokens } from '../base/tokens.js'
import { type Depth, depthTokens } from './depth.js'
import { correctionsOf, type Fact } from './fact.js'
import type { Question } from './question.js'
import { conversationsOf, questionsOf, type Scenario } from './scenario.js'
import { shownTokens } from './shown-memory.js'
import type { Memory } from './system.js'

/** What suffices for a question and takes least, and how much that is: memories, or tokens. */
export interface LeastEvidence {
  facts: string[]
  size: number
}

/**
 * Finds, for the questions of a scenario, the alternative of `needs` that takes least at a depth, with what corrects it: where the words of a
 * needed fact also state something outdated, its correction has to be read as well. Null: nothing suffices, or nothing is needed.
 *
 * @param counted what is counted of a fact where tokens are: its words with the time at which they were said, or its words alone
 */
export function leastEvidenceIn(
  scenario: Scenario,
  counted: 'with times' | 'words' = 'with times',
): (question: Question, depth: Depth) => LeastEvidence | null {
  const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))
  const memories = factsAsMemories(scenario)
  const tokensOf = (id: string) =>
    counted === 'words' ? countTokens(facts.get(id)!.text) : shownTokens(memories.get(id)!)
  const corrections = correctionsOf(scenario.facts)
  return (question, depth) => {
    const sizeOf = (id: string) => (depthTokens(depth) === null ? 1 : tokensOf(id))
    const sizes = question.needs.flatMap((set): LeastEvidence[] => {
      const whole = corrected(set, question, facts, corrections, sizeOf)
      // Facts of the same words, such as something said and its day, are read in one memory.
      const read = whole?.filter(
        (id, at) => whole.findIndex((one) => facts.get(one)!.text === facts.get(id)!.text) === at,
      )
      return read ? [{ facts: read, size: read.reduce((sum, id) => sum + sizeOf(id), 0) }] : []
    })
    return sizes.reduce<LeastEvidence | null>((least, next) => (least && least.size <= next.size ? least : next), null)
  }
}

/** A set of facts with the smallest correction of everything outdated that their words state; null when one cannot be corrected. */
function corrected(
  set: readonly string[],
  { outdated }: Question,
  facts: ReadonlyMap<string, Fact>,
  corrections: ReadonlyMap<string, readonly string[]>,
  sizeOf: (id: string) => number,
): string[] | null {
  const whole = [...set]
  // What corrects may itself state something outdated; every round corrects one more, so it ends.
  for (;;) {
    const standing = outdated.find((id) => {
      const text = facts.get(id)!.text
      const stated = whole.some((one) => one === id || facts.get(one)!.text.includes(text))
      return stated && !corrections.get(id)?.some((correction) => whole.includes(correction))
    })
    if (standing === undefined) return whole
    const [least] = [...(corrections.get(standing) ?? [])].sort((a, b) => sizeOf(a) - sizeOf(b))
    if (least === undefined) return null
    whole.push(least)
  }
}

/**
 * The facts of a scenario as memories, in the words in which they were said. What nobody said, but follows, comes from the conversations
 * that say what it follows from.
 */
export function factsAsMemories(scenario: Scenario): Map<string, Memory> {
  const times = new Map(conversationsOf(scenario).map(({ id, time }) => [id, time]))
  const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))
  const grounds = groundsOf(scenario, facts)
  return new Map(
    scenario.facts.map(({ id, text, sources }) => {
      const from = sources.length > 0 ? sources : (grounds.get(id) ?? [])
      const time = times.get((sources.length > 0 ? from[0] : from.at(-1)) ?? '')
      return [id, { id, text, sources: from, ...(time !== undefined && { time }) }] as const
    }),
  )
}

/** For what nobody said: the conversations that say what it follows from, in the order of the timeline. */
export function groundsOf(scenario: Scenario, facts: ReadonlyMap<string, Fact>): Map<string, string[]> {
  const order = new Map(conversationsOf(scenario).map(({ id }, i) => [id, i]))
  const grounds = new Map<string, string[]>()
  for (const { needs } of questionsOf(scenario)) {
    const said = [...new Set((needs[0] ?? []).flatMap((id) => facts.get(id)?.sources ?? []))]
    said.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    for (const id of needs.slice(1).flat())
      if (facts.get(id)?.sources.length === 0 && !grounds.has(id)) grounds.set(id, said)
  }
  return grounds
}
