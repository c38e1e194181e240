import { stripVTControlCharacters } from 'node:util'
import Table from 'cli-table3'
import pc from 'picocolors'
import { type Depth, depthKey, systemName } from '../model/index.js'
import { hasLostMuch, runCautions, temptationNote } from './cautions.js'
import { wrap } from './columns.js'
import { escapeForTerminal } from './escape.js'
import { overallFindings, panelFindings, runHeadline, taskFinding } from './findings.js'
import { clipText, depthWords, NONE, percent, shortNames } from './format.js'
import type { ReportData } from './report-data.js'
import { suiteFindings } from './suite-results.js'
import { hasOwnScore, lossText, STAGE_HEADS, sweptNames, type TaskColumn, taskColumns } from './task-table.js'
import { depthsIn, nearestDepth, type Row, sweepOf, type TaskView, taskViews, USUAL_BUDGET } from './task-view.js'
import { spreadWords } from './trials.js'

export interface TerminalOptions {
  /** Columns there are; tables drop depths until they fit. */
  width?: number
  /** Colour, or none. Off by default unless the output is a terminal and `NO_COLOR` is not set. */
  color?: boolean
}

/** Whether a stream should get colour: a terminal, and nobody said no. */
export function wantsColor(
  stream: { isTTY?: boolean },
  env: Record<string, string | undefined> = process.env,
): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}

/** A run as tables for a terminal, one for every task: status and errors on the first line, then a table and a sentence for every task. */
export function renderTables(data: ReportData, options: TerminalOptions = {}): string {
  const paint = pc.createColors(options.color ?? wantsColor(process.stdout))
  const width = Math.max(60, Math.min(options.width ?? 100, 120))
  const lines = headLines(runHeadline(data), width, paint)
  const swept = sweptColumns(data, width)
  const spreads = spreadWords(data)
  for (const task of taskViews(data)) {
    const at = task.depth === null ? '' : `stages at ${depthWords(task.depth)} · `
    const room = Math.max(10, width - task.id.length - 1)
    lines.push(
      '',
      `${paint.bold(escapeForTerminal(task.id))} ${paint.dim(clipText(at + escapeForTerminal(task.about), room))}`,
    )
    if (task.rows.length + task.guessers.length > 0) lines.push(tableOf(task, width, swept, paint))
    const found = [taskFinding(task), ...runCautions(task), ...temptationNote(task), ...suiteFindings(data, task)]
    for (const one of [...found, ...(spreads.get(task.id) ?? [])]) lines.push(...wrap(escapeForTerminal(one), width))
  }
  for (const found of [...overallFindings(data), ...panelFindings(data)])
    lines.push('', ...wrap(escapeForTerminal(found), width))
  return `${lines.join('\n')}\n`
}

export type Paint = ReturnType<typeof pc.createColors>

/** The first lines of every report: status, errors, size, and why it cannot be trusted where it cannot. */
export function headLines(
  { status, errors, size, reason }: ReturnType<typeof runHeadline>,
  width: number,
  paint: Paint,
) {
  const mark = status === 'valid' ? paint.green : status === 'invalid' ? paint.red : paint.yellow
  const first = `${paint.bold(mark(`${status} run`))} · ${errors.startsWith('0 ') ? errors : paint.yellow(errors)}`
  const fits = `${status} run · ${errors} · ${size}`.length <= width
  const lines = fits ? [`${first} · ${size}`] : [first, ...wrap(size, width)]
  if (reason) lines.push(...wrap(escapeForTerminal(reason), width))
  return lines
}

/** A column that only sweeps over several models or readers have. */
interface SweptColumn {
  head: string
  wide: number
  text(row: Row): string
}

function sweptColumns(data: ReportData, width: number): SweptColumn[] {
  return sweptNames(sweepOf(data.summary.cells)).map(({ head, names, of }) => {
    const short = shortNames(names)
    const longest = Math.max(head.length, ...[...short.values()].map((name) => escapeForTerminal(name).length))
    const wide = Math.min(width < 100 ? 11 : 14, longest)
    const text = (row: Row) => {
      const name = of(row)
      return name ? clipText(escapeForTerminal(short.get(name) ?? name), wide) : NONE
    }
    return { head, wide, text }
  })
}

/** The first of several layouts that fits; the last, when none does. */
function tableOf(task: TaskView, width: number, swept: readonly SweptColumn[], paint: Paint): string {
  const own = swept.reduce((sum, { wide }) => sum + wide, 0)
  const usual = stageHeads(width, own)
  const fewer = usual.length > 0 ? [SHORT_STAGES, []] : []
  const choices = [usual, ...fewer].map((stages) => ({ stages, loss: true }))
  let text = ''
  for (const choice of [...choices, { stages: [], loss: false }]) {
    for (const first of width < 100 ? [18, 14, 10] : [28, 18]) {
      text = tableWith(task, { width, swept, first, ...choice }, paint)
      const lines = stripVTControlCharacters(text).split('\n')
      if (lines.every((line) => line.length <= width)) return text
    }
  }
  return text
}

