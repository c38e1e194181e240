import { columnsOf } from './columns.js'
import { dollars } from './cost-lines.js'
import { escapeForTerminal } from './escape.js'
import { NONE, percent, percentRange, quantity } from './format.js'
import type { Matrix, MatrixTask } from './matrix.js'

/** How the matrix is laid out: columns of the names of tasks, of what stands beside them, and of systems. */
export interface ScreenLayout {
  name: number
  sides: SideColumn[]
  columns: SystemColumn[]
}

interface SideColumn {
  head: string
  wide: number
  text(task: MatrixTask): string
}

/** A system by its place in the matrix, with its name in as many lines as its column needs. */
interface SystemColumn {
  at: number
  wide: number
  heads: string[]
}

/** Columns that names of tasks and systems get: as they are, or fewer. */
const NAMES = [26, 20, 16]
const HEADS = [16, 10, 7]

/** The first layout whose systems all stand side by side; else the narrowest with everything, to be cut into blocks. */
export function layoutOf(matrix: Matrix, width: number): ScreenLayout {
  const all = sidesOf(matrix)
  const choices = [all, all.slice(0, 1)].flatMap((sides) =>
    HEADS.flatMap((heads) => NAMES.map((names) => madeOf(matrix, sides, names, heads))),
  )
  return choices.find((layout) => widthOf(layout) <= width) ?? madeOf(matrix, all, width < 80 ? 16 : 20, 10)
}

/** The columns of systems, cut so that every block fits. */
export function columnBlocks({ name, sides, columns }: ScreenLayout, width: number): Pick<ScreenLayout, 'columns'>[] {
  const blocks: SystemColumn[][] = [[]]
  let room = width - name - sides.reduce((sum, { wide }) => sum + 1 + wide, 0)
  for (const column of columns) {
    if (room < 1 + column.wide && blocks.at(-1)!.length > 0) {
      blocks.push([])
      room = width - name
    }
    blocks.at(-1)!.push(column)
    room -= 1 + column.wide
  }
  return blocks.map((own) => ({ columns: own }))
}

function widthOf({ name, sides, columns }: ScreenLayout): number {
  return [...sides, ...columns].reduce((sum, { wide }) => sum + 1 + wide, name)
}

function madeOf(matrix: Matrix, sides: SideColumn[], names: number, heads: number): ScreenLayout {
  const tasks = matrix.suites.flatMap((suite) => suite.tasks)
  const longest = Math.max(
    'tokens, cost $0'.length,
    ...tasks.map(({ view }) => columnsOf(escapeForTerminal(view.name))),
  )
  const columns = matrix.systems.map((system, at): SystemColumn => {
    const lines = brokenName(escapeForTerminal(system.label), heads)
    const foot = [percentRange(system.ci95), quantity(system.tokens), system.cost ? dollars(system.cost) : '']
    return { at, heads: lines, wide: Math.max(5, ...[...lines, ...foot].map(columnsOf)) }
  })
  return { name: Math.min(names, longest), sides, columns }
}

/** A name in lines of at most `most` columns, broken behind hyphens, dots, colons and spaces; what is longer than a line is cut later. */
function brokenName(name: string, most: number): string[] {
  if (columnsOf(name) <= most) return [name]
  const lines: string[] = []
  for (const part of name.split(/(?<=[-_.:/ ])/)) {
    const last = lines.at(-1)
    if (last !== undefined && columnsOf(last + part.trimEnd()) <= most) lines[lines.length - 1] = last + part
    else lines.push(part)
  }
  const kept = lines.map((line) => line.trim()).filter((line) => line !== '' && line !== '·')
  const shown = kept.length > 3 ? [...kept.slice(0, 2), `${kept[2]!.slice(0, most - 1)}…`] : kept
  return shown.map((line) => (columnsOf(line) > most ? `${[...line].slice(0, most - 1).join('')}…` : line))
}

/** Beside every task: questions, and ceiling and best guesser where there are any. */
function sidesOf({ suites }: Matrix): SideColumn[] {
  const tasks = suites.flatMap((suite) => suite.tasks)
  const sides: Omit<SideColumn, 'wide'>[] = [
    { head: 'n', text: ({ n }) => quantity(Math.round(n)) },
    { head: 'ceil', text: ({ ceiling }) => (ceiling === undefined ? NONE : percent(ceiling)) },
    { head: 'guess', text: ({ guesser }) => (guesser ? percent(guesser.rate) : NONE) },
  ]
  return sides.flatMap(({ head, text }) => {
    const texts = tasks.map(text)
    return texts.every((one) => one === NONE)
      ? []
      : [{ head, text, wide: Math.max(...[head, ...texts].map(columnsOf)) }]
  })
}
