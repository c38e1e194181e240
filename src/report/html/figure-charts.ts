import { inPercent } from '../../base/percent.js'
import { type Series, xyChart } from '../charts/xy.js'
import type { ReportData, ReportFigure } from '../data.js'
import { html } from '../escape.js'
import { groupBy, labeller, type TaskView } from '../view.js'
import { anchor } from './parts.js'

/** A setting that a paper varies, as a quantity for an axis: conversation tokens of an episode, days of a life. */
const AXES: Record<string, { words: string; of: Record<string, number> }> = {
  filler: {
    words: 'tokens of conversation (no filler, 32K, 128K)',
    of: { none: 3_000, '32k': 35_000, '128k': 131_000 },
  },
  duration: { words: 'days of a life', of: { weekly: 7, monthly: 28, quarterly: 92 } },
}

/** The name of a score as it is told for one amount of filler, in runs that have several. */
export function scoreAt(name: string, filler: string | null): string {
  return filler === null ? name : `${name}_${filler}`
}

/** Scores against k, where the paper tells them at several; ours with the same filler, where a run has several amounts of it. */
export function againstDepth(
  published: readonly ReportFigure[],
  tasks: readonly TaskView[],
  fillers: readonly string[],
): string[] {
  const deep = published.filter(({ at }) => at?.k !== undefined)
  return [...groupBy(deep, ({ task, score, at }) => `${task} ${score} ${at?.filler}`).values()].flatMap((own) => {
    const { task: name, score, at } = own[0]!
    const filler = at?.filler !== undefined && fillers.includes(at.filler) ? at.filler : null
    const measured = scoreAt(score, filler)
    const task = tasks.find((one) => one.name === name)
    if (!task || task.ks.length < 2) return []
    const ours = task.rows.map(
      (row, look): Series => ({
        name: row.label,
        look,
        points: row.points.flatMap(({ k, scores }) =>
          k !== null && scores[measured] != null ? [{ x: k, y: scores[measured] }] : [],
        ),
      }),
    )
    const theirs = [...groupBy(own, ({ system }) => system)].map(
      ([system, list]): Series => ({
        name: `${system} (paper)`,
        look: 'reference',
        points: list.map(({ at, value }) => ({ x: Number(at!.k), y: value })).sort((a, b) => a.x - b.x),
      }),
    )
    return [
      chart(`${name}: ${score} against k${filler === null ? '' : `, filler ${filler}`}`, 'k', task.ks, [
        ...ours,
        ...theirs,
      ]),
    ]
  })
}

/** Evidence against what a paper varies besides depth, where this run varies it too. */
export function againstSetting(
  data: ReportData,
  published: readonly ReportFigure[],
  tasks: readonly TaskView[],
): string[] {
  const label = labeller(data.summary.cells)
  return Object.entries(AXES).flatMap(([tag, { words, of }]) =>
    tasks.flatMap((task) => {
      const own = data.breakdowns.filter(
        (row) =>
          row.suite === task.suite && row.task === task.name && row.tag === tag && (row.k === null || row.k === task.k),
      )
      if (new Set(own.map(({ value }) => value)).size < 2) return []
      const ours = [...groupBy(own, label)].map(
        ([name, list], look): Series => ({
          name,
          look,
          points: list
            .flatMap(({ value, complete, n, ci95 }) => (of[value] ? [{ x: of[value], y: complete / n, ci95 }] : []))
            .sort((a, b) => a.x - b.x),
        }),
      )
      const beside = published.filter(
        ({ task: name, at }) => name === task.name && at?.[tag] !== undefined && at.k === undefined,
      )
      // A series is one system with one model, measured alike but for what the axis shows.
      const theirs = [...groupBy(beside, (one) => JSON.stringify([one.system, one.score, one.model, others(one, tag)]))]
        .map(([, list]): Series => {
          const { system, score, model } = list[0]!
          // What tells series apart comes first: names are cut short in the picture.
          const alone = beside.every((one) => one.system !== system || one.model === model)
          const lead = alone ? [system, model] : [[model, ...others(list[0]!, tag)].join(', '), system]
          const told = ['paper', lead[1], ...(alone ? others(list[0]!, tag) : []), score === 'trivial' && score]
          return {
            name: `${lead[0]} (${told.filter(Boolean).join(', ')})`,
            look: 'reference',
            points: list
              .flatMap(({ at, value }) => (of[at![tag]!] ? [{ x: of[at![tag]!]!, y: value }] : []))
              .sort((a, b) => a.x - b.x),
          }
        })
        .filter(({ points }) => points.length > 1)
      return [chart(`${task.name}: evidence against ${tag}`, words, Object.values(of), [...ours, ...theirs])]
    }),
  )
}

/** The settings of a figure besides one, in words. */
function others({ at = {} }: ReportFigure, tag: string): string[] {
  return Object.entries(at).flatMap(([key, value]) => (key === tag ? [] : [`${key} ${value}`]))
}

function chart(title: string, x: string, ticks: number[], series: Series[]): string {
  const drawn = series.filter(({ points }) => points.length > 0)
  const desc = drawn.map(({ name, points }) => `${name} ${inPercent(points.at(-1)!.y, 0)}`).join(', ')
  return `<figure><figcaption>${html(title)}</figcaption>${xyChart({ id: anchor('figures', title), title, desc, x, ticks, series: drawn })}</figure>`
}
