import { retrievalCeiling } from '../analysis/ceiling.js'
import type { Analysis } from '../analysis/summarize.js'
import { wilson } from '../base/intervals.js'
import { depthsOf, type Plan } from '../engine/plan.js'
import { depthMemories, type SystemDefinition } from '../model/index.js'
import type { QuestionTrace, ReportData, ReportTask } from './report-data.js'
import { suiteReport } from './suite-results.js'
import { taskViews } from './task-view.js'

/** What reports are made from. */
export interface ReportSource {
  plan: Plan
  analysis: Analysis
  /** Where pages are asked for: what is shown of failed questions. */
  traces?: Iterable<QuestionTrace>
  settings: { label: string; value: string }[]
}

/** Puts everything together that the reports show of a run. */
export function assembleReport({ plan, analysis, traces = [], settings }: ReportSource): ReportData {
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
          depthsOf(plan.request, suite, name, systemsIn(plan)).flatMap((depth) => {
            const rate = retrievalCeiling(plan, suite, name, depth)
            return rate === null ? [] : [{ suite: suite.name, task: name, depth, rate }]
          }),
        ),
    ),
    references: references.filter((series) =>
      tasks.some((task) => task.suite === series.suite && task.name === series.task),
    ),
    suites: [],
    yardsticks: plan.subjects.filter(({ definition }) => definition.class === 'reference').map(({ system }) => system),
    systems: plan.subjects.flatMap(({ system, definition: { about } }) => (about ? [{ name: system, about }] : [])),
    breakdowns: analysis.breakdowns.map((row) => ({ ...row, ci95: wilson(row.complete, row.n) })),
    costs: analysis.costs,
    judgedAgain: analysis.judgedAgain,
    changes: analysis.changes,
    panels: analysis.panels,
    questions: traces,
    settings,
  }
  const views = taskViews(data)
  return { ...data, suites: plan.suites.map(({ suite }) => suiteReport(suite, data, views)) }
}

/** The systems whose depth is not fixed. */
function systemsIn({ subjects }: Plan): SystemDefinition[] {
  return subjects.map(({ definition }) => definition).filter(({ depth }) => depth !== 'fixed')
}

function tasksOf(plan: Plan, analysis: Analysis): ReportTask[] {
  return plan.suites.flatMap(({ suite }) =>
    suite.tasks
      .filter(({ name }) => analysis.summary.cells.some((cell) => cell.suite === suite.name && cell.task === name))
      .map(({ name, about, breakdowns }) => {
        const ks = depthsOf(plan.request, suite, name, systemsIn(plan)).flatMap((depth) => depthMemories(depth) ?? [])
        const defaultK = suite.defaultK.find((k) => ks.includes(k)) ?? Math.max(0, ...ks)
        return {
          suite: suite.name,
          name,
          about,
          breakdowns,
          defaultK,
          ...(suite.ownScore !== undefined && { ownScore: suite.ownScore }),
        }
      }),
  )
}
