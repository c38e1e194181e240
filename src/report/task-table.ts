import { wilson } from '../base/intervals.js'
import type { Depth, Interval } from '../model/index.js'
import { depthKey, depthTokens, isSameDepth, modelOf, readerKey, scoreValue } from '../model/index.js'
import { largestLoss } from './findings.js'
import { boundsText, NONE, percent, percentBeside, percentRange } from './format.js'
import { ceilingAt, type Point, pointAt, type Row, type Sweep, stageRates, type TaskView } from './task-view.js'

/** A column of a task's table, the same in every format; `kind` says what it shows, for those who draw it apart. */
export interface TaskColumn {
  head: string
  text(row: Row): string
  kind: 'evidence' | 'shown' | 'interval' | 'stage' | 'answer' | 'own' | 'loss'
  /** What a perfect search attains, of columns of a depth. */
  ceiling?: number | undefined
}

/** Heads of the columns of stages. */
export const STAGE_HEADS: readonly string[] = ['stored', 'faithful', 'retrieved']

/** The columns of a task behind the names of its rows. Evidence success has one a depth, or one for all where every system has a fixed depth. */
export function taskColumns(
  task: TaskView,
  { depths, stages, answers, loss }: { depths: Depth[]; stages: readonly string[]; answers: boolean; loss: boolean },
): TaskColumn[] {
  const isShown = (depth: Depth) => task.depth !== null && isSameDepth(depth, task.depth)
  const column = (kind: TaskColumn['kind'], head: string, text: TaskColumn['text']): TaskColumn[] => [
    { kind, head, text },
  ]
  return [
    ...depths.map((depth): TaskColumn => {
      const head = `${depthTokens(depth) === null ? 'k=' : ''}${depthKey(depth)}`
      const text = (row: Row) => evidenceText(pointAt(row, task, depth))
      return { kind: isShown(depth) ? 'shown' : 'evidence', head, text, ceiling: ceilingAt(task, depth) }
    }),
    ...(depths.length > 0 ? [] : column('shown', 'all', ({ shown }) => evidenceText(shown))),
    ...column('interval', '95 %', ({ shown }) => percentRange(shown.evidence?.ci95)),
    ...(task.rows.some(({ shown }) => boundsText(shown.evidence?.bounds))
      ? column('interval', 'bounds', ({ shown }) => boundsText(shown.evidence?.bounds))
      : []),
    ...stages.flatMap((head, at) =>
      column('stage', head, ({ shown: { facts } }) => {
        const rates = stageRates(facts)
        return percent([rates?.stored, rates?.faithful, rates?.retrieved][at])
      }),
    ),
    ...(answers ? column('answer', task.answerName, answerText) : []),
    ...(hasOwnScore(task) ? column('own', task.ownScore!, ({ shown }) => percent(ownScore(task, shown)?.rate)) : []),
    ...(loss ? column('loss', 'largest loss', lossText) : []),
  ]
}

/** What cost a row most questions. @param paint draws the words */
export function lossText(
  { shown }: Row,
  paint = ({ words }: NonNullable<ReturnType<typeof largestLoss>>) => words,
): string {
  const loss = largestLoss(shown)
  return loss ? `${paint(loss)} ${percentBeside(loss.share, shown.evidence?.rate)}` : NONE
}

/** Model and reader of a row, where a run has several. */
export function sweptNames({
  models,
  readers,
}: Sweep): { head: string; names: string[]; of(row: Row): string | null }[] {
  const all = [
    { head: 'model', names: models, of: (row: Row) => modelOf(row.subject) },
    { head: 'reader', names: readers, of: (row: Row) => readerKey(row.reader) },
  ]
  return all.filter(({ names }) => names.length > 0)
}

/** Evidence success in per cent; `^` marks a number above its ceiling, `?` one without questions. Empty where nothing was run. */
function evidenceText(point: Row['shown'] | undefined): string {
  if (!point) return ''
  return `${percent(point.evidence?.rate)}${point.aboveCeiling ? '^' : ''}${point.evidence?.errors ? '?' : ''}`
}

function answerText({ shown: { answer, answerAboveCeiling } }: Row): string {
  return `${percent(answer?.rate)}${answerAboveCeiling ? '^' : ''}${answer?.errors ? '?' : ''}`
}

/** The share of questions whose outcome is `correct`, which every cell with a reader has. It is a proportion, so it has an interval. */
const SHARE_OF_QUESTIONS = 'success'

/** A suite's own number of a task at one depth, 0 to 1; null without a reader, and for suites that name none. */
export function ownScore(
  { ownScore: name }: Pick<TaskView, 'ownScore'>,
  { scores, n, errors, trials, answer }: Point,
): { rate: number; ci95?: Interval } | null {
  const rate = name === undefined || !answer ? null : scoreValue(scores, name)
  if (rate === null) return null
  if (name !== SHARE_OF_QUESTIONS) return { rate }
  // Trials ask the same questions again: they are not more questions.
  const measured = (n - errors) / trials
  return { rate, ci95: wilson(rate * measured, measured) }
}

/** Whether a task was read and has a number of its suite's own. */
export function hasOwnScore(task: TaskView): boolean {
  return task.rows.some(({ points }) => points.some((point) => ownScore(task, point)))
}
