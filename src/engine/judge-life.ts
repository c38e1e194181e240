import { UserError } from '../base/errors.js'
import { entryOf } from '../base/group-by.js'
import { fingerprint } from '../base/hash.js'
import { correctionsOf, type Fact } from '../model/fact.js'
import { type Judge, UnjudgedError } from '../model/judge.js'
import type { Question } from '../model/question.js'
import type { LifeKey, RunStore } from '../model/run-store.js'
import { probesOf } from '../model/scenario.js'
import type { Memory } from '../model/system.js'
import type { FactVerdict, StoreSide } from '../model/verdict.js'
import { billShared } from './bill.js'
import { inLanes } from './lanes.js'
import type { PlannedLife } from './plan.js'

/** Calls of a judge under way at a time. */
export const JUDGE_LANES = 16

/**
 * Judges the facts of one life from what was kept of it: every needed or outdated fact once per distinct store. Verdicts that are there
 * already are not asked for again. Judges that go by question have nothing to do here.
 *
 * @param tell hears why facts could not be judged
 */
export async function judgeLife(
  run: string,
  life: PlannedLife,
  judge: Judge,
  store: RunStore,
  signal: AbortSignal,
  tell: (message: string) => void = () => {},
): Promise<void> {
  if (judge.judgeQuestions) {
    if (life.readers.length > 0) return
    throw new UserError(
      `The judge ${judge.name} goes by question and its answer, and there is no reader.`,
      'Name one with --reader provider:model, or take another judge.',
    )
  }
  const key: LifeKey = { run, ...life.key }
  const factsOf = factFinder(life)
  const asked = new Map(probesOf(life.scenario).map(({ id, questions }) => [id, questions]))
  const planned = new Map(life.asks.map(({ question }) => [question.id, question]))
  for (const { moment, snapshot } of await store.getMoments(key)) {
    signal.throwIfAborted()
    if (snapshot === null) continue
    const questions = (asked.get(moment) ?? []).filter(({ id }) => planned.has(id))
    await judgeSnapshot(judge, snapshot, factsOf(questions), store, signal, tell)
    await judgeStoreSides(judge, snapshot, questions, life.scenario.facts, store, signal)
  }
  const returned = new Map<string, Question[]>()
  for (const { retrievedSnapshot, question: id } of await store.getWitnesses(key)) {
    const question = planned.get(id)
    if (retrievedSnapshot !== null && question) entryOf(returned, retrievedSnapshot, () => []).push(question)
  }
  await inLanes([...returned], JUDGE_LANES, async ([snapshot, questions]) => {
    signal.throwIfAborted()
    await judgeSnapshot(judge, snapshot, factsOf(questions), store, signal, tell)
  })
}

async function judgeSnapshot(
  judge: Judge,
  snapshot: string,
  facts: readonly Fact[],
  store: RunStore,
  signal: AbortSignal,
  tell: (message: string) => void,
): Promise<void> {
  const known = await store.getFactVerdicts(judge.key, snapshot)
  const open = facts.filter((fact) => !known.has(factHash(fact)))
  if (open.length === 0) return
  const memories = await store.getSnapshot(snapshot)
  const { result, tookEach } = await billShared(() => judgeOrFail(judge, open, memories, signal))
  const { verdicts, failures } = result
  const [first] = failures
  if (first) tell(`No verdict of ${judge.name} on ${first.fact}: ${first.reason}`)
  const failed = new Set(failures.map(({ fact }) => fact))
  const took = tookEach(verdicts.length)
  const byFact = new Map(verdicts.map((verdict) => [verdict.fact, verdict]))
  const byHash = new Map<string, FactVerdict>()
  for (const fact of open) {
    const verdict = byFact.get(fact.id)
    if (verdict) byHash.set(factHash(fact), { ...verdict, ...took })
    else if (!failed.has(fact.id)) throw new Error(`The judge ${judge.name} gave no verdict on ${fact.id}`)
  }
  if (byHash.size > 0) await store.putFactVerdicts(judge.key, snapshot, byHash)
}

/** Asks what a store tells of questions beyond their facts, and keeps what is not nothing. */
async function judgeStoreSides(
  judge: Judge,
  snapshot: string,
  questions: readonly Question[],
  facts: readonly Fact[],
  store: RunStore,
  signal: AbortSignal,
): Promise<void> {
  if (!judge.judgeStore || questions.length === 0) return
  const known = await store.getStoreSides(judge.key, snapshot)
  const verdicts = await store.getFactVerdicts(judge.key, snapshot)
  let held: Promise<readonly Memory[]> | undefined
  const memories = async () => {
    held ??= store.getSnapshot(snapshot)
    return held
  }
  const byId = new Map(facts.map((fact) => [fact.id, fact]))
  const verdictOf = (id: string) => {
    const fact = byId.get(id)
    return fact && verdicts.get(factHash(fact))
  }
  const sides = new Map<string, StoreSide>()
  for (const question of questions.filter((one) => !known.has(questionHash(one)))) {
    const side = await judge.judgeStore({ question, verdictOf, memories }, signal)
    if (Object.keys(side).length > 0) sides.set(questionHash(question), side)
  }
  if (sides.size > 0) await store.putStoreSides(judge.key, snapshot, sides)
}

/** Verdicts on facts, and those that could not be judged with why. They are errors, and judged again when the run goes on. */
export async function judgeOrFail(
  judge: Judge,
  facts: readonly Fact[],
  memories: readonly Memory[],
  signal?: AbortSignal,
): Promise<Pick<UnjudgedError, 'verdicts' | 'failures'>> {
  try {
    return { verdicts: await judge.judgeFacts(facts, memories, signal), failures: [] }
  } catch (error) {
    if (!(error instanceof UnjudgedError)) throw error
    return error
  }
}

const hashes = new WeakMap<Fact, string>()

/** What verdicts on a fact are kept by: everything it says, wherever it was said. */
export function factHash(fact: Fact): string {
  return entryOf(hashes, fact, () => {
    const { id, text, evidence, spread, unsupported, cues } = fact
    return fingerprint({ id, text, evidence, spread, unsupported, cues })
  })
}

/** What is said of stores for a question is kept by: all that a judge may go by. */
export function questionHash({ id, gold, needs, gone }: Question): string {
  return fingerprint({ id, gold, needs, gone })
}

/** Finds the facts that are told of questions: needed, outdated, to be gone, tempting, and what corrects an outdated one. */
export function factFinder({ scenario }: PlannedLife): (questions: readonly Question[]) => Fact[] {
  const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))
  const corrections = correctionsOf(scenario.facts)
  return (questions) => {
    const ids = questions.flatMap(({ needs, outdated, gone = [], tempting = [] }) => [
      ...needs.flat(),
      ...outdated,
      ...gone,
      ...tempting,
      ...outdated.flatMap((id) => corrections.get(id) ?? []),
    ])
    return [...new Set(ids)].map((id) => {
      const fact = facts.get(id)
      if (!fact) throw new Error(`${scenario.id} needs the fact ${id}, which it does not hold`)
      return fact
    })
  }
}
