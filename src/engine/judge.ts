import { splitIntoBatches } from '../base/batches.js'
import { fingerprint } from '../base/hash.js'
import {
  type AnswerCase,
  type AnswerVerdict,
  askKey,
  correctionsOf,
  type Depth,
  type Fact,
  type FactVerdict,
  type GradeRecord,
  type Judge,
  type LifeKey,
  type Memory,
  probesByQuestion,
  probesOf,
  type Question,
  type RunStore,
  type StoreSide,
  UnjudgedError,
} from '../model/index.js'
import { newBill, shareOf, timedOn } from './bill.js'
import { gradeWithJudgeQuestions, requireReader } from './by-question.js'
import { inLanes } from './lanes.js'
import type { PlannedLife } from './plan.js'
import { recitalFinder } from './recital.js'

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
    requireReader(judge, life.readers)
    return
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
    if (retrievedSnapshot === null || !question) continue
    returned.set(retrievedSnapshot, [...(returned.get(retrievedSnapshot) ?? []), question])
  }
  await inLanes([...returned], LANES, async ([snapshot, questions]) => {
    signal.throwIfAborted()
    await judgeSnapshot(judge, snapshot, factsOf(questions), store, signal, tell)
  })
}

/** Answers kept at a time. Judges that call models make calls of their own size of them, whose replies outlive a kill in the cache. */
const BATCH = 200
/** Calls of the judge under way at a time. */
const LANES = 16

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
  const probes = probesByQuestion(life.scenario)
  const judged = new Set(
    (await store.getGrades(key, readerKey, judge.key))
      .filter(({ verdict }) => verdict?.grade !== 'error')
      .map(({ question, depth }) => askKey(question, depth)),
  )
  const recital = recitalFinder(key, life.scenario, store)
  const byRule: GradeRecord[] = []
  const open: (AnswerCase & { depth: Depth; graded: AnswerVerdict | null })[] = []
  for (const { question: id, depth, answer } of await store.getAnswers(key, readerKey)) {
    const question = questions.get(id)
    if (answer === null || !question || judged.has(askKey(id, depth))) continue
    const graded = gradeByRule(life, question, answer) ?? wrong(await recital(question, depth, answer))
    if (graded && !judge.judgeQuestions) byRule.push({ question: id, depth, verdict: graded })
    else {
      const ids = [...new Set([...question.needs.flat(), ...(question.tempting ?? []), ...question.outdated])]
      const { time } = probes.get(id)!
      open.push({ question, answer, depth, time, graded, facts: ids.flatMap((fact) => facts.get(fact) ?? []) })
    }
  }
  if (byRule.length > 0) await store.putGrades(key, readerKey, judge.key, byRule)
  if (judge.judgeQuestions) {
    const put = (records: GradeRecord[]) => store.putGrades(key, readerKey, judge.key, records)
    await gradeWithJudgeQuestions(key, open, { judge, store, put, signal })
    return
  }
  await inLanes(splitIntoBatches(open, BATCH), LANES, async (batch) => {
    signal.throwIfAborted()
    const bill = newBill()
    const { result: verdicts, ms } = await timedOn(bill, () =>
      judge.judgeAnswers
        ? judge.judgeAnswers(batch, signal)
        : Promise.all(batch.map(({ question, answer }) => judge.judgeAnswer(question, answer, signal))),
    )
    const took = { ...shareOf(bill, batch.length), ...(ms !== null && { ms }) }
    await store.putGrades(
      key,
      readerKey,
      judge.key,
      batch.map(({ question, depth }, i) => ({ question: question.id, depth, verdict: verdicts[i]!, ...took })),
    )
  })
}

/** An answer of another form than was asked for is an error of a reader; a system that answers by itself has then answered wrongly. */
function gradeByRule({ suite, subject }: PlannedLife, question: Question, answer: string): AnswerVerdict | null {
  const plain = suite.grade(question, answer)
  if (!plain) return null
  const { grade, reason } = plain
  if (grade === 'error' && subject.definition.answers) return { grade: 'wrong', uncertain: false, reason }
  return grade === 'error' ? { grade, reason } : { grade, uncertain: false, reason }
}

/** A wrong answer for a reason; null when there is none. */
function wrong(reason: string | null): AnswerVerdict | null {
  return reason === null ? null : { grade: 'wrong', uncertain: false, reason }
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
  const bill = newBill()
  const { result, ms } = await timedOn(bill, () => judgeOrFail(judge, open, memories, signal))
  const { verdicts, failures } = result
  const [first] = failures
  if (first) tell(`No verdict of ${judge.name} on ${first.fact}: ${first.reason}`)
  const failed = new Set(failures.map(({ fact }) => fact))
  const took = { ...shareOf(bill, verdicts.length), ...(ms !== null && { ms }) }
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
  const memories = () => {
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

/** A fact that cannot be judged is left without a verdict: its questions are errors, and it is judged again when the run goes on. */
async function judgeOrFail(judge: Judge, facts: readonly Fact[], memories: readonly Memory[], signal: AbortSignal) {
  try {
    return { verdicts: await judge.judgeFacts(facts, memories, signal), failures: [] }
  } catch (error) {
    if (!(error instanceof UnjudgedError)) throw error
    return { verdicts: error.verdicts, failures: error.failures }
  }
}

const hashes = new WeakMap<Fact, string>()

/** What verdicts on a fact are kept by: everything it says, wherever it was said. */
export function factHash(fact: Fact): string {
  let hash = hashes.get(fact)
  if (hash === undefined) {
    const { id, text, evidence, spread, unsupported, cues } = fact
    hash = fingerprint({ id, text, evidence, spread, unsupported, cues })
    hashes.set(fact, hash)
  }
  return hash
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
