import { groupBy } from '../../base/group-by.js'
import { modelOf, readerKey, systemName } from '../../model/index.js'
import { dotChart } from '../charts/dots.js'
import { logTicks, marker, type Series, xyChart } from '../charts/xy.js'
import type { ReportData } from '../data.js'
import { escapeHtml } from '../escape.js'
import { list, NONE, percent, plural, quantity, shortNames } from '../format.js'
import { byMemory, type SweepPanel, sweepPanels } from '../sweep.js'
import { type Row, type Sweep, sweepOf, type TaskView } from '../view.js'
import { anchor, charts, figure, more, rate, section, table } from './parts.js'

/** Several models or readers over the same questions: what each reaches, and what it takes. Nothing when there is one of each. */
export function sweep(data: ReportData, tasks: readonly TaskView[]): string {
  const over = sweepOf(data.summary.cells)
  const panels = sweepPanels(tasks, over)
  if (panels.length === 0) return ''
  const { models, readers } = over
  const short = new Map([...shortNames(readers), ...shortNames(models)])
  const swept: ['model' | 'reader', string[], (task: TaskView, over: Sweep) => string][] = [
    ['model', models, perMemory],
    ['reader', readers, perAnswer],
  ]
  const several = swept.filter(([, names]) => names.length > 0)
  const what = several.map(([kind, names]) => `${names.length} ${kind}s${kind === 'model' ? ' inside systems' : ''}`)
  return section(
    'sweep',
    models.length > 0 ? 'Models compared' : 'Readers compared',
    [
      `${list(what)}, over the same questions at each task’s default depth, with 95 % Wilson intervals.`,
      'Evidence depends on the memory alone; answers also on the reader.',
    ],
    [
      ...several.map(([kind, names]) => key(`${kind}s`, names, short)),
      figures(panels.map((panel, at) => panelFigure(panel, at, over, short))),
      ...several.map(([kind, names, draw]) => {
        const drawn = tasks.map((task) => draw(task, over)).filter((one) => one !== '')
        return drawn.length === 0 ? '' : against(kind, names, short, drawn)
      }),
    ].join(''),
  )
}

/** Figures that are seen at once; the others open. */
const MOST = 6

function figures(all: readonly string[]): string {
  const rest = all.slice(MOST)
  const opened = rest.length > 0 ? more(plural(rest.length, 'more comparison'), charts(rest)) : ''
  return charts(all.slice(0, MOST)) + opened
}

function against(what: string, names: readonly string[], short: ReadonlyMap<string, string>, drawn: string[]): string {
  const inside = what === 'model' ? [...names, 'no model inside'] : names
  const title = `Against tokens <span class="ci">colour is the system, the shape of a mark the ${what}</span>`
  return `<h3>${title}</h3>${key(what, inside, short, 'shapes')}${figures(drawn)}`
}

/** What colours and marks stand for. The whole name is there for those who need the provider. */
function key(what: string, names: readonly string[], short: ReadonlyMap<string, string>, look = ''): string {
  const items = names.map((name, look) => {
    const mark = `<svg class="swatch" aria-hidden="true" width="12" height="12" viewBox="-6 -6 12 12">${marker(look, 0, 0)}</svg>`
    return `<li title="${escapeHtml(name)}">${mark} ${escapeHtml(short.get(name) ?? name)}</li>`
  })
  return `<ul class="legend ${look}" aria-label="Marks of ${what}">${items.join('')}</ul>\n`
}

