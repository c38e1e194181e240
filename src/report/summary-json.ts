import type {
  Cell,
  Contestant,
  Interval,
  JudgePair,
  LatencyRow,
  Outcome,
  OverallRow,
  PanelAgreement,
  ReaderRef,
  Summary,
} from '../model/index.js'
import {
  instrumentKey,
  memoriesOf,
  modelOf,
  OUTCOMES,
  ofBoth,
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
  const ordered: WrittenSummary = {
    schema: FORM,
    run: { id: run.id, created: run.created, ...(run.settings && { settings: run.settings }) },
    fingerprint: { setting: fingerprint.setting, subjects: sorted(fingerprint.subjects) },
    status,
    errors,
    cells: cells.map(orderedCell),
    ...(overall && { overall: overall.map(orderedRow) }),
    ...(panel && {
      panel: { facts: panel.facts && orderedPanel(panel.facts), answers: panel.answers && orderedPanel(panel.answers) },
    }),
    timing: { ...sorted(timing), ...(latency.length > 0 && { latency: latency.map(orderedLatency) }) },
  }
  return `${JSON.stringify(ordered, null, 2)}\n`
}

/** Who is measured and who reads, as it is written. */
function namesOf({ subject, reader }: { subject: Contestant; reader: ReaderRef | null }): WrittenNames {
  return { system: systemName(subject), model: modelOf(subject), reader: readerKey(reader) }
}

function orderedRow(row: OverallRow): Written<OverallRow> {
  const { suite, judge, depth, trial, scores } = row
  return {
    suite,
    ...namesOf(row),
    judge: ofBoth(judge, instrumentKey),
    k: memoriesOf(depth),
    depth,
    trial,
    scores: sorted(scoresByName(scores)),
  }
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
    pairs: pairs.map(({ judges: pair, n: both, agreement, kappa }) => ({ judges: pair, n: both, agreement, kappa })),
    patterns: patterns.map(({ labels, n: times }) => ({ labels, n: times })),
  }
}

function orderedCell(cell: Cell): WrittenCell {
  const { answer, evidence, facts, conversations, noise, tempting, memory } = cell
  return {
    suite: cell.suite,
    task: cell.task,
    ...namesOf(cell),
    judge: ofBoth(cell.judge, instrumentKey),
    k: memoriesOf(cell.depth),
    depth: cell.depth,
    trial: cell.trial,
    n: cell.n,
    errors: cell.errors,
    answer: answer && {
      n: answer.n,
      correct: answer.correct,
      accuracy: answer.accuracy,
      ci95: answer.ci95,
      bounds: answer.bounds,
    },
    ...(cell.answerScore && { answerScore: cell.answerScore }),
    evidence: evidence && {
      n: evidence.n,
      complete: evidence.complete,
      rate: evidence.rate,
      ci95: evidence.ci95,
      bounds: evidence.bounds,
    },
    outcomes: orderedOutcomes(cell.outcomes),
    facts: {
      n: facts.n,
      stored: facts.stored,
      faithful: facts.faithful,
      retrieved: facts.retrieved,
      uncertain: facts.uncertain,
      bounds: { stored: facts.bounds.stored, faithful: facts.bounds.faithful, retrieved: facts.bounds.retrieved },
    },
    conversations: { n: conversations.n, lost: conversations.lost },
    noise: noise && { memories: noise.memories, tokens: noise.tokens },
    tempting: tempting && { n: tempting.n, retrieved: tempting.retrieved },
    scores: sorted(scoresByName(cell.scores)),
    scoreBounds: sorted(
      Object.fromEntries(cell.scores.flatMap((one) => (one.bounds ? [[scoreName(one), one.bounds]] : []))),
    ),
    ...(cell.aboveCeiling && { aboveCeiling: cell.aboveCeiling }),
    tokens: sorted(cell.tokens),
    cost: cell.cost,
    memory: memory && { entries: memory.entries, tokens: memory.tokens, tokensPerEntry: memory.tokensPerEntry },
  }
}

function orderedOutcomes(outcomes: Cell['outcomes']): Partial<Record<Outcome, number>> {
  return Object.fromEntries(
    OUTCOMES.flatMap((outcome) => (outcomes[outcome] === undefined ? [] : [[outcome, outcomes[outcome]]])),
  )
}

function sorted<V>(record: Record<string, V>): Record<string, V> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
