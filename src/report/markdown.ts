import { type SuiteSection, systemName, type TableCell } from '../model/index.js'
import { cautions, temptation } from './cautions.js'
import type { ReportData } from './data.js'
import { escapeMarkdown } from './escape.js'
import { finding, headline, overallFindings } from './findings.js'
import { depthWords, NONE, percent } from './format.js'
import { tablesIn } from './part-tables.js'
import { reportSections } from './sections/index.js'
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
  // The tables of tasks have the stages already; what stands beside papers is for pages.
  const told = reportSections(data).filter(({ id }) => id !== 'stages' && !id.endsWith('-paper'))
  lines.push(...told.flatMap(sectionLines))
  lines.push('## Settings', '', ...row(['setting', 'value']), ...row(['---', '---']))
  for (const { label, value } of data.settings) lines.push(...row([escapeMarkdown(label), escapeMarkdown(value)]))
  return `${lines.join('\n')}\n`
}

/** The tables of a section. Pictures are for pages. */
function sectionLines({ title, intro, parts }: SuiteSection): string[] {
  const text = (cell: TableCell) => {
    if (typeof cell === 'string') return escapeMarkdown(cell)
    const said = cell.strong ? `**${escapeMarkdown(cell.text)}**` : escapeMarkdown(cell.text)
    return cell.beside === undefined ? said : `${said} (${escapeMarkdown(cell.beside)})`
  }
  const tables = tablesIn(parts).flatMap(({ title: own, columns, names = 1, rows }) => [
    ...[`${escapeMarkdown(own)}.`, ''],
    ...row(columns.map(escapeMarkdown)),
    ...row(columns.map((_, at) => (at < names ? '---' : '---:'))),
    ...rows.flatMap((cells) => row(cells.map(text))),
    '',
  ])
  if (tables.length === 0) return []
  return [`## ${escapeMarkdown(title)}`, '', ...(intro === undefined ? [] : [escapeMarkdown(intro), '']), ...tables]
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
