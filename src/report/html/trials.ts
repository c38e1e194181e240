import type { ReportData } from '../data.js'
import { escapeHtml } from '../escape.js'
import { count, NONE } from '../format.js'
import { measureName, points, spreadsOf } from '../trials.js'
import { section, share, table } from './parts.js'

/** How far numbers move when storing, answering or judging is repeated. Nothing when nothing was. */
export function trials(data: ReportData): string {
  const spreads = spreadsOf(data)
  if (spreads.length === 0) return ''
  const rows = spreads.map(({ task, row, measure, parts }) => [
    escapeHtml(task.name),
    escapeHtml(row.label),
    escapeHtml(measureName(task, measure)),
    count(parts.repeats.judge),
    share(parts.mean),
    ...[parts.ingest, parts.answer, parts.judge, parts.ofMean].map((variance) => points(variance) ?? NONE),
  ])
  const heads = ['task', 'system', 'measure', 'times', 'mean %', 'storing', 'answering', 'judging', 'of the mean']
  return section(
    'trials',
    'Between trials',
    [
      'Standard deviations in points of per cent, over the same questions: how far a number moves when the memory is filled anew,',
      'when a reader answers anew over the same memory, and when a judge judges anew.',
      '“–” was not repeated; its part is then contained in the one to its left.',
      'Estimated by the method of moments of a nested model; below zero counts as zero.',
      'The last column is the standard error of the mean over all trials.',
    ],
    table('Variance between trials', heads, rows, { names: 3 }),
  )
}
