import { z } from 'zod'
import { readData } from '../base/data-file.js'
import { count, dollars, NONE } from '../base/figures.js'
import { groupBy } from '../base/group-by.js'
import {
  type ChartSeries,
  depthWords,
  isSameDepth,
  type PointResults,
  type PublishedFigure,
  type ScenarioCost,
  type ScoreInfo,
  type SuiteChart,
  type SuiteDots,
  type SuiteResults,
  scoreValue,
  type TableCell,
} from '../model/index.js'

/** The score that is money and no share; the paper's word for a scenario is an episode. */
export const COST = 'usd_per_episode'

export const COST_SCORES: readonly ScoreInfo[] = [
  { name: COST, about: 'what one scenario costs', unit: 'usd' },
  { name: `${COST}_ingest`, about: 'of it storing', unit: 'usd', aside: true },
  { name: `${COST}_inference`, about: 'of it retrieving and answering', unit: 'usd', aside: true },
]

/** What a scenario costs, by name; nothing where that is not known. */
export function costScores(cost: ScenarioCost | null): Record<string, number> {
  if (!cost) return {}
  const { ingest, inference, total } = cost
  return { [COST]: total, [`${COST}_ingest`]: ingest, [`${COST}_inference`]: inference }
}

const Figure = z.strictObject({
  source: z.string(),
  /** What answered from: a memory system, `full-context` for models that were given the conversations, or `data` for the dataset itself. */
  system: z.string(),
  /** The model that answered. */
  model: z.string(),
  task: z.string(),
  score: z.string(),
  value: z.number(),
  at: z.record(z.string(), z.string()).optional(),
})

/** The figures of a paper, from a file of data. */
export const readFigures = (file: URL): PublishedFigure[] => readData(file, z.array(Figure))

/** A figure measured in a setting that this run has, or that this run does not vary. */
export function fitsRun({ tags }: SuiteResults, { at = {} }: PublishedFigure): boolean {
  return Object.entries(at).every(([tag, value]) => {
    const seen = tags.filter((row) => row.tag === tag)
    // Sums over several values are told as `a+b`.
    return seen.length === 0 || value.split('+').every((one) => seen.some((row) => row.value === one))
  })
}

/** The name of a row of ours. */
export function ownHead(label: string, { k }: Pick<PointResults, 'k'>, ...settings: string[]): TableCell {
  return { text: label, beside: [k === null ? 'all' : `k = ${k}`, ...settings].join(', '), strong: true }
}

/** Published figures of one system, one row; `across` are the settings that columns tell apart. */
export function publishedRows(
  figures: readonly PublishedFigure[],
  across: readonly string[] = [],
): { head: TableCell; figures: PublishedFigure[] }[] {
  const settings = ({ at = {} }: PublishedFigure) => Object.entries(at).filter(([key]) => !across.includes(key))
  const key = (one: PublishedFigure) => JSON.stringify([one.source, one.system, one.model, settings(one)])
  return [...groupBy(figures, key).values()].map((own) => {
    const { source, system, model } = own[0]!
    const words = [model, ...settings(own[0]!).map(([name, value]) => `${name} ${value}`), source].filter(Boolean)
    return { head: { text: system, beside: words.join(', ') }, figures: own }
  })
}

/** A setting that a paper varies, as a quantity for an axis. */
export interface Axis {
  tag: string
  words: string
  of: Record<string, number>
  /** A score besides the main one, by which series are named. */
  named?: string
}

