import type { Question } from '../../../model/index.js'
import { nullFloor } from '../fama.js'
import type { ImportedLife } from '../published/imported.js'
import { askIn, evidenceSessions, type ReadQuestion } from '../published/questions.js'
import { sessionStatistics } from '../simulate/mix.js'
import { TASKS } from '../trace.js'

/** A life with its questions read. */
export interface Examined {
  life: ImportedLife
  questions: ReadQuestion[]
}

/** Figures in words, and the bare numbers behind them. */
export interface Tables {
  figures: Record<string, string>
  counts: Record<string, number>
}

/** What the paper's tables 1 and 2 count, recomputed, and what an empty answer gets. */
export function tablesOf(examined: readonly Examined[]): Tables {
  const lives = examined.map(({ life }) => life)
  const mix = sessionStatistics(lives.map(({ trace }) => trace))
  const turns = sum(lives, ({ released }) => sum(released.sessions, ({ conversation }) => conversation.length))
  const sessions = sum(lives, ({ released }) => released.sessions.length)
  const repeated = sum(lives, ({ released }) =>
    sum(
      released.sessions,
      ({ conversation }) => conversation.filter(({ speaker }, at) => speaker === conversation[at - 1]?.speaker).length,
    ),
  )
  const shared = sum(lives, ({ released }) =>
    sum(released.sessions, ({ conversation }) => conversation.filter(({ share_memory }) => share_memory).length),
  )
  const converted = Math.round(mix.failed * lives.length)
  const neutral = Math.round(mix.neutral * lives.length)
  const floors = { released: floorsOf(examined, 'released'), audited: floorsOf(examined, 'audited') }
  const load = loadsOf(examined)
  const kinds = kindsOf(examined)
  const percent = (share: number) => `${share.toFixed(1)} %`
  return {
    figures: {
      'null answer, released': floorWords(floors.released),
      'null answer, audited': floorWords(floors.audited),
      sessions: `${sessions}, ${(turns / sessions).toFixed(2)} turns each; ${shared} turns share something`,
      operations: `${mix.operations.toFixed(1)} a persona: ${percent(mix.add)} add, ${percent(mix.update)} update, ${percent(mix.delete)} delete`,
      'sessions by type': `activity ${Math.round(mix.activity * lives.length)}, preference ${Math.round(mix.preference * lives.length)}, goal ${Math.round(mix.goal * lives.length)}, without memory ${neutral}`,
      'operations that failed': `${converted} of ${neutral} sessions without memory`,
      'turns of one speaker in a row': String(repeated),
      'sessions on the last day': lastDay(lives),
      ...criteriaFigures(examined),
      'general suggestions': generalFigure(examined),
      'kinds of criteria': Object.entries(kinds)
        .map(([name, count]) => `${name} ${count}`)
        .join(', '),
      consolidation: `${load.consolidation.toFixed(1)} sessions a question, at most ${load.mostConsolidation}`,
      mutation: `${load.mutation.toFixed(1)} forgotten items a question of remembering and recommending, at most ${load.mostMutation}`,
    },
    counts: {
      sessions,
      turns,
      sharedTurns: shared,
      repeatedTurns: repeated,
      converted,
      operations: Math.round(mix.operations * lives.length),
      ...load,
      ...kinds,
      ...Object.fromEntries(
        (['released', 'audited'] as const).flatMap((view) =>
          TASKS.map((task) => [`null ${view} ${task}`, floors[view][task] ?? 0]),
        ),
      ),
    },
  }
}

function floorsOf(examined: readonly Examined[], view: 'released' | 'audited'): Record<string, number> {
  const asked: Question[] = examined.flatMap(({ life, questions }) =>
    questions.flatMap((read) => askIn(life, read, view).asking?.question ?? []),
  )
  return Object.fromEntries(
    TASKS.map((task) => [task, 100 * (nullFloor(asked.filter((question) => question.task === task)) ?? 0)]),
  )
}

function floorWords(floors: Record<string, number>): string {
  return Object.entries(floors)
    .map(([task, floor]) => `${task} ${floor.toFixed(2)}`)
    .join(', ')
}

