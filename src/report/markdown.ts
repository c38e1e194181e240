import { COST_STAGES } from '../analysis/costs.js'
import { groupBy } from '../base/group-by.js'
import { type PanelAgreement, type Spent, type SuitePart, systemName, type TableCell } from '../model/index.js'
import { cautions, temptation } from './cautions.js'
import { costsOf, dollars, each, priceWords, repairWords } from './costs.js'
import type { ReportData } from './data.js'
import { escapeMarkdown } from './escape.js'
import { finding, headline, overallFindings, panelFindings, votedOn } from './findings.js'
import { count, depthWords, NONE, percent, plural, quantity } from './format.js'
import { suiteFindings } from './suite-results.js'
import { STAGE_HEADS, sweptNames, taskColumns } from './task-table.js'
import { spreadWords } from './trials.js'
import { depthsIn, type Row, type Sweep, sweepOf, type TaskView, viewOf } from './view.js'

/** A run as GitHub-flavoured Markdown: the first line says whether it can be trusted, then a sentence and a table for every task. */
export function renderMarkdown(data: ReportData): string {
  const { status, errors, size, reason } = headline(data)
  const lines = [`**${status} run** · ${errors} · ${size}`, '']
  if (reason) lines.push(escapeMarkdown(reason), '')
  lines.push(`# ${escapeMarkdown(data.title)}`, '')
  const over = sweepOf(data.summary.cells)
  const spreads = spreadWords(data)
  for (const task of viewOf(data)) {
    lines.push(
      `## ${escapeMarkdown(task.id)}`,
      '',
      escapeMarkdown([finding(task), ...cautions(task), ...temptation(task)].join(' ')),
      '',
      ...tableOf(task, over),
      '',
    )
    const found = [...suiteFindings(data, task), ...(spreads.get(task.id) ?? [])]
    for (const one of found) lines.push(escapeMarkdown(one), '')
  }
  for (const found of overallFindings(data)) lines.push(escapeMarkdown(found), '')
  lines.push(...suiteTables(data), ...costTables(data), ...panelTables(data))
  if (data.audit.length > 0) {
    const groups = [...groupBy(data.audit, (note) => note.action)]
    const actions = groups.map(([action, notes]) => `${count(notes.length)} ${action}`)
    const defects = `${plural(data.audit.length, 'row')} with defects: ${actions.join(', ')}.`
    lines.push('## Audit of the data', '', defects, '')
  }
  lines.push('## Settings', '', ...row(['setting', 'value']), ...row(['---', '---']))
  for (const { label, value } of data.settings) lines.push(...row([escapeMarkdown(label), escapeMarkdown(value)]))
  return `${lines.join('\n')}\n`
}

/** The tables of sections that suites have of their own. Pictures are for pages. */
function suiteTables({ suites }: ReportData): string[] {
  const text = (cell: TableCell) => {
    if (typeof cell === 'string') return escapeMarkdown(cell)
    const said = cell.strong ? `**${escapeMarkdown(cell.text)}**` : escapeMarkdown(cell.text)
    return cell.beside === undefined ? said : `${said} (${escapeMarkdown(cell.beside)})`
  }
  const tables = (part: SuitePart): string[] => {
    if (part.kind === 'fold') return part.parts.flatMap(tables)
    if (part.kind !== 'table') return []
    const { title, columns, names = 1, rows } = part
    return [
      `${escapeMarkdown(title)}.`,
      '',
      ...row(columns.map(escapeMarkdown)),
      ...row(columns.map((_, at) => (at < names ? '---' : '---:'))),
      ...rows.flatMap((cells) => row(cells.map(text))),
      '',
    ]
  }
  return suites.flatMap(({ name, sections }) =>
    sections.flatMap(({ title, intro, parts }) => [
      `## ${escapeMarkdown(`${name}: ${title}`)}`,
      '',
      ...(intro === undefined ? [] : [escapeMarkdown(intro), '']),
      ...parts.flatMap(tables),
    ]),
  )
}

