import { scenarioCost } from '../analysis/costs.js'
import { depthMemories, type Suite, type SuiteResults } from '../model/index.js'
import { costsOf } from './cost-lines.js'
import type { ReportData, ReportSuite } from './report-data.js'
import { labeller, type TaskView, taskViews } from './task-view.js'

/** What a suite has to say of a run: its sentences, its sections, and its scores beside published ones. */
export function suiteReport(suite: Suite, data: ReportData, tasks: readonly TaskView[] = taskViews(data)): ReportSuite {
  const own = tasks.filter((task) => task.suite === suite.name)
  const results = resultsOf(suite.name, data, own)
  return {
    name: suite.name,
    scores: suite.scores,
    findings: Object.fromEntries(own.map((task) => [task.name, suite.findings?.(task) ?? []])),
    sections: suite.sections?.(results) ?? [],
    besidePaper: suite.besidePaper?.(results) ?? [],
  }
}

/** What was found of a task by its suite, in sentences. */
export function suiteFindings({ suites }: ReportData, task: TaskView): string[] {
  return suites.find(({ name }) => name === task.suite)?.findings[task.name] ?? []
}

function resultsOf(suite: string, data: ReportData, tasks: readonly TaskView[]): SuiteResults {
  const label = labeller(data.summary.cells)
  const costs = costsOf(data).find((one) => one.suite === suite)?.shown ?? []
  return {
    suite,
    tasks,
    overall: (data.summary.overall ?? [])
      .filter((row) => row.suite === suite)
      .map((row) => ({ label: label(row), depth: row.depth, k: depthMemories(row.depth), scores: row.scores })),
    tags: data.breakdowns
      .filter((row) => row.suite === suite)
      .map((row) => ({ ...row, label: label(row), k: depthMemories(row.depth) })),
    changes: (data.changes ?? []).filter((row) => row.suite === suite).map((row) => ({ ...row, label: label(row) })),
    agreement: (data.panels ?? [])
      .filter((row) => row.suite === suite)
      .flatMap(({ tag, value, facts, answers }) =>
        [
          ...(facts?.pairs ?? []).map((pair) => ({ ...pair, on: 'facts' as const })),
          ...(answers?.pairs ?? []).map((pair) => ({ ...pair, on: 'answers' as const })),
        ].map((pair) => ({ tag, value, ...pair })),
      ),
    costs: costs.flatMap((line) => {
      const cost = scenarioCost(line)
      return cost ? [{ label: line.label, depth: line.depth, cost }] : []
    }),
  }
}
