import pc from 'picocolors'
import type { Flip, SpentEach, SystemComparison, TaskComparison } from '../analysis/compare-runs.js'
import { contestantWords } from '../analysis/contestants.js'
import { FEWEST_CLUSTERS } from '../analysis/paired.js'
import { groupBy } from '../base/group-by.js'
import { depthWords, type SuiteDots, type SuitePart, type SuiteSection } from '../model/index.js'
import { columnsOf, inColumns, wrap } from './columns.js'
import { dollars } from './cost-lines.js'
import { escapeForTerminal } from './escape.js'
import { clipText, count, outcomeWords, percent, plural, quantity, signedPoints } from './format.js'
import { drawSection } from './html/draw.js'
import { PAGE_END, pageHead } from './html/frame.js'
import { sectionLines } from './markdown-parts.js'

/** What there is to tell of comparisons. */
export interface ComparedSystems {
  comparisons: readonly SystemComparison[]
  alone: readonly string[]
}

/** Raised when what is written takes another form. */
const FORM = 2

/** Questions of a task that are listed; JSON has all. */
const MOST_LISTED = 8

/** Comparisons as JSON, every flip in it. Equal runs give equal bytes but for their names and what was timed. */
export function comparisonJson({ comparisons, alone }: ComparedSystems): string {
  return `${JSON.stringify({ schema: FORM, comparisons, alone }, null, 2)}\n`
}

/** The interval of a difference in points. */
export function pointsRange([low, high]: readonly [number, number]): string {
  return `${signedPoints(low)} to ${signedPoints(high)}`
}

/** A verdict in words, with what it rests on or what is missing. */
export function verdictWords(task: TaskComparison): string {
  const { verdict, needed, by, clusters, unit, n } = task
  if (n === 0) return 'cannot tell: they have no question in common'
  if (verdict === 'equal') return 'equal in every question'
  if (verdict !== 'undecided') return verdict
  const more = needed
    ? `needs about ${count(needed.questions)} questions to tell ${signedPoints(needed.difference).slice(1)} points`
    : ''
  if (by === 'question')
    return `cannot tell: ${plural(clusters, unit, manyOf(unit))}, no test decides below ${FEWEST_CLUSTERS}; ${more}`
  return `cannot tell: ${more}`
}

const UNDECIDED = `~130: about so many questions would tell a difference as large; *: no test decides below ${FEWEST_CLUSTERS} clusters.`

/** The same in a word or two, for a line of a terminal. */
function shortVerdict({ verdict, needed, by, n }: TaskComparison): string {
  if (n === 0) return 'nothing in common'
  if (verdict !== 'undecided') return verdict
  return `cannot tell${needed ? `, ~${count(needed.questions)}` : ''}${by === 'question' ? '*' : ''}`
}

function manyOf(unit: string): string {
  return unit.endsWith('fe') ? `${unit.slice(0, -2)}ves` : `${unit}s`
}

/** What the numbers of a task rest on. */
export function comparisonGrounds(task: TaskComparison): string {
  const { n, clusters, unit, by, p, corrected, unpaired, unmeasured, measure, depths } = task
  const [a, b] = depths.map(depthWords)
  const level =
    corrected === null
      ? `p ${chance(p)} by question, which decides nothing`
      : `p ${chance(p)}, ${chance(corrected)} over all tasks`
  return [
    `${measure} at ${a === b ? a : `${a} against ${b}`}`,
    `${plural(n, 'question')}${by === 'cluster' && clusters === n ? '' : ` in ${plural(clusters, unit, manyOf(unit))}`}`,
    ...(n > 0 ? [level] : []),
    ...(unpaired.a + unpaired.b > 0 ? [`${count(unpaired.a)} and ${count(unpaired.b)} asked of one alone`] : []),
    ...(unmeasured > 0 ? [`${count(unmeasured)} not measured in one`] : []),
  ].join(' · ')
}

function chance(p: number): string {
  return p < 0.001 ? '< 0.001' : p.toFixed(3)
}

/** What one question took before and after, where that differs. */
export function spentWords({ a, b }: TaskComparison['spent']): string {
  if (!a || !b) return ''
  const change = (name: string, of: (spent: SpentEach) => number | null, words: (value: number) => string) => {
    const [before, after] = [of(a), of(b)]
    // What nobody would see is no change.
    if (before === null || after === null || words(before) === words(after)) return []
    const share = before > 0 ? ` (${signed(Math.round((100 * (after - before)) / before))} %)` : ''
    return [`${name} ${words(before)} → ${words(after)}${share}`]
  }
  const ms = (value: number) => `${quantity(value)} ms`
  return [
    ...change('context', ({ context }) => context, quantity),
    ...change('model tokens', ({ tokens }) => tokens, quantity),
    ...change('cost', ({ cost }) => cost, dollars),
    ...change('storing', ({ storeMs }) => storeMs, ms),
    ...change('retrieving', ({ retrieveMs }) => retrieveMs, ms),
    ...change('answering', ({ answerMs }) => answerMs, ms),
  ].join(' · ')
}

