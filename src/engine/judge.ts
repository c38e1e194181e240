import { fingerprint } from '../base/hash.js'
import type { AnswerCase, Fact, FactVerdict, GradeRecord, Judge, LifeKey, RunStore, Scenario } from '../model/index.js'
import type { PlannedLife } from './plan.js'

/**
 * Judges the facts of one life from what was kept of it: every needed or outdated fact once per distinct store. Verdicts that are there
 * already are not asked for again.
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
}

/** Answers judged at a time, so that a kill loses few. */
const BATCH = 20

/** Grades the answers of one reader in a life: by rule where the suite has one, else by the judge. */
export async function gradeLife(
  run: string,
  life: PlannedLife,
  readerKey: string,
  judge: Judge,
  store: RunStore,
  signal: AbortSignal,
): Promise<void> {
  const key: LifeKey = { run, ...life.key }
  const facts = new Map(life.scenario.facts.map((fact) => [fact.id, fact]))
  const questions = new Map(life.asks.map(({ question }) => [question.id, question]))
  const judged = new Set(
    (await store.getGrades(key, readerKey, judge.key))
      .filter(({ verdict }) => verdict.grade !== 'error')
      .map(({ question, k }) => `${k} ${question}`),
  )
  const byRule: GradeRecord[] = []
  const open: (AnswerCase & { k: number })[] = []
  for (const { question: id, k, answer } of await store.getAnswers(key, readerKey)) {
    const question = questions.get(id)
    if (answer === null || !question || judged.has(`${k} ${id}`)) continue
    const plain = life.suite.grade(question, answer)
    if (plain)
      byRule.push({
        question: id,
        k,
        verdict:
          plain.grade === 'error'
            ? { grade: 'error', reason: plain.reason }
            : { grade: plain.grade, uncertain: false, reason: plain.reason },
      })
    else {
      const ids = [...new Set([...question.needs.flat(), ...(question.tempting ?? []), ...question.outdated])]
      open.push({ question, answer, k, facts: ids.flatMap((fact) => facts.get(fact) ?? []) })
    }
  }
  if (byRule.length > 0) await store.putGrades(key, readerKey, judge.key, byRule)
  for (let at = 0; at < open.length; at += BATCH) {
    signal.throwIfAborted()
    const batch = open.slice(at, at + BATCH)
    const verdicts = judge.judgeAnswers
      ? await judge.judgeAnswers(batch, signal)
      : await Promise.all(batch.map(({ question, answer }) => judge.judgeAnswer(question, answer, signal)))
    await store.putGrades(
      key,
      readerKey,
      judge.key,
      batch.map(({ question, k }, i) => ({ question: question.id, k, verdict: verdicts[i]! })),
    )
  }
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
