import type { ReportData } from './data.js'
import { markdown } from './escape.js'
import { finding, headline, mainFailure } from './findings.js'
import { count, NONE, outcomeWords, percent, plural, range } from './format.js'
import type { Row, TaskView } from './view.js'
import { groupBy, stageRates, viewOf } from './view.js'

/** A run as GitHub-flavoured Markdown: the first line says whether it can be trusted, then a sentence and a table for every task. */
export function renderMarkdown(data: ReportData): string {
  const { status, errors, size, reason } = headline(data)
  const lines = [`**${status} run** · ${errors} · ${size}`, '']
  if (reason) lines.push(markdown(reason), '')
  lines.push(`# ${markdown(data.title)}`, '')
  for (const task of viewOf(data)) {
    lines.push(`## ${markdown(task.id)}`, '', markdown(finding(task)), '', ...tableOf(task), '')
  }
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
  const settings = [...data.settings, { label: 'setting fingerprint', value: data.summary.fingerprint.setting }]
  for (const { label, value } of settings) lines.push(...row([markdown(label), markdown(value)]))
  return `${lines.join('\n')}\n`
}

function tableOf(task: TaskView): string[] {
  const answers = task.guessers.length > 0 || task.rows.some((r) => r.shown.answer)
  const heads = [
    'system',
    ...task.ks.map((k) => `k=${k}`),
    '95 %',
    'stored',
    'faithful',
    'retrieved',
    ...(answers ? ['answer'] : []),
    'mostly',
  ]
  const rule = heads.map((_, at) => (at === 0 || at === heads.length - 1 ? '---' : '---:'))
  const blank = (n: number) => Array.from({ length: n }, () => '')
  const ceilings = task.ks.map((k) => percent(task.ceilings.find((ceiling) => ceiling.k === k)?.rate))
  return [
    `Evidence success in per cent${task.k === null ? '' : `; interval and stages at k = ${task.k}`}.`,
    '',
    ...row(heads),
    ...row(rule),
    ...task.rows.flatMap((r) => row(cells(r, task, answers))),
    ...(task.ceilings.length > 0 ? row(['*ceiling*', ...ceilings, ...blank(heads.length - ceilings.length - 1)]) : []),
    ...task.guessers.flatMap((r) =>
      row([`*${markdown(r.label)}*`, ...blank(task.ks.length + 4), percent(r.shown.answer?.rate), 'guesses']),
    ),
  ]
}

function cells(r: Row, task: TaskView, answers: boolean): string[] {
  const stages = stageRates(r.shown.facts)
  const failure = mainFailure(r.shown)
  return [
    markdown(r.label),
    ...task.ks.map((k) => {
      const point = k === task.k ? r.shown : r.points.find((candidate) => candidate.k === k)
      const text = point ? percent(point.evidence?.rate) : ''
      return k === task.k ? `**${text}**` : text
    }),
    range(r.shown.evidence?.ci95),
    ...[stages?.stored, stages?.faithful, stages?.retrieved].map(percent),
    ...(answers ? [percent(r.shown.answer?.rate)] : []),
    failure ? `${outcomeWords(failure.outcome)} ${percent(failure.share)}` : NONE,
  ]
}

function row(texts: readonly string[]): string[] {
  return [`| ${texts.join(' | ')} |`]
}