function panelFigure(panel: SweepPanel, at: number, over: Sweep, short: ReadonlyMap<string, string>): string {
  const tasks = [...new Set(panel.variants.flatMap(({ points }) => points.map(({ task }) => task)))]
  const suites = new Set(tasks.map(({ suite }) => suite)).size > 1
  const nameOf = (task: TaskView) => (suites ? task.id : task.name)
  const lookOf = (name: string) => (over.models.includes(name) ? over.models : over.readers).indexOf(name)
  const pointOf = ({ points }: SweepPanel['variants'][number], task: TaskView) =>
    points.find((point) => point.task === task)?.point[panel.measure] ?? null
  const measure = panel.measure === 'evidence' ? 'evidence success' : answerWords(tasks)
  const groups = tasks.map((task) => ({
    name: nameOf(task),
    dots: panel.variants.flatMap((variant) => {
      const value = pointOf(variant, task)
      return value ? [{ name: variant.name, look: lookOf(variant.name), ...value }] : []
    }),
  }))
  const words = groups.map(({ name, dots }) => {
    const rates = dots.map((dot) => `${short.get(dot.name) ?? dot.name} ${percent(dot.rate)} %`)
    return `${name}: ${rates.join(', ')}`
  })
  const picture = dotChart({
    id: anchor('sweep', String(at)),
    title: `${panel.title}: ${measure} by task`,
    desc: `${words.join('; ')}. All values are in the table below.`,
    groups,
  })
  const rows = tasks.map((task) => [
    escapeHtml(nameOf(task)),
    ...panel.variants.map((variant) => rate(pointOf(variant, task))),
  ])
  const heads = ['task', ...panel.variants.map(({ name }) => name)]
  const values = table(`${panel.title}: ${measure} in per cent, 95 % interval`, heads, rows)
  return figure(`${escapeHtml(panel.title)} <span class="ci">${escapeHtml(measure)}</span>`, picture, values)
}

/** What an answer number is: accuracy, or scores that suites have of their own. */
function answerWords(tasks: readonly TaskView[]): string {
  const names = tasks.map(({ answerName }) => (answerName === 'answer' ? 'answer accuracy' : answerName))
  return [...new Set(names)].join(' or ')
}

function perMemory(task: TaskView, over: Sweep): string {
  const rows = byMemory(task, over).filter(({ shown }) => shown.evidence && shown.memory)
  return tokensFigure(task, rows, {
    kind: 'memory',
    measure: 'evidence success',
    x: 'tokens per memory',
    at: ({ shown }) => shown.memory?.tokensPerEntry ?? 0,
    value: ({ shown }) => shown.evidence!,
    variant: (row) => modelOf(row.subject),
    shapeOf: (name) => (over.models.includes(name) ? over.models.indexOf(name) : over.models.length),
  })
}

function perAnswer(task: TaskView, over: Sweep): string {
  const rows = task.rows.filter(({ shown }) => shown.answer && shown.answerPerQuestion)
  return tokensFigure(task, rows, {
    kind: 'answer',
    measure: answerWords([task]),
    x: 'tokens read and written per answer',
    at: ({ shown }) => shown.answerPerQuestion ?? 0,
    value: ({ shown }) => shown.answer!,
    variant: (row) => readerKey(row.reader),
    shapeOf: (name) => over.readers.indexOf(name),
  })
}

interface Against {
  kind: string
  measure: string
  x: string
  at(row: Row): number
  value(row: Row): NonNullable<Row['shown']['evidence']>
  variant(row: Row): string | null
  shapeOf(name: string): number
}

// A mark for every pair of system and model.
function tokensFigure(task: TaskView, rows: readonly Row[], of: Against): string {
  if (rows.length < 2) return ''
  const { kind, measure, x, at, value, variant, shapeOf } = of
  const series = [...groupBy(rows, ({ subject }) => systemName(subject))].map(([name, own], look): Series => {
    const points = own.map((row) => {
      const { rate: y, ci95, bounds } = value(row)
      return { x: at(row), y, ci95, bounds, shape: shapeOf(variant(row) ?? '') }
    })
    return { name, look, loose: true, points: points.sort((a, b) => a.x - b.x) }
  })
  const words = rows.map((row) => `${row.label} ${quantity(at(row))} tokens ${percent(value(row).rate)} %`)
  const picture = xyChart({
    id: anchor('sweep', kind, task.id),
    title: `${task.name}: ${measure} against ${x}`,
    desc: `${words.join('; ')}. All values are in the table below.`,
    x,
    ticks: logTicks(rows.map(at)),
    series,
  })
  const body = rows.map((row) => [
    escapeHtml(systemName(row.subject)),
    escapeHtml(variant(row) ?? NONE),
    quantity(at(row)),
    rate(value(row)),
  ])
  const heads = ['system', kind === 'memory' ? 'model' : 'reader', x, `${measure} %`]
  const values = table(`${task.name}: ${measure} in per cent against ${x}`, heads, body, { names: 2 })
  return figure(`${escapeHtml(task.name)} <span class="ci">${escapeHtml(measure)}</span>`, picture, values)
}
