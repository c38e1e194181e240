import type { LifeResults, Result } from '../analysis/results.js'
import { isUnmeasured, scoredQuestion } from '../analysis/scores.js'
import { entryOf, groupBy } from '../base/group-by.js'
import type { Plan } from '../engine/plan.js'
import {
  depthKey,
  depthMemories,
  depthTokens,
  type Fact,
  type FactVerdict,
  momentOf,
  placeKey,
  type ReaderRef,
  type Subject,
} from '../model/index.js'
import { scenarioNames } from './question-results.js'
import type { CriterionTrace, FactTrace, Moment, QuestionTrace } from './report-data.js'

/** Memories shown of what was retrieved for a failed question. */
const MOST_RETRIEVED = 10

/** Memories shown as evidence of one fact. */
const MOST_EVIDENCE = 6

/** Failed questions of one task and system on a page; commands show the others. */
export const PAGE_TRACES = 5

/** Which questions are collected: at most so many of one task and subject with the same outcomes, of all tasks unless said. */
interface TracesOptions {
  most?: number
  wanted?(place: { suite: string; task: string; subject: Subject; reader: ReaderRef | null }): boolean
}

/**
 * Collects the ways of questions that failed, errored or rest on an uncertain verdict, life by life. Of those with the same outcomes at every
 * depth no more are held than are shown, whichever depth that goes by; the last tells how many more there were.
 */
export class Traces {
  readonly #alike = new Map<string, QuestionTrace[]>()
  readonly #scenarioOf: ReturnType<typeof scenarioNames>
  readonly list: QuestionTrace[] = []

  readonly #most: number
  readonly #wanted: NonNullable<TracesOptions['wanted']>

  constructor(plan: Pick<Plan, 'suites'>, { most = PAGE_TRACES, wanted = () => true }: TracesOptions = {}) {
    this.#scenarioOf = scenarioNames(plan)
    this.#most = most
    this.#wanted = wanted
  }

