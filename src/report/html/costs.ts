import { COST_STAGES } from '../../analysis/costs.js'
import { depthKey, memoriesOf, type Spent } from '../../model/index.js'
import { type CostLine, costsOf, dollars, each, priceWords, repairWords } from '../costs.js'
import type { ReportData } from '../data.js'
import { escapeHtml } from '../escape.js'
import { count, NONE, quantity } from '../format.js'
import { block, more, section, table } from './parts.js'

/** What models took at each stage, per question and in all. Nothing when no model was called. */
export function costs(data: ReportData): string {
  const suites = costsOf(data)
  if (suites.length === 0) return ''
  const repairs = repairWords(data)
  const dated = priceWords(data)
  const heads = [...COST_STAGES, 'together']
  const body = suites.map(({ suite, shown, all }) => {
    const least = Math.min(...shown.flatMap(({ total, questions }) => (total.cost ? total.cost / questions : [])))
    const rows = shown.map((line) => [
      escapeHtml(line.label),
      count(line.questions),
      ...COST_STAGES.map((stage) => spent(each(line.stages[stage], line.questions))),
      spent(each(line.total, line.questions)),
      times(line, least),
    ])
    const totals = all.map((line) => [
      escapeHtml(line.label),
      depthKey(line.depth),
      count(line.lives),
      count(line.questions),
      ...COST_STAGES.map((stage) => spent(line.stages[stage])),
      spent(line.total),
    ])
    const perQuestion = table(
      `${suite}: tokens and USD per question by stage`,
      ['system', 'questions', ...heads, '× the least'],
      rows,
      { look: 'costs' },
    )
    const inAll = table(
      `${suite}: tokens and USD in all, by stage and depth`,
      ['system', 'k', 'memories', 'questions', ...heads],
      totals,
      { look: 'costs' },
    )
    return block(suite, `per question${depths(shown)}`, perQuestion + more(`${suite}: totals at every depth`, inAll))
  })
  return section(
    'costs',
    'What it costs',
    [
      'Tokens of models in and out, and below them USD, as if nothing had been cached.',
      'Storing and judging facts are paid once a memory and shared by its questions;',
      'judging is known by the share that each verdict keeps of its call.',
      '“unknown” means that the price of a model is not in the table.',
      ...(dated === null ? [] : [escapeHtml(dated)]),
    ],
    body.join('') + (repairs === null ? '' : `<p class="note">${escapeHtml(repairs)}</p>`),
  )
}

function depths(lines: readonly CostLine[]): string {
  const [k] = lines.flatMap(({ depth }) => memoriesOf(depth) ?? [])
  return k === undefined ? '' : `, k = ${k}`
}

function spent({ tokens, cost }: Spent): string {
  if (tokens === 0 && cost === 0) return '0'
  return `${quantity(tokens)}<span class="usd">${dollars(cost)}</span>`
}

function times({ total, questions }: CostLine, least: number): string {
  if (!total.cost || !Number.isFinite(least)) return NONE
  const ratio = total.cost / questions / least
  return ratio < 9.95 ? ratio.toFixed(1) : count(ratio)
}
