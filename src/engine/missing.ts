import { askKey, type Depth, type LifeKey, type Probe, type RunStore } from '../model/index.js'
import type { PlannedLife } from './plan.js'

/** Depths at which questions are still to be asked, by question. */
export type Missing = Map<string, Depth[]>

/** Questions over which a memory never came back, with what is said of them. */
export type Stuck = Map<string, string>

/** What has no witness yet, or one that ended in an error. */
export async function missingAsks(key: LifeKey, life: PlannedLife, store: RunStore): Promise<Missing> {
  const done = new Set<string>()
  for (const { question, depth, error } of await store.witnessKeys(key))
    if (error === null) done.add(askKey(question, depth))
  const missing: Missing = new Map()
  for (const { question, depths } of life.asks) {
    const left = depths.filter((depth) => !done.has(askKey(question.id, depth)))
    if (left.length > 0) missing.set(question.id, left)
  }
  return missing
}

/** Makes all questions of a probe missing again; returns how many had been answered. */
export function askAgain(life: PlannedLife, probe: Probe, missing: Missing, stuck: Stuck): number {
  const here = new Set(probe.questions.map(({ id }) => id))
  let answered = 0
  for (const { question, depths } of life.asks) {
    if (!here.has(question.id) || stuck.has(question.id)) continue
    answered += depths.length - (missing.get(question.id)?.length ?? 0)
    missing.set(question.id, depths)
  }
  return answered
}
