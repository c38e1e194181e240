import { FAILURES, type Outcome } from '../../model/index.js'
import { cautions } from '../cautions.js'
import { funnel } from '../charts/funnel.js'
import { escapeHtml } from '../escape.js'
import { finding, largestLoss } from '../findings.js'
import { count, depthWords } from '../format.js'
import { stageRates, type TaskView } from '../view.js'
import { anchor, more, rate, section, share, table } from './parts.js'

/** Facts through the stages, and in a sentence what was found, task by task. */
export function overview(tasks: readonly TaskView[]): string {
  if (tasks.length === 0) return ''
  return section(
    'stages',
    'Where facts die',
    [
      'Needed facts instead of questions: each column is all needed facts of the task taken together,',
      'so a question that needs many weighs more, and colour marks those lost at that stage.',
      'Under it stands the outcome that cost the system most questions.',
    ],
    tasks.map(stages).join(''),
  )
}

/** Outcomes that occur anywhere in a run, worst first. */
export function outcomesOf(tasks: readonly TaskView[]): Outcome[] {
  const points = tasks.flatMap((task) => task.rows.flatMap((row) => row.points))
  const seen = (outcome: Outcome) => points.some((point) => (point.outcomes[outcome] ?? 0) > 0)
  return [...FAILURES, 'correct' as const, 'answerable' as const, 'error' as const].filter(seen)
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
  const title = `<h3>${escapeHtml(task.id)} <span class="ci">${about}</span></h3>`
  const words = [finding(task), ...cautions(task)]
    .join(' ')
    .replaceAll(' %', '\u00a0%')
    .replaceAll('k = ', 'k\u00a0=\u00a0')
  const found = `<p class="found">${escapeHtml(words)}</p>`
  const opened = more(`${task.name}: stages as a table`, values)
  return `<div class="task" id="${anchor('stages', task.id)}">${title}${found}<ul class="funnels">${cells.join('')}</ul>${opened}</div>\n`
}
