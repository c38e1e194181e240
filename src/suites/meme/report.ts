import { NONE, wholePercent } from '../../base/figures.js'
import { groupBy } from '../../base/group-by.js'
import {
  type ChartSeries,
  type PublishedFigure,
  type SuiteChart,
  type SuitePart,
  type SuiteResults,
  type SuiteTable,
  scoreValue,
  type TableCell,
} from '../../model/index.js'
import {
  type Axis,
  COST,
  changeDots,
  chartsAgainst,
  costsBeside,
  fitsRun,
  ownHead,
  publishedRows,
  readFigures,
  scoreAgainstCost,
} from '../beside-papers.js'

/** The paper's figures: Tables 2 to 6, 13 and 17, Figure 29 and the ceiling of Appendix L. */
const figures = () => readFigures(new URL('./figures.json', import.meta.url))

const FILLER: Axis = {
  tag: 'filler',
  words: 'tokens of conversation (no filler, 32K, 128K)',
  of: { none: 3_000, '32k': 35_000, '128k': 131_000 },
  named: 'trivial',
}

/** Our scores with the paper's: tables, and charts of what it varies. */
export function memeBesidePaper(results: SuiteResults, all: readonly PublishedFigure[] = figures()): SuitePart[] {
  const published = all.filter((figure) => fitsRun(results, figure))
  const priced = published.filter(({ score }) => score === COST)
  const names = [...new Set(published.map(({ score }) => score))].filter((name) => name !== COST)
  names.sort((a, b) => Number(b === 'score') - Number(a === 'score'))
  return [
    ...names.flatMap((name) => scoreTables(results, name, published)),
    ...chartsAgainstDepth(results, published),
    ...chartsAgainst(FILLER, results, published),
    ...scoreAgainstCost(results, 'macro', published),
    ...(priced.length + results.costs.length > 0 ? [costsBeside(results, priced)] : []),
    ...changeDots(results),
  ]
}

/** What scores besides the main one are called. */
const FOLDED: Readonly<Record<string, string>> = {
  trivial: 'Passed without having known (trivial passes)',
}

function scoreTables(results: SuiteResults, name: string, published: readonly PublishedFigure[]): SuitePart[] {
  const { suite, tasks, overall } = results
  const own = published.filter(({ score }) => score === name)
  const inPaper = new Set(own.map(({ task }) => task))
  const ours = tasks.filter(({ rows }) =>
    rows.some(({ points }) => points.some(({ scores }) => scoreValue(scores, name) !== null)),
  )
  const columns = [...ours.map((task) => task.name), ...(inPaper.has('overall') ? ['overall'] : [])].filter(
    (task) => name !== 'score' || inPaper.has(task),
  )
  if (columns.length === 0) return []
  const amounts = fillersOf(results)
  const mine = (ours[0]?.rows ?? []).flatMap(({ label, points }) =>
    points.flatMap((point) =>
      // Figures are told for one amount of filler: ours never are means over several.
      (amounts.length > 0 ? amounts : [undefined]).map((filler): TableCell[] => [
        ownHead(label, point, ...(filler === undefined ? [] : [`filler ${filler}`])),
        ...columns.map((column) => {
          const at = (one: { label: string; k: number | null }) => one.label === label && one.k === point.k
          if (column === 'overall')
            return name === 'score' ? wholePercent(scoreValue(overall.find(at)?.scores ?? [], 'macro', filler)) : NONE
          const row = ours.find((task) => task.name === column)?.rows.find((other) => other.label === label)
          const other = row?.points.find(({ k }) => k === point.k)
          return wholePercent(scoreValue(other?.scores ?? [], name, filler))
        }),
      ]),
    ),
  )
  const table = (title: string, rows: TableCell[][]): SuiteTable => ({
    kind: 'table',
    title,
    columns: ['system', ...columns],
    rows,
  })
  const [first, ...further] = [...groupBy(own, ({ source }) => source)].map(([source, list]) => ({
    source,
    rows: publishedRows(list).map(({ head, figures: told }): TableCell[] => [
      head,
      ...columns.map((column) => wholePercent(told.find(({ task }) => task === column)?.value)),
    ]),
  }))
  const parts: SuitePart[] = [
    table(`${suite}: ${name} in per cent, ours and published`, [...mine, ...first!.rows]),
    ...further.map(
      ({ source, rows }): SuitePart => ({ kind: 'fold', title: source, parts: [table(`${source}: ${name}`, rows)] }),
    ),
  ]
  return name === 'score' ? parts : [{ kind: 'fold', title: FOLDED[name] ?? name, parts }]
}

/** Scores against k, where the paper tells them at several; ours with the same filler, where a run has several amounts of it. */
function chartsAgainstDepth(results: SuiteResults, published: readonly PublishedFigure[]): SuiteChart[] {
  const deep = published.filter(({ at }) => at?.k !== undefined)
  return [...groupBy(deep, ({ task, score, at }) => `${task} ${score} ${at?.filler}`).values()].flatMap((own) => {
    const { task: name, score, at } = own[0]!
    const filler = fillersOf(results).find((amount) => amount === at?.filler)
    const task = results.tasks.find((one) => one.name === name)
    if (!task || task.ks.length < 2) return []
    const ours = task.rows.map(
      ({ label, points }): ChartSeries => ({
        name: label,
        points: points.flatMap(({ k, scores }) => {
          const y = scoreValue(scores, score, filler)
          return k !== null && y !== null ? [{ x: k, y }] : []
        }),
      }),
    )
    const theirs = [...groupBy(own, ({ system }) => system)].map(
      ([system, list]): ChartSeries => ({
        name: `${system} (paper)`,
        published: true,
        points: list.map((figure) => ({ x: Number(figure.at!.k), y: figure.value })).sort((a, b) => a.x - b.x),
      }),
    )
    const title = `${name}: ${score} against k${filler === undefined ? '' : `, filler ${filler}`}`
    return [{ kind: 'chart', title, x: 'k', ticks: task.ks, series: [...ours, ...theirs] }]
  })
}

/** The amounts of filler of the episodes, where a run has several. */
function fillersOf({ tags }: SuiteResults): string[] {
  const own = [...new Set(tags.filter(({ tag }) => tag === 'filler').map(({ value }) => value))]
  return own.length > 1 ? own : []
}
