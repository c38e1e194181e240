import { groupBy } from '../../base/group-by.js'
import { depthKey, memoriesOf, scoreName, scoresByName } from '../../model/index.js'
import { logTicks, type Series, xyChart } from '../charts/xy.js'
import type { Breakdown, ReportData } from '../data.js'
import { escapeHtml } from '../escape.js'
import { count, NONE, plural, quantity, range } from '../format.js'
import { byMemory } from '../sweep.js'
import { labeller, type Point, type Row, sweepOf, type TaskView } from '../view.js'
import { anchor, block, charts, more, rate, section, share, table } from './parts.js'

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
      const caption = `${task.name} by ${tag}: evidence success in per cent`
      const body = table(caption, [tag, 'n', ...labels], rows, { look: 'breakdown' })
      return block(`${task.name} by ${tag}`, task.k === null ? '' : `k = ${task.k}`, body)
    }),
  )
  if (tables.length === 0) return ''
  const intro = ['Evidence success in per cent, with its 95 % interval, at the default depth.']
  return section('breakdowns', 'Broken down', intro, tables.join(''))
}

/** What evidence costs to read: tokens a question and tokens a memory, against evidence success. */
export function tokens(data: ReportData, tasks: readonly TaskView[]): string {
  const over = sweepOf(data.summary.cells)
  const figures = tasks.flatMap((task) => {
    const rows = byMemory(task, over).filter((row) => row.shown.evidence)
    const seriesOf = (points: (row: Row) => Series['points']) =>
      rows.map((row, look): Series => ({ name: row.label, look, points: points(row) }))
    const perQuestion = seriesOf(({ points }) =>
      points.flatMap(({ contextPerQuestion: x, evidence }) => (x && evidence ? { x, y: evidence.rate } : [])),
    )
    const perMemory = seriesOf(({ shown: { memory, evidence } }) =>
      memory?.tokensPerEntry && evidence ? [{ x: memory.tokensPerEntry, y: evidence.rate, ci95: evidence.ci95 }] : [],
    )
    const draw = (series: Series[], x: string, kind: string) => {
      if (series.every(({ points }) => points.length === 0)) return ''
      const words = series.flatMap(({ name, points }) => (points[0] ? `${name} ${quantity(points[0].x)}` : []))
      return xyChart({
        id: anchor('tokens', kind, task.id),
        title: `${task.name}: evidence success against ${x}`,
        desc: `${words.join(', ')}. All values are in the table below.`,
        x,
        ticks: logTicks(series.flatMap(({ points }) => points.map((point) => point.x))),
        series,
      })
    }
    const pictures =
      draw(perQuestion, 'tokens retrieved per question', 'q') +
      (alike(perMemory) ?? draw(perMemory, 'tokens per memory', 'm'))
    if (pictures === '') return []
    const values = more('as a table', tokenTable(task, rows))
    return `<figure class="pair"><figcaption>${escapeHtml(task.name)}</figcaption>${pictures}${values}</figure>`
  })
  if (figures.length === 0) return ''
  return section(
    'tokens',
    'What evidence costs to read',
    [
      'k counts memories whatever their size. These charts compare systems by what a reader would have to read:',
      'tokens retrieved per question (one mark a k) and mean tokens per memory at the default depth.',
    ],
    charts(figures),
  )
}

/** Scores as their papers define them, at the default depth. */
export function scores(tasks: readonly TaskView[]): string {
  const all = tasks.flatMap((task) => task.rows.map(({ label, shown }) => ({ task, label, scores: shown.scores })))
  const scored = all.filter((row) => row.scores.length > 0)
  if (scored.length === 0) return ''
  const names = [...new Set(scored.flatMap((row) => row.scores.map(scoreName)))]
  const rows = scored.map((row) => {
    const values = scoresByName(row.scores)
    return [escapeHtml(row.task.name), escapeHtml(row.label), ...names.map((name) => values[name]?.toFixed(3) ?? NONE)]
  })
  return section(
    'scores',
    'Suite scores',
    ['Scores as the papers define them, at the default depth. They answer other questions than evidence success does.'],
    more('scores by task and system', table('Suite scores', ['task', 'system', ...names], rows, { names: 2 })),
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
    ...labels.map((label) => rate(task.guessers.find((row) => row.label === label)?.shown.answer)),
  ])
  return section(
    'guessers',
    'Without any memory',
    [
      'Answer accuracy, in per cent, of guessers that read nothing.',
      'A system’s answers mean something only above these. Guessers have no evidence number.',
    ],
    table('Accuracy of guessers in per cent', ['task', 'n', ...labels], rows),
  )
}

