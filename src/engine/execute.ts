import { availableParallelism } from 'node:os'
import { atMost } from '../base/at-most.js'
import { splitIntoBatches } from '../base/batches.js'
import { answersKey, askKey, isReader, readerKey, subjectKey } from '../model/identity.js'
import type { Reader } from '../model/instrument.js'
import type { Judge, JudgePair } from '../model/judge.js'
import type { RunStore } from '../model/run-store.js'
import { answerLife } from './answer.js'
import { gradeLife } from './grade.js'
import { judgeLife } from './judge.js'
import { inLanes } from './lanes.js'
import { type LifeTools, live } from './live.js'
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
export async function execute(options: ExecuteOptions): Promise<void> {
  const { run, plan, tracker, readers, concurrency, tools, onProgress } = options
  const judges = [options.judge, ...(options.judgedAgain ?? [])]
  const tell = oncePerJudge(tools.log)
  const questions = ({ asks }: PlannedLife) => asks.reduce((n, { depths }) => n + depths.length, 0)
  const read = (life: PlannedLife) => life.readers.filter(isReader).length
  const total = plan.lives.reduce((sum, life) => sum + questions(life) * (1 + read(life)), 0)
  await forgetLossy(run, plan.lives, tools.store)
  let done = await countDone(run, plan.lives, readers, tools.store)
  // Memories without a model keep the processor busy: few at a time, so that the first are over soon and their readers can begin.
  const working = atMost(Math.min(concurrency, availableParallelism()))
  await inLanes(plan.lives, concurrency, async (life) => {
    const step = (count: number) => {
      done += count
      onProgress({ done, total, at: `${life.scenario.id} · ${subjectKey(life.subject)}` })
    }
    step(0)
    const alive = () => live(run, life, { ...tools, onWitness: step })
    await (life.subject.model === null ? working(alive) : alive())
    // Facts are judged while readers answer: neither needs the other.
    const facts = async () => {
      await judgeTimeline(run, life, tracker, tools.store, tools.signal)
      await inLanes(judges, judges.length, ({ facts: one }) =>
        judgeLife(run, life, one, tools.store, tools.signal, tell(one)),
      )
    }
    const answers = life.readers.map((who) => async () => {
      const reader = readers.get(readerKey(who))
      await inLanes(sectionsOf(life), SECTIONS_AT_A_TIME, async (section) => {
        if (reader) await answerLife(run, section, reader, { ...tools, onAnswer: () => step(1) })
        await inLanes(judges, judges.length, ({ answers: one }) =>
          gradeLife(run, section, answersKey(who, readers), one, tools.store, tools.signal),
        )
      })
    })
    await inLanes([facts, ...answers], 1 + answers.length, (work) => work())
  })
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
async function forgetLossy(run: string, lives: readonly PlannedLife[], store: RunStore): Promise<void> {
  for (const { key } of lives) {
    const life = { run, ...key }
    if ((await store.getIngest(life))?.lost) await store.forgetLife(life)
  }
}

async function countDone(
  run: string,
  lives: readonly PlannedLife[],
  readers: ReadonlyMap<string, Reader>,
  store: RunStore,
): Promise<number> {
  let done = 0
  for (const { key, asks, readers: who } of lives) {
    const planned = new Set(asks.flatMap(({ question, depths }) => depths.map((depth) => askKey(question.id, depth))))
    const life = { run, ...key }
    const kept = [await store.witnessKeys(life)]
    for (const one of who.filter(isReader)) kept.push(await store.getAnswers(life, answersKey(one, readers)))
    for (const { question, depth, error } of kept.flat())
      if (error === null && planned.has(askKey(question, depth))) done++
  }
  return done
}
