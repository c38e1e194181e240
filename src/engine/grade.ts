import { splitIntoBatches } from '../base/batches.js'
import { entryOf } from '../base/group-by.js'
import { type Depth, depthKey } from '../model/depth.js'
import { askKey } from '../model/identity.js'
import type { AnswerCase, Judge } from '../model/judge.js'
import type { Question } from '../model/question.js'
import type { AnswerRecord, GradeRecord, LifeKey, RunStore } from '../model/run-store.js'
import { probesByQuestion } from '../model/scenario.js'
import type { AnswerVerdict } from '../model/verdict.js'
import { billShared } from './bill.js'
import { JUDGE_LANES } from './judge-life.js'
import { keptMemories, retrievedMemories } from './kept-memories.js'
import { inLanes } from './lanes.js'
import type { PlannedLife } from './plan.js'
import { recitalFinder } from './recital.js'

/** An answer that is still to be judged; `graded` by the suite's own rule where there is one. */
type OpenAnswer = AnswerCase & { depth: Depth; graded: AnswerVerdict | null }

/** Answers kept at a time. Judges that call models make calls of their own size of them, whose replies outlive a kill in the cache. */
const BATCH = 200

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
  const answers = await store.getAnswers(key, readerKey)
  const measured = measuring(life, answers)
  const put = (records: GradeRecord[]) => store.putGrades(key, readerKey, judge.key, records.map(measured))
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
  const open: OpenAnswer[] = []
  for (const { question: id, depth, answer } of answers) {
    const question = questions.get(id)
    if (answer === null || !question || judged.has(askKey(id, depth))) continue
    const graded = gradeByRule(life, question, answer) ?? (await recital(question, depth, answer))
    if (graded && !judge.judgeQuestions) byRule.push({ question: id, depth, verdict: graded })
    else {
      const ids = [...new Set([...question.needs.flat(), ...(question.tempting ?? []), ...question.outdated])]
      const { time } = probes.get(id)!
      open.push({ question, answer, depth, time, graded, facts: ids.flatMap((fact) => facts.get(fact) ?? []) })
    }
  }
  if (byRule.length > 0) await put(byRule)
  if (judge.judgeQuestions) return gradeByQuestion(key, open, judge, store, put, signal)
  await inLanes(splitIntoBatches(open, BATCH), JUDGE_LANES, async (batch) => {
    signal.throwIfAborted()
    const { result: verdicts, tookEach } = await billShared(() =>
      judge.judgeAnswers
        ? judge.judgeAnswers(batch, signal)
        : Promise.all(batch.map(({ question, answer }) => judge.judgeAnswer(question, answer, signal))),
    )
    const took = tookEach(batch.length)
    await put(batch.map(({ question, depth }, i) => ({ question: question.id, depth, verdict: verdicts[i]!, ...took })))
  })
}

/** Adds to the credit of a graded answer what the suite measures of it. */
function measuring({ suite, asks }: PlannedLife, answers: readonly AnswerRecord[]) {
  if (!suite.measures) return (record: GradeRecord) => record
  const questions = new Map(asks.map(({ question }) => [question.id, question]))
  const texts = new Map(answers.map(({ question, depth, answer }) => [askKey(question, depth), answer]))
  return (record: GradeRecord): GradeRecord => {
    const { verdict } = record
    const [question, text] = [questions.get(record.question), texts.get(askKey(record.question, record.depth))]
    if (!verdict || verdict.grade === 'error' || !question || typeof text !== 'string') return record
    return { ...record, verdict: { ...verdict, credit: { ...verdict.credit, ...suite.measures!(question, text) } } }
  }
}

/** An answer of another form than was asked for is an error of a reader; a system that answers by itself has then answered wrongly. */
function gradeByRule({ suite, subject }: PlannedLife, question: Question, answer: string): AnswerVerdict | null {
  const plain = suite.grade(question, answer)
  if (!plain) return null
  const { grade, reason } = plain
  if (grade === 'error' && subject.definition.answers) return { grade: 'wrong', uncertain: false, reason }
  return grade === 'error' ? { grade, reason } : { grade, uncertain: false, reason }
}

/**
 * Grades answers with a judge that has `judgeQuestions`: one call per depth and store snapshot. Keeps the answer verdict and the stages of
 * each question. Questions without a snapshot are skipped.
 */
async function gradeByQuestion(
  key: LifeKey,
  open: readonly OpenAnswer[],
  judge: Judge,
  store: RunStore,
  put: (records: GradeRecord[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (open.length === 0) return
  const snapshots = new Map((await store.getMoments(key)).map(({ moment, snapshot }) => [moment, snapshot]))
  const kept = await store.getWitnesses(key)
  const witnesses = new Map(kept.map((witness) => [askKey(witness.question, witness.depth), witness]))
  const witnessOf = ({ question, depth }: OpenAnswer) => witnesses.get(askKey(question.id, depth))
  const groups = new Map<string, { snapshot: string; items: OpenAnswer[] }>()
  for (const item of open) {
    const snapshot = snapshots.get(witnessOf(item)?.probe ?? '')
    if (!snapshot) continue
    const place = `${depthKey(item.depth)} ${snapshot}`
    entryOf(groups, place, () => ({ snapshot, items: [] })).items.push(item)
  }
  for (const { snapshot, items } of groups.values()) {
    signal.throwIfAborted()
    const held = await keptMemories(snapshot, store)
    const cases = await Promise.all(
      items.map(async (item) => {
        const facts = item.facts.filter(({ id }) => !item.question.outdated.includes(id))
        return { ...item, facts, retrieved: await retrievedMemories(witnessOf(item)!, held, store) }
      }),
    )
    const asked = () => judge.judgeQuestions!([...held.values()], cases, signal)
    const { result: verdicts, tookEach } = await billShared(asked)
    const took = tookEach(items.length)
    await put(
      items.map(({ question, depth }, i) => {
        const { stages, answer } = verdicts[i]!
        return { question: question.id, depth, verdict: answer, stages, ...took }
      }),
    )
  }
}
