import { type VarianceParts, varianceParts } from '../analysis/variance.js'
import { groupBy } from '../base/group-by.js'
import { answerTrial, type Cell, instrumentKey, isSameDepth, readerKey } from '../model/index.js'
import type { ReportData } from './report-data.js'
import { type Row, rowKey, type TaskView, taskViews } from './task-view.js'

/** How a number of one row moved between trials. */
export interface Spread {
  task: TaskView
  row: Row
  measure: 'evidence' | 'answer'
  parts: VarianceParts
}

/**
 * Where numbers move between trials, at each task's shown depth: storing anew (`--trials`), answering anew (`--answer-trials`) and judging
 * anew (`--judge-trials`). Evidence has no answer part: it is the same for every answer. Empty when nothing was repeated.
 */
export function spreadsOf(data: ReportData): Spread[] {
  const cells = [...data.summary.cells, ...(data.judgedAgain ?? [])]
  return taskViews(data).flatMap((task) =>
    task.rows.flatMap((row) => {
      const own = cells.filter(
        (cell) =>
          cell.suite === task.suite &&
          cell.task === task.name &&
          rowKey(cell) === rowKey(row) &&
          isSameDepth(cell.depth, row.shown.depth),
      )
      // Evidence moves only with who judges facts: a judge of answers that judges anew shows nothing of it.
      const first = firstBy(
        own.filter(({ reader }) => answerTrial(reader) === 0),
        ({ trial, judge }) => `${trial} ${instrumentKey(judge.facts)}`,
      )
      const answered = firstBy(
        own,
        ({ trial, reader, judge }) => `${trial} ${readerKey(reader)} ${instrumentKey(judge.answers)}`,
      )
      return [
        ...spread(task, row, 'evidence', first, ({ evidence }) => evidence?.rate),
        ...spread(task, row, 'answer', answered, ({ answer, answerScore }) => answerScore?.rate ?? answer?.accuracy),
      ]
    }),
  )
}

/** Standard deviation in points of per cent: "1.2", or nothing where it was not repeated. */
export function deviationPoints(variance: number | null): string | null {
  return variance === null ? null : (100 * Math.sqrt(variance)).toFixed(1)
}

/** For every task that has trials, a sentence on the numbers that moved, and how far. */
export function spreadWords(data: ReportData): Map<string, string[]> {
  return new Map(
    [...groupBy(spreadsOf(data), ({ task }) => task.id)].map(([id, own]) => {
      const moves = (variance: number | null) => variance !== null && deviationPoints(variance) !== deviationPoints(0)
      const moved = own.filter(({ parts: { ingest, answer, judge } }) => [ingest, answer, judge].some(moves))
      if (moved.length === 0) return [id, ['No number moved between trials.']]
      const said = moved.map(({ task, row, measure, parts }) => {
        const by = [
          parts.ingest === null ? '' : `${deviationPoints(parts.ingest)} by storing anew`,
          parts.answer === null ? '' : `${deviationPoints(parts.answer)} by answering anew`,
          parts.judge === null ? '' : `${deviationPoints(parts.judge)} by judging anew`,
        ].filter(Boolean)
        return `${row.label} ${measureName(task, measure)} ${by.join(', ')}`
      })
      return [id, [`Between trials, in points (standard deviation): ${said.join('; ')}.`]]
    }),
  )
}

/** A measure as its task's tables head it. */
export function measureName(task: TaskView, measure: Spread['measure']): string {
  return measure === 'answer' ? task.answerName : measure
}

/** The first of those that have a key in common. */
function firstBy<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...groupBy(items, key).values()].map((own) => own[0]!)
}

function spread(
  task: TaskView,
  row: Row,
  measure: Spread['measure'],
  cells: readonly Cell[],
  rate: (cell: Cell) => number | undefined,
): Spread[] {
  const measured = cells.filter((cell) => rate(cell) !== undefined)
  if (measured.length < 2) return []
  const rates = [...groupBy(measured, ({ trial }) => trial).values()].map((filled) =>
    [...groupBy(filled, ({ reader }) => readerKey(reader)).values()].map((judged) => judged.map((cell) => rate(cell)!)),
  )
  return [{ task, row, measure, parts: varianceParts(rates) }]
}
