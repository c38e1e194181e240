import { meanOfKnown } from '../../../base/sums.js'
import { inWords } from '../../lint-report.js'
import { nullFloor } from '../fama.js'
import type { ImportedLife } from '../published/imported.js'
import { askIn, evidenceSessions, type ReadQuestion } from '../published/questions.js'
import type { SessionReading } from '../published/reading.js'
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

const VIEWS = ['released', 'audited'] as const

/** What the paper's tables 1 and 2 count, recomputed, and what an empty answer gets. */
export function tablesOf(examined: readonly Examined[]): Tables {
  const lives = examined.map(({ life }) => life)
  const mix = sessionStatistics(lives.map(({ trace }) => trace))
  const all = (mean: number) => Math.round(mean * lives.length)
  const [converted, neutral] = [all(mix.failed), all(mix.neutral)]
  const talks = lives.flatMap(({ released }) => released.sessions.map(({ conversation }) => conversation))
  const turns = talks.flat().length
  const shared = talks.flat().filter(({ share_memory }) => share_memory).length
  const repeated = sum(talks, (talk) => talk.filter(({ speaker }, at) => speaker === talk[at - 1]?.speaker).length)
  const floors = VIEWS.map((view) => ({ view, floors: floorsOf(examined, view) }))
  const load = loadsOf(examined)
  const kinds = kindsOf(examined)
  const acts = (['add', 'update', 'delete'] as const).map((act) => `${mix[act].toFixed(1)} % ${act}`).join(', ')
  const types = (['activity', 'preference', 'goal'] as const).map((type) => [type, all(mix[type])] as const)
  const forgotten = 'forgotten items a question of remembering and recommending'
  return {
    figures: {
      ...Object.fromEntries(
        floors.map(({ view, floors }) => [
          `null answer, ${view}`,
          floors.map(([task, floor]) => `${task} ${floor.toFixed(2)}`).join(', '),
        ]),
      ),
      sessions: `${talks.length}, ${(turns / talks.length).toFixed(2)} turns each; ${shared} turns share something`,
      operations: `${mix.operations.toFixed(1)} a persona: ${acts}`,
      'sessions by type': inWords([...types, ['without memory', neutral]]),
      'operations that failed': `${converted} of ${neutral} sessions without memory`,
      'turns of one speaker in a row': String(repeated),
      'sessions on the last day': lastDay(lives),
      ...criteriaFigures(examined),
      'general suggestions': generalFigure(examined),
      'kinds of criteria': inWords(Object.entries(kinds)),
      consolidation: `${load.consolidation.toFixed(1)} sessions a question, at most ${load.mostConsolidation}`,
      mutation: `${load.mutation.toFixed(1)} ${forgotten}, at most ${load.mostMutation}`,
    },
    counts: {
      sessions: talks.length,
      turns,
      sharedTurns: shared,
      repeatedTurns: repeated,
      converted,
      operations: all(mix.operations),
      ...load,
      ...kinds,
      ...Object.fromEntries(
        floors.flatMap(({ view, floors }) => floors.map(([task, floor]) => [`null ${view} ${task}`, floor])),
      ),
    },
  }
}

function floorsOf(examined: readonly Examined[], view: (typeof VIEWS)[number]): [task: string, floor: number][] {
  const asked = examined.flatMap(({ life, questions }) =>
    questions.flatMap((read) => askIn(life, read, view).asking?.question ?? []),
  )
  return TASKS.map((task) => [task, 100 * (nullFloor(asked.filter((question) => question.task === task)) ?? 0)])
}

function criteriaFigures(examined: readonly Examined[]): Record<string, string> {
  const figure = (own: ReadQuestion[]) => {
    if (own.length === 0) return 'none'
    const sizes = own.map(({ readings }) => readings.length)
    const [all, presence] = [own.flatMap(({ readings }) => readings).length, presenceIn(own).length]
    const criteria = `${presence} presence and ${all - presence} forgetting criteria`
    const range = `${Math.min(...sizes)} to ${Math.max(...sizes)} a question, ${meanOfKnown(sizes)!.toFixed(1)} on average`
    return `${own.length} questions, ${criteria}; ${range}`
  }
  const questions = examined.flatMap((one) => one.questions)
  return Object.fromEntries(TASKS.map((task) => [task, figure(questions.filter((one) => one.task === task))]))
}

const presenceIn = (questions: readonly ReadQuestion[]): SessionReading[] =>
  questions.flatMap(({ readings }) => readings.filter(({ type }) => type === 'presence'))

/** What criteria are made of: likes and dislikes, fields and their elements, and forgetting that only silence meets. */
function kindsOf(examined: readonly Examined[]): Record<string, number> {
  const about = (...topics: ReadQuestion['topic']['of'][]) =>
    examined.flatMap(({ questions }) => questions.filter(({ topic }) => topics.includes(topic.of)))
  const all = examined.flatMap(({ questions }) => questions)
  const likes = presenceIn(about('tastes')).filter(({ avoid }) => !avoid)
  const isOver = ({ asked }: SessionReading) =>
    asked.some(({ needs }) => needs.some(({ thing }) => thing.includes(':already_')))
  const fields = presenceIn(about('document'))
  const mentions = all
    .filter(({ topic }) => topic.of !== 'tastes')
    .flatMap(({ readings }) => readings.filter(({ type }) => type === 'forgetting'))
    .filter(({ criterion }) => /\b(?:mention|include)/.test(criterion.evaluation_question))
  return {
    likes: likes.length,
    'likes that are over': likes.filter(isOver).length,
    'dislikes to avoid': presenceIn(all).filter(({ avoid }) => avoid).length,
    'fields of documents': fields.length,
    'elements of documents': sum(fields, ({ asked }) => asked.length),
    'forgetting by mention': mentions.length,
    'budget questions': about('budgets').length,
  }
}

/** Sessions that the evidence of a question names, and items that it says are forgotten. */
function loadsOf(examined: readonly Examined[]) {
  const all = examined.flatMap(({ questions }) => questions)
  const sessions = all.map(({ question }) => evidenceSessions(question).size)
  const forgotten = all
    .filter(({ task }) => task !== 'reasoning')
    .map(({ readings }) => readings.filter(({ type }) => type === 'forgetting').length)
  return {
    consolidation: meanOfKnown(sessions) ?? 0,
    mostConsolidation: Math.max(0, ...sessions),
    mutation: meanOfKnown(forgotten) ?? 0,
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
  const most = Math.max(...own.map(({ readings }) => readings.length))
  const each = (presenceIn(own).length / own.length).toFixed(1)
  return `${each} presence criteria for one suggestion, at most ${most} criteria in all`
}

const sum = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((total, one) => total + of(one), 0)
