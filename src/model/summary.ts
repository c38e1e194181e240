import type { Interval } from '../base/intervals.js'
import type { Depth } from './depth.js'
import type { Contestant, InstrumentRef, ReaderRef } from './identity.js'
import type { JudgePair } from './judge.js'
import type { Outcome, Score } from './score.js'

export type { Interval }

/** How many needed facts passed each stage. `stored` and `faithful` are null for a memory that cannot be looked into. */
export interface FactCounts {
  n: number
  stored: number | null
  faithful: number | null
  retrieved: number
  uncertain: number
}

/** How far a share can be trusted: by chance, and by what is uncertain in the verdicts behind it. */
interface Spread {
  ci95: Interval
  /** What it would be if every uncertain verdict went one way or the other, and every question that could not be measured had failed. */
  bounds: Interval
  /** Questions besides those counted that could not be measured; absent when there are none. */
  errors?: number
}

/** Results of one task × subject × reader × depth × trial. The unit of every table. */
export interface Cell {
  suite: string
  task: string
  subject: Contestant
  reader: ReaderRef | null
  judge: JudgePair<InstrumentRef>
  depth: Depth
  trial: number
  /** Questions asked, errors included. */
  n: number
  errors: number
  /** Of `n` answers that were graded, also where the facts behind them could not be judged. */
  answer: ({ n: number; correct: number; accuracy: number } & Spread) | null
  /** Answers as the suite counts them, which stand for `answer` in tables; `uncounted` were right and do not count. */
  answerScore?: {
    score: string
    n: number
    passed: number
    rate: number
    uncounted: { name: string; n: number }
  } & Spread
  evidence: ({ n: number; complete: number; rate: number } & Spread) | null
  outcomes: Partial<Record<Outcome, number>>
  facts: FactCounts & {
    /** How many they could be if every uncertain verdict went one way or the other. */
    bounds: { stored: Interval | null; faithful: Interval | null; retrieved: Interval | null }
  }
  /** Conversations of its lives, and those among them that could not be stored. */
  conversations: { n: number; lost: number }
  /** Share of what was retrieved that carries nothing its question needs; null where nothing was retrieved. */
  noise: { memories: number; tokens: number } | null
  /** Of questions that tempt a reader to use what was said of somebody else: how often that was retrieved. */
  tempting: { n: number; retrieved: number } | null
  scores: readonly Score[]
  /** More questions were completed than a perfect search could over a store that keeps one fact a memory. */
  aboveCeiling?: true
  /** More answers are right than evidence at this depth and guessing explain. */
  answerAboveCeiling?: true
  /** Tokens by role, as if nothing had been cached. `context` is what was retrieved. */
  tokens: Record<string, number>
  /** In USD, as if nothing had been cached; null when a price is not known. */
  cost: number | null
  memory: { entries: number; tokens: number; tokensPerEntry: number } | null
  /** What a reader must know of its system. */
  remarks?: readonly string[]
}

/** A suite's scores over all its tasks, for one subject at one depth. */
export interface OverallRow extends Pick<Cell, 'suite' | 'subject' | 'reader' | 'judge' | 'depth' | 'trial'> {
  scores: readonly Score[]
}

/** How two judges of a panel agree. `kappa` is null when chance alone explains everything. */
export interface PairAgreement {
  judges: [string, string]
  /** Things both gave a label. */
  n: number
  agreement: number
  kappa: number | null
}

/** What the judges of a panel said of one thing, in their order, and how often. A judge whose reply could not be used has `null`. */
export interface VotePattern {
  labels: (string | null)[]
  n: number
}

/** How the judges of a panel agree. */
export interface PanelAgreement {
  judges: string[]
  n: number
  unanimous: number
  pairs: PairAgreement[]
  /** Most frequent first. */
  patterns: VotePattern[]
}

/** How the judges of a panel agreed over a run: on facts, and on answers or their criteria where there were readers. */
export interface PanelReport {
  facts: PanelAgreement | null
  answers: PanelAgreement | null
}

export type RunStatus = 'valid' | 'invalid' | 'partial'

/** Milliseconds that calls took: half of them at most `p50`, 95 of 100 at most `p95`. */
export interface Latency {
  n: number
  p50: number
  p95: number
}

/** How long calls took in one cell. Replies that were kept from before do not count. */
export interface LatencyRow extends Pick<Cell, 'suite' | 'task' | 'subject' | 'reader' | 'depth' | 'trial'> {
  store: Latency | null
  retrieve: Latency | null
  answer: Latency | null
  judge: Latency | null
}

/** What `--json` writes. Whatever may differ between two equal runs is under `run` and `timing`. */
export interface Summary {
  run: {
    id: string
    created: string
    settings?: Record<string, string>
  }
  fingerprint: { setting: string; subjects: Record<string, string> }
  status: RunStatus
  errors: number
  cells: Cell[]
  /** Only of suites that have such scores. */
  overall?: OverallRow[]
  /** Only where a panel judged. */
  panel?: PanelReport
  timing: Record<string, number>
  /** How long calls took; written under `timing`. */
  latency?: LatencyRow[]
}

/** A cell in which nothing was measured yet. */
export function emptyCell(
  place: Pick<Cell, 'suite' | 'task' | 'subject' | 'reader' | 'judge' | 'depth' | 'trial'>,
): Cell {
  return {
    ...place,
    n: 0,
    errors: 0,
    answer: null,
    evidence: null,
    outcomes: {},
    facts: {
      n: 0,
      stored: 0,
      faithful: 0,
      retrieved: 0,
      uncertain: 0,
      bounds: { stored: [0, 0], faithful: [0, 0], retrieved: [0, 0] },
    },
    conversations: { n: 0, lost: 0 },
    noise: null,
    tempting: null,
    scores: [],
    tokens: {},
    cost: 0,
    memory: null,
  }
}
