import type { Question } from '../model/question.js'
import type { WitnessRecord } from '../model/run-store.js'
import type { Outcome } from '../model/score.js'
import type { Memory } from '../model/system.js'
import type { AnswerVerdict, FactStages, FactVerdict } from '../model/verdict.js'

/** How far one fact came. What cannot be seen is null: the store of a memory without `dump`. */
export interface FactStage {
  id: string
  stored: boolean | null
  faithful: boolean | null
  retrieved: boolean
  uncertain: boolean
}

/** What became of one question at one depth. */
export interface Assessment {
  /** Null: it needs no fact and there was no reader, so there is nothing to measure. */
  outcome: Outcome | null
  /** All stages up to retrieval passed; null when it needs no fact or could not be measured. */
  evidence: boolean | null
  /**
   * The answer is right; null without a reader or when it could not be measured. It stands also where facts could not be judged: the outcome
   * is then an error, but what the answer is worth is known.
   */
  answer: boolean | null
  /** The facts of the alternative that came furthest. */
  facts: FactStage[]
  outdated: { id: string; live: boolean; standing: boolean }[]
  /** What it tempts a reader to use was retrieved; null when it tempts to nothing. */
  tempted: boolean | null
  /** Of what was retrieved, how much carries nothing the question needs; null when it needs no fact or could not be measured. */
  noise: { memories: number; tokens: number } | null
  /** Some verdict behind this is a best guess. */
  uncertain: boolean
  /** Why it could not be measured. */
  error?: string
}

/** Everything an assessment rests on. All of it was kept at question time or judged later from what was kept. */
export interface Evidence {
  question: Question
  witness: WitnessRecord
  /** Verdicts on the store as it was when the question was asked; null when nobody can look into it. */
  inStore: ((fact: string) => FactVerdict | undefined) | null
  /** Verdicts on what was retrieved, when it is not made of entries of the store. */
  inRetrieved: ((fact: string) => FactVerdict | undefined) | null
  /** What a reader answered, and the judge's word on it; null without a reader. */
  answered: { text: string | null; error: string | null; verdict: AnswerVerdict | null } | null
  /** What a judge that goes by question said of the facts; it takes the place of verdicts on the store. */
  stages?: readonly FactStages[] | undefined
  /** Facts whose presence corrects a fact. */
  correctionsOf: (fact: string) => readonly string[]
  /** Some version of the fact was in the store at an earlier moment. */
  wasStored: (fact: string) => boolean
  /** Status of a memory of the store, by id. */
  statusOf: (memory: string) => Memory['status']
  /** Which way every uncertain verdict is taken; as it stands when left out. */
  lean?: Lean
}

/** Everything that is uncertain taken against the memory, or for it. */
export type Lean = 'worst' | 'best'

const SEVERITY = ['not_stored', 'summary_error', 'not_retrieved', 'unavailable', 'stale_memory', 'answerable'] as const

type EvidenceOutcome = (typeof SEVERITY)[number]

/**
 * The first broken stage over the needed facts, worst first: not stored, damaged, not retrieved, outdated memory in the way; then, with a
 * reader, whether the answer is right. What cannot be measured is an error, never a zero.
 */
export function assessQuestion(evidence: Evidence): Assessment {
  const { question, witness, answered } = evidence
  if (witness.error !== null) return failed(witness.error)
  const stages = new Map<string, FactStage>()
  for (const id of question.needs.flat()) {
    const stage = stageOf(id, evidence)
    if (!stage) return unjudged(id, answered?.verdict ?? null)
    stages.set(id, stage)
  }
  const alternatives = question.needs.map((set) => {
    const facts = set.map((id) => stages.get(id)!)
    return { facts, outcome: worst(facts) }
  })
  if (question.gone && isGone(question.gone, evidence)) alternatives.push({ facts: [], outcome: 'answerable' })
  const best = alternatives.reduce<(typeof alternatives)[number] | null>(
    (found, next) => (found && SEVERITY.indexOf(found.outcome) >= SEVERITY.indexOf(next.outcome) ? found : next),
    null,
  )
  const facts = best?.facts ?? []
  const outdated = outdatedFacts(evidence)
  const uncertain = facts.some((fact) => fact.uncertain)
  let reached: EvidenceOutcome | null = best?.outcome ?? null
  if (reached === 'answerable' && outdated.some(({ standing }) => standing)) reached = 'stale_memory'
  const complete = reached === null ? null : reached === 'answerable'
  const [tempted, noise] = [isTempted(evidence), noiseOf(evidence)]
  const seen = { outcome: reached, evidence: complete, answer: null, facts, outdated, tempted, noise, uncertain }
  if (answered === null) return seen
  const { verdict } = answered
  const unmeasured = (error: string) => ({ ...seen, ...failed(error), evidence: complete, facts, outdated })
  if (answered.error !== null) return unmeasured(answered.error)
  if (brokenTemptation(evidence)) return { ...seen, outcome: 'summary_error', evidence: null }
  const unread = evidence.stages !== undefined && reached !== null && !complete
  if (!verdict && unread) return seen
  if (!verdict) return unmeasured('the answer was not judged')
  if (verdict.grade === 'error') return unmeasured(verdict.reason)
  const right = verdict.grade === 'right'
  const read: Outcome = right ? 'correct' : verdict.stale ? 'stale_answer' : 'reasoning_error'
  const outcome = reached !== null && reached !== 'answerable' ? reached : read
  return { ...seen, outcome, answer: right, uncertain: uncertain || verdict.uncertain }
}

