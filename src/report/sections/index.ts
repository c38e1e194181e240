import type { SuiteSection } from '../../model/index.js'
import type { ReportData } from '../report-data.js'
import { taskViews } from '../task-view.js'
import { auditSections, breakdownSections } from './breakdowns.js'
import { costSections } from './cost-sections.js'
import { outcomeSections } from './outcomes.js'
import { panelSections, trialSections } from './repeats.js'
import { successSections } from './success.js'
import { sweepSections } from './sweep-sections.js'

/** All that is told of a run behind its first look, as data that every format draws in its way. Each stands only where there is something to tell. */
export function reportSections(data: ReportData, tasks = taskViews(data)): SuiteSection[] {
  return [
    ...outcomeSections(tasks),
    ...successSections(data, tasks),
    ...ownSections(data),
    ...paperSections(data),
    ...sweepSections(data, tasks),
    ...costSections(data),
    ...breakdownSections(data, tasks),
    ...trialSections(data),
    ...panelSections(data),
    ...auditSections(data),
  ]
}

/** What suites tell of themselves, with their names where there are several. */
function ownSections({ suites }: ReportData): SuiteSection[] {
  return suites.flatMap(({ name, sections }) =>
    sections.map((own) => ({
      ...own,
      id: `${name}-${own.id}`,
      title: suites.length > 1 ? `${name}: ${own.title}` : own.title,
    })),
  )
}

/** Suites' own scores with the published figures beside them: tables, and charts of what the papers vary. */
function paperSections({ suites, summary }: ReportData): SuiteSection[] {
  const reader = summary.cells.some((cell) => cell.reader !== null)
  const intro = [
    'Scores as the papers define them, in per cent, with published figures below ours.',
    reader
      ? 'Both are about answers.'
      : 'Ours are about evidence, for nobody read it; theirs are about answers, which can only be worse than the evidence behind them.',
    'Theirs come from other data, models and judges.',
  ].join(' ')
  return suites.flatMap(({ name, besidePaper: parts }) =>
    parts.length === 0 ? [] : [{ id: `${name}-paper`, title: `${name} beside its paper`, intro, parts }],
  )
}
