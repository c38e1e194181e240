import { availableParallelism } from 'node:os'
import { atMost } from '../base/at-most.js'
import { splitIntoBatches } from '../base/batches.js'
import { answersKey, askKey, isReader, readerKey, subjectKey } from '../model/identity.js'
import type { Reader } from '../model/instrument.js'
import type { Judge, JudgePair } from '../model/judge.js'
import type { RunStore } from '../model/run-store.js'
import { answerLife } from './answer.js'
import { gradeLife } from './grade.js'
import { judgeLife } from './judge-life.js'
import { inLanes } from './lanes.js'
import { type LifeTools, liveOnce } from './live.js'
import type { Plan, PlannedLife } from './plan.js'
import { judgeTimeline } from './timeline.js'

/** What happened so far; `done` and `total` count questions × depths. */
export interface Progress {
  done: number
  total: number
  /** What is being worked on. */
  at: string
}

export interface ExecuteOptions {
  run: string
  plan: Plan
  judge: JudgePair<Judge>
  /** The same judges for the second time and on. */
  judgedAgain?: readonly JudgePair<Judge>[]
  /** Follows facts along timelines. Deterministic and cheap: it looks at the store after every conversation. */
  tracker: Judge
  /** Readers by their keys in the plan. */
  readers: ReadonlyMap<string, Reader>
  concurrency: number
  tools: Omit<LifeTools, 'onWitness'>
  onProgress(progress: Progress): void
}

/**
 * Runs a plan: lives several lives at a time and judges each when it is over. Everything is kept in the run store as it happens, so that a
 * run that stops can go on where it was; what is there already is not done again.
 */
export async function executePlan(options: ExecuteOptions): Promise<void> {
  const { run, plan, readers, concurrency, tools, onProgress } = options
  const unitsOf = lifeUnits(options)
  const all = plan.lives.map((life) => ({ life, ...unitsOf(life) }))
  const total = all.reduce((sum, { alive, after }) => sum + weightOf([alive, ...after]), 0)
  await forgetLossy(run, plan.lives, tools.store)
  let done = 0
  for (const life of plan.lives) done += await countDone(run, life, readers, tools.store)
  await inLanes(all, concurrency, async ({ life, alive, after }) => {
    const step = (count: number) => {
      done += count
      onProgress({ done, total, at: `${life.scenario.id} · ${subjectKey(life.subject)}` })
    }
    step(0)
    await alive.work(tools, step)
    // Facts are judged while readers answer: neither needs the other.
    await inLanes(after, 1 + SECTIONS_AT_A_TIME * life.readers.length, (unit) => unit.work(tools, step))
  })
}

/** A part of a run that can be done by itself, once the life it is about has been lived. */
export interface LifeUnit {
  /** Unique in a plan. */
  name: string
  /** Questions at all depths. */
  weight: number
  work(tools: ExecuteOptions['tools'], step: (count: number) => void): Promise<void>
}

/** The parts of lives: living one; then judging its facts, and its sections of questions for every reader, in whatever order. */
export function lifeUnits(options: Omit<ExecuteOptions, 'onProgress'>) {
  const { run, tracker, readers, concurrency } = options
  const judges = [options.judge, ...(options.judgedAgain ?? [])]
  const tell = oncePerJudge(options.tools.log)
  // Memories without a model keep the processor busy: few at a time, so that the first are over soon and their readers can begin.
  const working = atMost(Math.min(concurrency, availableParallelism()))
  return (life: PlannedLife): { alive: LifeUnit; after: LifeUnit[] } => {
    const { subject, scenario, trial } = life.key
    const name = (...parts: (string | number)[]) => JSON.stringify([...parts, subjectKey(subject), scenario, trial])
    const alive: LifeUnit = {
      name: name('life'),
      weight: questionsOf(life),
      work: async (tools, step) => {
        const lived = () => liveOnce(run, life, { ...tools, onWitness: step })
        await (life.subject.model === null ? working(lived) : lived())
      },
    }
    const facts: LifeUnit = {
      name: name('facts'),
      weight: 0,
      work: async ({ store, signal }) => {
        await judgeTimeline(run, life, tracker, store, signal)
        await inLanes(judges, judges.length, ({ facts: one }) => judgeLife(run, life, one, store, signal, tell(one)))
      },
    }
    const answers = life.readers.flatMap((who) =>
      sectionsOf(life).map((section, at): LifeUnit => {
        return {
          name: name('answers', readerKey(who), at),
          weight: isReader(who) ? questionsOf(section) : 0,
          work: async (tools, step) => {
            const reader = readers.get(readerKey(who))
            if (reader) await answerLife(run, section, reader, { ...tools, onAnswer: () => step(1) })
            await inLanes(judges, judges.length, ({ answers: one }) =>
              gradeLife(run, section, answersKey(who, readers), one, tools.store, tools.signal),
            )
          },
        }
      }),
    )
    return { alive, after: [facts, ...answers] }
  }
}

function questionsOf({ asks }: PlannedLife): number {
  return asks.reduce((n, { depths }) => n + depths.length, 0)
}

function weightOf(units: readonly LifeUnit[]): number {
  return units.reduce((sum, { weight }) => sum + weight, 0)
}

/** Tells of each judge the first fact that it could not judge; the others are counted as errors. */
export function oncePerJudge(log: (message: string) => void): (judge: Judge) => (message: string) => void {
  const told = new Set<string>()
  return ({ key }) =>
    (message) => {
      if (told.has(key)) return
      told.add(key)
      log(message)
    }
}

/** Questions that are answered, then graded, together. A multiple of what judges take in one call. */
const SECTION = 60
const SECTIONS_AT_A_TIME = 8

/**
 * A life in parts of so many questions: answers of the first are graded while the later are still being given. Where the parts begin and
 * end depends on the plan alone, so that a run that goes on makes the same calls.
 */
function sectionsOf(life: PlannedLife): PlannedLife[] {
  return splitIntoBatches(life.asks, SECTION).map((asks) => ({ ...life, asks }))
}

/**
 * A life in which conversations could not be stored begins again when the run goes on: with them its store is another one, so that nothing
 * that was measured without them may stand beside it.
 */
export async function forgetLossy(run: string, lives: readonly PlannedLife[], store: RunStore): Promise<void> {
  for (const { key } of lives) {
    const life = { run, ...key }
    if ((await store.getIngest(life))?.lost) await store.forgetLife(life)
  }
}

/** How many questions of a life were asked, and answered by each reader, at all depths. */
export async function countDone(
  run: string,
  { key, asks, readers: who }: PlannedLife,
  readers: ReadonlyMap<string, Reader>,
  store: RunStore,
): Promise<number> {
  const planned = new Set(asks.flatMap(({ question, depths }) => depths.map((depth) => askKey(question.id, depth))))
  const life = { run, ...key }
  const kept = [await store.witnessKeys(life)]
  for (const one of who.filter(isReader)) kept.push(await store.getAnswers(life, answersKey(one, readers)))
  return kept.flat().filter((one) => one.error === null && planned.has(askKey(one.question, one.depth))).length
}
