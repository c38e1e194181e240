import { FAILURES, type Outcome } from '../../model/index.js'
import { cautions } from '../cautions.js'
import { funnel } from '../charts/funnel.js'
import { escapeHtml } from '../escape.js'
import { finding, largestLoss } from '../findings.js'
import { count, depthWords, NONE } from '../format.js'
import { type Row, stageRates, type TaskView } from '../view.js'
import { anchor, legend, more, outcomeBar, rate, section, share, spread, table } from './parts.js'

/** What was found, a sentence a task. */
export function findings(tasks: readonly TaskView[]): string {
  const items = tasks.map((task) => {
    const words = [finding(task), ...cautions(task)].join(' ')
    const unbroken = words.replaceAll(' %', '\u00a0%').replaceAll('k = ', 'k\u00a0=\u00a0')
    return `<dt><a href="#${anchor('stages', task.id)}">${escapeHtml(task.id)}</a></dt><dd>${escapeHtml(unbroken)}</dd>`
  })
  return section('found', 'What was found', [], `<dl class="findings">${items.join('')}</dl>`)
}

/** One look: tasks down, systems across, the outcomes of questions in every field; then facts through the stages. */
export function overview(tasks: readonly TaskView[]): string {
  const read = tasks.filter((task) => task.rows.some((row) => row.shown.answer))
  const names = [...new Set(read.map(({ answerName }) => answerName))]
  const below = [
    'Below, needed facts instead of questions: each column is all needed facts of the task taken together,',
    'so a question that needs many weighs more, and colour marks those lost at that stage.',
    'Under it stands the outcome that cost the system most questions.',
  ]
  return section(
    'stages',
    'Where facts die',
    [
      'Each bar is all questions of a task, by what became of them at the task’s default depth.',
      'The number is evidence success: everything needed was stored, kept faithful and retrieved; beside it its 95 % interval and,',
      'in brackets, its bounds: what it would be if every uncertain verdict went one way or the other.',
      ...names.map(
        (name) =>
          `“${name}” is ${name === 'answer' ? 'accuracy' : 'the suite’s own count of answers'}, a different number.`,
      ),
    ],
    `${legend(outcomesOf(tasks))}${matrix(tasks)}<p class="intro after">${below.join(' ')}</p>${tasks.map(stages).join('')}`,
  )
}

/** Outcomes that occur anywhere in a run, worst first. */
export function outcomesOf(tasks: readonly TaskView[]): Outcome[] {
  const points = tasks.flatMap((task) => task.rows.flatMap((row) => row.points))
  const seen = (outcome: Outcome) => points.some((point) => (point.outcomes[outcome] ?? 0) > 0)
  return [...FAILURES, 'correct' as const, 'answerable' as const, 'error' as const].filter(seen)
}

function matrix(tasks: readonly TaskView[]): string {
  const labels = [...new Set(tasks.flatMap((task) => task.rows.map((row) => row.label)))]
  const depth = (task: TaskView) => (task.depth === null ? '' : escapeHtml(depthWords(task.depth)))
  const rows = tasks.map((task) => [
    `<a href="#${anchor('stages', task.id)}">${escapeHtml(task.name)}</a> <span class="ci">${depth(task)}</span>`,
    ...labels.map((label) => {
      const row = task.rows.find((candidate) => candidate.label === label)
      return row ? `<span class="score">${score(row, task)}</span>${outcomeBar(row.shown)}` : NONE
    }),
  ])
  const heads = ['task', ...labels]
  return table('Outcomes of questions by task and system', heads, rows, { names: heads.length, look: 'matrix' })
}

function score({ shown }: Row, { answerName }: TaskView): string {
  const { evidence, answer } = shown
  const found = evidence ? `<b>${share(evidence.rate)}</b> ${spread(evidence)}` : NONE
  return answer ? `${found} <span class="ci">${escapeHtml(answerName)}</span> <b>${share(answer.rate)}</b>` : found
}

function stages(task: TaskView): string {
  const cells = task.rows.map((row, at) => {
    const loss = largestLoss(row.shown)
    const note = loss
      ? `<span class="tag${loss.outcome ? ` o-${loss.outcome}` : ''}">${escapeHtml(loss.words)}</span> ${share(loss.share)}\u00a0%`
      : 'nothing is lost'
    const picture = funnel({
      id: anchor('funnel', task.id, String(at)),
      title: `${row.label} on ${task.name}: facts through the stages${row.shown.depth === 'all' ? '' : ` at ${depthWords(row.shown.depth)}`}`,
      facts: row.shown.facts,
    })
    return `<li><h4>${escapeHtml(row.label)}${row.kind === 'yardstick' ? ' <span class="ci">yardstick</span>' : ''}</h4>${
      picture || '<p class="none">no facts needed</p>'
    }<p class="note">${note}</p></li>`
  })
  const rows = task.rows.map((row) => {
    const rates = stageRates(row.shown.facts)
    return [
      escapeHtml(row.label),
      count(row.shown.facts.n),
      share(rates?.stored),
      share(rates?.faithful),
      share(rates?.retrieved),
      rate(row.shown.evidence),
      rate(row.shown.answer),
      count(row.shown.facts.uncertain),
    ]
  })
  const heads = [
    'system',
    'facts',
    'stored %',
    'faithful %',
    'retrieved %',
    'evidence %',
    `${task.answerName} %`,
    'uncertain',
  ]
  const values = table(`Stages of facts in ${task.name}, per cent of all needed facts together`, heads, rows)
  const about = escapeHtml(`${task.about}${task.depth === null ? '' : ` · ${depthWords(task.depth)}`}`)
  const title = `<h3>${escapeHtml(task.name)} <span class="ci">${about}</span></h3>`
  const opened = more(`${task.name}: stages as a table`, values)
  return `<div class="task" id="${anchor('stages', task.id)}">${title}<ul class="funnels">${cells.join('')}</ul>${opened}</div>\n`
}
