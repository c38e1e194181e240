import { groupBy } from '../base/group-by.js'
import type { Failure, Outcome, PanelAgreement } from '../model/index.js'
import {
  answerTrial,
  depthMemories,
  FAILURES,
  isGuess,
  isRehearsed,
  modelOf,
  OUTCOMES,
  scoreValue,
  systemName,
} from '../model/index.js'
import { dollars, priceWords } from './cost-lines.js'
import { count, depthWords, outcomeWords, percent, percents, plural, wordList } from './format.js'
import type { ReportData } from './report-data.js'
import type { Point, Row, TaskView } from './task-view.js'
import { ceilingAt, labeller, nearestDepth, stageRates, sweepOf, taskViews } from './task-view.js'

/** What loses a question, as the subject of a sentence. */
export const LOSER: Record<Failure, string> = {
  not_stored: 'storage',
  summary_error: 'summarising',
  not_retrieved: 'retrieval',
  unavailable: 'a stage that cannot be seen',
  stale_memory: 'stale memory',
  stale_answer: 'readers that ignore a correction',
  reasoning_error: 'reasoning',
}

/** Questions of a point with one of these outcomes. */
function questionsWith({ outcomes }: Point, wanted: readonly Outcome[]): number {
  return wanted.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0)
}

/** The outcome most failed questions of a row share, or null when none failed. */
function mainFailure(point: Point): { outcome: Failure; share: number } | null {
  const measured = questionsWith(point, OUTCOMES) - questionsWith(point, ['error'])
  const count = (outcome: Failure) => questionsWith(point, [outcome])
  const outcome = FAILURES.reduce((worst, next) => (count(next) > count(worst) ? next : worst))
  return count(outcome) > 0 ? { outcome, share: count(outcome) / measured } : null
}

/** What cost a row most questions, in words: a failure, or right answers that do not count; null when nothing did. */
export function largestLoss(point: Point): { words: string; share: number; outcome: Failure | null } | null {
  const failure = mainFailure(point)
  const { uncounted } = point
  if (uncounted && uncounted.share > (failure?.share ?? 0))
    return { words: uncounted.name, share: uncounted.share, outcome: null }
  return failure && { ...failure, words: outcomeWords(failure.outcome) }
}

/** What failed questions of a row failed by, as shares of its failures, in the order of stages; empty when none failed. */
function failureShares(point: Point): { outcome: Failure; share: number }[] {
  const failed = questionsWith(point, FAILURES)
  return FAILURES.flatMap((outcome) => {
    const count = point.outcomes[outcome] ?? 0
    return count > 0 ? [{ outcome, share: count / failed }] : []
  })
}

/** The failure behind more than half of a row's failed questions, or null when there is none. */
function majority(point: Point): { outcome: Failure; share: number } | null {
  return failureShares(point).find(({ share }) => share > 0.5) ?? null
}

/** @example "lost at storage 38 %, summarising 22 %, retrieval 40 % of failures" */
function shares(point: Point): string {
  const all = failureShares(point)
  const texts = percents(all.map(({ share }) => share))
  const parts = all.map(({ outcome }, at) => `${LOSER[outcome]} ${texts[at]} %`)
  return `lost at ${parts.join(', ')} of failures`
}

/**
 * One plain sentence on what was found in a task.
 *
 * @example "bm25 completes the evidence of 4 % of questions at k = 5: everything is stored faithfully; retrieval loses it."
 */
export function taskFinding(task: TaskView): string {
  const rows = contestants(task)
  if (rows.length === 0) return 'Nothing was measured.'
  const only = rows.length === 1 ? rows[0]! : null
  const answered = countedAnswers(task, rows)
  if (only) return `${only.label} ${success(only.shown)}${at(only.shown)}: ${way(only.shown)}.${answered}`
  const ranked = [...rows].sort((a, b) => rateOf(a.shown) - rateOf(b.shown))
  const [low, high] = [ranked[0]!, ranked.at(-1)!]
  const ceiling = task.depth === null ? undefined : ceilingAt(task, task.depth)
  const [least, most] = [percent(rateOf(low.shown)), percent(rateOf(high.shown))]
  const span =
    least !== most
      ? `evidence is complete for ${least} % (${low.label}) to ${most} % (${high.label}) of questions`
      : most === '0'
        ? 'no system completes the evidence of any question'
        : `every system completes the evidence of ${most} % of questions`
  const limit = ceiling !== undefined && ceiling < 0.995 ? `; the ceiling is ${percent(ceiling)} %` : ''
  return `${task.depth === null ? 'Overall' : `At ${depthWords(task.depth)}`} ${span}${limit}${beside(task, rows)}. ${causes(rows)}${answered}`
}

