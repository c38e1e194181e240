import type { SuiteChart, SuiteDots, SuitePart, SuiteStack, SuiteTable, TableCell } from '../model/index.js'
import { VALUE_WORDS } from './charts/dots.js'
import { boundsText, count, NONE, outcomeWords, percent, percentRange, percents, quantity } from './format.js'
import type { Rate } from './task-view.js'

/** A rate in a table: `41`, and beside it `36–47 [38–44]`. */
export function rateCell(rate: Partial<Rate> | null | undefined): TableCell {
  if (rate?.rate === undefined) return NONE
  const bounds = boundsText(rate.bounds)
  const beside = [rate.ci95 && percentRange(rate.ci95), bounds && `[${bounds}]`].filter(Boolean).join(' ')
  return { text: percent(rate.rate), ...(beside !== '' && { beside }) }
}

/** What a picture shows, in numbers. */
export function tableOf(part: SuiteChart | SuiteDots | SuiteStack): SuiteTable {
  return part.kind === 'chart' ? chartTable(part) : part.kind === 'dots' ? dotsTable(part) : stackTable(part)
}

/** All tables of parts, also of those that are folded; pictures have none of their own. */
export function tablesIn(parts: readonly SuitePart[]): SuiteTable[] {
  return parts.flatMap((part) => (part.kind === 'fold' ? tablesIn(part.parts) : part.kind === 'table' ? [part] : []))
}

/** A column for every value of the axis where all series share them, else a line for every point. */
function chartTable({ title, x: axis, ticks = [], series }: SuiteChart): SuiteTable {
  const told = series.map(({ points, ...one }) => ({ ...one, points: points.filter(({ unmarked }) => !unmarked) }))
  const cell = ({ y, ...spread }: { y: number }) => rateCell({ rate: y, ...spread })
  const shared = told.every(({ points }) => points.every(({ x }) => ticks.includes(x)))
  if (!shared)
    return {
      kind: 'table',
      title,
      columns: ['', axis, '%'],
      rows: told.flatMap(({ name, points }) => points.map((point) => [name, quantity(point.x), cell(point)])),
    }
  return {
    kind: 'table',
    title: `${title}, per cent`,
    columns: [axis, ...ticks.map(count)],
    rows: told.map(({ name, points }) => [
      name,
      ...ticks.map((tick) => points.filter(({ x }) => x === tick).map(cell)[0] ?? NONE),
    ]),
  }
}

function dotsTable({ title, unit, groups, table }: SuiteDots): SuiteTable {
  const words = VALUE_WORDS[unit]
  const rows = groups.flatMap(({ name, dots }) =>
    dots.map((dot): TableCell[] => {
      const beside = dot.spread?.map(words).join('–')
      return [...(name === '' ? [] : [name]), dot.name, { text: words(dot.value), ...(beside && { beside }) }]
    }),
  )
  const columns = ['', '', ''].slice(0, rows[0]?.length ?? 2)
  return table ?? { kind: 'table', title, columns, names: columns.length - 1, rows }
}

function stackTable({ title, bars }: SuiteStack): SuiteTable {
  const outcomes = [...new Set(bars.flatMap(({ parts }) => parts.map(({ outcome }) => outcome)))]
  return {
    kind: 'table',
    title: `${title}, per cent`,
    columns: ['', ...outcomes.map(outcomeWords)],
    rows: bars.map(({ name, beside, parts }) => {
      const texts = percents(parts.map(({ share }) => share))
      const told = outcomes.map((outcome) => texts[parts.findIndex((part) => part.outcome === outcome)] ?? '0')
      return [{ text: name, ...(beside !== undefined && { beside }) }, ...told]
    }),
  }
}
