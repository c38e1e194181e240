import type {
  SuiteChart,
  SuiteDots,
  SuitePart,
  SuiteSection,
  SuiteStack,
  SuiteTable,
  TableCell,
} from '../../model/index.js'
import { dotChart } from '../charts/dots.js'
import { xyChart } from '../charts/xy.js'
import { escapeHtml } from '../escape.js'
import { tableOf } from '../part-tables.js'
import { anchor, detailsHtml, mixBar, sectionHtml, tableHtml } from './html-parts.js'

/** A section of data as a section of the page. */
export function drawSection({ id, title, intro = '', parts }: SuiteSection): string {
  return sectionHtml(id, title, [intro], drawParts(parts, id))
}

/** Parts in their order; pictures that follow each other stand side by side. */
function drawParts(parts: readonly SuitePart[], place: string): string {
  let text = ''
  let pictures = ''
  const lay = () => {
    if (pictures !== '') text += `<div class="charts">${pictures}</div>`
    pictures = ''
  }
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'chart' || part.kind === 'dots' || part.kind === 'stack') {
      pictures += drawPicture(part, anchor(place, String(at)))
      continue
    }
    lay()
    text +=
      part.kind === 'table'
        ? drawTable(part, 'titled')
        : detailsHtml(part.title, drawParts(part.parts, anchor(place, String(at), 'in')))
  }
  lay()
  return text
}

function drawPicture(part: SuiteChart | SuiteDots | SuiteStack, id: string): string {
  const picture =
    part.kind === 'chart' ? xyChart(id, part) : part.kind === 'dots' ? dotChart(id, part) : drawStack(part)
  const note = part.kind !== 'stack' && part.note !== undefined ? `<p class="note">${escapeHtml(part.note)}</p>` : ''
  const values = part.kind === 'stack' ? '' : detailsHtml('as a table', drawTable(tableOf(part)))
  return `<figure><figcaption>${escapeHtml(part.title)}</figcaption>${picture}${note}${values}</figure>`
}

/** Bars as rows of a table, which says in words what they show. */
function drawStack({ title, bars }: SuiteStack): string {
  const rows = bars.map(({ name, beside, parts }) => [
    drawCell({ text: name, ...(beside !== undefined && { beside }) }),
    mixBar(parts),
  ])
  return tableHtml(title, ['', ''], rows, { names: 2, look: 'stack' })
}

function drawTable({ title, columns, names = 1, rows }: SuiteTable, look = ''): string {
  return tableHtml(
    title,
    columns,
    rows.map((row) => row.map(drawCell)),
    { names, look },
  )
}

function drawCell(cell: TableCell): string {
  if (typeof cell === 'string') return escapeHtml(cell)
  const text = cell.strong ? `<b>${escapeHtml(cell.text)}</b>` : escapeHtml(cell.text)
  return cell.beside === undefined ? text : `${text} <small>${escapeHtml(cell.beside)}</small>`
}
