import { depthKey, memoriesOf, scoreName, scoresByName } from '../../model/index.js'
import { logTicks, type Series, xyChart } from '../charts/xy.js'
import type { Breakdown, ReportData } from '../data.js'
import { escapeHtml } from '../escape.js'
import { count, NONE, plural, quantity, range } from '../format.js'
import { byMemory } from '../sweep.js'
import type { Row, TaskView } from '../view.js'
import { groupBy, labeller, sweepOf } from '../view.js'
import { anchor, more, rate, section, share, table } from './parts.js'

/** Evidence success by N, K, condition type and whatever else a task is broken down by. */
export function breakdowns(data: ReportData, tasks: readonly TaskView[]): string {
  const label = labeller(data.summary.cells)
  const tables = tasks.flatMap((task) =>
    task.breakdowns.flatMap((tag) => {
      const all = data.breakdowns.filter((b) => b.suite === task.suite && b.task === task.name && b.tag === tag)
      const depth = (b: Breakdown) => (memoriesOf(b.depth) ?? task.k) === task.k
      const shown = all.some(depth) ? all.filter(depth) : all
      // Where all questions are alike there is nothing to compare.
      if (new Set(shown.map((b) => b.value)).size < 2) return []
      const labels = [...new Set(shown.map(label))]
      const rows = [...groupBy(shown, (b) => b.value)]
        .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
        .map(([value, own]) => [
          escapeHtml(value),
          count(Math.max(...own.map((b) => b.n))),
          ...labels.map((name) => bar(own.find((b) => label(b) === name))),
        ])
      const heads = ['n', ...labels].map((head) => ({ head, num: true }))
      return `<div class="task"><h3>${escapeHtml(task.name)} by ${escapeHtml(tag)}${task.k === null ? '' : ` <span class="ci">k = ${task.k}</span>`}</h3>${table(
        `${task.name} by ${tag}: evidence success in per cent`,
        [{ head: tag }, ...heads],
        rows,
        'breakdown',
      )}</div>`
    }),
  )
  if (tables.length === 0) return ''
  return section(
    'breakdowns',
    'Broken down',
    'Evidence success in per cent, with its 95 % interval, at the default depth.',
    tables.join(''),
  )
}

/** What evidence costs to read: tokens a question and tokens a memory, against evidence success. */
export function tokens(data: ReportData, tasks: readonly TaskView[]): string {
  const over = sweepOf(data.summary.cells)
  const charts = tasks.map((task) => {
    const rows = byMemory(task, over).filter((row) => row.shown.evidence)
    const perQuestion = rows.map(
      (row, look): Series => ({
        name: row.label,
        look,
        points: row.points.flatMap(({ contextPerQuestion: x, evidence }) =>
          x && evidence ? { x, y: evidence.rate } : [],
        ),
      }),
    )
    const perMemory = rows.map((row, look): Series => {
      const { memory, evidence } = row.shown
      return {
        name: row.label,
        look,
        points:
          memory?.tokensPerEntry && evidence
            ? [{ x: memory.tokensPerEntry, y: evidence.rate, ci95: evidence.ci95 }]
            : [],
      }
    })
    const draw = (series: Series[], x: string, kind: string) =>
      series.every(({ points }) => points.length === 0)
        ? ''
        : xyChart({
            id: anchor('tokens', kind, task.id),
            title: `${task.name}: evidence success against ${x}`,
            desc: `${series.flatMap(({ name, points }) => (points[0] ? `${name} ${quantity(points[0].x)}` : [])).join(', ')}. All values are in the table below.`,
            x,
            ticks: logTicks(series.flatMap(({ points }) => points.map((point) => point.x))),
            series,
          })
    const pictures =
      draw(perQuestion, 'tokens retrieved per question', 'q') +
      (alike(perMemory) ?? draw(perMemory, 'tokens per memory', 'm'))
    return pictures === ''
      ? ''
      : `<figure class="pair"><figcaption>${escapeHtml(task.name)}</figcaption>${pictures}${more('as a table', tokenTable(task, rows))}</figure>`
  })
  if (charts.every((chart) => chart === '')) return ''
  return section(
    'tokens',
    'What evidence costs to read',
    'k counts memories whatever their size. These charts compare systems by what a reader would have to read: tokens retrieved per question (one mark a k) and mean tokens per memory at the default depth.',
    `<div class="charts">${charts.join('')}</div>`,
  )
}

/** Scores as their papers define them, at the default depth. */
export function scores(tasks: readonly TaskView[]): string {
  const names = [...new Set(tasks.flatMap((task) => task.rows.flatMap((row) => row.shown.scores.map(scoreName))))]
  const rows = tasks.flatMap((task) =>
    task.rows.flatMap((row) =>
      row.shown.scores.length > 0
        ? [
            [
              escapeHtml(task.name),
              escapeHtml(row.label),
              ...names.map((name) => figure(scoresByName(row.shown.scores)[name])),
            ],
          ]
        : [],
    ),
  )
  if (rows.length === 0) return ''
  return section(
    'scores',
    'Suite scores',
    'Scores as the papers define them, at the default depth. They answer other questions than evidence success does.',
    more(
      'scores by task and system',
      table(
        'Suite scores',
        [{ head: 'task' }, { head: 'system' }, ...names.map((head) => ({ head, num: true }))],
        rows,
      ),
    ),
  )
}