/** Outdated facts with whether the store still holds them as if current, and whether they stand uncorrected among the retrieved. */
function outdatedFacts(evidence: Evidence): Assessment['outdated'] {
  return evidence.question.outdated.map((id) => {
    const verdict = evidence.inStore?.(id)
    const isHeld = verdict?.label === 'correct' && verdict.support.some((set) => set.every(isLiveIn(evidence)))
    const live = evidence.lean && verdict?.uncertain ? evidence.lean === 'worst' : isHeld
    const isCorrected = () => evidence.correctionsOf(id).some((correction) => isRetrieved(correction, evidence))
    return { id, live, standing: isRetrieved(id, evidence, isLiveIn(evidence), 'worst') && !isCorrected() }
  })
}

function isLiveIn({ statusOf }: Evidence): (memory: string) => boolean {
  return (memory) => (statusOf(memory) ?? 'live') === 'live'
}

/** They were in the store once, and no version of them is now. */
function isGone(facts: readonly string[], { inStore, wasStored, lean }: Evidence): boolean {
  return facts.every((id) => {
    const verdict = inStore?.(id)
    if (lean && verdict?.uncertain) return wasStored(id) && lean === 'best'
    return wasStored(id) && verdict?.label === 'not_stored'
  })
}

/** A judge that goes by question fails one about somebody unknown when what it tempts a reader to use was kept badly. */
function brokenTemptation({ question, stages = [] }: Evidence): boolean {
  return question.needs.length === 0 && stages.some(({ faithful }) => faithful === false)
}

function stageOf(id: string, evidence: Evidence): FactStage | null {
  if (evidence.stages) {
    const { stored, faithful, retrieved } = evidence.stages.find(({ fact }) => fact === id) ?? {}
    if (stored === undefined) return null
    return { id, stored, faithful: faithful === true, retrieved: retrieved === true, uncertain: false }
  }
  if (!evidence.inStore) {
    const found = evidence.inRetrieved?.(id)
    if (!found) return null
    const { label, uncertain } = found
    const retrieved = evidence.lean && uncertain ? isRetrieved(id, evidence) : label === 'correct'
    return { id, stored: null, faithful: null, retrieved, uncertain }
  }
  const verdict = evidence.inStore(id)
  if (!verdict) return null
  if (evidence.lean && verdict.uncertain) {
    const passes = evidence.lean === 'best'
    return { id, stored: passes, faithful: passes, retrieved: isRetrieved(id, evidence), uncertain: true }
  }
  const stored = verdict.label !== 'not_stored'
  const faithful = verdict.label === 'correct' && !isDenied(id, verdict, evidence)
  return { id, stored, faithful, retrieved: faithful && isRetrieved(id, evidence), uncertain: verdict.uncertain }
}

/** It still holds, but is only kept as something that no longer does: nobody could recover it from that. */
function isDenied(id: string, { support }: FactVerdict, { correctionsOf, statusOf }: Evidence): boolean {
  if (support.length === 0 || correctionsOf(id).length > 0) return false
  return support.every((set) => set.some((memory) => statusOf(memory) === 'invalidated'))
}

/**
 * A faithful version is among the retrieved: all memories of one supporting set, each of which must `count`. What is uncertain is where it is
 * `wanted` when everything uncertain leans that way.
 */
function isRetrieved(
  id: string,
  evidence: Evidence,
  count: (memory: string) => boolean = () => true,
  wanted: Lean = 'best',
): boolean {
  const { witness, inStore, inRetrieved, lean } = evidence
  const verdict = inStore ? inStore(id) : inRetrieved?.(id)
  if (lean && (verdict?.uncertain || inRetrieved?.(id)?.uncertain))
    return lean === wanted && witness.retrieved.length > 0
  if (verdict?.label !== 'correct') return false
  if (inRetrieved) {
    const found = inRetrieved(id)
    return found?.label === 'correct' && found.support.some((set) => set.every(count))
  }
  const found = new Set(witness.retrieved)
  return verdict.support.some((set) => set.length > 0 && set.every((memory) => found.has(memory) && count(memory)))
}

/** What the question tempts a reader to use is among the retrieved. */
function isTempted(evidence: Evidence): boolean | null {
  const { tempting = [] } = evidence.question
  return tempting.length === 0 ? null : tempting.some((id) => isRetrieved(id, evidence))
}

/** Memories, and their tokens, that carry no version of anything the question needs, and of nothing that corrects what is outdated for it. */
function noiseOf({ question, witness, inStore, inRetrieved, correctionsOf }: Evidence): Assessment['noise'] {
  if (question.needs.length === 0) return null
  const wanted = [...question.needs.flat(), ...question.outdated.flatMap(correctionsOf)]
  const useful = new Set(wanted.flatMap((id) => (inRetrieved ?? inStore)?.(id)?.support.flat() ?? []))
  const noise = { memories: 0, tokens: 0 }
  for (const [i, id] of witness.retrieved.entries()) {
    if (useful.has(id)) continue
    noise.memories++
    noise.tokens += witness.sizes[i] ?? 0
  }
  return noise
}

function worst(facts: readonly FactStage[]): EvidenceOutcome {
  if (facts.some(({ stored }) => stored === false)) return 'not_stored'
  if (facts.some(({ faithful }) => faithful === false)) return 'summary_error'
  if (facts.some(({ retrieved }) => !retrieved)) return facts[0]?.stored === null ? 'unavailable' : 'not_retrieved'
  return 'answerable'
}

/** A fact without a verdict: an error, but for the answer where that was graded. */
function unjudged(fact: string, verdict: AnswerVerdict | null): Assessment {
  if (verdict?.grade === 'error') return failed(verdict.reason)
  return { ...failed(`no verdict on ${fact}`), answer: verdict && verdict.grade === 'right' }
}

function failed(error: string): Assessment {
  const nothing = { facts: [], outdated: [], tempted: null, noise: null }
  return { outcome: 'error', evidence: null, answer: null, ...nothing, uncertain: false, error }
}
