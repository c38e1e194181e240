import { correctionsOf, groundsOf, type Question, type Scenario } from '../model/index.js'

/**
 * Finds the questions about which nothing can be measured once some conversations could not be stored: those of which every alternative has
 * a fact that was said in one of them, or follows from what was, and those with an outdated fact that was corrected in one. Returns the
 * conversation it fails by, or null when the question can be measured.
 */
export function lossFinder(scenario: Scenario): (question: Question, lost: ReadonlySet<string>) => string | null {
  const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))
  const corrections = correctionsOf(scenario.facts)
  const grounds = groundsOf(scenario, facts)
  return ({ needs, outdated }, lost) => {
    if (lost.size === 0) return null
    const lostOf = (id: string): string | undefined => {
      const { sources = [] } = facts.get(id) ?? {}
      return (sources.length > 0 ? sources : (grounds.get(id) ?? [])).find((source) => lost.has(source))
    }
    const broken = needs.map((set) => set.map(lostOf).find((source) => source !== undefined))
    if (broken.length > 0 && broken.every((source) => source !== undefined)) return broken[0]!
    return outdated.flatMap((id) => corrections.get(id) ?? []).flatMap((id) => lostOf(id) ?? [])[0] ?? null
  }
}
