import { inPercent } from '../../base/percent.js'
import type { SuiteAmounts, SuiteChart, SuitePart, SuiteTable, TableCell } from '../../model/index.js'
import { moneyChart } from '../charts/money.js'
import { type Series, xyChart } from '../charts/xy.js'
import { dollars } from '../costs.js'
import type { ReportData } from '../data.js'
import { escapeHtml } from '../escape.js'
import { anchor, block, charts, figure, more, section, table } from './parts.js'

/** A section of the page, with its name for links. */
export type PageSection = [id: string, name: string, body: string]

/** Sections that suites have of their own. */
export function suiteSections({ suites }: ReportData): PageSection[] {
  return suites.flatMap(({ name, sections }) =>
    sections.map(({ id, title, intro = '', parts }): PageSection => {
      const place = anchor(name, id)
      return [place, title.toLowerCase(), section(place, title, [intro], drawParts(parts, place))]
    }),
  )
}

/** Suites' own scores with the published figures beside them: tables, and charts of what the papers vary. */
export function besidePapers({ suites, summary }: ReportData): string {
  const body = suites.flatMap(({ name, besidePaper }) =>
    besidePaper.length === 0 ? [] : [drawParts(besidePaper, 'figures', name)],
  )
  if (body.length === 0) return ''
  const reader = summary.cells.some(({ reader }) => reader !== null)
  return section(
    'figures',
    'Beside the papers',
    [
      'Scores as the papers define them, in per cent, with published figures below ours.',
      reader
        ? 'Both are about answers.'
        : 'Ours are about evidence, for nobody read it; theirs are about answers, which can only be worse than the evidence behind them.',
      'Theirs come from other data, models and judges.',
    ],
    body.join(''),
  )
}

/** Tables under their heading, then pictures side by side. */
function drawParts(parts: readonly SuitePart[], place: string, heading?: string): string {
  const tables = parts.map(drawTables).join('')
  const lines = parts.flatMap((part) => (part.kind === 'chart' ? [drawChart(part, place)] : []))
  const amounts = parts.flatMap((part) => (part.kind === 'amounts' ? [drawAmounts(part, place)] : []))
  const pictures = [lines, amounts].map((drawn) => (drawn.length === 0 ? '' : charts(drawn)))
  return (heading === undefined ? tables : block(heading, '', tables)) + pictures.join('')
}

function drawTables(part: SuitePart): string {
  if (part.kind === 'fold') return more(part.title, part.parts.map(drawTables).join(''))
  return part.kind === 'table' ? drawTable(part) : ''
}

function drawTable({ title, columns, names = 1, rows }: SuiteTable): string {
  const drawn = rows.map((row) => row.map(drawCell))
  return table(title, columns, drawn, { names })
}

function drawCell(cell: TableCell): string {
  if (typeof cell === 'string') return escapeHtml(cell)
  const text = cell.strong ? `<b>${escapeHtml(cell.text)}</b>` : escapeHtml(cell.text)
  return cell.beside === undefined ? text : `${text} <span class="ci">${escapeHtml(cell.beside)}</span>`
}

function drawChart({ title, x, ticks, series }: SuiteChart, place: string): string {
  let look = 0
  const all = series.map(({ name, published, points }): Series => {
    return { name, look: published ? 'reference' : look++, points: [...points] }
  })
  const drawn = all.filter(({ points }) => points.length > 0)
  const desc = drawn.map(({ name, points }) => `${name} ${inPercent(points.at(-1)!.y, 0)}`).join(', ')
  const picture = xyChart({ id: anchor(place, title), title, desc, x, ticks: [...ticks], series: drawn })
  return figure(escapeHtml(title), picture)
}

function drawAmounts({ title, amounts, note, table: values }: SuiteAmounts, place: string): string {
  let look = 0
  const picture = moneyChart({
    id: anchor(place, title),
    title,
    desc: `${amounts.map(({ name, usd }) => `${name} ${dollars(usd)}`).join(', ')}. All values are in the table below.`,
    amounts: amounts.map(({ name, usd, published }) => ({ name, usd, look: published ? 'reference' : look++ })),
    words: dollars,
  })
  return figure(escapeHtml(title), `${picture}<p class="note">${escapeHtml(note)}</p>`, drawTable(values))
}
