import { COST_STAGES } from '../../analysis/costs.js'
import { depthKey, type Spent, type SuitePart, type SuiteSection, type TableCell } from '../../model/index.js'
import { type CostLine, costsOf, dollars, priceWords, repairWords, spentEach } from '../cost-lines.js'
import { count, NONE, quantity } from '../format.js'
import type { ReportData } from '../report-data.js'

/** What models took at each stage, per question and in all. Nothing when no model was called. */
export function costSections(data: ReportData): SuiteSection[] {
  const suites = costsOf(data)
  if (suites.length === 0) return []
  const heads = [...COST_STAGES, 'together']
  const intro = [
    'Tokens of models in and out, and beside them USD, as if nothing had been cached.',
    'Storing and judging facts are paid once a memory and shared by its questions;',
    'judging is known by the share that each verdict keeps of its call.',
    '“unknown” means that the price of a model is not in the table.',
    priceWords(data) ?? '',
    repairWords(data) ?? '',
  ]
  const parts = suites.flatMap(({ suite, shown, all }): SuitePart[] => {
    const least = Math.min(...shown.flatMap(({ total, questions }) => (total.cost ? total.cost / questions : [])))
    return [
      {
        kind: 'table',
        title: `${suite}: tokens and USD per question by stage`,
        columns: ['system', 'questions', ...heads, '× the least'],
        rows: shown.map((line) => [
          line.label,
          count(line.questions),
          ...[...COST_STAGES.map((stage) => line.stages[stage]), line.total].map((spent) =>
            cell(spentEach(spent, line.questions)),
          ),
          times(line, least),
        ]),
      },
      {
        kind: 'fold',
        title: `${suite}: totals at every depth`,
        parts: [
          {
            kind: 'table',
            title: `${suite}: tokens and USD in all, by stage and depth`,
            names: 2,
            columns: ['system', 'depth', 'memories', 'questions', ...heads],
            rows: all.map((line) => [
              line.label,
              depthKey(line.depth),
              count(line.lives),
              count(line.questions),
              ...[...COST_STAGES.map((stage) => line.stages[stage]), line.total].map(cell),
            ]),
          },
        ],
      },
    ]
  })
  return [{ id: 'costs', title: 'What it costs', intro: intro.filter(Boolean).join(' '), parts }]
}

function cell({ tokens, cost }: Spent): TableCell {
  return tokens === 0 && cost === 0 ? '0' : { text: quantity(tokens), beside: dollars(cost) }
}

function times({ total, questions }: CostLine, least: number): string {
  if (!total.cost || !Number.isFinite(least)) return NONE
  const ratio = total.cost / questions / least
  return ratio < 9.95 ? ratio.toFixed(1) : count(ratio)
}
