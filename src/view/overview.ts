import { type Depth, depthKey, depthMemories, depthWords, isSameDepth } from '../model/index.js'
import { dollars } from '../report/cost-lines.js'
import { runHeadline } from '../report/findings.js'
import { lossLetter } from '../report/letters.js'
import { MARK_WORDS, type MatrixCell, matrixOf, measureWords } from '../report/matrix.js'
import type { ReportData } from '../report/report-data.js'
import { reportSections } from '../report/sections/index.js'
import { storyOf } from '../report/story.js'
import { depthsIn, outcomeCounts, type TaskView, taskViews } from '../report/task-view.js'

/** What a run's pages show before a question is opened. `matrices` are by depth; `own` is every suite at its own. */
export type RunOverview = ReturnType<typeof overviewOf>

/** The matrix of tasks and systems at one depth. */
export type ShownMatrix = ReturnType<typeof shownMatrix>

export type ShownTask = ShownMatrix['suites'][number]['tasks'][number]
export type ShownCell = ReturnType<typeof shownCell>

/** Puts together what a run's pages show: the same figures, sentences and sections as its report. */
export function overviewOf(data: ReportData) {
  const views = taskViews(data)
  const own = matrixOf(data, views)
  const { status, errors, size, reason } = runHeadline(data)
  const { sentences, example } = storyOf(data, own)
  const depths = new Map(views.flatMap(depthsIn).map((depth) => [depthKey(depth), depth]))
  const inOrder = [...depths.values()].sort(byDepth)
  const matrices: Record<string, ShownMatrix> = { own: shownMatrix(data, views) }
  for (const depth of inOrder) {
    const there = views.map((view) => viewAt(view, depth))
    matrices[depthKey(depth)] = shownMatrix(data, there)
  }
  const systems = own.systems.map(({ label }) => {
    const rows = views.flatMap(({ rows }) => rows.filter((row) => row.label === label))
    const subject = rows[0]?.subject
    const about = data.systems?.find(({ name }) => subject && 'system' in subject && subject.system === name)?.about
    return { label, about: [about, ...new Set(rows.flatMap(({ remarks }) => remarks))].filter(Boolean).join(' · ') }
  })
  const { run } = data.summary
  return {
    run: run.id,
    created: run.created,
    title: data.title,
    status,
    errors,
    size,
    reason,
    sentences,
    example,
    depths: inOrder.map((depth) => ({ key: depthKey(depth), words: depthWords(depth) })),
    matrices,
    systems,
    sections: reportSections(data, views),
    settings: data.settings,
  }
}

function byDepth(a: Depth, b: Depth): number {
  const rank = (depth: Depth) => (depthMemories(depth) === null ? 1 : 0)
  return rank(a) - rank(b) || Number.parseInt(depthKey(a), 10) - Number.parseInt(depthKey(b), 10)
}

/** A task as if another depth were its own: rows that were not asked there are left out, those of a fixed depth stay. */
function viewAt(view: TaskView, depth: Depth): TaskView {
  const rows = view.rows.flatMap((row) => {
    const at = [...row.points, ...row.budgets].find((point) => isSameDepth(point.depth, depth))
    const fixed = row.points.find((point) => point.depth === 'all')
    return at || fixed ? [{ ...row, shown: (at ?? fixed)! }] : []
  })
  return { ...view, depth, rows }
}

function shownMatrix(data: ReportData, views: readonly TaskView[]) {
  const matrix = matrixOf(data, views)
  return {
    measure: measureWords(matrix),
    suites: matrix.suites.map(({ name, depth, tasks }) => ({
      name,
      depth: depth === null ? '' : depthWords(depth),
      tasks: tasks.map(({ view, measure, n, ceiling, guesser, cells }) => ({
        id: view.id,
        name: view.name,
        about: view.about,
        measure,
        n,
        ceiling: ceiling ?? null,
        guesser,
        cells: cells.map((cell) => cell && shownCell(cell)),
        published: publishedAt(data, view),
      })),
    })),
    systems: matrix.systems.map(({ label, kind, rate, ci95, tokens, cost }) => {
      return { label, kind, rate, ci95, tokens, cost: dollars(cost) }
    }),
  }
}

function shownCell({ row, rate, ci95, n, loss, mark }: MatrixCell) {
  return {
    rate,
    n,
    ci95: ci95 ?? null,
    mark,
    markWords: mark === '' ? '' : MARK_WORDS[mark],
    loss: loss && { letter: lossLetter(loss), words: loss.words, outcome: loss.outcome },
    mix: outcomeCounts(row.shown),
  }
}

/** Published figures at the depth of a task. */
function publishedAt({ references }: ReportData, view: TaskView) {
  const k = view.depth === null ? null : depthMemories(view.depth)
  return references
    .filter((series) => series.suite === view.suite && series.task === view.name)
    .flatMap(({ source, system, model, subset, points }) => {
      const point = points.find((one) => one.k === k)
      const name = [system, model, subset].filter(Boolean).join(', ')
      return point && point.n > 0 ? [{ name, source, rate: point.correct / point.n, n: point.n }] : []
    })
}
