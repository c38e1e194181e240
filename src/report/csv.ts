import { stringify } from 'csv-stringify/sync'
import type { Cell, Summary } from '../model/index.js'
import {
  instrumentKey,
  memoriesOf,
  modelOf,
  OUTCOMES,
  readerKey,
  scoreName,
  scoresByName,
  systemName,
  tokensOf,
} from '../model/index.js'
import type { Sink } from './sink.js'

type Value = string | number | null

/**
 * The columns of `--csv`, in order, one row a cell. Rates are from 0 to 1; what was not measured is empty, never 0.
 *
 * - `suite` to `trial`: which cell; `k` and `token_budget` are both empty at a fixed depth
 * - `n`, `errors`: questions asked, and those among them that could not be measured
 * - `answer_*`: accuracy; `answer_score*`: the suite's own count of answers, which tables show instead, and its name; `evidence_*`: evidence
 *   success; `*_low`, `*_high`: 95 % interval; `*_worst`, `*_best`: if every uncertain verdict went one way or the other
 * - `outcome_*`: questions by outcome; `facts_*`: needed facts, and how many were stored, faithful, retrieved, uncertain
 * - `conversations`, `conversations_lost`: those of its lives, and those that could not be stored
 * - `noise_*`: share of retrieved memories, and of their tokens, that carry nothing needed; `tempting_*`: questions that tempt, and how
 *   often what they tempt to was retrieved
 * - `memory_*`: size of the store; `context_tokens`: tokens retrieved, over all questions
 * - `ingest_tokens`, `retrieve_tokens`, `answer_tokens`: tokens of models by role; `cost`: dollars; both as if uncached
 * - `score_*`: suite scores, one column for every score that occurs, of a part of the questions as `score_name[subset]`
 */
export const CSV_COLUMNS: Record<string, (cell: Cell) => Value> = {
  suite: (cell) => cell.suite,
  task: (cell) => cell.task,
  system: (cell) => systemName(cell.subject),
  model: (cell) => modelOf(cell.subject),
  reader: (cell) => readerKey(cell.reader),
  fact_judge: (cell) => instrumentKey(cell.judge.facts),
  answer_judge: (cell) => instrumentKey(cell.judge.answers),
  k: (cell) => memoriesOf(cell.depth),
  token_budget: (cell) => tokensOf(cell.depth),
  trial: (cell) => cell.trial,
  n: (cell) => cell.n,
  errors: (cell) => cell.errors,
  answer_n: (cell) => cell.answer?.n ?? null,
  answer_correct: (cell) => cell.answer?.correct ?? null,
  answer_accuracy: (cell) => cell.answer?.accuracy ?? null,
  answer_low: (cell) => cell.answer?.ci95[0] ?? null,
  answer_high: (cell) => cell.answer?.ci95[1] ?? null,
  answer_worst: (cell) => cell.answer?.bounds[0] ?? null,
  answer_best: (cell) => cell.answer?.bounds[1] ?? null,
  answer_score: (cell) => cell.answerScore?.score ?? null,
  answer_score_n: (cell) => cell.answerScore?.n ?? null,
  answer_score_passed: (cell) => cell.answerScore?.passed ?? null,
  answer_score_rate: (cell) => cell.answerScore?.rate ?? null,
  answer_score_low: (cell) => cell.answerScore?.ci95[0] ?? null,
  answer_score_high: (cell) => cell.answerScore?.ci95[1] ?? null,
  evidence_n: (cell) => cell.evidence?.n ?? null,
  evidence_complete: (cell) => cell.evidence?.complete ?? null,
  evidence_rate: (cell) => cell.evidence?.rate ?? null,
  evidence_low: (cell) => cell.evidence?.ci95[0] ?? null,
  evidence_high: (cell) => cell.evidence?.ci95[1] ?? null,
  evidence_worst: (cell) => cell.evidence?.bounds[0] ?? null,
  evidence_best: (cell) => cell.evidence?.bounds[1] ?? null,
  ...Object.fromEntries(OUTCOMES.map((outcome) => [`outcome_${outcome}`, (cell: Cell) => cell.outcomes[outcome] ?? 0])),
  facts_n: (cell) => cell.facts.n,
  facts_stored: (cell) => cell.facts.stored,
  facts_faithful: (cell) => cell.facts.faithful,
  facts_retrieved: (cell) => cell.facts.retrieved,
  facts_uncertain: (cell) => cell.facts.uncertain,
  conversations: (cell) => cell.conversations.n,
  conversations_lost: (cell) => cell.conversations.lost,
  noise_memories: (cell) => cell.noise?.memories ?? null,
  noise_tokens: (cell) => cell.noise?.tokens ?? null,
  tempting_n: (cell) => cell.tempting?.n ?? null,
  tempting_retrieved: (cell) => cell.tempting?.retrieved ?? null,
  memory_entries: (cell) => cell.memory?.entries ?? null,
  memory_tokens: (cell) => cell.memory?.tokens ?? null,
  memory_tokens_per_entry: (cell) => cell.memory?.tokensPerEntry ?? null,
  context_tokens: (cell) => cell.tokens.context ?? null,
  ...Object.fromEntries(
    ['ingest', 'retrieve', 'answer'].map((role) => [`${role}_tokens`, (cell: Cell) => cell.tokens[role] ?? null]),
  ),
  cost: (cell) => cell.cost,
}

/** Writes a summary as CSV: a header, then one row a cell. Text that a spreadsheet would run as a formula is quoted. */
export async function writeCsv(summary: Summary, write: Sink): Promise<void> {
  const scores = [...new Set(summary.cells.flatMap((cell) => cell.scores.map(scoreName)))].sort()
  const columns: [string, (cell: Cell) => Value][] = [
    ...Object.entries(CSV_COLUMNS),
    ...scores.map((name): [string, (cell: Cell) => Value] => [
      `score_${name}`,
      (cell) => scoresByName(cell.scores)[name] ?? null,
    ]),
  ]
  await write(line(columns.map(([name]) => name)))
  for (const cell of summary.cells) await write(line(columns.map(([, value]) => value(cell))))
}

function line(values: readonly Value[]): string {
  return stringify([values], { escape_formulas: true })
}
