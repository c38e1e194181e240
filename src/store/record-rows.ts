import { type Depth, depthKey, readDepth } from '../model/depth.js'
import { subjectKey } from '../model/identity.js'
import type { LifeKey, RunRecord, WitnessRecord } from '../model/run-store.js'

/** What every record of a question at a depth has. */
export type AskedRecord = { question: string; depth: Depth }

/** What a life is known by in all tables. */
export function lifeRow({ run, subject, scenario, trial }: LifeKey): [string, string, string, number] {
  return [run, subjectKey(subject), scenario, trial]
}

export type LifeRow = { subject: string; scenario: string; trial: number; attempts: number }

/** A subject that is written as it is kept, which is all that its rows are found by. */
export function toLife(run: string, { subject, scenario, trial, attempts }: LifeRow) {
  const [, system = subject, model = null] = /^(.*) @ (.*)$/s.exec(subject) ?? []
  return { life: { run, subject: { system, model }, scenario, trial }, attempts }
}

export const OF_A_QUESTION = ['answer', 'grade', 'counterfactual'] as const
export const OF_A_LIFE = ['moment', 'witness', 'ingest', ...OF_A_QUESTION] as const

export const RUN_COLUMNS = 'id, created, status, setting, subjects, request, elapsed_ms, embedded_texts, embedding_ms'

export interface RunRow extends Pick<RunRecord, 'id' | 'created' | 'status' | 'setting'> {
  subjects: string
  request: string
  elapsed_ms: number
  embedded_texts: number
  embedding_ms: number
}

/** A run, from its row. */
export function toRun({ id, created, status, setting, elapsed_ms: elapsedMs, ...row }: RunRow): RunRecord {
  const [subjects, request] = [JSON.parse(row.subjects), JSON.parse(row.request)]
  const embedding = { texts: row.embedded_texts, ms: row.embedding_ms }
  return { id, created, status, setting, subjects, request, elapsedMs, embedding }
}

/** In the order of the columns. */
export function fromRun({ id, created, status, setting, subjects, request, elapsedMs, embedding }: RunRecord) {
  const asked = [JSON.stringify(subjects), JSON.stringify(request)]
  return [id, created, status, setting, ...asked, Math.round(elapsedMs), embedding.texts, Math.round(embedding.ms)]
}

export const WITNESS_COLUMNS = `question, probe, depth, retrieved, scores, retrieved_snapshot AS retrievedSnapshot,
  context_tokens AS contextTokens, tokens, cost, repairs, error, sizes, ms`

export interface WitnessRow
  extends Pick<WitnessRecord, 'question' | 'probe' | 'retrievedSnapshot' | 'contextTokens' | 'cost' | 'ms'>,
    Record<'depth' | 'retrieved' | 'scores' | 'tokens' | 'error' | 'sizes', string> {
  repairs: string | null
}

/** A witness, from its row. */
export function toWitness({ repairs, ...row }: WitnessRow): WitnessRecord {
  return {
    ...row,
    depth: readDepth(row.depth),
    retrieved: JSON.parse(row.retrieved),
    scores: JSON.parse(row.scores),
    tokens: JSON.parse(row.tokens),
    ...(repairs !== null && { repairs: JSON.parse(repairs) }),
    error: JSON.parse(row.error),
    sizes: JSON.parse(row.sizes),
  }
}

/** In the order of the columns of the table, without the life. */
export function fromWitness({ question, depth, probe, ...w }: WitnessRecord) {
  const found = [JSON.stringify(w.retrieved), JSON.stringify(w.scores), w.retrievedSnapshot, w.contextTokens]
  const took = [JSON.stringify(w.tokens), w.cost, w.repairs ? JSON.stringify(w.repairs) : null]
  return [question, depthKey(depth), probe, ...found, ...took, JSON.stringify(w.error), JSON.stringify(w.sizes), w.ms]
}
