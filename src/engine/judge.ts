import { fingerprint } from '../base/hash.js'
import type { AnswerRecord, Fact, FactVerdict, Judge, LifeKey, RunStore, Scenario, Suite } from '../model/index.js'
import type { PlannedLife } from './plan.js'

/**
 * Judges one life from what was kept of it: every needed or outdated fact once per distinct store, and every answer once. Verdicts that are
 * there already are not asked for again.
 */
export async function judgeLife(
  run: string,
  life: PlannedLife,
  judge: Judge,
  store: RunStore,
  signal: AbortSignal,
): Promise<void> {
  const key: LifeKey = { run, ...life.key }
  const facts = new Map(life.scenario.facts.map((fact) => [fact.id, fact]))
  const wanted = wantedFacts(life, facts)
  for (const probe of await store.getProbes(key)) {
    signal.throwIfAborted()
    await judgeSnapshot(judge, probe.snapshot, wanted, store, signal)
  }
  const witnesses = await store.getWitnesses(key)
  const byQuestion = new Map(life.asks.map(({ question }) => [question.id, question]))
  for (const { retrievedSnapshot, question } of witnesses) {
    if (retrievedSnapshot === null) continue
    const asked = byQuestion.get(question)
    if (!asked) continue
    const needed = [...new Set([...asked.needs.flat(), ...asked.outdated])].map((id) => facts.get(id)!)
    await judgeSnapshot(judge, retrievedSnapshot, needed, store, signal)
  }
  const judged = new Set((await store.getAnswerVerdicts(key, judge.key)).map(({ question, k }) => `${k} ${question}`))
  for (const { question: id, k, answer } of witnesses) {
    const question = byQuestion.get(id)
    if (answer === null || !question || judged.has(`${k} ${id}`)) continue
    signal.throwIfAborted()
    await store.putAnswerVerdicts(key, judge.key, [
      { question: id, k, verdict: await gradeAnswer(life.suite, judge, question, answer, signal) },
    ])
  }
}

async function gradeAnswer(
  suite: Suite,
  judge: Judge,
  question: PlannedLife['asks'][number]['question'],
  answer: string,
  signal: AbortSignal,
): Promise<AnswerRecord['verdict']> {
  const plain = suite.grade(question, answer)
  if (!plain) return judge.judgeAnswer(question, answer, signal)
  if (plain.grade === 'error') return { grade: 'error', reason: plain.reason }
  return { grade: plain.grade, uncertain: false, reason: plain.reason }
}

async function judgeSnapshot(
  judge: Judge,
  snapshot: string,
  facts: readonly Fact[],
  store: RunStore,
  signal: AbortSignal,
): Promise<void> {
  const known = await store.getFactVerdicts(judge.key, snapshot)
  const open = facts.filter((fact) => !known.has(factHash(fact)))
  if (open.length === 0) return
  const verdicts = await judge.judgeFacts(open, await store.getSnapshot(snapshot), signal)
  const byHash = new Map<string, FactVerdict>()
  for (const [index, fact] of open.entries()) {
    const verdict = verdicts[index]
    if (verdict?.fact !== fact.id) throw new Error(`The judge ${judge.name} gave no verdict on ${fact.id}`)
    byHash.set(factHash(fact), verdict)
  }
  await store.putFactVerdicts(judge.key, snapshot, byHash)
}

const hashes = new WeakMap<Fact, string>()

/** What verdicts on a fact are kept by: everything it says, wherever it was said. */
export function factHash(fact: Fact): string {
  let hash = hashes.get(fact)
  if (hash === undefined) {
    const { id, text, evidence, unsupported, cues } = fact
    hash = fingerprint({ id, text, evidence, unsupported, cues })
    hashes.set(fact, hash)
  }
  return hash
}

/** Facts that some asked question needs or must not use. */
function wantedFacts(life: PlannedLife, facts: ReadonlyMap<string, Scenario['facts'][number]>): Fact[] {
  const ids = new Set(life.asks.flatMap(({ question }) => [...question.needs.flat(), ...question.outdated]))
  return [...ids].map((id) => {
    const fact = facts.get(id)
    if (!fact) throw new Error(`${life.scenario.id} needs the fact ${id}, which it does not hold`)
    return fact
  })
}
