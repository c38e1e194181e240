import { systemName } from '../model/index.js'
import { runCautions, temptationNote } from './cautions.js'
import { type ComparedSystems, comparisonSections } from './comparison.js'
import { escapeMarkdown } from './escape.js'
import { overallFindings, runHeadline, taskFinding } from './findings.js'
import { count, depthWords, NONE, percent, percentRange } from './format.js'
import type { GateResult } from './gate.js'
import { lossLetter, lossWords } from './letters.js'
import { markdownRow, sectionLines } from './markdown-parts.js'
import { cellsIn, matrixOf, measureWords } from './matrix.js'
import type { ReportData } from './report-data.js'
import { reportSections } from './sections/index.js'
import { storyOf } from './story.js'
import { suiteFindings } from './suite-results.js'
import { STAGE_HEADS, sweptNames, taskColumns } from './task-table.js'
import { depthsIn, type Row, type Sweep, sweepOf, type TaskView, taskViews } from './task-view.js'
import { spreadWords } from './trials.js'

/** Characters that the summary of a job may have, and changed questions of a task in it. */
const MOST_SUMMARY = 900_000
const MOST_FLIPS = 20

/** A run as GitHub-flavoured Markdown: the first line says whether it can be trusted, then a sentence and a table for every task. */
export function renderMarkdown(data: ReportData): string {
  const { status, errors, size, reason } = runHeadline(data)
  const lines = [`**${status} run** · ${errors} · ${size}`, '']
  if (reason) lines.push(escapeMarkdown(reason), '')
  lines.push(`# ${escapeMarkdown(data.title)}`, '', ...firstLines(data))
  const over = sweepOf(data.summary.cells)
  const spreads = spreadWords(data)
  for (const task of taskViews(data)) {
    lines.push(
      `## ${escapeMarkdown(task.id)}`,
      '',
      escapeMarkdown([taskFinding(task), ...runCautions(task), ...temptationNote(task)].join(' ')),
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
  lines.push('## Settings', '', ...markdownRow(['setting', 'value']), ...markdownRow(['---', '---']))
  for (const { label, value } of data.settings)
    lines.push(...markdownRow([escapeMarkdown(label), escapeMarkdown(value)]))
  return `${lines.join('\n')}\n`
}

/** A run at a glance, for the summary of a job: whether it can be trusted, what gates say, and the first look. */
export function summaryMarkdown(
  data: ReportData,
  gates: readonly GateResult[],
  compared: ComparedSystems | null,
): string {
  const { status, errors, size, reason } = runHeadline(data)
  const lines = [`**${status} run** · ${errors} · ${size}`, '', ...(reason ? [escapeMarkdown(reason), ''] : [])]
  for (const { ok, title, message } of gates)
    lines.push(
      `${ok ? '✅' : '❌'} **${escapeMarkdown(title)}**`,
      '',
      ...message.split('\n').map((line) => `- ${escapeMarkdown(line)}`),
      '',
    )
  lines.push(...firstLines(data), ...(compared ? comparisonSections(compared, MOST_FLIPS).flatMap(sectionLines) : []))
  return `${lines.join('\n').slice(0, MOST_SUMMARY)}\n`
}

/** The first look: three sentences and the matrix. */
function firstLines(data: ReportData): string[] {
  const matrix = matrixOf(data)
  if (matrix.systems.length === 0) return []
  const letters = lossWords(cellsIn(matrix).map(({ loss }) => loss))
  const lost = letters.length === 0 ? '' : `, and where most is lost: ${letters.join(', ')}`
  const rows = matrix.suites.flatMap(({ name, depth, tasks }) =>
    tasks.map(({ view, n, ceiling, guesser, cells }) => [
      escapeMarkdown(`${name}/${view.name}${depth === null ? '' : `, ${depthWords(depth)}`}`),
      ...[count(n), percent(ceiling), percent(guesser?.rate)].map(escapeMarkdown),
      ...cells.map((cell) => (cell ? escapeMarkdown(`${percent(cell.rate)} ${lossLetter(cell.loss)}`.trim()) : NONE)),
    ]),
  )
  const all = matrix.systems.map(({ rate, ci95 }) => `**${escapeMarkdown(percent(rate))}** ${percentRange(ci95)}`)
  return [
    ...storyOf(data, matrix).sentences.map((sentence) => `- ${escapeMarkdown(sentence)}`),
    '',
    escapeMarkdown(`${measureWords(matrix)} in per cent${lost}.`),
    '',
    ...markdownRow(['task', 'n', 'ceiling', 'guesser', ...matrix.systems.map(({ label }) => escapeMarkdown(label))]),
    ...markdownRow(['---', '---:', '---:', '---:', ...matrix.systems.map(() => '---:')]),
    ...rows.flatMap(markdownRow),
    ...markdownRow(['all questions', '', '', '', ...all]),
    '',
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
    ...markdownRow(['system', ...swept.map(({ head }) => head), ...columns.map(({ head }) => head)]),
    ...markdownRow([
      '---',
      ...swept.map(() => '---'),
      ...columns.map(({ kind }) => (kind === 'loss' ? '---' : '---:')),
    ]),
    ...task.rows.flatMap((r) => markdownRow(cells(r))),
    ...(task.ceilings.length > 0 ? markdownRow(['*ceiling*', ...beside, ...ceilings]) : []),
    ...task.guessers.flatMap((r) => markdownRow([`*${escapeMarkdown(r.label)}*`, ...beside, ...guess(r)])),
  ]
}
