import { COST_STAGES } from '../analysis/costs.js'
import {
  isSameDepth,
  modelOf,
  type PanelAgreement,
  readerKey,
  type Spent,
  type SuitePart,
  systemName,
  type TableCell,
} from '../model/index.js'
import { cautions, evidenceText, temptation } from './cautions.js'
import { costsOf, dollars, each, repairWords } from './costs.js'
import type { ReportData } from './data.js'
import { escapeMarkdown } from './escape.js'
import { finding, headline, largestLoss, overallFindings, panelFindings, votedOn } from './findings.js'
import { count, depthWords, NONE, percent, percentBeside, plural, quantity, range, valueHeads } from './format.js'
import { hasOwnScore, ownScore } from './own-score.js'
import { suiteFindings } from './suite-results.js'
import { spreadWords } from './trials.js'
import type { Row, Sweep, TaskView } from './view.js'
import { ceilingAt, depthsIn, groupBy, pointAt, stageRates, sweepOf, viewOf } from './view.js'

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
    for (const found of suiteFindings(data, task)) lines.push(escapeMarkdown(found), '')
    for (const found of spreads.get(task.id) ?? []) lines.push(escapeMarkdown(found), '')
  }
  for (const found of overallFindings(data)) lines.push(escapeMarkdown(found), '')
  lines.push(...suiteTables(data), ...costTables(data), ...panelTables(data))
  if (data.audit.length > 0) {
    const actions = [...groupBy(data.audit, (note) => note.action)].map(
      ([action, notes]) => `${count(notes.length)} ${action}`,
    )
    lines.push(
      '## Audit of the data',
      '',
      `${plural(data.audit.length, 'row')} with defects: ${actions.join(', ')}.`,
      '',
    )
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
    'Tokens and USD per question, as if nothing had been cached; storing and judging facts are shared by the questions of a memory.',
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
    ...pairs.flatMap(({ judges: [a, b], n, agreement, kappa }) =>
      row([
        escapeMarkdown(a),
        escapeMarkdown(b),
        count(n),
        percent(agreement),
        kappa === null ? NONE : kappa.toFixed(2),
      ]),
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
  const named = namesOf(over)
  const own = hasOwnScore(task)
  const answers = task.guessers.length > 0 || task.rows.some((r) => r.shown.answer)
  const heads = [
    ...named.map(({ head }) => head),
    ...valueHeads(depthsIn(task)),
    '95 %',
    'stored',
    'faithful',
    'retrieved',
    ...(answers ? [task.answerName] : []),
    ...(own ? [task.ownScore!] : []),
    'largest loss',
  ]
  const rule = heads.map((_, at) => (at < named.length || at === heads.length - 1 ? '---' : '---:'))
  const blank = (n: number) => Array.from({ length: n }, () => '')
  const ceilings = depthsIn(task).map((depth) => percent(ceilingAt(task, depth)))
  return [
    `Evidence success in per cent${task.depth === null ? '' : `; interval and stages at ${depthWords(task.depth)}`}.`,
    '',
    ...row(heads),
    ...row(rule),
    ...task.rows.flatMap((r) => row([...named.map(({ text }) => escapeMarkdown(text(r))), ...cells(r, task, answers)])),
    ...(task.ceilings.length + task.tokenCeilings.length > 0
      ? row([
          '*ceiling*',
          ...blank(named.length - 1),
          ...ceilings,
          ...blank(heads.length - ceilings.length - named.length),
        ])
      : []),
    ...task.guessers.flatMap((r) =>
      row([
        `*${escapeMarkdown(r.label)}*`,
        ...blank(named.length + valueHeads(depthsIn(task)).length + 3),
        percent(r.shown.answer?.rate),
        ...(own ? [''] : []),
        'guesses',
      ]),
    ),
  ]
}

/** Who a row is about; model and reader have columns of their own where there are several. */
function namesOf({ models, readers }: Sweep): { head: string; text(row: Row): string }[] {
  return [
    { head: 'system', text: (r) => systemName(r.subject) },
    ...(models.length > 0 ? [{ head: 'model', text: (r: Row) => modelOf(r.subject) ?? NONE }] : []),
    ...(readers.length > 0 ? [{ head: 'reader', text: (r: Row) => readerKey(r.reader) }] : []),
  ]
}

function cells(r: Row, task: TaskView, answers: boolean): string[] {
  const stages = stageRates(r.shown.facts)
  const loss = largestLoss(r.shown)
  return [
    ...depthsIn(task).map((depth) => {
      const text = evidenceText(pointAt(r, task, depth))
      return task.depth !== null && isSameDepth(depth, task.depth) ? `**${text}**` : text
    }),
    ...(depthsIn(task).length > 0 ? [] : [`**${evidenceText(r.shown)}**`]),
    range(r.shown.evidence?.ci95),
    ...[stages?.stored, stages?.faithful, stages?.retrieved].map(percent),
    ...(answers ? [percent(r.shown.answer?.rate)] : []),
    ...(hasOwnScore(task) ? [percent(ownScore(task, r.shown)?.rate)] : []),
    loss ? `${loss.words} ${percentBeside(loss.share, r.shown.evidence?.rate)}` : NONE,
  ]
}

function row(texts: readonly string[]): string[] {
  return [`| ${texts.join(' | ')} |`]
}