/** Answers by the suite's own count, and how many right ones that leaves out; nothing where accuracy is the number. */
function countedAnswers({ answerName, suite }: TaskView, rows: readonly Row[]): string {
  const read = rows.filter(({ shown }) => shown.answer)
  if (answerName === 'answer' || read.length === 0) return ''
  const each = read.map(({ label, shown: { answer, uncounted } }) => {
    const left = uncounted ? ` (${uncounted.name} ${percent(uncounted.share)} %)` : ''
    return `${read.length > 1 ? `${label} ` : ''}${percent(answer!.rate)} %${left}`
  })
  return ` Answers, by the ${answerName} of ${suite}: ${each.join(', ')}.`
}

const UNFINISHED = 'The run is not finished; resume it with memscope run --resume.'
const REHEARSED = [
  'Rehearsed, not measured: models inside memory systems were played by stand-ins that take sentences down as they are.',
  'Their numbers show that systems run, not how well.',
].join(' ')

/** The first line of every report: status, errors, size. */
export function runHeadline({ headline: asked, summary: { cells, status }, tasks, judgedAgain }: ReportData) {
  const { errors, questions, invalidReason } = asked
  const { models, readers } = sweepOf(cells)
  const systems = new Set(cells.flatMap(({ subject }) => (isGuess(subject) ? [] : systemName(subject)))).size
  const times = 1 + Math.max(0, ...cells.map(({ reader }) => answerTrial(reader)))
  const judgings = 1 + new Set(judgedAgain?.map(({ judge }) => JSON.stringify(judge))).size
  const several = (n: number, what: string) => (n > 1 ? `${n} ${what}` : '')
  const size = [
    `${count(questions)} questions asked`,
    plural(tasks.length, 'task'),
    plural(systems, 'system'),
    several(models.length, 'models'),
    several(readers.length, 'readers'),
    several(new Set(cells.map((cell) => cell.trial)).size, 'trials'),
    several(times, 'answer trials'),
    several(judgings, 'judge trials'),
  ]
  const reasons = [
    invalidReason ?? (status === 'partial' && UNFINISHED),
    cells.some(({ subject }) => isRehearsed(modelOf(subject))) && REHEARSED,
  ]
  return {
    status,
    errors: `${plural(errors, 'error')}${errors > 0 && questions > 0 ? ` (${percent(errors / questions)} %)` : ''}`,
    size: size.filter(Boolean).join(' · '),
    reason: reasons.filter(Boolean).join(' ') || null,
  }
}

/** Whether a panel voted on whole answers or on single criteria, told from its labels: criteria where all are yes, no or unclear. */
export function panelItemKind({ patterns }: PanelAgreement): 'answers' | 'criteria' {
  const labels = patterns.flatMap((pattern) => pattern.labels.flatMap((label) => label ?? []))
  return labels.length > 0 && labels.every((label) => ['yes', 'no', 'unclear'].includes(label)) ? 'criteria' : 'answers'
}

/** How a panel agreed, a sentence for facts and one for answers. */
export function panelFindings({ summary: { panel } }: ReportData): string[] {
  const say = (what: string, { n, unanimous, pairs }: PanelAgreement) => {
    const kappas = pairs.flatMap(({ kappa }) => kappa ?? []).sort((a, b) => a - b)
    const [low, high] = [kappas[0]?.toFixed(2), kappas.at(-1)?.toFixed(2)]
    const span =
      low === undefined ? '' : low === high ? `; kappa of pairs ${low}` : `; kappa of pairs ${low} to ${high}`
    return `Panel: all judges agree on ${percent(unanimous / Math.max(1, n))} % of ${count(n)} ${what}${span}.`
  }
  return [
    ...(panel?.facts ? [say('facts', panel.facts)] : []),
    ...(panel?.answers ? [say(panelItemKind(panel.answers), panel.answers)] : []),
  ]
}

/** How far a row's facts came, in words: "everything is stored faithfully; retrieval loses it". */
function way(point: Point): string {
  if (!mainFailure(point)) return 'nothing is lost'
  const failure = majority(point)
  const stages = stageRates(point.facts)
  const lost = failure ? loses(failure, point) : shares(point)
  if (stages?.stored == null || stages.faithful === null) return lost
  const whole = (rate: number) => rate >= 0.995
  const kept = whole(stages.faithful)
    ? 'everything is stored faithfully'
    : whole(stages.stored)
      ? `everything is stored, ${percent(stages.faithful)} % of facts faithfully`
      : `${percent(stages.stored)} % of facts are stored, ${percent(stages.faithful)} % faithfully`
  return `${kept}; ${lost}`
}

