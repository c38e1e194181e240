import type { Fact } from '../model/fact.js'
import type { Judge } from '../model/judge.js'
import type { LifeKey, RunStore } from '../model/run-store.js'
import { momentOf } from '../model/scenario.js'
import type { Memory } from '../model/system.js'
import type { FactVerdict } from '../model/verdict.js'
import { factFinder, factHash } from './judge-life.js'
import { keptMemories } from './kept-memories.js'
import type { PlannedLife } from './plan.js'

/** Verdicts along a timeline are kept apart from those at probes: they rest on what each conversation changed. */
export function timelineKey(judge: string): string {
  return `${judge}:timeline`
}

/**
 * Follows the facts of a life through its store, conversation by conversation: a fact that was kept faithfully stays so for as long as the
 * memories that carry it are untouched; any other is looked for in what the conversation changed, and in what carried it before. Facts that
 * nobody has spoken of yet are not looked for.
 */
export async function judgeTimeline(
  run: string,
  life: PlannedLife,
  judge: Judge,
  store: RunStore,
  signal: AbortSignal,
): Promise<void> {
  if (!life.timeline) return
  const key: LifeKey = { run, ...life.key }
  const judgeKey = timelineKey(judge.key)
  const kept = new Map((await store.getMoments(key)).map(({ moment, snapshot }) => [moment, snapshot]))
  const wanted = factFinder(life)(life.asks.map(({ question }) => question))
  const heard = new Set<string>()
  let before: { snapshot: string; memories: ReadonlyMap<string, Memory> } = { snapshot: '', memories: new Map() }
  let last = new Map<string, FactVerdict>()
  for (const event of life.scenario.timeline) {
    signal.throwIfAborted()
    if (event.type === 'conversation') heard.add(event.conversation.id)
    const snapshot = kept.get(momentOf(event))
    if (snapshot === undefined || snapshot === null || snapshot === before.snapshot) continue
    const known = await store.getFactVerdicts(judgeKey, snapshot)
    const facts = wanted.filter(({ sources }) => sources.length === 0 || sources.some((id) => heard.has(id)))
    const open = facts.filter((fact) => !known.has(factHash(fact)))
    const memories = await keptMemories(snapshot, store)
    const verdicts = await follow(open, last, before.memories, memories, judge, signal)
    if (verdicts.size > 0) await store.putFactVerdicts(judgeKey, snapshot, verdicts)
    last = new Map(facts.map((fact) => [fact.id, known.get(factHash(fact)) ?? verdicts.get(factHash(fact))!]))
    before = { snapshot, memories }
  }
}

async function follow(
  facts: readonly Fact[],
  last: ReadonlyMap<string, FactVerdict>,
  before: ReadonlyMap<string, Memory>,
  now: ReadonlyMap<string, Memory>,
  judge: Judge,
  signal: AbortSignal,
): Promise<Map<string, FactVerdict>> {
  const untouched = (id: string) => {
    const [was, is] = [before.get(id), now.get(id)]
    return was !== undefined && is !== undefined && was.text === is.text && was.status === is.status
  }
  const verdicts = new Map<string, FactVerdict>()
  const open: Fact[] = []
  for (const fact of facts) {
    const verdict = last.get(fact.id)
    const support = verdict?.label === 'correct' ? verdict.support.filter((set) => set.every(untouched)) : []
    if (verdict && support.length > 0) verdicts.set(factHash(fact), { ...verdict, support })
    else open.push(fact)
  }
  if (open.length === 0) return verdicts
  const carried = new Set(open.flatMap(({ id }) => last.get(id)?.support.flat() ?? []))
  const looked = [...now.values()].filter(({ id }) => carried.has(id) || !untouched(id))
  const found = await judge.judgeFacts(open, looked, signal)
  for (const [i, fact] of open.entries()) verdicts.set(factHash(fact), found[i]!)
  return verdicts
}