/** How a table is laid out: the room for names, heads of the columns of stages, if any, and whether the largest loss is told. */
interface Choice {
  width: number
  swept: readonly SweptColumn[]
  first: number
  stages: readonly string[]
  loss: boolean
}

function tableWith(task: TaskView, { width, swept, first: most, stages, loss }: Choice, paint: Paint): string {
  const answers = task.rows.some((row) => row.shown.answer)
  const gap = width < 100 || swept.length > 1 ? 1 : 2
  const first = Math.min(Math.max(10, ...task.rows.map((row) => nameOf(row, swept).length)), most)
  const names = swept.reduce((sum, { wide }) => sum + wide + gap, 0)
  const numbers = [...stages, ...(answers ? [task.answerName] : []), ...(hasOwnScore(task) ? [task.ownScore!] : [])]
  const fixed = first + names + '95–100'.length + numbers.join('').length + 'summary error 99'.length
  const room = width - fixed - gap * (numbers.length + 3)
  const shown = depths(task, Math.max(1, Math.floor(room / (5 + gap))))
  const columns = taskColumns(task, { depths: shown, stages, answers, loss })
  const left = [...swept.map(() => 'left' as const), 'left' as const]
  const table = new Table({
    chars: NO_BORDERS,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': gap },
    colAligns: [...left, ...columns.map(({ kind }) => (kind === 'loss' ? 'left' : 'right'))],
  })
  const heads = ['evidence %', ...swept.map(({ head }) => head), ...columns.map(({ head }) => head)]
  table.push(heads.map((head) => paint.dim(head)))
  for (const row of task.rows) {
    const name = clipText(nameOf(row, swept), first)
    table.push([
      row.kind === 'yardstick' ? paint.dim(name) : name,
      ...swept.map((column) => column.text(row)),
      ...columns.map((column) => cell(column, row, paint)),
    ])
  }
  if (columns.some(({ ceiling }) => ceiling !== undefined)) {
    const values = columns.map(({ kind, ceiling }) => (kind === 'evidence' || kind === 'shown' ? percent(ceiling) : ''))
    table.push(['ceiling', ...swept.map(() => ''), ...values].map((text) => text && paint.dim(text)))
  }
  const guesses = task.guessers.map((row) => `${escapeForTerminal(row.label)} ${percent(row.shown.answer?.rate)} %`)
  const lines = table.toString().split('\n')
  const note = guesses.length > 0 ? wrap(`answers without any memory: ${guesses.join(', ')}`, width) : []
  return [...lines.map((line) => line.trimEnd()), ...note.map((line) => paint.dim(line))].join('\n')
}

function cell({ kind, text }: TaskColumn, row: Row, paint: Paint): string {
  if (kind === 'loss') return lossText(row, ({ outcome, words }) => (outcome ? paint[TINT[outcome]](words) : words))
  return kind === 'shown' ? paint.bold(text(row)) : kind === 'interval' ? paint.dim(text(row)) : text(row)
}

function nameOf(row: Row, swept: readonly SweptColumn[]): string {
  return escapeForTerminal(
    `${swept.length > 0 ? systemName(row.subject) : row.label}${hasLostMuch(row.shown) ? ' !' : ''}`,
  )
}

// Sweeps take the room of long heads, and on narrow terminals of the stages; every other format has them.
function stageHeads(width: number, swept: number): readonly string[] {
  if (swept > 0 && width - swept < 66) return []
  if (width - swept >= 100) return STAGE_HEADS
  return swept === 0 || width - swept >= 80 ? ['stored', 'faithful', 'retr.'] : SHORT_STAGES
}

const SHORT_STAGES: readonly string[] = ['sto.', 'fai.', 'ret.']

/** Colours of failures. */
export const TINT = {
  not_stored: 'red',
  summary_error: 'yellow',
  not_retrieved: 'blue',
  unavailable: 'gray',
  stale_memory: 'magenta',
  stale_answer: 'magenta',
  reasoning_error: 'cyan',
} as const

// Keeps the shown depth, a usual budget, the shallowest and the deepest, then as many others as fit.
function depths(task: TaskView, most: number): Depth[] {
  const all = depthsIn(task)
  if (all.length <= most) return all
  const middle = nearestDepth(task.budgets, USUAL_BUDGET)
  const wanted = [
    ...(task.depth === null ? [] : [task.depth]),
    ...(middle === null ? [] : [{ tokens: middle }]),
    all[0]!,
    ...(task.ks.length > 0 ? [{ k: task.ks.at(-1)! }] : []),
    ...all,
  ]
  const keep = new Set(wanted.map(depthKey).slice(0, most))
  for (const depth of wanted) if (keep.size < most) keep.add(depthKey(depth))
  return all.filter((depth) => keep.has(depthKey(depth)))
}

const BORDERS =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle'
const NO_BORDERS = Object.fromEntries(BORDERS.split(' ').map((part) => [part, '']))
