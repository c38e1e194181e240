import { printableJson } from '../base/text.js'
import type {
  Cell,
  Interval,
  JudgePair,
  LatencyRow,
  Outcome,
  OverallRow,
  PanelAgreement,
  Summary,
} from '../model/index.js'
import {
  depthMemories,
  instrumentKey,
  mapJudgePair,
  modelOf,
  OUTCOMES,
  readerKey,
  scoreName,
  scoresByName,
  systemName,
} from '../model/index.js'

/** Raised when what is written takes another form; docs/runs.md says how forms map. */
const FORM = 2

/** Who was measured and who answered, as they are written. */
interface WrittenNames {
  /** A guesser is `guess:<name>`. */
  system: string
  model: string | null
  /** `none` when nobody answered, `self` for a memory that answers by itself; the second time of a reader is `<name>#2`. */
  reader: string
}

/** Scores are written by name, those of a part of the questions as `name[subset]`. */
type Written<T extends { scores: unknown }> = Omit<T, 'scores' | 'subject' | 'reader' | 'judge'> &
  WrittenNames & { judge: JudgePair<string>; k: number | null; scores: Record<string, number | null> }

/** `scoreBounds` has the scores that uncertain verdicts can move. */
export type WrittenCell = Written<Cell> & { scoreBounds: Record<string, Interval> }

/** A summary as it is written. */
export type WrittenSummary = Omit<Summary, 'cells' | 'overall' | 'timing' | 'latency'> & {
  schema: typeof FORM
  cells: WrittenCell[]
  overall?: Written<OverallRow>[]
  timing: Record<string, number | (Omit<LatencyRow, 'subject' | 'reader'> & WrittenNames)[]>
}

/**
 * A summary as JSON with its keys in a fixed order, indented by two, ending in a newline: equal runs give equal bytes, apart from `run`
 * and `timing`.
 */
export function summaryJson(summary: Summary): string {
  const { run, fingerprint, status, errors, cells, overall, panel, timing, latency = [] } = summary
  const written: WrittenSummary = {
    schema: FORM,
    run: { id: run.id, created: run.created, ...(run.settings && { settings: run.settings }) },
    fingerprint: { setting: fingerprint.setting, subjects: sorted(fingerprint.subjects) },
    status,
    errors,
    cells: cells.map(orderedCell),
    ...(overall && { overall: overall.map(orderedRow) }),
    ...(panel && { panel: mapJudgePair(panel, (part) => part && orderedPanel(part)) }),
    timing: { ...sorted(timing), ...(latency.length > 0 && { latency: latency.map(orderedLatency) }) },
  }
  return `${printableJson(JSON.stringify(written, null, 2))}\n`
}

/** Who is measured and who reads, as it is written. */
function namesOf({ subject, reader }: Pick<Cell, 'subject' | 'reader'>): WrittenNames {
  return { system: systemName(subject), model: modelOf(subject), reader: readerKey(reader) }
}

function orderedRow(row: OverallRow): Written<OverallRow> {
  const { suite, judge, depth, trial, scores } = row
  const place = { judge: mapJudgePair(judge, instrumentKey), k: depthMemories(depth), depth, trial }
  return { suite, ...namesOf(row), ...place, scores: sorted(scoresByName(scores)) }
}

function orderedLatency(row: LatencyRow) {
  const { suite, task, depth, trial, store, retrieve, answer, judge } = row
  return { suite, task, ...namesOf(row), depth, trial, store, retrieve, answer, judge }
}

function orderedPanel({ judges, n, unanimous, pairs, patterns }: PanelAgreement): PanelAgreement {
  return {
    judges,
    n,
    unanimous,
    pairs: pairs.map((pair) => ordered(pair, ['judges', 'n', 'agreement', 'kappa'])),
    patterns: patterns.map((pattern) => ordered(pattern, ['labels', 'n'])),
  }
}

/** The counts and rates of parts of a cell, in the order in which they are written: in JSON by these names, in CSV behind that of the part. */
export const CELL_FIELDS = {
  answer: ['n', 'correct', 'accuracy'],
  evidence: ['n', 'complete', 'rate'],
  facts: ['n', 'stored', 'faithful', 'retrieved', 'uncertain'],
  noise: ['memories', 'tokens'],
  tempting: ['n', 'retrieved'],
} as const

function orderedCell(cell: Cell): WrittenCell {
  const { answer, evidence, noise, tempting, memory } = cell
  return {
    ...ordered(cell, ['suite', 'task']),
    ...namesOf(cell),
    judge: mapJudgePair(cell.judge, instrumentKey),
    k: depthMemories(cell.depth),
    ...ordered(cell, ['depth', 'trial', 'n', 'errors']),
    answer: answer && { ...ordered(answer, [...CELL_FIELDS.answer, 'ci95', 'bounds']), ...unmeasured(answer) },
    ...(cell.answerScore && { answerScore: cell.answerScore }),
    evidence: evidence && {
      ...ordered(evidence, [...CELL_FIELDS.evidence, 'ci95', 'bounds']),
      ...unmeasured(evidence),
    },
    outcomes: orderedOutcomes(cell.outcomes),
    facts: {
      ...ordered(cell.facts, CELL_FIELDS.facts),
      bounds: ordered(cell.facts.bounds, ['stored', 'faithful', 'retrieved']),
    },
    conversations: ordered(cell.conversations, ['n', 'lost']),
    noise: noise && ordered(noise, CELL_FIELDS.noise),
    tempting: tempting && ordered(tempting, CELL_FIELDS.tempting),
    scores: sorted(scoresByName(cell.scores)),
    scoreBounds: sorted(
      Object.fromEntries(cell.scores.flatMap((one) => (one.bounds ? [[scoreName(one), one.bounds]] : []))),
    ),
    ...(cell.aboveCeiling && { aboveCeiling: cell.aboveCeiling }),
    ...(cell.answerAboveCeiling && { answerAboveCeiling: cell.answerAboveCeiling }),
    tokens: sorted(cell.tokens),
    cost: cell.cost,
    memory: memory && ordered(memory, ['entries', 'tokens', 'tokensPerEntry']),
    ...(cell.remarks && { remarks: cell.remarks }),
  }
}

function unmeasured({ errors }: { errors?: number }): { errors?: number } {
  return errors === undefined ? {} : { errors }
}

/** These fields and no others, in this order. */
function ordered<T, K extends keyof T>(record: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, K>
}

function orderedOutcomes(outcomes: Cell['outcomes']): Partial<Record<Outcome, number>> {
  return Object.fromEntries(
    OUTCOMES.flatMap((outcome) => (outcomes[outcome] === undefined ? [] : [[outcome, outcomes[outcome]]])),
  )
}

function sorted<V>(record: Record<string, V>): Record<string, V> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
