import type { PanelAgreement, SuitePart, SuiteSection } from '../../model/index.js'
import { panelFindings, panelItemKind } from '../findings.js'
import { count, NONE, percent } from '../format.js'
import type { ReportData } from '../report-data.js'
import { deviationPoints, measureName, spreadsOf } from '../trials.js'

/** How far numbers move when storing, answering or judging is repeated. Nothing when nothing was. */
export function trialSections(data: ReportData): SuiteSection[] {
  const spreads = spreadsOf(data)
  if (spreads.length === 0) return []
  const intro = [
    'Standard deviations in points of per cent, over the same questions: how far a number moves when the memory is filled anew,',
    'when a reader answers anew over the same memory, and when a judge judges anew.',
    '“–” was not repeated; its part is then contained in the one to its left.',
    'Estimated by the method of moments of a nested model; below zero counts as zero.',
    'The last column is the standard error of the mean over all trials.',
  ]
  const rows = spreads.map(({ task, row, measure, parts: { repeats, mean, ingest, answer, judge, ofMean } }) => [
    task.id,
    row.label,
    measureName(task, measure),
    count(repeats.judge),
    percent(mean),
    ...[ingest, answer, judge, ofMean].map((variance) => deviationPoints(variance) ?? NONE),
  ])
  const columns = ['task', 'system', 'measure', 'times', 'mean %', 'storing', 'answering', 'judging', 'of the mean']
  const table = { kind: 'table' as const, title: 'Variance between trials', columns, names: 3, rows }
  return [{ id: 'trials', title: 'Between trials', intro: intro.join(' '), parts: [table] }]
}

/** How the judges of a panel agreed. Nothing when one judge decided. */
export function panelSections(data: ReportData): SuiteSection[] {
  if (!data.summary.panel) return []
  const { facts, answers } = data.summary.panel
  const intro = [
    ...panelFindings(data),
    'The majority decides.',
    'Kappa is Cohen’s: agreement of a pair beyond what chance gives, 1 at most; “–” when one of the two always said the same.',
    'Who said “unclear” or gave nothing usable has no vote.',
  ]
  const parts = [
    ...(facts ? agreement('facts', facts) : []),
    ...(answers ? agreement(panelItemKind(answers), answers) : []),
  ]
  return [{ id: 'panel', title: 'How the judges agree', intro: intro.join(' '), parts }]
}

function agreement(what: string, { judges, n, pairs, patterns }: PanelAgreement): SuitePart[] {
  return [
    {
      kind: 'table',
      title: `Agreement of pairs of judges on ${what}`,
      names: 2,
      columns: ['judge', 'and', what, 'agree %', 'kappa'],
      rows: pairs.map(({ judges: pair, n: both, agreement: share, kappa }) => [
        ...pair,
        count(both),
        both === 0 ? NONE : percent(share),
        kappa?.toFixed(2) ?? NONE,
      ]),
    },
    {
      kind: 'fold',
      title: `What the judges said of ${what}, together, most frequent first`,
      parts: [
        {
          kind: 'table',
          title: `What the judges said of ${what}`,
          names: judges.length,
          columns: [...judges, what, '%'],
          rows: patterns.map(({ labels, n: times }) => [
            ...labels.map((label) => label?.replaceAll('_', ' ') ?? 'no verdict'),
            count(times),
            percent(times / n),
          ]),
        },
      ],
    },
  ]
}