function loses({ outcome, share }: { outcome: Failure; share: number }, point: Point): string {
  const much = share < 1 ? 'loses most' : rateOf(point) > 0.1 ? 'loses the rest' : 'loses it'
  return `${LOSER[outcome]} ${much}`
}

function contestants(task: TaskView): Row[] {
  const systems = task.rows.filter((row) => row.kind === 'system')
  return (systems.length > 0 ? systems : task.rows).filter((row) => row.shown.evidence ?? row.shown.answer)
}

/** Yardsticks, which the span of contestants leaves out though they are rows of the same table. */
function beside(task: TaskView, contestants: readonly Row[]): string {
  const others = task.rows.filter((row) => row.shown.evidence && !contestants.includes(row))
  if (others.length === 0) return ''
  return `; yardsticks: ${others.map((row) => `${row.label} ${percent(rateOf(row.shown))} %`).join(', ')}`
}

function causes(rows: readonly Row[]): string {
  const failed = rows.filter((row) => mainFailure(row.shown))
  if (failed.length === 0) return 'Nothing is lost.'
  const byCause = [...groupBy(failed, (row) => majority(row.shown)?.outcome ?? null)].filter(
    (entry): entry is [Failure, Row[]] => entry[0] !== null,
  )
  const mixed = failed.filter((row) => !majority(row.shown))
  const each = mixed.map((row) => `${row.label}: ${shares(row.shown)}.`).join(' ')
  if (byCause.length === 0) return each
  const [only] = byCause.length === 1 && mixed.length === 0 ? byCause : []
  if (only) {
    const kept = rows.every((row) => (stageRates(row.shown.facts)?.faithful ?? 0) >= 0.995)
    const alone = failed.every((row) => majority(row.shown)?.share === 1)
    return kept && alone && only[0] === 'not_retrieved'
      ? 'Everything is stored faithfully; what is lost is lost at retrieval.'
      : `Most is lost at ${LOSER[only[0]]}.`
  }
  const parts = byCause.map(([failure, own]) => `${LOSER[failure]} (${own.map((row) => row.label).join(', ')})`)
  return `Most is lost at ${wordList(parts)}.${each === '' ? '' : ` ${each}`}`
}

function success(point: Point): string {
  return point.evidence
    ? `completes the evidence of ${percent(point.evidence.rate)} % of questions`
    : `answers ${percent(point.answer?.rate)} % of questions`
}

function at(point: Point): string {
  return point.depth === 'all' ? '' : ` at ${depthWords(point.depth)}`
}

function rateOf(point: Point): number {
  return point.evidence?.rate ?? point.answer?.rate ?? 0
}

/** Scores over all tasks at the depth of the task tables, a sentence for every suite that has them. */
export function overallFindings(data: ReportData): string[] {
  const label = labeller(data.summary.cells)
  const tasks = taskViews(data)
  return [...groupBy(data.summary.overall ?? [], ({ suite }) => suite)].flatMap(([suite, rows]) => {
    const wanted = tasks.find((task) => task.suite === suite && task.k !== null)?.k ?? 0
    const shown = [...groupBy(rows, label)].map(([name, own]) => {
      const ks = own.flatMap((row) => depthMemories(row.depth) ?? [])
      const k = nearestDepth(ks, wanted)
      return [name, own.findLast((row) => depthMemories(row.depth) === k)!, k] as const
    })
    const told = shown.flatMap(([name, { scores }, k]) => {
      const known = scores.flatMap((score) => {
        const { name: own, subset, value } = score
        const info = data.suites.find((one) => one.name === suite)?.scores.find((one) => one.name === own)
        if (value === null || info?.aside) return []
        const empty = info?.floor === undefined ? null : scoreValue(scores, info.floor, subset)
        const beside = empty === null ? '' : ` (an empty answer: ${percent(empty)} %)`
        const words = [own.replaceAll('_', ' '), ...(subset === undefined ? [] : [subset])].join(' ')
        return [`${words} ${info?.unit === 'usd' ? dollars(value) : amount(value)}${beside}`]
      })
      return known.length === 0 ? [] : [`${name}${k === null ? '' : ` at k = ${k}`} ${known.join(', ')}`]
    })
    const isPaid = told.some((words) => /\$[\d.]*[1-9]/.test(words))
    const dated = (isPaid && priceWords(data)) || ''
    return told.length === 0 ? [] : [`${suite} over all tasks: ${told.join('; ')}. ${dated}`.trim()]
  })
}

/** A share in per cent; what is more than all is a count. */
function amount(value: number): string {
  return value > 1 ? value.toFixed(1) : `${percent(value)} %`
}
