import { messageOf } from '../base/errors.js'
import { askKey } from '../model/identity.js'
import type { Reader } from '../model/instrument.js'
import { LlmError } from '../model/llm.js'
import { type Question, questionForReader } from '../model/question.js'
import type { AnswerRecord, LifeKey, RunStore } from '../model/run-store.js'
import { probesOf } from '../model/scenario.js'
import type { Memory } from '../model/system.js'
import { roundedMs } from './bill.js'
import { isFatal } from './fatal.js'
import { keptMemories, retrievedMemories } from './kept-memories.js'
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
 * Has a reader answer every question of a life from what was retrieved, as it was kept, and saves each answer to the store. Answers that are
 * there already are not asked for again; those that ended in an error are, and those without a word.
 */
export async function answerLife(run: string, life: PlannedLife, reader: Reader, tools: AnswerTools): Promise<void> {
  const { store, signal } = tools
  const key: LifeKey = { run, ...life.key }
  const questions = new Map(life.asks.map(({ question }) => [question.id, question]))
  const done = new Set(
    (await store.getAnswers(key, reader.key))
      .filter((record) => isMeasured(record, questions.get(record.question)))
      .map(({ question, depth }) => askKey(question, depth)),
  )
  const times = new Map(probesOf(life.scenario).map(({ id, time }) => [id, time]))
  const open = (await store.getWitnesses(key)).filter(
    ({ question, depth, error }) => error === null && questions.has(question) && !done.has(askKey(question, depth)),
  )
  if (open.length === 0) return
  const held = await heldAt(key, store)
  await inLanes(open, tools.inFlight, async (witness) => {
    signal.throwIfAborted()
    const memories = await retrievedMemories(witness, held.get(witness.probe), store)
    const base = { question: witness.question, depth: witness.depth }
    let record: AnswerRecord
    try {
      const about = { time: times.get(witness.probe) ?? '', trial: life.key.trial, signal }
      const started = performance.now()
      const { kept, ...reading } = await reader.read(
        questionForReader(questions.get(witness.question)!),
        memories,
        about,
      )
      record = { ...base, ...reading, ...(!kept && { ms: roundedMs(performance.now() - started) }), error: null }
    } catch (error) {
      if (signal.aborted || isFatal(error)) throw error
      const nothing = { prompt: '', answer: null, tokens: { input: 0, output: 0 }, cost: 0 }
      const repairs = error instanceof LlmError && error.took && { repairs: error.took }
      record = { ...base, ...nothing, ...repairs, error: messageOf(error) }
    }
    await store.putAnswers(key, reader.key, [record])
    tools.onAnswer()
  })
}

/** Whether there is something to grade. Silence is none, but for criteria, which can be met by what is not said. */
function isMeasured({ answer, error }: AnswerRecord, question: Question | undefined): boolean {
  return error === null && (answer?.trim() !== '' || question?.gold.kind === 'criteria')
}

/** What a memory held at each moment, by id. */
async function heldAt(key: LifeKey, store: RunStore): Promise<Map<string, ReadonlyMap<string, Memory>>> {
  const held = new Map<string, ReadonlyMap<string, Memory>>()
  for (const { moment, snapshot } of await store.getMoments(key))
    if (snapshot !== null) held.set(moment, await keptMemories(snapshot, store))
  return held
}