function signed(value: number): string {
  return value === 0 ? '±0' : `${value > 0 ? '+' : '−'}${count(Math.abs(value))}`
}

function stage(outcome: Flip['from']): string {
  return outcome === null ? 'not told' : outcomeWords(outcome)
}

/** Ways from one stage to another, most frequent first. */
export function waysOf(flips: readonly Flip[]): { change: Flip['change']; way: string; n: number }[] {
  const groups = groupBy(flips, ({ change, from, to }) => `${change}\n${stage(from)} → ${stage(to)}`)
  return [...groups].map(([key, own]) => ({ change: own[0]!.change, way: key.split('\n')[1]!, n: own.length }))
}

const MARKS = { gained: '+', lost: '−', moved: '~' }

function headOf({ a, b, tasks }: SystemComparison): [title: string, runs: string] {
  const [first, second] = [contestantWords(a), contestantWords(b)]
  const title = first === second ? first : `${first} → ${second}`
  const paid = tasks.some(({ spent }) => (spent.a?.cost ?? 0) + (spent.b?.cost ?? 0) > 0)
  const dates = [...new Set([a, b].flatMap(({ prices }) => (paid && prices !== undefined ? [prices] : [])))]
  const priced = dates.length === 0 ? '' : `, USD by prices of ${dates.join(' and ')}`
  return [title, `${a.run === b.run ? `in ${a.run}` : `${a.run} → ${b.run}`}${priced}`]
}

/** Comparisons for a terminal: a line a task, then what each rests on and what changed. */
export function comparisonText(
  { comparisons, alone }: ComparedSystems,
  options: { color?: boolean; width?: number } = {},
): string {
  const paint = pc.createColors(options.color ?? false)
  const width = Math.max(60, Math.min(options.width ?? 100, 120))
  const lines: string[] = []
  for (const comparison of comparisons) {
    const { tasks, leftOut } = comparison
    const [title, runs] = headOf(comparison)
    lines.push(`${paint.bold(escapeForTerminal(title))}  ${paint.dim(escapeForTerminal(runs))}`, '')
    const wide = Math.max(0, ...tasks.map(({ suite, task }) => suite.length + task.length + 1))
    for (const task of tasks) {
      const { verdict } = task
      const color = verdict === 'better' ? paint.green : verdict === 'worse' ? paint.red : paint.dim
      const name = inColumns(escapeForTerminal(`${task.suite}/${task.task}`), Math.min(wide, 30))
      const number = `${percent(task.a).padStart(3)} → ${percent(task.b).padEnd(3)} ${signedPoints(task.difference).padStart(4)}`
      const range = width < 76 ? '' : `  ${pointsRange(task.ci95).padEnd(12)}`
      lines.push(`${name}  ${number}${range}  ${color(shortVerdict(task))}`)
    }
    if (tasks.some(({ verdict }) => verdict === 'undecided'))
      lines.push(...wrap(UNDECIDED, width).map((line) => paint.dim(line)))
    const changed = tasks.filter(({ flips }) => flips.length > 0)
    for (const task of changed) lines.push('', ...changesText(task, width, paint))
    for (const sentence of leftOut) lines.push('', escapeForTerminal(sentence))
    lines.push('')
  }
  for (const sentence of alone) lines.push(escapeForTerminal(sentence))
  if (comparisons.length > 0)
    lines.push(
      paint.dim('Per cent, and the 95 % interval of the difference in points. All changed questions: --json -'),
    )
  return `${lines.join('\n')}\n`
}

type Paint = ReturnType<typeof pc.createColors>

function changesText(task: TaskComparison, width: number, paint: Paint): string[] {
  const { flips } = task
  const spent = spentWords(task.spent)
  const lines = [
    paint.bold(escapeForTerminal(`${task.suite}/${task.task}`)),
    ...wrapped('  ', comparisonGrounds(task), width, paint.dim),
    ...(spent === '' ? [] : wrapped('  ', spent, width, paint.dim)),
    ...waysOf(flips).map(({ change, way, n }) => `  ${MARKS[change]} ${String(n).padStart(3)}  ${way}`),
  ]
  for (const flip of flips.slice(0, MOST_LISTED)) {
    const head = `    ${MARKS[flip.change]} ${escapeForTerminal(flip.question)}: `
    const way = `${stage(flip.from)} → ${stage(flip.to)}: `
    lines.push(clipText(`${head}${way}${escapeForTerminal(flip.text)}`, width))
  }
  if (flips.length > MOST_LISTED) lines.push(`    … and ${count(flips.length - MOST_LISTED)} more`)
  return lines
}

