import { ceiling } from '../analysis/cells.js'
import { wilson } from '../analysis/intervals.js'
import type { LifeResults, Result, ResultKeys } from '../analysis/results.js'
import { readRun } from '../analysis/results.js'
import { byDepth, pairOf, scoredQuestion } from '../analysis/scores.js'
import type { Analysis } from '../analysis/summarize.js'
import { depthsOf, type Plan } from '../engine/plan.js'
import { depthOf, type Fact, type Memory, momentOf, type RunStore, tokensOf } from '../model/index.js'
import { correctionsIn, criterionTraces, isFound } from './criterion-traces.js'
import type { FactTrace, Moment, QuestionResult, QuestionTrace, ReportData, ReportTask } from './data.js'
import { scenarioNames, whyFailed } from './failed.js'
import { suiteReport } from './suite-results.js'
import { viewOf } from './view.js'

/** Memories shown of what was retrieved for a failed question. */
const MOST_RETRIEVED = 10

/** Memories shown as evidence of one fact. */
const MOST_EVIDENCE = 6

/** What reports are made from. */
export interface ReportSource {
  run: string
  plan: Plan
  analysis: Analysis
  keys: ResultKeys
  store: RunStore
  settings: { label: string; value: string }[]
}

/** Puts everything together that the reports show of a run. */
export function assemble(source: ReportSource): ReportData {
  const { plan, analysis } = source
  const tasks = tasksOf(plan, analysis)
  const references = plan.suites.flatMap(({ suite }) =>
    suite.references().map((series) => ({ suite: suite.name, ...series })),
  )
  const data: ReportData = {
    title: `Where memory fails: ${plan.suites.map(({ suite }) => suite.name).join(', ')}`,
    summary: analysis.summary,
    headline: {
      errors: analysis.summary.errors,
      questions: analysis.questions,
      ...(analysis.invalidReason !== undefined && { invalidReason: analysis.invalidReason }),
    },
    tasks,
    audit: plan.suites.flatMap(({ suite, audit }) => audit.map((note) => ({ suite: suite.name, ...note }))),
    ceilings: plan.suites.flatMap(({ suite }) =>
      tasks
        .filter((task) => task.suite === suite.name)
        .flatMap(({ name }) =>
          depthsOf(plan.request, suite, name).flatMap((kept) => {
            const depth = depthOf(kept)
            const rate = ceiling(plan, suite, name, depth)
            return rate === null ? [] : [{ suite: suite.name, task: name, depth, rate }]
          }),
        ),
    ),
    references: references.filter((series) =>
      tasks.some((task) => task.suite === series.suite && task.name === series.task),
    ),
    suites: [],
    yardsticks: plan.subjects.filter(({ definition }) => definition.class === 'reference').map(({ label }) => label),
    breakdowns: analysis.breakdowns.map((row) => ({ ...row, ci95: wilson(row.complete, row.n) })),
    costs: analysis.costs,
    judgedAgain: analysis.judgedAgain,
    questions: traces(source),
    settings: source.settings,
  }
  const views = viewOf(data)
  return { ...data, suites: plan.suites.map(({ suite }) => suiteReport(suite, data, views)) }
}

/** Every question at every depth, for formats that list them all. */
export async function* questionResults({ run, plan, keys, store }: ReportSource): AsyncGenerator<QuestionResult> {
  const scenarioOf = scenarioNames(plan)
  for await (const { results, verdictOf } of readRun(run, plan, keys, store)) {
    const found = byDepth(results)
    for (const result of results) {
      const { life, question, depth, assessment, witness, grade } = result
      if (assessment.outcome === null) continue
      const { answerScore } = life.suite
      const isUncounted =
        assessment.outcome === 'correct' && answerScore?.passed(scoredQuestion(result, pairOf(result, found))) === false
      const scenario = scenarioOf(life)
      yield {
        suite: life.suite.name,
        task: question.task,
        system: life.key.system,
        depth,
        ...(scenario !== undefined && { scenario }),
        id: question.id,
        text: question.text,
        outcome: assessment.outcome,
        message: whyFailed(assessment, grade, (fact) => verdictOf(witness.probe, fact)),
        ...(answerScore && isUncounted && { uncounted: answerScore.uncounted }),
      }
    }
  }
}

function tasksOf(plan: Plan, analysis: Analysis): ReportTask[] {
  return plan.suites.flatMap(({ suite }) =>
    suite.tasks
      .filter(({ name }) => analysis.summary.cells.some((cell) => cell.suite === suite.name && cell.task === name))
      .map(({ name, about, breakdowns }) => {
        const depths = depthsOf(plan.request, suite, name)
        const defaultK = suite.defaultK.find((k) => depths.includes(k)) ?? Math.max(...depths)
        return {
          ...{ suite: suite.name, name, about, breakdowns, defaultK },
          ...(suite.ownScore !== undefined && { ownScore: suite.ownScore }),
        }
      }),
  )
}

async function* traces({ run, plan, keys, store }: ReportSource): AsyncGenerator<QuestionTrace> {
  const scenarioOf = scenarioNames(plan)
  for await (const life of readRun(run, plan, keys, store)) {
    const byQuestion = groupByQuestion(traced(life.results))
    const facts = new Map(life.life.scenario.facts.map((fact) => [fact.id, fact]))
    for (const results of byQuestion.values()) {
      const failed = results.some(
        ({ assessment: { outcome } }) => outcome !== null && outcome !== 'answerable' && outcome !== 'correct',
      )
      if (failed || results.some(({ assessment }) => assessment.uncertain))
        yield traceOf(life, results, facts, life.life.suite.defaultK[0], scenarioOf(life.life))
    }
  }
}

