import { UserError } from '../base/errors.js'
import type { AnswerCase, AnswerVerdict, GradeRecord, Judge, LifeKey, Memory, RunStore } from '../model/index.js'
import { newBill, shareOf, timedOn } from './bill.js'

interface Tools {
  judge: Judge
  store: RunStore
  put(records: GradeRecord[]): Promise<void>
  signal: AbortSignal
}

/**
 * Has a judge that goes by question decide every stage of every question, depth by depth, over the store as it was when the question was
 * asked. What it says of the facts is kept with the grades.
 */
export async function gradeByQuestion(
  key: LifeKey,
  open: readonly (AnswerCase & { k: number; graded: AnswerVerdict | null })[],
  { judge, store, put, signal }: Tools,
): Promise<void> {
  if (open.length === 0) return
  const snapshots = new Map((await store.getProbes(key)).map(({ probe, snapshot }) => [probe, snapshot]))
  const witnesses = new Map(
    (await store.getWitnesses(key)).map((witness) => [`${witness.k} ${witness.question}`, witness]),
  )
  const groups = new Map<string, { snapshot: string; items: (typeof open)[number][] }>()
  for (const item of open) {
    const witness = witnesses.get(`${item.k} ${item.question.id}`)
    const snapshot = witness && snapshots.get(witness.probe)
    if (snapshot === undefined || snapshot === null) continue
    const group = groups.get(`${item.k} ${snapshot}`) ?? { snapshot, items: [] }
    group.items.push(item)
    groups.set(`${item.k} ${snapshot}`, group)
  }
  for (const { snapshot, items } of groups.values()) {
    signal.throwIfAborted()
    const held = await store.getSnapshot(snapshot)
    const byId = new Map(held.map((memory) => [memory.id, memory]))
    const cases = await Promise.all(
      items.map(async (item) => {
        const { retrieved, retrievedSnapshot } = witnesses.get(`${item.k} ${item.question.id}`)!
        const facts = item.facts.filter(({ id }) => !item.question.outdated.includes(id))
        return { ...item, facts, retrieved: await memoriesOf(retrieved, retrievedSnapshot, byId, store) }
      }),
    )
    const bill = newBill()
    const { result: verdicts, ms } = await timedOn(bill, () => judge.judgeQuestions!(held, cases, signal))
    const took = { ...shareOf(bill, items.length), ...(ms !== null && { ms }) }
    await put(
      items.map(({ question, k }, i) => {
        const { stages, answer } = verdicts[i]!
        return { question: question.id, k, verdict: answer, stages, ...took }
      }),
    )
  }
}

/** A judge that goes by question reads answers; without a reader there are none. */
export function requireReader(judge: Judge, readers: readonly string[]): void {
  if (!judge.judgeQuestions || readers.length > 0) return
  throw new UserError(
    `The judge ${judge.name} goes by question and its answer, and there is no reader.`,
    'Name one with --reader provider:model, or take another judge.',
  )
}

async function memoriesOf(
  ids: readonly string[],
  snapshot: string | null,
  held: ReadonlyMap<string, Memory>,
  store: RunStore,
): Promise<Memory[]> {
  const source =
    snapshot === null ? held : new Map((await store.getSnapshot(snapshot)).map((memory) => [memory.id, memory]))
  return ids.flatMap((id) => source.get(id) ?? [])
}
