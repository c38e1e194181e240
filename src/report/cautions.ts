import { compareDepths, type Depth, depthKey } from '../model/index.js'
import { boundsText, count, depthWords, percent, percentRange, quantity, wordList } from './format.js'
import type { Point, Row, TaskView } from './task-view.js'

/** Above this share of conversations that could not be stored, a row is marked. */
const MOST_LOST = 0.02

/** Whether so many conversations could not be stored that the row says little. */
export function hasLostMuch({ conversations: { n, lost } }: Point): boolean {
  return lost > MOST_LOST * n
}

/**
 * What a reader of a table must know before comparing rows: remarks on systems, conversations that were lost, questions that could not be
 * measured, numbers above their ceiling, uncertain verdicts.
 */
export function runCautions(task: TaskView): string[] {
  const lost = task.rows.filter(({ shown }) => shown.conversations.lost > 0).map((row) => lostWords(row))
  return [
    ...remarkWords(task.rows),
    ...lost,
    ...task.rows.flatMap(unmeasuredWords),
    ...aboveWords(
      task.rows,
      ({ points }) => points,
      'hold more than one fact each, so that k says little; compare by tokens',
    ),
    ...aboveWords(task.rows, ({ budgets }) => budgets, 'say facts in fewer words than those in which they were said'),
    ...answersAboveWords(task.rows),
    ...unsureWords(task.rows),
  ]
}

/** Every remark once, with the rows it is about. */
export function remarkWords(rows: readonly Row[]): string[] {
  const all = [...new Set(rows.flatMap(({ remarks }) => remarks))]
  return all.map((remark) => {
    const about = rows.filter(({ remarks }) => remarks.includes(remark))
    return `${wordList(about.map(({ label }) => label))}: ${remark.replace(/\.$/, '')}.`
  })
}

/** How much hangs on uncertain verdicts; nothing where they move no rate. */
function unsureWords(rows: readonly Row[]): string[] {
  const moved = rows.filter(({ shown }) => boundsText(shown.evidence?.bounds))
  const [widest] = moved.toSorted((a, b) => width(b) - width(a))
  if (!widest) return []
  const sum = (of: (point: Point) => number) => moved.reduce((total, { shown }) => total + of(shown), 0)
  const facts = `${count(sum(({ facts }) => facts.uncertain))} of ${count(sum(({ facts }) => facts.n))} verdicts on facts are uncertain`
  const most = `${widest.label} could have ${percentRange(widest.shown.evidence!.bounds)} % instead of ${percent(widest.shown.evidence!.rate)} %`
  return [`${facts}: if all of them went one way, ${most} (bounds). A hybrid judge asks a model about these alone.`]
}

function width({ shown }: Row): number {
  const [low, high] = shown.evidence!.bounds
  return high - low
}

/** How much of what was said a row could not store. */
export function lostWords({ label, shown }: Row): string {
  const { n, lost } = shown.conversations
  const share = `${label} could not store ${count(lost)} of ${count(n)} conversations (${percent(lost / n)} %)`
  return `${hasLostMuch(shown) ? '! ' : ''}${share}; questions that rest on them were not measured.`
}

/** How many questions of a row its numbers leave out. */
function unmeasuredWords({ label, shown: { n, errors } }: Row): string[] {
  if (errors === 0) return []
  const share = `? ${label}: ${count(errors)} of ${count(n)} questions could not be measured`
  return [`${share}; its numbers are of the others, and the lower bounds count these as failed.`]
}

/** Rows whose answers neither evidence nor guessing explains. */
function answersAboveWords(rows: readonly Row[]): string[] {
  const pointsOf = ({ points, budgets }: Row) => [...points, ...budgets]
  const above = rows.filter((row) => pointsOf(row).some((point) => point.answerAboveCeiling))
  if (above.length === 0) return []
  const points = above.flatMap((row) => pointsOf(row).filter((point) => point.answerAboveCeiling))
  const who = wordList(above.map(({ label }) => label))
  const at = wordList(depthsOf(points).map(depthWords))
  return [`^ ${who} ${above.length === 1 ? 'answers' : 'answer'} more than evidence at ${at} and guessing explain.`]
}

function depthsOf(points: readonly Point[]): Depth[] {
  return [...new Map(points.map(({ depth }) => [depthKey(depth), depth])).values()].sort(compareDepths)
}

/** How often what a question tempts a reader to use was retrieved, in a sentence; empty where no question tempts. */
export function temptationNote({ rows, depth }: TaskView): string[] {
  const told = rows.flatMap(({ label, shown: { tempting } }) =>
    tempting ? [`${label} ${percent(tempting.retrieved / tempting.n)} %`] : [],
  )
  if (told.length === 0) return []
  const n = Math.max(...rows.map(({ shown }) => shown.tempting?.n ?? 0))
  const at = depth === null ? '' : ` at ${depthWords(depth)}`
  return [`Of ${count(n)} misleading questions the tempting fact was retrieved${at} for: ${told.join(', ')}.`]
}

/** One sentence on all rows that are above a ceiling on one axis. */
function aboveWords(rows: readonly Row[], pointsOf: (row: Row) => readonly Point[], why: string): string[] {
  const above = rows.filter((row) => pointsOf(row).some((point) => point.aboveCeiling))
  if (above.length === 0) return []
  const points = above.flatMap((row) => pointsOf(row).filter((point) => point.aboveCeiling))
  const depths = depthsOf(points)
  const sizes = above.flatMap(({ shown }) => shown.memory?.tokensPerEntry ?? []).sort((a, b) => a - b)
  const [low, high] = [quantity(sizes[0]), quantity(sizes.at(-1))]
  const size = sizes.length === 0 ? '' : ` (${low === high ? low : `${low} to ${high}`} tokens a memory)`
  const who = wordList(above.map(({ label }) => label))
  const [are, their] = above.length === 1 ? ['is', 'its'] : ['are', 'their']
  return [`^ ${who} ${are} above the ceiling at ${wordList(depths.map(depthWords))}: ${their} memories${size} ${why}.`]
}
