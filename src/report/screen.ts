import pc from 'picocolors'
import { hasLostMuch, lostWords, remarkWords } from './cautions.js'
import { clipColumns, columnsOf, inColumns, wrap } from './columns.js'
import { dollars } from './cost-lines.js'
import { escapeForTerminal } from './escape.js'
import { runHeadline } from './findings.js'
import { clipText, depthWords, NONE, percent, percentRange, quantity } from './format.js'
import { lossLetter, lossWords } from './letters.js'
import type { Matrix, MatrixCell, MatrixTask } from './matrix.js'
import { cellsIn, MARK_WORDS, marksIn, matrixOf, measureWords } from './matrix.js'
import type { ReportData } from './report-data.js'
import { columnBlocks, layoutOf, type ScreenLayout } from './screen-layout.js'
import { commandLines, showCommand, type TypedRun } from './show-command.js'
import { type FailureExample, storyOf } from './story.js'
import { taskViews } from './task-view.js'
import { headLines, type Paint, type TerminalOptions, TINT, wantsColor } from './terminal.js'

/** A run on one screen: a matrix of tasks and systems, three sentences, one failure and the command to type next. */
export function renderScreen(data: ReportData, options: TerminalOptions & { typed?: TypedRun } = {}): string {
  const paint = pc.createColors(options.color ?? wantsColor(process.stdout))
  const width = Math.max(40, Math.min(options.width ?? 80, 120))
  const views = taskViews(data)
  const matrix = matrixOf(data, views)
  const { sentences, example } = storyOf(data, matrix)
  const lines = headLines(runHeadline(data), width, paint)
  if (matrix.systems.length > 0) {
    lines.push(...wrap(escapeForTerminal(keyWords(matrix)), width).map((line) => paint.dim(line)))
    lines.push(...matrixLines(matrix, width, paint))
  }
  lines.push('')
  for (const sentence of sentences) lines.push(...wrap(escapeForTerminal(sentence), width))
  for (const remark of remarksOf(matrix)) lines.push(...wrap(escapeForTerminal(remark), width))
  if (example) lines.push(...exampleLines(example, width, paint))
  const next = nextLines(data, example, options.typed ?? { run: data.summary.run.id }, width)
  lines.push(...next.map((line) => paint.bold(line)))
  return `${lines.join('\n')}\n`
}

/** What the numbers, letters and marks are. */
function keyWords(matrix: Matrix): string {
  const letters = lossWords(cellsIn(matrix).map(({ loss }) => loss))
  const lost = letters.length > 0 ? `; lost as ${letters.join(', ')}` : ''
  const marked = marksIn(matrix)
    .map((mark) => `; ${mark} ${MARK_WORDS[mark]}`)
    .join('')
  return `${measureWords(matrix)} %${lost}${marked}`
}

function matrixLines(matrix: Matrix, width: number, paint: Paint): string[] {
  const layout = layoutOf(matrix, width)
  return columnBlocks(layout, width).flatMap((block, index) =>
    blockLines(matrix, { ...layout, ...block }, index === 0, paint),
  )
}

/** The matrix of some of the systems; what stands beside tasks stands in the first block alone. */
function blockLines(matrix: Matrix, layout: ScreenLayout, first: boolean, paint: Paint): string[] {
  const { name, sides, columns } = layout
  const beside = first ? sides : []
  const line = (head: string, side: (at: number) => string, cell: (at: number, wide: number) => string) =>
    [
      head,
      ...beside.map(({ wide }, at) => inColumns(side(at), wide, 'right')),
      ...columns.map(({ at, wide }) => cell(at, wide)),
    ]
      .join(' ')
      .trimEnd()
  const deepest = Math.max(1, ...columns.map(({ heads }) => heads.length))
  const lines: string[] = first ? [] : ['']
  for (let row = 0; row < deepest; row++) {
    const last = row === deepest - 1
    const head = line(
      inColumns(last ? suiteWords(matrix.suites[0]!) : '', name),
      (at) => (last ? beside[at]!.head : ''),
      (at, wide) => {
        const { heads } = columns.find((column) => column.at === at)!
        return inColumns(heads[row - (deepest - heads.length)] ?? '', wide, 'right')
      },
    )
    lines.push(paint.bold(head))
  }
  for (const [at, suite] of matrix.suites.entries()) {
    if (at > 0) lines.push(paint.bold(inColumns(suiteWords(suite), name).trimEnd()))
    for (const task of suite.tasks)
      lines.push(
        line(
          inColumns(escapeForTerminal(taskName(task, suite.tasks)), name),
          (index) => beside[index]!.text(task),
          (index, wide) => cellText(task.cells[index] ?? null, wide, paint),
        ),
      )
  }
  const foot = (head: string, text: (system: Matrix['systems'][number]) => string) =>
    paint.dim(
      line(
        inColumns(head, name),
        () => '',
        (at, wide) => inColumns(text(matrix.systems[at]!), wide, 'right'),
      ),
    )
  const free = matrix.systems.every(({ cost }) => cost === 0)
  return [
    ...lines,
    foot('all questions', ({ rate }) => `${percent(rate)}  `),
    foot('95 % interval', ({ ci95 }) => percentRange(ci95)),
    foot(free ? 'tokens, cost $0' : 'tokens', ({ tokens }) => quantity(tokens)),
    ...(free ? [] : [foot(matrix.costHead, ({ cost }) => (cost === null ? '?' : dollars(cost)))]),
  ]
}

