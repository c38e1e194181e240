import type { WrittenCell as Cell, WrittenSummary as Summary } from '../src/report/summary-json.js'

/** A summary as it is written. */
export const summaryOf = (text: string): Summary => JSON.parse(text)
/** The cell of a task and a system at a depth. */
export const cellOf = (summary: Summary, task: string, system: string, k: number | null): Cell => {
  const cell = summary.cells.find(
    (candidate) => candidate.task === task && candidate.system === system && candidate.k === k,
  )
  if (!cell) throw new Error(`no cell ${task} ${system} ${k}`)
  return cell
}
