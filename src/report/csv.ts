import { stringify } from 'csv-stringify/sync'
import type { Cell, Interval, Summary } from '../model/index.js'
import {
  depthMemories,
  depthTokens,
  instrumentKey,
  modelOf,
  OUTCOMES,
  readerKey,
  scoreName,
  scoresByName,
  systemName,
} from '../model/index.js'
import { escapeForTerminal } from './escape.js'
import type { Sink } from './sink.js'
import { CELL_FIELDS } from './summary-json.js'

type Value = string | number | null
type Columns = Record<string, (cell: Cell) => Value>

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
 * - `remarks`: what must be known of the system; only where any row has some
 * - `score_*`: suite scores, one column for every score that occurs, of a part of the questions as `score_name[subset]`
 */
const CSV_COLUMNS: Columns = {
  suite: (cell) => cell.suite,
  task: (cell) => cell.task,
  system: (cell) => systemName(cell.subject),
  model: (cell) => modelOf(cell.subject),
  reader: (cell) => readerKey(cell.reader),
  fact_judge: (cell) => instrumentKey(cell.judge.facts),
  answer_judge: (cell) => instrumentKey(cell.judge.answers),
  k: (cell) => depthMemories(cell.depth),
  token_budget: (cell) => depthTokens(cell.depth),
  trial: (cell) => cell.trial,
  n: (cell) => cell.n,
  errors: (cell) => cell.errors,
  ...part('answer', (cell) => cell.answer, CELL_FIELDS.answer),
  ...interval('answer', (cell) => cell.answer),
  answer_score: (cell) => cell.answerScore?.score ?? null,
  ...part('answer_score', (cell) => cell.answerScore, ['n', 'passed', 'rate']),
  ...interval('answer_score', (cell) => cell.answerScore),
  ...part('evidence', (cell) => cell.evidence, CELL_FIELDS.evidence),
  ...interval('evidence', (cell) => cell.evidence),
  ...Object.fromEntries(OUTCOMES.map((outcome) => [`outcome_${outcome}`, (cell: Cell) => cell.outcomes[outcome] ?? 0])),
  ...part('facts', (cell) => cell.facts, CELL_FIELDS.facts),
  conversations: (cell) => cell.conversations.n,
  conversations_lost: (cell) => cell.conversations.lost,
  ...part('noise', (cell) => cell.noise, CELL_FIELDS.noise),
  ...part('tempting', (cell) => cell.tempting, CELL_FIELDS.tempting),
  ...part('memory', (cell) => cell.memory, ['entries', 'tokens']),
  memory_tokens_per_entry: (cell) => cell.memory?.tokensPerEntry ?? null,
  context_tokens: (cell) => cell.tokens.context ?? null,
  ...Object.fromEntries(
    ['ingest', 'retrieve', 'answer'].map((role) => [`${role}_tokens`, (cell: Cell) => cell.tokens[role] ?? null]),
  ),
  cost: (cell) => cell.cost,
}

const REMARKS: Columns = { remarks: (cell) => cell.remarks?.join('; ') ?? null }

/** Columns of a part of a cell, empty where it was not measured. */
function part<K extends string>(
  prefix: string,
  of: (cell: Cell) => Record<K, Value> | null | undefined,
  names: readonly K[],
): Columns {
  return Object.fromEntries(names.map((name) => [`${prefix}_${name}`, (cell: Cell) => of(cell)?.[name] ?? null]))
}

function interval(
  prefix: string,
  of: (cell: Cell) => { ci95: Interval; bounds: Interval } | null | undefined,
): Columns {
  return {
    [`${prefix}_low`]: (cell) => of(cell)?.ci95[0] ?? null,
    [`${prefix}_high`]: (cell) => of(cell)?.ci95[1] ?? null,
    [`${prefix}_worst`]: (cell) => of(cell)?.bounds[0] ?? null,
    [`${prefix}_best`]: (cell) => of(cell)?.bounds[1] ?? null,
  }
}

/** Writes a summary as CSV: a header, then one row a cell. Text that a spreadsheet would run as a formula is quoted. */
export async function writeCsv(summary: Summary, write: Sink): Promise<void> {
  const scores = [...new Set(summary.cells.flatMap((cell) => cell.scores.map(scoreName)))].sort()
  const columns = [
    ...Object.entries(CSV_COLUMNS),
    ...Object.entries(summary.cells.some(({ remarks }) => remarks) ? REMARKS : {}),
    ...Object.entries(part('score', ({ scores: own }) => scoresByName(own), scores)),
  ]
  await write(line(columns.map(([name]) => name)))
  for (const cell of summary.cells) await write(line(columns.map(([, value]) => value(cell))))
}

function line(values: readonly Value[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? escapeForTerminal(value) : value))
  return stringify([shown], { escape_formulas: true })
}
