import type { Judge, RunStore } from '../model/index.js'
import { judgeLife } from './judge.js'
import { type LifeTools, live } from './live.js'
import type { Plan, PlannedLife } from './plan.js'

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
  judge: Judge
  concurrency: number
  tools: Omit<LifeTools, 'onWitness'>
  onProgress(progress: Progress): void
}

/**
 * Runs a plan: lives several lives at a time and judges each when it is over. Everything is kept in the run store as it happens, so that a
 * run that stops can go on where it was; what is there already is not done again.
 */
export async function execute({ run, plan, judge, concurrency, tools, onProgress }: ExecuteOptions): Promise<void> {
  const total = plan.lives.reduce((sum, { asks }) => sum + asks.reduce((n, { ks }) => n + ks.length, 0), 0)
  let done = await countDone(run, plan.lives, tools.store)
  const step = (count: number, life: PlannedLife) => {
    done += count
    onProgress({ done, total, at: `${life.scenario.id} · ${life.subject.label}` })
  }
  const queue = [...plan.lives]
  const failures: unknown[] = []
  const worker = async () => {
    for (let life = queue.shift(); life && failures.length === 0; life = queue.shift()) {
      const current = life
      try {
        step(0, current)
        await live(run, current, { ...tools, onWitness: (count) => step(count, current) })
        await judgeLife(run, current, judge, tools.store, tools.signal)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, queue.length)) }, worker))
  if (failures.length > 0) throw failures[0]
}

async function countDone(run: string, lives: readonly PlannedLife[], store: RunStore): Promise<number> {
  let done = 0
  for (const { key, asks } of lives) {
    const planned = new Set(asks.flatMap(({ question, ks }) => ks.map((k) => `${k} ${question.id}`)))
    for (const { question, k, error } of await store.witnessKeys({ run, ...key })) {
      if (error === null && planned.has(`${k} ${question}`)) done++
    }
  }
  return done
}
