import { groupBy } from '../base/group-by.js'
import { modelOf, readerKey, subjectKey, systemName } from '../model/index.js'
import { shortNames } from './format.js'
import type { Point, Row, Sweep, TaskView } from './task-view.js'

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
  const [system, model] = [(row: Row) => systemName(row.subject), (row: Row) => modelOf(row.subject)]
  if (models.length > 0) {
    add(system, model, models, 'evidence')
    const held = readers.length > 0
    add(
      (row) =>
        row.reader && (held ? `${system(row)} · read by ${readerNames.get(readerKey(row.reader))}` : system(row)),
      model,
      models,
      'answer',
    )
  }
  if (readers.length > 0)
    add(
      (row) => (models.length > 0 && model(row) ? `${system(row)} · ${modelNames.get(model(row)!)}` : system(row)),
      (row) => readerKey(row.reader),
      readers,
      'answer',
    )
  return panels
}

/** Rows of a task that differ in their memory: of several readers over one memory, the first, named without it. */
export function byMemory(task: TaskView, { models, readers }: Sweep): Row[] {
  if (readers.length === 0) return task.rows
  const names = shortNames(models)
  return [...groupBy(task.rows, ({ subject }) => subjectKey(subject)).values()].map(([row]) => ({
    ...row!,
    label: [systemName(row!.subject), names.get(modelOf(row!.subject) ?? '')].filter(Boolean).join(' · '),
  }))
}
