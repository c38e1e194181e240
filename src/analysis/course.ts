import { factHash } from '../engine/judge-life.js'
import type { PlannedLife } from '../engine/plan.js'
import { type Fact, type FactLabel, type MomentRecord, momentOf, type RunStore } from '../model/index.js'

/** What the store held of a fact at one moment. Null: nobody had spoken of it yet. */
export interface Step {
  moment: string
  label: FactLabel | null
}

/** How the facts of a life fared, moment by moment. */
export interface Course {
  /** Moments at which the store was kept, in order. */
  moments: string[]
  of(fact: string): Step[]
  /** Some version of the fact was in the store before this moment. */
  storedBefore(fact: string, moment: string): boolean
}

/** Reads back how facts fared along a timeline: from verdicts along it, and from those at probes where there are no others. */
export async function readCourse(
  life: PlannedLife,
  kept: ReadonlyMap<string, MomentRecord>,
  keys: { judge: string; timeline: string },
  store: RunStore,
): Promise<Course> {
  const facts = new Map<string, Fact>(life.scenario.facts.map((fact) => [fact.id, fact]))
  const moments = life.scenario.timeline.map(momentOf).filter((moment) => kept.has(moment))
  const labels = new Map<string, Map<string, FactLabel>>()
  for (const moment of moments) {
    const { snapshot } = kept.get(moment)!
    if (snapshot === null) continue
    const found = new Map<string, FactLabel>()
    for (const key of [keys.judge, keys.timeline]) {
      for (const [hash, { label }] of await store.getFactVerdicts(key, snapshot)) found.set(hash, label)
    }
    labels.set(moment, found)
  }
  const labelAt = (fact: string, moment: string) => {
    const known = facts.get(fact)
    return known ? (labels.get(moment)?.get(factHash(known)) ?? null) : null
  }
  return {
    moments,
    of: (fact) => moments.map((moment) => ({ moment, label: labelAt(fact, moment) })),
    storedBefore(fact, moment) {
      const earlier = moments.slice(0, Math.max(0, moments.indexOf(moment)))
      return earlier.some((at) => (labelAt(fact, at) ?? 'not_stored') !== 'not_stored')
    },
  }
}
