import { entryOf } from '../base/group-by.js'
import { type Latency, type LatencyRow, placeKey } from '../model/index.js'
import type { LifeResults, Result } from './results.js'

type Stage = 'store' | 'retrieve' | 'answer' | 'judge'

interface Waits {
  row: Omit<LatencyRow, Stage>
  ms: Record<Stage, number[]>
}

/** Collects how long calls took, cell by cell. A call that several cells rest on counts in each of them. */
export class Latencies {
  readonly #cells = new Map<string, Waits>()

  add(life: LifeResults): void {
    const met = new Map<Waits, Set<string>>()
    for (const result of life.results) {
      const waits = this.#waits(life, result)
      const { ms } = waits
      const judged = entryOf(met, waits, () => {
        ms.store.push(...(life.ingest?.ms ?? []))
        return new Set<string>()
      })
      if (result.witness.ms !== null) ms.retrieve.push(result.witness.ms)
      if (result.answer?.ms !== undefined) ms.answer.push(result.answer.ms)
      for (const [call, took] of judgeCalls(life, result)) {
        if (!judged.has(call)) ms.judge.push(took)
        judged.add(call)
      }
    }
  }

  /** In the order in which cells were first met. */
  rows(): LatencyRow[] {
    return [...this.#cells.values()].map(({ row, ms }) => ({
      ...row,
      store: latencyOf(ms.store),
      retrieve: latencyOf(ms.retrieve),
      answer: latencyOf(ms.answer),
      judge: latencyOf(ms.judge),
    }))
  }

  #waits({ planned: { suite, key }, reader }: LifeResults, { question, depth }: Result): Waits {
    const row = { suite: suite.name, task: question.task, subject: key.subject, reader, depth, trial: key.trial }
    return entryOf(this.#cells, placeKey(row), () => ({ row, ms: { store: [], retrieve: [], answer: [], judge: [] } }))
  }
}

/** The calls of judges that a result rests on, each by a name of its own, with the milliseconds it took. */
function judgeCalls(life: LifeResults, { question, witness, graded }: Result): [call: string, ms: number][] {
  const snapshot = witness.retrievedSnapshot ?? life.moments.get(witness.probe)?.snapshot
  const facts = question.needs.flat().flatMap((fact): [string, number][] => {
    const ms = snapshot ? life.verdictIn(snapshot, fact)?.ms : undefined
    return ms === undefined ? [] : [[`${snapshot} ${ms}`, ms]]
  })
  return graded?.ms === undefined ? facts : [...facts, [`grade ${graded.ms}`, graded.ms]]
}

/** By nearest rank; null when nothing was timed. */
function latencyOf(ms: readonly number[]): Latency | null {
  if (ms.length === 0) return null
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]!
  return { n: sorted.length, p50: at(0.5), p95: at(0.95) }
}
