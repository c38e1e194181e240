import { NONE, percent } from '../../base/figures.js'
import {
  isSameDepth,
  type PointResults,
  type PublishedFigure,
  type SuitePart,
  type SuiteResults,
  type SuiteSection,
  scoreValue,
  type TableCell,
} from '../../model/index.js'
import { fitsRun, ownHead, publishedRows } from '../beside-papers.js'

const FITTING =
  'Whoever stores them whole and is asked for as many hands over everything: its score there says nothing of its search.'

/** At which depths a memory that stores whole sessions finds everything, whatever it is asked. */
export function depthSection({ tasks, tags }: SuiteResults): SuiteSection[] {
  const sizes = tags.filter(({ tag }) => tag === 'sessions').map(({ value }) => Number(value))
  const ks = [...new Set(tasks.flatMap((task) => task.ks))].sort((a, b) => a - b)
  if (sizes.length === 0 || ks.length === 0) return []
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  return [
    {
      id: 'sessions',
      title: 'Depth against sessions',
      intro: `Chats have ${least === most ? least : `${least} to ${most}`} sessions. ${FITTING}`,
      parts: [
        {
          kind: 'table',
          title: 'Chats whose sessions all fit',
          columns: ['k', 'chats of', 'all fit'],
          rows: ks.map((k) => [
            String(k),
            least === most ? String(least) : `${least}–${most}`,
            k >= most ? 'all' : k >= least ? 'some' : 'none',
          ]),
        },
      ],
    },
  ]
}

const TURNS =
  'Questions of which all cited turns were found, in per cent, and beside them the evidence. Where a question is about a time, evidence needs the days of these turns as well: what is between the two was lost with a day, or was damaged.'

/** Turn recall, which others measure as well, beside the evidence at every depth. */
export function turnSection({ tasks, overall }: SuiteResults): SuiteSection[] {
  const recall = ({ scores }: Pick<PointResults, 'scores'>) => scoreValue(scores, 'turn-recall')
  const cited = tasks.filter(({ rows }) => rows.some(({ shown }) => recall(shown) !== null))
  const counted = overall.filter((row) => recall(row) !== null)
  if (counted.length === 0) return []
  const digits = (rate: number | null | undefined) => (rate == null ? NONE : (100 * rate).toFixed(1))
  return [
    {
      id: 'turns',
      title: 'Cited turns found',
      intro: TURNS,
      parts: [
        {
          kind: 'table',
          title: 'Turn recall, and evidence',
          columns: ['system', 'k', ...cited.map(({ name }) => name), 'all'],
          rows: counted.map(({ label, depth, k, scores }): TableCell[] => [
            label,
            k === null ? 'all' : String(k),
            ...cited.map(({ rows }): TableCell => {
              const points = rows.find((row) => row.label === label)?.points ?? []
              const point = points.find((one) => isSameDepth(one.depth, depth))
              return point ? { text: digits(recall(point)), beside: digits(point.evidence?.rate) } : NONE
            }),
            { text: digits(recall({ scores })), strong: true },
          ]),
        },
      ],
    },
  ]
}

/** What others claim, by the name of the score it is to be read beside. */
const CLAIMED: Record<string, string> = {
  answers: 'Right answers in per cent; those of others were graded by models of theirs',
  f1: 'F1 of words in per cent',
  bleu: 'BLEU of single words in per cent',
  rubric: 'Criteria met in per cent',
}

/** Our scores, and below them what others published of themselves, each with its source and date. */
export function besidePeers(results: SuiteResults, all: readonly PublishedFigure[]): SuitePart[] {
  const { tasks, overall } = results
  const published = all.filter((figure) => fitsRun(results, figure))
  return Object.entries(CLAIMED).flatMap(([score, words]): SuitePart[] => {
    const theirs = published.filter((figure) => figure.score === score)
    const columns = [
      ...tasks.map(({ name }) => name),
      ...(theirs.some(({ task }) => task === 'overall') ? ['overall'] : []),
    ]
    const known = theirs.filter(({ task }) => columns.includes(task))
    if (known.length === 0) return []
    const labels = [
      ...new Set(tasks.flatMap(({ rows }) => rows.filter(({ kind }) => kind !== 'guesser').map(({ label }) => label))),
    ]
    const ours = labels.flatMap((label): TableCell[][] => {
      const points = columns.map(
        (task) => tasks.find(({ name }) => name === task)?.rows.find((row) => row.label === label)?.shown,
      )
      const head = points.find((point) => point !== undefined)
      const whole = overall.find((row) => row.label === label && head && isSameDepth(row.depth, head.depth))
      const values = points.map((point, i) =>
        score === 'answers'
          ? (point?.answer?.rate ?? null)
          : scoreValue((columns[i] === 'overall' ? whole : point)?.scores ?? [], score),
      )
      return head && values.some((value) => value !== null) ? [[ownHead(label, head), ...values.map(percent)]] : []
    })
    const rows = publishedRows(known).map(({ head, figures }): TableCell[] => [
      head,
      ...columns.map((task) => percent(figures.find((figure) => figure.task === task)?.value)),
    ])
    return [
      {
        kind: 'table',
        title: `${words}: ours, and what others claim of their own or measured of rivals`,
        columns: ['system', ...columns],
        rows: [...ours, ...rows],
      },
    ]
  })
}
