import { FAILURES, type Outcome } from '../../model/index.js'
import { lostWords } from '../cautions.js'
import { dollars } from '../cost-lines.js'
import { escapeHtml } from '../escape.js'
import { count, depthWords, NONE, percent, percentRange, quantity } from '../format.js'
import { lossLetter } from '../letters.js'
import { cellsIn, MARK_WORDS, type Matrix, type MatrixCell, type MatrixTask, marksIn, measureWords } from '../matrix.js'
import type { ReportData } from '../report-data.js'
import { type FailureExample, storyOf } from '../story.js'
import { outcomeCounts, type TaskView } from '../task-view.js'
import { anchor, intervalHtml, legendHtml, mixBar, percentHtml, sectionHtml, tableHtml } from './html-parts.js'

/** Fields that have a bar besides their number, at most: of more a page would be too large. */
const MOST_BARS = 800

/** The anchor of the failures of one system on one task. */
export function failuresAnchor(task: string, label: string): string {
  return anchor('failed', task, 'by', label)
}

/**
 * The first look: what was found in three sentences, the matrix of tasks and systems, what the systems are, and one failure.
 *
 * @param hasFailures whether the page shows failures of a system on a task, so that its cell may lead there
 */
export function firstLook(
  data: ReportData,
  tasks: readonly TaskView[],
  matrix: Matrix,
  hasFailures: (task: string, label: string) => boolean,
): string {
  if (matrix.systems.length === 0) return ''
  const { sentences, example } = storyOf(data, matrix)
  const found = sentences.map((sentence) => `<li>${escapeHtml(sentence.replaceAll(' %', '\u00a0%'))}</li>`).join('')
  const read = matrix.suites.some((suite) => suite.tasks.some(({ measure }) => measure !== 'evidence'))
  const intro = [
    `In every field: ${measureWords(matrix)}, in per cent of questions at the suite’s own depth, and its 95 % interval;`,
    !read && 'evidence is complete when everything needed was stored, kept faithful and retrieved.',
    'The letter is the stage at which most is lost, the bar is what became of all questions. A field leads to its failures.',
    ...marksIn(matrix).map((mark) => `${mark} ${MARK_WORDS[mark]}.`),
  ]
  const body = [
    `<ul class="story">${found}</ul>`,
    legendHtml(outcomesOf(tasks), true),
    matrixHtml(matrix, hasFailures),
    systemsHtml(data, matrix),
    example ? exampleHtml(example) : '',
  ]
  return sectionHtml('first', 'At a glance', intro, body.join(''))
}

/** Outcomes that occur anywhere in a run, worst first. */
function outcomesOf(tasks: readonly TaskView[]): Outcome[] {
  const points = tasks.flatMap((task) => task.rows.flatMap((row) => row.points))
  const seen = (outcome: Outcome) => points.some((point) => (point.outcomes[outcome] ?? 0) > 0)
  return [...FAILURES, 'correct' as const, 'answerable' as const, 'error' as const].filter(seen)
}

function matrixHtml(matrix: Matrix, hasFailures: (task: string, label: string) => boolean): string {
  const { suites, systems } = matrix
  const bars = systems.length * suites.reduce((sum, { tasks }) => sum + tasks.length, 0) <= MOST_BARS
  const rows = suites.flatMap(({ name, depth, tasks }) =>
    tasks.map((task) => [
      nameHtml(
        task,
        name,
        depth === null ? '' : depthWords(depth),
        systems.some(({ label }) => hasFailures(task.view.id, label)),
      ),
      count(task.n),
      percentHtml(task.ceiling),
      task.guesser ? `<span title="${escapeHtml(task.guesser.label)}">${percentHtml(task.guesser.rate)}</span>` : NONE,
      ...task.cells.map((cell, at) => {
        const { label } = systems[at]!
        return cell ? cellHtml(cell, task.view.id, hasFailures(task.view.id, label) ? label : null, bars) : NONE
      }),
    ]),
  )
  const foot = (head: string, text: (system: Matrix['systems'][number]) => string) => [
    head,
    '',
    '',
    '',
    ...systems.map((system) => escapeHtml(text(system))),
  ]
  const heads = ['task', 'n', 'ceiling', 'guesser', ...systems.map(({ label }) => label)]
  const all = [
    ...rows,
    foot('all questions', ({ rate, ci95 }) => `${percent(rate)} ${percentRange(ci95)}`),
    foot('tokens a question reads', ({ tokens }) => quantity(tokens)),
    foot(matrix.costHead, ({ cost }) => dollars(cost)),
  ]
  return tableHtml('Tasks and systems: one number and the largest loss', heads, all, {
    names: heads.length,
    look: 'matrix',
  })
}

function nameHtml({ view, measure }: MatrixTask, suite: string, depth: string, failed: boolean): string {
  const beside = [measure, depth].filter(Boolean).join(', ')
  const name = escapeHtml(view.name)
  const link = failed ? `<a href="#${anchor('failed', view.id)}">${name}</a>` : name
  return `<span class="ci">${escapeHtml(suite)}/</span>${link} <span class="ci under">${escapeHtml(beside)}</span>`
}

/** @param label whose failures it leads to; null when there are none on the page */
function cellHtml(
  { row, rate, ci95, loss, mark }: MatrixCell,
  task: string,
  label: string | null,
  bars: boolean,
): string {
  const tag = loss
    ? ` <span class="tag${loss.outcome ? ` o-${loss.outcome}` : ''}" title="${escapeHtml(loss.words)}">${lossLetter(loss)}</span>`
    : ''
  const marked = mark === '' ? '' : `<abbr title="${MARK_WORDS[mark]}">${mark}</abbr>`
  const number = `<b>${percentHtml(rate)}</b>${marked}${tag} ${intervalHtml(ci95 ? { ci95 } : {})}`
  const words = `<span class="score">${number}</span>${bars ? mixBar(outcomeCounts(row.shown)) : ''}`
  return label === null ? words : `<a class="cell" href="#${failuresAnchor(task, label)}">${words}</a>`
}

/** What the systems are, and what must be known of them. */
function systemsHtml({ systems = [] }: ReportData, matrix: Matrix): string {
  const rows = cellsIn(matrix).map(({ row }) => row)
  const items = matrix.systems.flatMap(({ label, kind }) => {
    const own = rows.filter((row) => row.label === label)
    const { subject } = own[0] ?? {}
    const about = systems.find(({ name }) => subject && 'system' in subject && subject.system === name)?.about
    const lost = own.filter(({ shown }) => shown.conversations.lost > 0).slice(0, 1)
    const remarks = [...new Set(own.flatMap((row) => row.remarks)), ...lost.map(lostWords)]
    const words = [kind === 'yardstick' ? 'yardstick' : '', about ?? '', ...remarks].filter(Boolean)
    return words.length === 0 ? [] : [`<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(words.join(' · '))}</dd>`]
  })
  return items.length === 0 ? '' : `<h3>The systems</h3><dl class="settings">${items.join('')}</dl>`
}

function exampleHtml({ task, system, question, fact, way, instead }: FailureExample): string {
  const line = (name: string, text: string) => `<p class="gold"><b>${name}</b> ${escapeHtml(text)}</p>`
  const to = `<a href="#${failuresAnchor(task, system)}">all of its failures</a>`
  return [
    `<h3>One failure <span class="ci">${escapeHtml(`${task}, ${system}`)}</span></h3><div class="example">`,
    line('asked', question),
    line('needed', fact),
    line('lost', way),
    instead === null ? '' : line('found instead', instead.slice(0, 300)),
    `<p class="gold">${to}</p></div>`,
  ].join('')
}