  async add(life: LifeResults): Promise<void> {
    const { suite, key, scenario } = life.planned
    const facts = new Map(scenario.facts.map((fact) => [fact.id, fact]))
    for (const results of groupBy(tracedResults(life.results), ({ question }) => question.id).values()) {
      if (!results.some(isTelling)) continue
      const place = { suite: suite.name, task: results[0]!.question.task, subject: key.subject, reader: life.reader }
      if (!this.#wanted(place)) continue
      const outcomes = results.map(({ depth, assessment }) => `${depthKey(depth)} ${assessment.outcome}`)
      const pattern = `${placeKey(place)} ${outcomes}`
      const alike = entryOf(this.#alike, pattern, () => [])
      const last = alike.at(-1)
      if (last && alike.length >= this.#most) {
        last.more = (last.more ?? 0) + 1
        continue
      }
      const trace = await traceQuestion(life, results, facts, suite.defaultK[0], this.#scenarioOf(life.planned))
      alike.push(trace)
      this.list.push(trace)
    }
  }
}

function isTelling({ assessment: { outcome, uncertain } }: Result): boolean {
  return uncertain || (outcome !== null && outcome !== 'answerable' && outcome !== 'correct')
}

/** The way of one question through one memory, from its results at every depth. */
export async function traceQuestion(
  life: LifeResults,
  results: readonly Result[],
  facts: ReadonlyMap<string, Fact>,
  defaultK: number | undefined,
  scenario: string | undefined,
): Promise<QuestionTrace> {
  const deepest = results.at(-1)!
  const { question, witness } = deepest
  const held = await life.memoriesAt(witness.probe)
  const found = new Map((await life.retrievedFor(witness)).map((memory) => [memory.id, memory]))
  const textOf = (id: string) => (found.get(id) ?? held.get(id))?.text ?? ''
  const ranks = new Map(witness.retrieved.map((id, index) => [id, index + 1]))
  const unseen = life.moments.get(witness.probe)?.snapshot === null
  const ids = [...new Set(question.needs.flat())]
  const timeline = life.course.moments.length > 1
  const outdated = question.outdated.filter((id) => !ids.includes(id))
  const corrections = correctionsIn(deepest)
  const roleOf = (id: string) =>
    outdated.includes(id) ? ('outdated' as const) : corrections.includes(id) ? ('correction' as const) : undefined
  const factTraces = [...ids, ...outdated, ...corrections].flatMap((id): FactTrace[] => {
    const role = roleOf(id)
    const verdict = shownVerdict(life, witness, id)
    if (!verdict) return []
    const fact = facts.get(id)!
    const { label, uncertain, reason, quotes } = verdict
    const support = [...new Set(verdict.support.flat())].slice(0, MOST_EVIDENCE)
    const evidence = support.map((memory) => ({ id: memory, text: textOf(memory), rank: ranks.get(memory) ?? null }))
    const retrievedAt = results.map((result) => {
      const { facts: needed, outdated: old } = result.assessment
      if (role === 'correction') return isFound(result, id, life)
      if (role === 'outdated') return old.find((stage) => stage.id === id)?.standing ?? null
      return needed.find((stage) => stage.id === id)?.retrieved ?? null
    })
    const course = timeline ? life.course.of(id).map((at) => at.label) : undefined
    const about = { id, text: statedAs(fact), role, unsupported: fact.unsupported, unseen }
    const derived = fact.sources.length === 0 && { derived: true as const }
    return [{ ...about, ...derived, label, uncertain, reason, quotes, evidence, course, retrievedAt }]
  })
  const carriers = (memory: string) =>
    factTraces.filter(({ evidence }) => evidence.some(({ id }) => id === memory)).map(({ id }) => id)
  const error = results.find(({ assessment }) => assessment.error !== undefined)?.assessment.error
  const isUsual = ({ depth }: Result) => depthMemories(depth) === defaultK
  const read = results.filter(({ answer }) => answer)
  const answered = read.find(isUsual) ?? read[0]
  const criteria = criterionTraces(answered ?? results.find(isUsual) ?? deepest, life.reader !== null, facts)
  const { suite, key } = life.planned
  const { id, text, choices, gold, flags = [], needs } = question
  return {
    suite: suite.name,
    task: question.task,
    subject: key.subject,
    reader: life.reader,
    trial: key.trial,
    scenario,
    id,
    text,
    choices,
    gold: gold.text,
    flags,
    needs,
    facts: factTraces,
    error,
    byDepth: results.flatMap(({ depth, assessment: { outcome } }) => (outcome === null ? [] : [{ depth, outcome }])),
    moments: timeline ? momentsOf(life) : undefined,
    retrieved: witness.retrieved.slice(0, MOST_RETRIEVED).map((memory, at) => {
      const score = witness.scores[at] ?? undefined
      return { id: memory, text: textOf(memory), score, rank: at + 1, carries: carriers(memory) }
    }),
    retrievedTotal: witness.retrieved.length,
    ...(answered?.answer && { answer: answered.answer.answer ?? '', answerReason: answered.grade?.reason ?? '' }),
    criteria: criteria.length > 0 ? criteria : undefined,
  }
}

/** The verdict on a fact where it was asked for; of a store that nobody can look into, that on what was retrieved. */
export function shownVerdict(
  life: LifeResults,
  { probe, retrievedSnapshot }: Result['witness'],
  fact: string,
): FactVerdict | undefined {
  const unseen = life.moments.get(probe)?.snapshot === null
  return unseen && retrievedSnapshot !== null ? life.verdictIn(retrievedSnapshot, fact) : life.verdictAt(probe, fact)
}

/** When the store was kept, and whether what came before said anything that is asked about. */
function momentsOf({ planned: { scenario }, course }: LifeResults): Moment[] {
  const telling = new Set(scenario.facts.flatMap(({ sources }) => sources))
  const kinds = new Map(
    scenario.timeline.map((event) => {
      const told = event.type === 'conversation' && telling.has(event.conversation.id)
      return [momentOf(event), event.type === 'probe' ? 'probe' : told ? 'evidence' : 'other'] as const
    }),
  )
  return course.moments.map((name) => ({ name, kind: kinds.get(name)! }))
}

/** The sentences that state a fact, where they are known; else all that was said. */
function statedAs(fact: Fact): string {
  return fact.evidence?.join(' … ') ?? fact.text
}

/** The results whose way is shown: at so many memories, or at a fixed depth; at budgets of tokens where there are no others. */
export function tracedResults(results: readonly Result[]): readonly Result[] {
  const own = results.filter(({ depth }) => depthTokens(depth) === null)
  return own.length > 0 ? own : results
}

/** What became of each criterion of a question at one depth; nothing where its suite does not grade by criteria, or it could not be measured. */
export function criterionTraces(result: Result, reader: boolean, facts: ReadonlyMap<string, Fact>): CriterionTrace[] {
  const { gold } = result.question
  const stages = result.life.suite.criteria?.(scoredQuestion(result), { reader })
  if (!stages || gold.kind !== 'criteria' || isUnmeasured(result.assessment)) return []
  return gold.criteria.map(({ text, type, expected, facts: own }, at) => {
    const { met, cause, words } = stages[at]!
    const told = [...new Set(own.flatMap((id) => facts.get(id)?.sources ?? []))].sort()
    const verdict = result.grade?.criteria?.[at]
    return {
      text,
      type,
      expected,
      met,
      cause,
      told,
      ...(words !== undefined && { words }),
      ...(verdict && { reason: verdict.reason, uncertain: verdict.uncertain }),
      ...(verdict?.votes && { votes: verdict.votes }),
    }
  })
}

/** Facts that the criteria of a question speak of besides what it needs and what is outdated: how things were taken back. */
function correctionsIn({ question: { gold, needs, outdated } }: Result): string[] {
  if (gold.kind !== 'criteria') return []
  const known = new Set([...needs.flat(), ...outdated])
  return [...new Set(gold.criteria.flatMap(({ facts }) => facts))].filter((id) => !known.has(id))
}

/** Whether a faithful version of a fact is among what was retrieved. */
function isFound({ witness }: Result, fact: string, life: Pick<LifeResults, 'verdictIn' | 'verdictAt'>): boolean {
  if (witness.retrievedSnapshot !== null) return life.verdictIn(witness.retrievedSnapshot, fact)?.label === 'correct'
  const found = new Set(witness.retrieved)
  const verdict = life.verdictAt(witness.probe, fact)
  if (verdict?.label !== 'correct') return false
  return verdict.support.some((set) => set.length > 0 && set.every((memory) => found.has(memory)))
}
