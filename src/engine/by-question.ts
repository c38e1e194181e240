import { UserError } from '../base/errors.js'
import { entryOf } from '../base/group-by.js'
import {
  type AnswerCase,
  type AnswerVerdict,
  askKey,
  type Depth,
  depthKey,
  type GradeRecord,
  type Judge,
  type LifeKey,
  type RunStore,
} from '../model/index.js'
import { newBill, shareOf, timedOn } from './bill.js'
import { keptMemories, retrievedMemories } from './kept-memories.js'

interface Tools {
  judge: Judge
  store: RunStore
  put(records: GradeRecord[]): Promise<void>
  signal: AbortSignal
}

/**
 * Grades answers with a judge that has `judgeQuestions`: one call per depth and store snapshot. Saves the answer verdict and the stages of
 * each question. Questions without a snapshot are skipped.
 */
export async function gradeWithJudgeQuestions(
  key: LifeKey,
  unjudged: readonly (AnswerCase & { depth: Depth; graded: AnswerVerdict | null })[],
  { judge, store, put, signal }: Tools,
): Promise<void> {
  if (unjudged.length === 0) return
  const snapshots = new Map((await store.getMoments(key)).map(({ moment, snapshot }) => [moment, snapshot]))
  const witnesses = new Map(
    (await store.getWitnesses(key)).map((witness) => [askKey(witness.question, witness.depth), witness]),
  )
  const groups = new Map<string, { snapshot: string; items: (typeof unjudged)[number][] }>()
  for (const item of unjudged) {
    const witness = witnesses.get(askKey(item.question.id, item.depth))
    const snapshot = witness && snapshots.get(witness.probe)
    if (snapshot === undefined || snapshot === null) continue
    const place = `${depthKey(item.depth)} ${snapshot}`
    entryOf(groups, place, () => ({ snapshot, items: [] })).items.push(item)
  }
  for (const { snapshot, items } of groups.values()) {
    signal.throwIfAborted()
    const held = await keptMemories(snapshot, store)
    const cases = await Promise.all(
      items.map(async (item) => {
        const witness = witnesses.get(askKey(item.question.id, item.depth))!
        const facts = item.facts.filter(({ id }) => !item.question.outdated.includes(id))
        return { ...item, facts, retrieved: await retrievedMemories(witness, held, store) }
      }),
    )
    const bill = newBill()
    const { result: verdicts, ms } = await timedOn(bill, () => judge.judgeQuestions!([...held.values()], cases, signal))
    const took = { ...shareOf(bill, items.length), ...(ms !== null && { ms }) }
    await put(
      items.map(({ question, depth }, i) => {
        const { stages, answer } = verdicts[i]!
        return { question: question.id, depth, verdict: answer, stages, ...took }
      }),
    )
  }
}

/** A judge that goes by question reads answers; without a reader there are none. */
export function requireReader(judge: Judge, readers: readonly unknown[]): void {
  if (!judge.judgeQuestions || readers.length > 0) return
  throw new UserError(
    `The judge ${judge.name} goes by question and its answer, and there is no reader.`,
    'Name one with --reader provider:model, or take another judge.',
  )
}