/** What models took, per question, by stage; nothing when no model was called. */
function costTables(data: ReportData): string[] {
  const cell = ({ tokens, cost }: Spent) =>
    tokens === 0 && cost === 0 ? '0' : `${quantity(tokens)} · ${escapeMarkdown(dollars(cost))}`
  const repairs = repairWords(data)
  const tables = costsOf(data).flatMap(({ suite, shown }) => [
    `## Cost: ${escapeMarkdown(suite)}`,
    '',
    `Tokens and USD per question, as if nothing had been cached; storing and judging facts are shared by the questions of a memory. ${escapeMarkdown(priceWords(data) ?? '')}`.trim(),
    '',
    ...row(['system', ...COST_STAGES, 'together', 'all questions']),
    ...row(['---', ...COST_STAGES.map(() => '---:'), '---:', '---:']),
    ...shown.flatMap((line) =>
      row([
        escapeMarkdown(line.label),
        ...COST_STAGES.map((stage) => cell(each(line.stages[stage], line.questions))),
        cell(each(line.total, line.questions)),
        cell(line.total),
      ]),
    ),
    '',
  ])
  return [...tables, ...(repairs === null ? [] : [escapeMarkdown(repairs), ''])]
}

/** How the judges of a panel agreed; nothing when one judge decided. */
function panelTables(data: ReportData): string[] {
  if (!data.summary.panel) return []
  const { facts, answers } = data.summary.panel
  const part = (what: string, { judges, pairs, patterns }: PanelAgreement) => [
    ...row(['judge', 'and', what, 'agree %', 'kappa']),
    ...row(['---', '---', '---:', '---:', '---:']),
    ...pairs.flatMap(({ judges: pair, n, agreement, kappa }) =>
      row([...pair.map(escapeMarkdown), count(n), percent(agreement), kappa?.toFixed(2) ?? NONE]),
    ),
    '',
    ...row([...judges.map(escapeMarkdown), what]),
    ...row([...judges.map(() => '---'), '---:']),
    ...patterns.flatMap(({ labels, n }) =>
      row([...labels.map((label) => escapeMarkdown(label ?? 'no verdict')), count(n)]),
    ),
    '',
  ]
  return [
    '## How the judges agree',
    '',
    ...panelFindings(data).flatMap((found) => [escapeMarkdown(found), '']),
    ...(facts ? part('facts', facts) : []),
    ...(answers ? part(votedOn(answers), answers) : []),
  ]
}

function tableOf(task: TaskView, over: Sweep): string[] {
  const answers = task.guessers.length > 0 || task.rows.some((r) => r.shown.answer)
  const columns = taskColumns(task, { depths: depthsIn(task), stages: STAGE_HEADS, answers, loss: true })
  const swept = sweptNames(over)
  const beside = swept.map(() => '')
  const cells = (r: Row) => [
    ...[systemName(r.subject), ...swept.map(({ of }) => of(r) ?? NONE)].map(escapeMarkdown),
    ...columns.map(({ kind, text }) => (kind === 'shown' ? `**${text(r)}**` : text(r))),
  ]
  const guess = (r: Row) =>
    columns.map(({ kind, text }) => (kind === 'answer' ? text(r) : kind === 'loss' ? 'guesses' : ''))
  const ceilings = columns.map(({ kind, ceiling }) => (kind === 'evidence' || kind === 'shown' ? percent(ceiling) : ''))
  return [
    `Evidence success in per cent${task.depth === null ? '' : `; interval and stages at ${depthWords(task.depth)}`}.`,
    '',
    ...row(['system', ...swept.map(({ head }) => head), ...columns.map(({ head }) => head)]),
    ...row(['---', ...swept.map(() => '---'), ...columns.map(({ kind }) => (kind === 'loss' ? '---' : '---:'))]),
    ...task.rows.flatMap((r) => row(cells(r))),
    ...(task.ceilings.length > 0 ? row(['*ceiling*', ...beside, ...ceilings]) : []),
    ...task.guessers.flatMap((r) => row([`*${escapeMarkdown(r.label)}*`, ...beside, ...guess(r)])),
  ]
}

function row(texts: readonly string[]): string[] {
  return [`| ${texts.join(' | ')} |`]
}
