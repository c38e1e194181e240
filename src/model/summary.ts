import type { Outcome } from './outcome.js'

export type Interval = [low: number, high: number]

/** Results of one task × system × k × trial. The unit of every table. */
export interface Cell {
  suite: string
  task: string
  system: string
  model: string | null
  reader: string
  judge: string
  k: number | null
  /** Tokens of context instead of k memories, when that was asked for. */
  budget: number | null
  trial: number
  /** Questions asked, errors included. */
  n: number
  errors: number
  answer: { correct: number; accuracy: number; ci95: Interval } | null
  evidence: { n: number; complete: number; rate: number; ci95: Interval } | null
  outcomes: Partial<Record<Outcome, number>>
  facts: { n: number; stored: number; faithful: number; retrieved: number; uncertain: number }
  scores: Record<string, number | null>
  /** Tokens by role, as if nothing had been cached. `context` is what was retrieved. */
  tokens: Record<string, number>
  /** In USD, as if nothing had been cached; null when a price is not known. */
  cost: number | null
  memory: { entries: number; tokens: number; tokensPerEntry: number } | null
}

/** A suite's scores over all its tasks, for one system at one depth. */
export interface OverallRow
  extends Pick<Cell, 'suite' | 'system' | 'model' | 'reader' | 'judge' | 'k' | 'budget' | 'trial'> {
  scores: Record<string, number | null>
}

export type RunStatus = 'valid' | 'invalid' | 'partial'

/** What `--json` writes. Whatever may differ between two equal runs is under `run` and `timing`. */
export interface Summary {
  run: { id: string; created: string }
  fingerprint: { setting: string; subjects: Record<string, string> }
  status: RunStatus
  errors: number
  cells: Cell[]
  /** Only of suites that have such scores. */
  overall?: OverallRow[]
  timing: Record<string, number>
}
