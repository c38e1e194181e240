import { groupBy } from '../../base/group-by.js'
import { depthMemories, type SuiteSection, type SuiteTable } from '../../model/index.js'
import { count, plural } from '../format.js'
import { rateCell } from '../part-tables.js'
import type { Breakdown, ReportData } from '../report-data.js'
import { labeller, type TaskView } from '../task-view.js'

/** Evidence by whatever tasks are broken down by, at the depth of the matrix. */
export function breakdownSections(data: ReportData, tasks: readonly TaskView[]): SuiteSection[] {
  const label = labeller(data.summary.cells)
  const tables = tasks.flatMap((task) =>
    task.breakdowns.flatMap((tag): SuiteTable[] => {
      const all = data.breakdowns.filter((b) => b.suite === task.suite && b.task === task.name && b.tag === tag)
      const isShown = (b: Breakdown) => (depthMemories(b.depth) ?? task.k) === task.k
      const shown = all.some(isShown) ? all.filter(isShown) : all
      // Where all questions are alike there is nothing to compare.
      if (new Set(shown.map(({ value }) => value)).size < 2) return []
      const labels = [...new Set(shown.map(label))]
      const rows = [...groupBy(shown, ({ value }) => value)]
        .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
        .map(([value, own]) => [
          value,
          count(Math.max(...own.map(({ n }) => n))),
          ...labels.map((name) => {
            const found = own.find((b) => label(b) === name)
            return rateCell(found && found.n > 0 ? { rate: found.complete / found.n, ci95: found.ci95 } : null)
          }),
        ])
      return [{ kind: 'table', title: `${task.id} by ${tag}`, columns: [tag, 'n', ...labels], rows }]
    }),
  )
  if (tables.length === 0) return []
  const intro = 'Evidence success in per cent, with its 95 % interval, at the depth of the matrix.'
  return [
    {
      id: 'breakdowns',
      title: 'Broken down',
      intro,
      parts: tables.map((one) => ({ kind: 'fold', title: one.title, parts: [one] })),
    },
  ]
}

/** Rows of published data that were repaired, flagged or dropped, grouped by reason. */
export function auditSections({ audit }: ReportData): SuiteSection[] {
  if (audit.length === 0) return []
  const total = (action: string) => `${count(audit.filter((note) => note.action === action).length)} ${action}`
  const groups = [...groupBy(audit, (note) => JSON.stringify([note.suite, note.task, note.action, note.why])).values()]
  const rows = groups
    .sort((a, b) => b.length - a.length)
    .map((notes) => {
      const { suite, task, action, why } = notes[0]!
      return [`${suite}/${task}`, action, why, notes.map(({ row }) => row).join(', '), count(notes.length)]
    })
  const intro = `${plural(audit.length, 'row')} of the published data had defects: ${['repaired', 'flagged', 'dropped'].map(total).join(', ')}.`
  const table: SuiteTable = {
    kind: 'table',
    title: 'Defects',
    columns: ['task', 'what was done', 'why', 'rows', 'n'],
    names: 4,
    rows,
  }
  return [
    {
      id: 'audit',
      title: 'Audit of the data',
      intro,
      parts: [{ kind: 'fold', title: 'Rows by defect', parts: [table] }],
    },
  ]
}