function suiteWords({ name, depth }: Matrix['suites'][number]): string {
  return `${escapeForTerminal(name)}${depth === null ? '' : `, ${depthWords(depth)}`}`
}

/** Tasks whose number is another one than that of their suite's first say which. */
function taskName({ view, measure }: MatrixTask, tasks: readonly MatrixTask[]): string {
  return measure === tasks[0]!.measure ? view.name : `${view.name} (${measure})`
}

/** `87 R`, the number ending where all others do. */
function cellText(cell: MatrixCell | null, wide: number, paint: Paint): string {
  if (!cell) return inColumns(`${NONE}  `, wide, 'right')
  const letter = lossLetter(cell.loss)
  const number = inColumns(percent(cell.rate), wide - 2, 'right')
  const mark = cell.mark === '' ? ' ' : paint.yellow(cell.mark)
  const painted = cell.loss?.outcome ? paint[TINT[cell.loss.outcome]](letter) : letter
  return `${cell.row.kind === 'yardstick' ? paint.dim(number) : number}${mark}${painted}`
}

/** What must be known of systems before they are compared: their remarks, and where one stored too little to be measured. */
function remarksOf(matrix: Matrix): string[] {
  const rows = cellsIn(matrix).map(({ row }) => row)
  const own = matrix.systems.map(({ label }) => rows.filter((row) => row.label === label))
  const lost = own.flatMap((of) => of.filter(({ shown }) => hasLostMuch(shown)).slice(0, 1))
  return [...remarkWords(own.flatMap((of) => of.slice(0, 1))), ...lost.map(lostWords)]
}

function exampleLines(example: FailureExample, width: number, paint: Paint): string[] {
  const { task, system, question, fact, way, instead } = example
  const words = (text: string) => escapeForTerminal(clipText(text, 400))
  const head = words(`For example ${task}, ${system}:`)
  const room = width - columnsOf(head) - 3
  const asked = `“${clipColumns(words(question), room < 30 ? width - 4 : room)}”`
  const first = room < 30 ? [clipColumns(head, width), `  ${asked}`] : [`${head} ${asked}`]
  const lost = words(way)
  const left = width - columnsOf(`  ${lost}; found “”`)
  const found = (room: number) => (instead === null ? '' : `found “${clipColumns(words(instead), room)}”`)
  const ends =
    instead === null || left < 20
      ? [...wrap(lost, width - 2), found(width - 10)].filter(Boolean)
      : [`${lost}; ${found(left)}`]
  const rest = [`needed “${clipColumns(words(fact), width - 11)}”`, ...ends].map((line) => `  ${line}`)
  return [...first.map((line, at) => (at === 0 ? paint.bold(line) : line)), ...rest]
}

/** The failures of the example's task; of a run without any, the table of its first task. */
function nextLines(data: ReportData, example: FailureExample | null, typed: TypedRun, width: number): string[] {
  const [first] = data.tasks
  if (!first) return []
  const more = example ? [example.task, '--failed'] : [`${first.suite}/${first.name}`]
  return commandLines('Next:', showCommand(typed, more), width)
}
