import { cohen } from '../base/intervals.js'
import type { Depth } from '../model/depth.js'
import type { ReaderRef, Subject } from '../model/identity.js'
import type { Counterfactual } from '../model/run-store.js'
import { FAILURES, type Failure, type Outcome } from '../model/score.js'

/** What the answers alone blame. `compound`: no single part repairs the question. `unmeasured`: an answer could not be had. */
export type Blame = Failure | 'compound' | 'unmeasured'

/** One failed question with both attributions. */
export interface Attributed {
  suite: string
  task: string
  subject: Subject
  reader: ReaderRef | null
  question: string
  text: string
  depth: Depth
  /** By the judge's stages. */
  judged: Failure
  /** By what repaired it. */
  proven: Blame
  counterfactual: Counterfactual
}

/**
 * The stage that, made perfect alone, repairs the question. When not even the needed facts help, the reader failed. When the store as it is
 * would have sufficed, retrieval failed. Otherwise what had to be put in tells whether the fact was missing or damaged.
 */
export function blameOf({ needed, store, stored, faithful, both }: Counterfactual): Blame {
  if (needed === null || store === null) return 'unmeasured'
  if (!needed) return 'reasoning_error'
  if (store) return 'not_retrieved'
  if (stored) return 'not_stored'
  if (faithful) return 'summary_error'
  if (stored === null || faithful === null || both === null) return 'unmeasured'
  return 'compound'
}

/** How the two attributions agree. */
export interface AttributionReport {
  n: number
  /** `matrix[judged][proven]`. */
  matrix: Record<string, Record<string, number>>
  /** Cohen's kappa over questions with a single proven stage; null when there is nothing to compare. */
  kappa: number | null
  agreement: number | null
  /** Behind `agreement`: questions with a single proven stage, and how many of them the judge attributes to it. */
  single: number
  agreed: number
  /** Questions that only more than one part repairs, and questions of which an answer could not be had. */
  compound: number
  unmeasured: number
  /** For every judged stage: how many of its questions are repaired by making that stage perfect. */
  repair: Record<string, { n: number; repaired: number }>
  /** Questions that nothing repairs, not even the needed facts. */
  unrepaired: Attributed[]
}

/** Puts the judge's attribution beside the proven one. */
export function attributionReport(list: readonly Attributed[]): AttributionReport {
  const matrix: AttributionReport['matrix'] = {}
  const repair: AttributionReport['repair'] = {}
  for (const { judged, proven, counterfactual } of list) {
    matrix[judged] ??= {}
    matrix[judged][proven] = (matrix[judged][proven] ?? 0) + 1
    repair[judged] ??= { n: 0, repaired: 0 }
    const entry = repair[judged]
    entry.n++
    if (repairs(judged, counterfactual)) entry.repaired++
  }
  const single = list.filter(({ proven }) => proven !== 'compound' && proven !== 'unmeasured')
  const agreed = single.filter(({ judged, proven }) => judged === proven).length
  const { kappa } = cohen(single.map(({ judged, proven }) => [judged, proven]))
  return {
    n: list.length,
    matrix,
    agreement: single.length === 0 ? null : agreed / single.length,
    kappa,
    single: single.length,
    agreed,
    compound: list.filter(({ proven }) => proven === 'compound').length,
    unmeasured: list.filter(({ proven }) => proven === 'unmeasured').length,
    repair,
    unrepaired: list.filter(({ counterfactual }) => counterfactual.needed === false),
  }
}

/** Whether making a stage perfect repairs a question: all stages before it are perfect too where they must be. */
function repairs(stage: Failure, { needed, store, stored, faithful, both }: Counterfactual): boolean {
  if (stage === 'not_stored') return stored === true || both === true
  if (stage === 'summary_error') return faithful === true
  return (stage === 'not_retrieved' ? store : needed) === true
}

/** The failure behind an outcome, or null when nothing failed, or nobody can say at which stage. */
export function attributedFailure(outcome: Outcome | null): Failure | null {
  return FAILURES.find((failure) => failure === outcome && failure !== 'unavailable') ?? null
}
