import { messageOf } from '../base/errors.js'
import {
  type AnswerRecord,
  type LifeKey,
  LlmError,
  type Memory,
  type Reader,
  type RunStore,
  type WitnessRecord,
} from '../model/index.js'
import { roundedMs } from './bill.js'
import { isFatal } from './fatal.js'
import { inLanes } from './lanes.js'
import type { PlannedLife } from './plan.js'

export interface AnswerTools {
  store: RunStore
  signal: AbortSignal
  /** Answers under way at a time. */
  inFlight: number
  onAnswer(): void
}

/**
 * Has a reader answer every question of a life from what was retrieved, as it was kept. Answers that are there already are not asked for
 * again; those that ended in an error are.
 */
export async function answerLife(run: string, life: PlannedLife, reader: Reader, tools: AnswerTools): Promise<void> {
  const { store, signal } = tools
  const key: LifeKey = { run, ...life.key }
  const done = new Set(
    (await store.getAnswers(key, reader.key))
      .filter(({ error }) => error === null)
      .map(({ question, k }) => `${k} ${question}`),
  )
  const questions = new Map(life.asks.map(({ question }) => [question.id, question]))
  const times = new Map(
    life.scenario.timeline.flatMap((event) =>
      event.type === 'probe' ? [[event.probe.id, event.probe.time] as const] : [],
    ),
  )
  const open = (await store.getWitnesses(key)).filter(
    ({ question, k, error }) => error === null && questions.has(question) && !done.has(`${k} ${question}`),
  )
  if (open.length === 0) return
  const held = await heldAt(key, store)
  await inLanes(open, tools.inFlight, async (witness) => {
    signal.throwIfAborted()
    const memories = await retrievedOf(witness, held, store)
    const base = { question: witness.question, k: witness.k }
    let record: AnswerRecord
    try {
      const time = times.get(witness.probe) ?? ''
      const started = performance.now()
      const { kept, ...reading } = await reader.read(questions.get(witness.question)!, memories, {
        time,
        trial: life.key.trial,
        signal,
      })
      record = { ...base, ...reading, ...(!kept && { ms: roundedMs(performance.now() - started) }), error: null }
    } catch (error) {
      if (signal.aborted || isFatal(error)) throw error
      record = {
        ...base,
        prompt: '',
        answer: null,
        tokens: { input: 0, output: 0 },
        cost: 0,
        ...(error instanceof LlmError && error.took && { repairs: error.took }),
        error: messageOf(error),
      }
    }
    await store.putAnswers(key, reader.key, [record])
    tools.onAnswer()
  })
}

/** What a memory held at each probe, by id. */
async function heldAt(key: LifeKey, store: RunStore): Promise<Map<string, Map<string, Memory>>> {
  const held = new Map<string, Map<string, Memory>>()
  for (const { probe, snapshot } of await store.getProbes(key)) {
    if (snapshot === null) continue
    held.set(probe, new Map((await store.getSnapshot(snapshot)).map((memory) => [memory.id, memory])))
  }
  return held
}

async function retrievedOf(
  witness: WitnessRecord,
  held: ReadonlyMap<string, ReadonlyMap<string, Memory>>,
  store: RunStore,
): Promise<Memory[]> {
  const own =
    witness.retrievedSnapshot === null
      ? null
      : new Map((await store.getSnapshot(witness.retrievedSnapshot)).map((memory) => [memory.id, memory]))
  const source = own ?? held.get(witness.probe)
  return witness.retrieved.flatMap((id) => source?.get(id) ?? [])
}