/** Rows of published data that were repaired, flagged or dropped, grouped by reason. */
export function audit({ audit: all }: ReportData): string {
  if (all.length === 0) return ''
  const total = (action: string) => all.filter((note) => note.action === action).length
  const groups = [...groupBy(all, (note) => JSON.stringify([note.suite, note.task, note.action, note.why])).values()]
  const items = groups
    .sort((a, b) => b.length - a.length)
    .map((notes) => {
      const { suite, task, action, why } = notes[0]!
      const reason = escapeHtml(`${action} · ${suite}/${task} · ${why}`)
      const rows = notes.map((note) => escapeHtml(note.row)).join(', ')
      const what = notes.length === 1 ? 'Row' : 'Rows'
      return `<details class="alt"><summary><b class="count">${count(notes.length)}</b> ${reason}</summary><p class="rows">${what} ${rows}</p></details>`
    })
  const done = `${total('repaired')} repaired, ${total('flagged')} kept and flagged, ${total('dropped')} dropped`
  const intro = [`${plural(all.length, 'row')} of the published data had defects: ${done}.`]
  return section('audit', 'Audit of the data', intro, items.join('\n'))
}

/** What was run, and the fingerprints by which it can be compared. */
export function settings(data: ReportData): string {
  const { run, fingerprint, timing } = data.summary
  const prints = [fingerprint.setting, ...Object.values(fingerprint.subjects)]
  const repeats = (label: string, value: string) =>
    (label === 'run' && value === run.id) || (label.startsWith('fingerprint of ') && prints.includes(value))
  const rows = [
    ['run', run.id],
    ['created', run.created],
    ...data.settings.filter(({ label, value }) => !repeats(label, value)).map(({ label, value }) => [label, value]),
    ['fingerprint of the setting', fingerprint.setting],
    ...Object.entries(fingerprint.subjects).map(([name, value]) => [`fingerprint of ${name}`, value]),
    ...Object.entries(timing).map(([name, value]) => [`timing ${name}`, String(value)]),
  ]
  const items = rows.map(([name, value]) => `<dt>${escapeHtml(name!)}</dt><dd><code>${escapeHtml(value!)}</code></dd>`)
  return section('settings', 'Settings and fingerprints', [], `<dl class="settings">${items.join('')}</dl>`)
}

function bar(b: Breakdown | undefined): string {
  if (!b || b.n === 0) return NONE
  const part = b.complete / b.n
  const track = `<span class="track"><i style="width:${(part * 100).toFixed(1)}%"></i></span>`
  return `<span class="cell">${track}${share(part)} <span class="ci">${range(b.ci95)}</span></span>`
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
  const columns: [head: string, cell: (point: Point) => string][] = [
    ['depth', ({ depth }) => depthKey(depth)],
    ['memories', ({ memory }) => quantity(memory?.entries)],
    ['tokens/memory', ({ memory }) => quantity(memory?.tokensPerEntry)],
    ['tokens/question', ({ contextPerQuestion }) => quantity(contextPerQuestion)],
    ['memories with nothing needed %', ({ noise }) => share(noise?.memories)],
    ['tokens with nothing needed %', ({ noise }) => share(noise?.tokens)],
    ['tempting fact retrieved %', ({ tempting }) => share(tempting && tempting.retrieved / tempting.n)],
    ['evidence %', ({ evidence }) => rate(evidence)],
  ]
  const shown = columns.filter(([head]) => tempts || !head.startsWith('tempting'))
  const body = rows.flatMap(({ label, points, budgets }) =>
    [...points, ...budgets].map((point) => [escapeHtml(label), ...shown.map(([, cell]) => cell(point))]),
  )
  return table(`${task.name}: tokens`, ['system', ...shown.map(([head]) => head)], body)
}