async function traceOf(
  life: LifeResults,
  results: readonly Result[],
  facts: ReadonlyMap<string, Fact>,
  defaultK: number | undefined,
  scenario: string | undefined,
): Promise<QuestionTrace> {
  const deepest = results.at(-1)!
  const { question, witness } = deepest
  const held = await life.memoriesOf(witness.probe)
  const own = witness.retrievedSnapshot === null ? null : await life.memoriesOfSnapshot(witness.retrievedSnapshot)
  const found = new Map<string, Memory>(own?.map((memory) => [memory.id, memory]) ?? [])
  const textOf = (id: string) => (found.get(id) ?? held.get(id))?.text ?? ''
  const ranks = new Map(witness.retrieved.map((id, index) => [id, index + 1]))
  const unseen = life.probes.get(witness.probe)?.snapshot === null
  const verdictOf = (id: string) =>
    unseen && witness.retrievedSnapshot !== null
      ? life.verdictIn(witness.retrievedSnapshot, id)
      : life.verdictOf(witness.probe, id)
  const ids = [...new Set(question.needs.flat())]
  const timeline = life.course.moments.length > 1
  const outdated = question.outdated.filter((id) => !ids.includes(id))
  const corrections = correctionsIn(deepest)
  const roleOf = (id: string) =>
    outdated.includes(id) ? ('outdated' as const) : corrections.includes(id) ? ('correction' as const) : undefined
  const factTraces = [...ids, ...outdated, ...corrections].flatMap((id): FactTrace[] => {
    const role = roleOf(id)
    const verdict = verdictOf(id)
    if (!verdict) return []
    const fact = facts.get(id)!
    const support = [...new Set(verdict.support.flat())].slice(0, MOST_EVIDENCE)
    return [
      {
        id,
        text: statedAs(fact),
        ...(role && { role }),
        ...(fact.unsupported !== undefined && { unsupported: fact.unsupported }),
        label: verdict.label,
        ...(unseen && { unseen }),
        uncertain: verdict.uncertain,
        reason: verdict.reason,
        quotes: verdict.quotes,
        evidence: support.map((memory) => ({ id: memory, text: textOf(memory), rank: ranks.get(memory) ?? null })),
        ...(timeline && { course: life.course.of(id).map(({ label }) => label) }),
        retrievedAt: results.map((result) => {
          const { facts: needed, outdated: old } = result.assessment
          if (role === 'correction') return isFound(result, id, life)
          if (role === 'outdated') return old.find((stage) => stage.id === id)?.standing ?? null
          return needed.find((stage) => stage.id === id)?.retrieved ?? null
        }),
      },
    ]
  })
  const carriers = (memory: string) =>
    factTraces.filter(({ evidence }) => evidence.some(({ id }) => id === memory)).map(({ id }) => id)
  const error = results.find(({ assessment }) => assessment.error !== undefined)?.assessment.error
  const answered = results.find(({ k, answer }) => answer && k === defaultK) ?? results.find(({ answer }) => answer)
  const criteria = criterionTraces(
    answered ?? results.find(({ k }) => k === defaultK) ?? deepest,
    life.reader !== 'none',
    facts,
  )
  return {
    suite: life.life.suite.name,
    task: question.task,
    system: life.life.subject.label,
    model: life.life.subject.model,
    reader: life.reader,
    trial: life.life.key.trial,
    ...(scenario !== undefined && { scenario }),
    id: question.id,
    text: question.text,
    ...(question.choices && { choices: question.choices }),
    gold: question.gold.text,
    flags: question.flags ?? [],
    byDepth: results.flatMap(({ depth, assessment: { outcome } }) => (outcome === null ? [] : [{ depth, outcome }])),
    ...(question.needs.length > 1 && { needs: question.needs }),
    facts: factTraces,
    ...(timeline && { moments: momentsOf(life) }),
    retrieved: witness.retrieved.slice(0, MOST_RETRIEVED).map((id, index) => ({
      id,
      text: textOf(id),
      ...scoreOf(witness.scores[index]),
      rank: index + 1,
      carries: carriers(id),
    })),
    retrievedTotal: witness.retrieved.length,
    ...(answered?.answer && { answer: answered.answer.answer ?? '', answerReason: answered.grade?.reason ?? '' }),
    ...(criteria.length > 0 && { criteria }),
    ...(error !== undefined && { error }),
  }
}

/** When the store was kept, and whether what came before said anything that is asked about. */
function momentsOf({ life, course }: LifeResults): Moment[] {
  const telling = new Set(life.scenario.facts.flatMap(({ sources }) => sources))
  const kinds = new Map(
    life.scenario.timeline.map((event) => {
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

function scoreOf(score: number | null | undefined): { score?: number } {
  return score === null || score === undefined ? {} : { score }
}

/** The results whose way is shown: at so many memories, or at a fixed depth; at budgets of tokens where there are no others. */
function traced(results: readonly Result[]): readonly Result[] {
  const own = results.filter(({ depth }) => tokensOf(depth) === null)
  return own.length > 0 ? own : results
}

function groupByQuestion(results: readonly Result[]): Map<string, Result[]> {
  const groups = new Map<string, Result[]>()
  for (const result of results) {
    const group = groups.get(result.question.id)
    if (group) group.push(result)
    else groups.set(result.question.id, [result])
  }
  return groups
}