function criteriaFigures(examined: readonly Examined[]): Record<string, string> {
  return Object.fromEntries(
    TASKS.map((task) => {
      const own = examined.flatMap(({ questions }) => questions.filter((one) => one.task === task))
      const sizes = own.map(({ readings }) => readings.length)
      const presence = sum(own, ({ readings }) => readings.filter(({ type }) => type === 'presence').length)
      const mean = sum(sizes, (size) => size) / Math.max(1, sizes.length)
      const all = sum(sizes, (size) => size)
      const figure = `${own.length} questions, ${presence} presence and ${all - presence} forgetting criteria; ${Math.min(...sizes)} to ${Math.max(...sizes)} a question, ${mean.toFixed(1)} on average`
      return [task, own.length === 0 ? 'none' : figure]
    }),
  )
}

/** What criteria are made of: likes and dislikes, fields and their elements, and forgetting that only silence meets. */
function kindsOf(examined: readonly Examined[]): Record<string, number> {
  const all = examined.flatMap(({ questions }) =>
    questions.flatMap(({ topic, readings }) => readings.map((reading) => ({ topic, ...reading }))),
  )
  const presence = all.filter(({ type }) => type === 'presence')
  const likes = presence.filter(({ topic, avoid }) => topic.of === 'tastes' && !avoid)
  const consumed = likes.filter(({ asked }) =>
    asked.some(({ needs }) => needs.some(({ thing }) => thing.includes(':already_'))),
  )
  const fields = presence.filter(({ topic }) => topic.of === 'document')
  const budgets = examined.flatMap(({ questions }) => questions.filter(({ topic }) => topic.of === 'budgets'))
  return {
    likes: likes.length,
    'likes that are over': consumed.length,
    'dislikes to avoid': presence.filter(({ avoid }) => avoid).length,
    'fields of documents': fields.length,
    'elements of documents': sum(fields, ({ asked }) => asked.length),
    'forgetting by mention': all.filter(
      ({ type, topic, criterion }) =>
        type === 'forgetting' && topic.of !== 'tastes' && /\b(?:mention|include)/.test(criterion.evaluation_question),
    ).length,
    'budget questions': budgets.length,
  }
}

/** Sessions that the evidence of a question names, and items that it says are forgotten. */
function loadsOf(examined: readonly Examined[]) {
  const all = examined.flatMap(({ questions }) => questions)
  const sessions = all.map(({ question }) => evidenceSessions(question).size)
  const forgotten = all
    .filter(({ task }) => task !== 'reasoning')
    .map(({ readings }) => readings.filter(({ type }) => type === 'forgetting').length)
  const mean = (values: number[]) => sum(values, (value) => value) / Math.max(1, values.length)
  return {
    consolidation: mean(sessions),
    mostConsolidation: Math.max(0, ...sessions),
    mutation: mean(forgotten),
    mostMutation: Math.max(0, ...forgotten),
  }
}

function lastDay(lives: readonly ImportedLife[]): string {
  const on = (life: ImportedLife) => life.released.sessions.filter(({ date }) => date === life.trace.end).length
  const others = sum(lives, (life) => life.released.sessions.length - on(life))
  const days = sum(lives, ({ released }) => new Set(released.sessions.map(({ date }) => date)).size - 1)
  return `${(sum(lives, on) / lives.length).toFixed(1)} a life, ${(others / Math.max(1, days)).toFixed(1)} on other days`
}

/** How much is asked of one suggestion for a whole domain. */
function generalFigure(examined: readonly Examined[]): string {
  const own = examined.flatMap(({ questions }) =>
    questions.filter(({ topic }) => topic.of === 'tastes' && topic.subcategory === null),
  )
  if (own.length === 0) return 'none'
  const presence = sum(own, ({ readings }) => readings.filter(({ type }) => type === 'presence').length)
  const most = Math.max(...own.map(({ readings }) => readings.length))
  return `${(presence / own.length).toFixed(1)} presence criteria for one suggestion, at most ${most} criteria in all`
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0)
}