/** Words behind a head, broken where the line is full and set in below it. */
function wrapped(head: string, words: string, width: number, color: (text: string) => string): string[] {
  const lines = wrap(escapeForTerminal(words), Math.max(24, width - columnsOf(head)))
  return lines.map((line, i) => `${i === 0 ? head : ' '.repeat(columnsOf(head))}${color(line)}`)
}

/** Questions of a task that a page lists; JSON has all. */
const MOST_ON_PAGE = 200

/** Comparisons as data, for every format but the terminal: a section each, with its tasks and what changed in them. */
export function comparisonSections(
  { comparisons, alone }: ComparedSystems,
  most = Number.POSITIVE_INFINITY,
): SuiteSection[] {
  const sections = comparisons.map((comparison, at): SuiteSection => {
    const { tasks, leftOut } = comparison
    const [title, runs] = headOf(comparison)
    return {
      id: `comparison-${at}`,
      title,
      intro: [`${runs}.`, ...leftOut].join(' '),
      parts: [
        {
          kind: 'table',
          title: 'Per cent, and the 95 % interval of the difference in points',
          names: 2,
          columns: ['task', 'verdict', 'before', 'after', 'difference', '95 %'],
          rows: tasks.map((task) => [
            `${task.suite}/${task.task}`,
            verdictWords(task),
            percent(task.a),
            percent(task.b),
            signedPoints(task.difference),
            pointsRange(task.ci95),
          ]),
        },
        differenceDots(tasks),
        {
          kind: 'fold',
          title: 'What it rests on, and what a question takes',
          parts: [
            {
              kind: 'table',
              title: 'Grounds',
              columns: ['task', 'rests on', 'a question takes'],
              names: 3,
              rows: tasks.map((task) => [
                `${task.suite}/${task.task}`,
                comparisonGrounds(task),
                spentWords(task.spent),
              ]),
            },
          ],
        },
        ...tasks.flatMap((task) => flipParts(task, most)),
      ],
    }
  })
  return alone.length === 0
    ? sections
    : [...sections, { id: 'alone', title: 'Not compared', intro: alone.join(' '), parts: [] }]
}

function differenceDots(tasks: readonly TaskComparison[]): SuiteDots {
  const words = { better: 'better', worse: 'worse', equal: 'equal', undecided: 'cannot tell' }
  const dots = tasks.map(({ suite, task, verdict, difference, ci95 }) => {
    return { name: `${suite}/${task}`, value: difference, spread: ci95, group: words[verdict] }
  })
  return {
    kind: 'dots',
    title: 'Difference in points, with its 95 % interval',
    unit: 'points',
    groups: [...groupBy(dots, ({ group }) => group)].map(([name, own]) => ({ name, dots: own })),
  }
}

/** What changed in a task: by stages, then question by question. */
function flipParts(task: TaskComparison, most: number): SuitePart[] {
  const { flips } = task
  if (flips.length === 0) return []
  const place = `${task.suite}/${task.task}`
  const left = flips.length > most ? `, the first ${count(most)}; all: --json -` : ''
  return [
    {
      kind: 'fold',
      title: `${place}: ${plural(flips.length, 'changed question')}${left}`,
      parts: [
        {
          kind: 'table',
          title: `${place}: stages`,
          columns: ['', 'was → is', 'questions'],
          names: 2,
          rows: waysOf(flips).map(({ change, way, n }) => [change, way, count(n)]),
        },
        {
          kind: 'table',
          title: `${place}: questions`,
          columns: ['', 'question', 'was', 'is', 'text'],
          names: 5,
          rows: flips
            .slice(0, most)
            .map(({ change, question, from, to, text }) => [
              change,
              question,
              stage(from),
              stage(to),
              clipText(text, 160),
            ]),
        },
      ],
    },
  ]
}

/** Comparisons as GitHub-flavoured Markdown. */
export function comparisonMarkdown(compared: ComparedSystems): string {
  return `${comparisonSections(compared).flatMap(sectionLines).join('\n')}\n`
}

/** Comparisons as one page that needs nothing else, and no script. */
export function comparisonHtml(compared: ComparedSystems): string {
  const sections = comparisonSections(compared, MOST_ON_PAGE)
  const titles = [...new Set(compared.comparisons.map((one) => headOf(one)[0]))]
  const head = pageHead(`Compared: ${titles.length > 3 ? plural(titles.length, 'pair') : titles.join('; ')}`, [])
  return `${head}<main>\n${sections.map(drawSection).join('')}${PAGE_END}`
}
