import { shortNames } from './format.js'
import type { Point, Row, Sweep, TaskView } from './view.js'
import { groupBy } from './view.js'

/** One system under several models or readers: what it reached on every task, for each of them. */
export interface SweepPanel {
  /** The system, and what was held fixed. */
  title: string
  measure: 'evidence' | 'answer'
  variants: { name: string; points: { task: TaskView; point: Point }[] }[]
}

/**
 * Panels, one a system, tasks against models. Evidence does not depend on the reader, so models are compared
 * on it once; answers are compared by model for each reader, and by reader for each system.
 */
export function sweepPanels(tasks: readonly TaskView[], { models, readers }: Sweep): SweepPanel[] {
  const rows = tasks.flatMap((task) => task.rows.map((row) => ({ task, row })))
  const panels: SweepPanel[] = []
  const [modelNames, readerNames] = [shortNames(models), shortNames(readers)]
  const add = (
    keyOf: (row: Row) => string | null,
    nameOf: (row: Row) => string | null,
    order: readonly string[],
    measure: SweepPanel['measure'],
  ) => {
    for (const [title, own] of groupBy(rows, ({ row }) => keyOf(row))) {
      if (title === null) continue
      const variants = order.flatMap((name) => {
        const seen = new Set<TaskView>()
        const points = own.flatMap(({ task, row }) => {
          if (nameOf(row) !== name || !row.shown[measure] || seen.has(task)) return []
          seen.add(task)
          return [{ task, point: row.shown }]
        })
        return points.length > 0 ? [{ name, points }] : []
      })
      if (variants.length > 1) panels.push({ title, measure, variants })
    }
  }
  const model = (row: Row) => row.model ?? null
  const withReader = (row: Row) => row.reader !== undefined && row.reader !== 'none'
  if (models.length > 0) {
    add(({ system }) => system, model, models, 'evidence')
    const held = readers.length > 0
    add(
      (row) =>
        withReader(row) ? (held ? `${row.system} · read by ${readerNames.get(row.reader!)}` : row.system) : null,
      model,
      models,
      'answer',
    )
  }
  if (readers.length > 0) {
    add(
      (row) => (models.length > 0 && row.model ? `${row.system} · ${modelNames.get(row.model)}` : row.system),
      (row) => row.reader ?? null,
      readers,
      'answer',
    )
  }
  return panels
}

/** Rows of a task that differ in their memory: of several readers over one memory, the first, named without it. */
export function byMemory(task: TaskView, { models, readers }: Sweep): Row[] {
  if (readers.length === 0) return task.rows
  const names = shortNames(models)
  return [...groupBy(task.rows, ({ system, model }) => JSON.stringify([system, model])).values()].map(([row]) => ({
    ...row!,
    label: [row!.system, names.get(row!.model ?? '') ?? ''].filter(Boolean).join(' · '),
  }))
}