/** What can be scored without any memory. */
export function guessers(tasks: readonly TaskView[]): string {
  const own = tasks.filter((task) => task.guessers.length > 0)
  if (own.length === 0) return ''
  const labels = [...new Set(own.flatMap((task) => task.guessers.map((row) => row.label)))]
  const rows = own.map((task) => [
    escapeHtml(task.name),
    count(Math.max(...task.guessers.map((row) => row.shown.n))),
    ...labels.map((label) => rate(task.guessers.find((row) => row.label === label)?.shown.answer ?? null)),
  ])
  return section(
    'guessers',
    'Without any memory',
    'Answer accuracy, in per cent, of guessers that read nothing. A system’s answers mean something only above these. Guessers have no evidence number.',
    table(
      'Accuracy of guessers in per cent',
      [{ head: 'task' }, ...['n', ...labels].map((head) => ({ head, num: true }))],
      rows,
    ),
  )
}

/** Rows of published data that were repaired, flagged or dropped, grouped by reason. */
export function audit(data: ReportData): string {
  if (data.audit.length === 0) return ''
  const total = (action: string) => data.audit.filter((note) => note.action === action).length
  const groups = [...groupBy(data.audit, (note) => JSON.stringify([note.suite, note.task, note.action, note.why]))]
    .map(([, notes]) => notes)
    .sort((a, b) => b.length - a.length)
  const items = groups.map((notes) => {
    const { suite, task, action, why } = notes[0]!
    return `<details class="alt"><summary><b class="count">${count(notes.length)}</b> ${escapeHtml(action)} · ${escapeHtml(`${suite}/${task}`)} · ${escapeHtml(why)}</summary><p class="rows">${
      notes.length === 1 ? 'Row' : 'Rows'
    } ${notes.map((note) => escapeHtml(note.row)).join(', ')}</p></details>`
  })
  return section(
    'audit',
    'Audit of the data',
    `${plural(data.audit.length, 'row')} of the published data had defects: ${total('repaired')} repaired, ${total('flagged')} kept and flagged, ${total('dropped')} dropped.`,
    items.join('\n'),
  )
}

/** What was run, and the fingerprints by which it can be compared. */
export function settings(data: ReportData): string {
  const { run, fingerprint, timing } = data.summary
  const prints = [fingerprint.setting, ...Object.values(fingerprint.subjects)]
  const repeats = (label: string, value: string) =>
    (label === 'run' && value === run.id) || (label.startsWith('fingerprint of ') && prints.includes(value))
  const rows: [string, string][] = [
    ['run', run.id],
    ['created', run.created],
    ...data.settings.flatMap(({ label, value }): [string, string][] => (repeats(label, value) ? [] : [[label, value]])),
    ['fingerprint of the setting', fingerprint.setting],
    ...Object.entries(fingerprint.subjects).map(([name, value]): [string, string] => [`fingerprint of ${name}`, value]),
    ...Object.entries(timing).map(([name, value]): [string, string] => [`timing ${name}`, String(value)]),
  ]
  const items = rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd><code>${escapeHtml(value)}</code></dd>`)
  return section('settings', 'Settings and fingerprints', '', `<dl class="settings">${items.join('')}</dl>`)
}

function figure(score: number | null | undefined): string {
  return score === null || score === undefined ? NONE : score.toFixed(3)
}

function bar(b: Breakdown | undefined): string {
  if (!b || b.n === 0) return NONE
  const part = b.complete / b.n
  return `<span class="cell"><span class="track"><i style="width:${(part * 100).toFixed(1)}%"></i></span>${share(part)} <span class="ci">${range(b.ci95)}</span></span>`
}

// Where all memories are about as large, a chart over their size would show nothing but noise.
function alike(series: readonly Series[]): string | null {
  const sizes = series.flatMap(({ points }) => points.map(({ x }) => x))
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)]
  if (sizes.length === 0 || high >= low * 1.5) return null
  const range = quantity(low) === quantity(high) ? quantity(low) : `${quantity(low)} to ${quantity(high)}`
  return `<p class="note">Memories are about the same size in every system: ${range} tokens on average.</p>`
}

function tokenTable(task: TaskView, rows: readonly Row[]): string {
  const tempts = rows.some(({ points }) => points.some(({ tempting }) => tempting))
  const body = rows.flatMap((row) =>
    [...row.points, ...row.budgets].map((point) => [
      escapeHtml(row.label),
      depthKey(point.depth),
      quantity(point.memory?.entries),
      quantity(point.memory?.tokensPerEntry),
      quantity(point.contextPerQuestion),
      share(point.noise?.memories),
      share(point.noise?.tokens),
      ...(tempts ? [share(point.tempting && point.tempting.retrieved / point.tempting.n)] : []),
      rate(point.evidence),
    ]),
  )
  const heads = [
    'depth',
    'memories',
    'tokens/memory',
    'tokens/question',
    'memories with nothing needed %',
    'tokens with nothing needed %',
    ...(tempts ? ['tempting fact retrieved %'] : []),
    'evidence %',
  ].map((head) => ({ head, num: true }))
  return table(`${task.name}: tokens`, [{ head: 'system' }, ...heads], body)
}
