import type { Cell, LatencyRow, Outcome, OverallRow, PanelAgreement, Summary } from '../model/index.js'
import { OUTCOMES, scoresByName } from '../model/index.js'

/** Scores are written by name, those of a part of the questions as `name[subset]`. */
type Written<T extends { scores: unknown }> = Omit<T, 'scores'> & { scores: Record<string, number | null> }

export type WrittenCell = Written<Cell>

/** A summary as it is written. */
export type WrittenSummary = Omit<Summary, 'cells' | 'overall' | 'timing' | 'latency'> & {
  cells: WrittenCell[]
  overall?: Written<OverallRow>[]
  timing: Record<string, number | LatencyRow[]>
}

/**
 * A summary as JSON with its keys in a fixed order, indented by two, ending in a newline: equal runs give equal bytes, apart from `run`
 * and `timing`.
 */
export function summaryJson(summary: Summary): string {
  const { run, fingerprint, status, errors, cells, overall, panel, timing, latency = [] } = summary
  const ordered: WrittenSummary = {
    run: { id: run.id, created: run.created, ...(run.settings && { settings: run.settings }) },
    fingerprint: { setting: fingerprint.setting, subjects: sorted(fingerprint.subjects) },
    status,
    errors,
    cells: cells.map(orderedCell),
    ...(overall && { overall: overall.map(orderedRow) }),
    ...(panel && {
      panel: { facts: panel.facts && orderedPanel(panel.facts), answers: panel.answers && orderedPanel(panel.answers) },
    }),
    timing: { ...sorted(timing), ...(latency.length > 0 && { latency }) },
  }
  return `${JSON.stringify(ordered, null, 2)}\n`
}

function orderedRow({ suite, system, model, reader, judge, k, depth, trial, scores }: OverallRow): Written<OverallRow> {
  return {
    suite,
    system,
    model,
    reader,
    judge: orderedJudge(judge),
    k,
    depth,
    trial,
    scores: sorted(scoresByName(scores)),
  }
}

function orderedJudge({ facts, answers }: Cell['judge']): Cell['judge'] {
  return { facts, answers }
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
    system: cell.system,
    model: cell.model,
    reader: cell.reader,
    judge: orderedJudge(cell.judge),
    k: cell.k,
    depth: cell.depth,
    trial: cell.trial,
    n: cell.n,
    errors: cell.errors,
    answer: answer && { n: answer.n, correct: answer.correct, accuracy: answer.accuracy, ci95: answer.ci95 },
    ...(cell.answerScore && { answerScore: cell.answerScore }),
    evidence: evidence && { n: evidence.n, complete: evidence.complete, rate: evidence.rate, ci95: evidence.ci95 },
    outcomes: orderedOutcomes(cell.outcomes),
    facts: {
      n: facts.n,
      stored: facts.stored,
      faithful: facts.faithful,
      retrieved: facts.retrieved,
      uncertain: facts.uncertain,
    },
    conversations: { n: conversations.n, lost: conversations.lost },
    noise: noise && { memories: noise.memories, tokens: noise.tokens },
    tempting: tempting && { n: tempting.n, retrieved: tempting.retrieved },
    scores: sorted(scoresByName(cell.scores)),
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