/** Evidence against what a paper varies besides depth, where this run varies it too. */
export function chartsAgainst(
  { tag, words, of, named }: Axis,
  { tasks, tags }: SuiteResults,
  published: readonly PublishedFigure[],
): SuiteChart[] {
  return tasks.flatMap((task) => {
    const own = tags.filter((row) => row.task === task.name && row.tag === tag && (row.k === null || row.k === task.k))
    if (new Set(own.map(({ value }) => value)).size < 2) return []
    const ours = [...groupBy(own, ({ label }) => label)].map(
      ([name, list]): ChartSeries => ({
        name,
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
      .map(([, list]): ChartSeries => {
        const { system, score, model } = list[0]!
        // What tells series apart comes first: names are cut short in the picture.
        const alone = beside.every((one) => one.system !== system || one.model === model)
        const lead = alone ? [system, model] : [[model, ...others(list[0]!, tag)].join(', '), system]
        const told = ['paper', lead[1], ...(alone ? others(list[0]!, tag) : []), score === named && score]
        return {
          name: `${lead[0]} (${told.filter(Boolean).join(', ')})`,
          published: true,
          points: list
            .flatMap(({ at, value }) => (of[at![tag]!] ? [{ x: of[at![tag]!]!, y: value }] : []))
            .sort((a, b) => a.x - b.x),
        }
      })
      .filter(({ points }) => points.length > 1)
    const title = `${task.name}: evidence against ${tag}`
    return [{ kind: 'chart', title, x: words, ticks: Object.values(of), series: [...ours, ...theirs] }]
  })
}

/** The settings of a figure besides one, in words. */
function others({ at = {} }: PublishedFigure, tag: string): string[] {
  return Object.entries(at).flatMap(([key, value]) => (key === tag ? [] : [`${key} ${value}`]))
}

const ABOUT_COSTS = [
  'Storing, retrieving and answering over one scenario, as if nothing had been cached; judging is left out.',
  'Ours are in prices of the table that this run used, the paper’s in those of its own time, for its own models and conversations:',
  'compare how many times dearer one system is than another, not dollars.',
].join(' ')

/** What an episode costs, ours where the price is known, beside what a paper tells. */
export function costsBeside({ suite, costs }: SuiteResults, published: readonly PublishedFigure[]): SuiteDots {
  const theirs = published.map(({ source, system, model, at = {}, value }) => ({
    name: `${system}${at.inside === undefined ? '' : ` · ${at.inside}`} (paper)`,
    setting: [model, ...Object.entries(at).map(([key, told]) => `${key} ${told}`), source].filter(Boolean).join(', '),
    usd: value,
  }))
  const title = `${suite}: USD per episode`
  return {
    kind: 'dots',
    title,
    unit: 'usd',
    note: ABOUT_COSTS,
    groups: [
      {
        name: '',
        dots: [
          ...costs.map(({ label, cost }) => ({ name: label, value: cost.total })),
          ...theirs.map(({ name, usd }) => ({ name, value: usd, published: true as const })),
        ],
      },
    ],
    table: {
      kind: 'table',
      title: `${title}, ours and published`,
      columns: ['system', 'ingest', 'inference', 'together'],
      rows: [
        ...costs.map(({ label, depth, cost }): TableCell[] => [
          { text: label, beside: depthWords(depth), strong: true },
          ...[cost.ingest, cost.inference, cost.total].map(dollars),
        ]),
        ...theirs.map(({ name, setting, usd }): TableCell[] => [
          { text: name, beside: setting },
          NONE,
          NONE,
          dollars(usd),
        ]),
      ],
    },
  }
}

/** A score over all tasks against what an episode costs, ours where the price is known, and the paper's; nothing of neither. */
export function scoreAgainstCost(
  { suite, overall, costs }: SuiteResults,
  score: string,
  published: readonly PublishedFigure[],
): SuiteChart[] {
  const ours = costs.flatMap(({ label, depth, cost }): ChartSeries[] => {
    const row = overall.find((one) => one.label === label && isSameDepth(one.depth, depth))
    const y = scoreValue(row?.scores ?? [], score)
    return y === null || cost.total <= 0 ? [] : [{ name: label, loose: true, points: [{ x: cost.total, y }] }]
  })
  const overalls = published.filter(({ task }) => task === 'overall')
  const key = ({ system, model, at = {} }: PublishedFigure) => JSON.stringify([system, model, at])
  const theirs = overalls.flatMap((one): ChartSeries[] => {
    const cost = one.score === 'score' && overalls.find((other) => other.score === COST && key(other) === key(one))
    const name = `${one.system}${one.at?.inside === undefined ? '' : ` · ${one.at.inside}`} (paper)`
    return cost ? [{ name, published: true, loose: true, points: [{ x: cost.value, y: one.value }] }] : []
  })
  if (ours.length + theirs.length === 0) return []
  const title = `${suite}: score against what an episode costs`
  return [{ kind: 'chart', title, x: 'USD per episode', series: [...ours, ...theirs] }]
}

/** How stores took changes: whether they wrote at all, and their size before and after. Nothing where that was not kept. */
export function changeDots({ suite, changes }: SuiteResults): SuiteDots[] {
  if (changes.length === 0) return []
  const [first] = changes
  const title = `${suite}: conversations that change or take back something, ${count(first!.n)} of each memory`
  return [
    {
      kind: 'dots',
      title: `${title}: after which the store was another`,
      unit: 'share',
      groups: [{ name: '', dots: changes.map(({ label, n, written }) => ({ name: label, value: written / n })) }],
    },
    {
      kind: 'dots',
      title: `${title}: tokens of the store before and after`,
      unit: 'amount',
      groups: changes.map(({ label, before, after }) => ({
        name: label,
        dots: [
          { name: 'before', value: before },
          { name: 'after', value: after },
        ],
      })),
    },
  ]
}

/** Kappa of pairs of judges for every value of a tag. Nothing where no panel judged, or all questions carry one value. */
export function kappaDots({ suite, agreement }: SuiteResults, tag: string, values: readonly string[]): SuiteDots[] {
  const own = agreement.filter((row) => row.tag === tag && row.kappa !== null)
  const judges = [...new Set(own.flatMap((row) => row.judges))]
  // The model alone, where that tells them apart: what leads to it takes the room.
  const models = judges.map((judge) => judge.slice(judge.lastIndexOf(':') + 1))
  const nameOf = (judge: string) => (new Set(models).size < judges.length ? judge : models[judges.indexOf(judge)])
  return (['facts', 'answers'] as const).flatMap((on): SuiteDots[] => {
    const groups = values.flatMap((value) => {
      const rows = own.filter((row) => row.on === on && row.value === value)
      const dots = rows.map(({ judges: pair, kappa }) => ({ name: pair.map(nameOf).join(' and '), value: kappa! }))
      return dots.length === 0 ? [] : [{ name: value, dots }]
    })
    if (groups.length === 0) return []
    return [{ kind: 'dots', title: `${suite}: kappa of judges on ${on} by ${tag}, in per cent`, unit: 'share', groups }]
  })
}
