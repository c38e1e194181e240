import { type Depth, type FactLabel, isSameDepth, type Outcome } from '../model/index.js'
import { depthWords } from './format.js'
import type { FactTrace, QuestionTrace } from './report-data.js'

/** A stage of a fact's way, and whether it came through; `off` for what says nothing. */
export type WayStep = [words: string, mark: 'ok' | 'bad' | 'off']

/** The entry of `byDepth` at which a trace is judged: the task's depth, the only one of a fixed depth, or the last. */
export function shownAt(trace: QuestionTrace, shown: Depth | null): number {
  const at = trace.byDepth.findIndex(({ depth }) => depth === 'all' || (shown !== null && isSameDepth(depth, shown)))
  return at >= 0 ? at : trace.byDepth.length - 1
}

/** What became of a question at the entry of `byDepth` at which it is judged. */
export function outcomeAt(trace: QuestionTrace, at: number): Outcome {
  return trace.byDepth[at]?.outcome ?? 'error'
}

/** What a fact is to its question, in a word. */
export function roleWords({ role, derived }: FactTrace): string {
  return role ?? (derived ? 'follows' : 'said')
}

/** The way of a fact through the memory: said → stored → faithful → retrieved → used. */
export function wayOf(fact: FactTrace, trace: QuestionTrace, at: number): WayStep[] {
  const [first, ...steps] = (
    fact.role === 'outdated' ? outdatedWay : fact.role === 'correction' ? correctionWay : neededWay
  )(fact, trace, at)
  if (!fact.derived) return [first!, ...steps]
  // Nobody said it: a memory may have drawn it, and loses nothing when it has not.
  const drawn = fact.label !== 'not_stored'
  return [['not said', 'off'], ...(drawn ? steps : ([['not drawn', 'off']] satisfies WayStep[]))]
}

function neededWay(fact: FactTrace, trace: QuestionTrace, at: number): WayStep[] {
  const outcome = outcomeAt(trace, at)
  const stored = fact.label !== 'not_stored'
  const faithful = fact.label === 'correct'
  const retrieved = fact.retrievedAt[at] ?? null
  const later = trace.byDepth.find(({ depth }, index) => depth !== 'all' && index > at && fact.retrievedAt[index])
  const miss = later ? `retrieved only from ${depthWords(later.depth)}` : 'not retrieved at any depth'
  const found: WayStep = retrieved ? ['retrieved', 'ok'] : [miss, 'bad']
  const isWrong = outcome === 'reasoning_error' || outcome === 'stale_answer'
  const used: WayStep = isWrong ? ['answer wrong', 'bad'] : ['used', outcome === 'correct' ? 'ok' : 'off']
  const steps: WayStep[] = fact.unseen
    ? [['stored', 'off'], ['faithful', 'off'], found]
    : [
        stored ? ['stored', 'ok'] : ['not stored', 'bad'],
        faithful ? ['faithful', 'ok'] : stored ? ['damaged', 'bad'] : ['faithful', 'off'],
        !faithful || retrieved === null ? ['retrieved', 'off'] : found,
      ]
  const answered: WayStep[] = trace.answer === undefined ? [] : [retrieved ? used : ['used', 'off']]
  return [['said', 'ok'], ...steps, ...answered]
}

function outdatedWay({ label, unseen, retrievedAt }: FactTrace, _trace: QuestionTrace, at: number): WayStep[] {
  const standing = retrievedAt[at]
  const found: WayStep = standing ? ['retrieved uncorrected', 'bad'] : ['not left standing', 'ok']
  if (unseen) return [['said', 'ok'], found]
  const gone: WayStep = ['gone from the store', 'ok']
  const held: WayStep = label === 'not_stored' ? gone : [label === 'correct' ? 'still stored' : 'partly stored', 'bad']
  return [['said', 'ok'], held, ...(standing == null ? [] : [found])]
}

/** That something no longer holds does not have to be kept where it is gone. */
function correctionWay(fact: FactTrace, _trace: QuestionTrace, at: number): WayStep[] {
  const kept = fact.label === 'correct'
  return [
    ['said', 'ok'],
    kept ? ['stored', 'ok'] : fact.label === 'not_stored' ? ['not stored', 'off'] : ['damaged', 'bad'],
    kept && fact.retrievedAt[at] ? ['retrieved', 'ok'] : ['retrieved', 'off'],
  ]
}

/** What happened to a fact in the store, and at which moment. */
export type CourseStep = { verb: 'entered' | 'entered damaged' | 'altered' | 'restored' | 'lost'; at: number }

/** When a fact entered the store, was altered and was lost, from what the store held of it moment by moment. */
export function courseSteps(course: readonly (FactLabel | null)[]): CourseStep[] {
  const steps: CourseStep[] = []
  let last: FactLabel = 'not_stored'
  for (const [at, label] of course.entries()) {
    if (label === null || label === last) continue
    steps.push({ verb: verb(last, label), at })
    last = label
  }
  return steps
}

function verb(from: FactLabel, to: FactLabel): CourseStep['verb'] {
  if (to === 'not_stored') return 'lost'
  if (from === 'not_stored') return to === 'correct' ? 'entered' : 'entered damaged'
  return to === 'correct' ? 'restored' : 'altered'
}
