import { systems as builtin, loadAll } from '../../src/builtins.js'
import { type Bench, growth } from '../bench.js'
import { type MeasuredInside, measureInside } from './measure-inside.js'

const systems = await loadAll(builtin)

const SIZES = [1_000, 4_000]

/** Systems with a model inside whose model can be rehearsed, in the order of the registry; without those that run in a process of their own. */
export const insideSystems: readonly string[] = systems
  .filter(({ needs, rehearsal }) => needs?.llm && !needs.endpoint && rehearsal)
  .map(({ name }) => name)

/** What systems with a model inside take to store a conversation, beside their models. */
export const insideBench: Bench = {
  name: 'inside',
  about: 'storing in systems with a model inside, without what their models take',
  run: async (progress) => {
    const rows: string[][] = []
    for (const system of insideSystems) {
      progress(system)
      const measured = await measureInside(system, SIZES)
      measured.forEach((now, i) => {
        rows.push(rowOf(system, now, measured[i - 1]))
      })
    }
    return {
      title: 'Systems with a model inside',
      note: `Conversations of one made-up sentence; models answer at once, and what they and the embedder take is not counted. Measured when so
many memories are held (or, in systems that hold fewer, after so many conversations), in five rounds of 20 conversations, of which the one
that was disturbed least counts. The bound is 5 ms at 1,000 memories. Growth is the power of the size by which the median grows from the row above: up to 1 is linear.`,
      columns: ['system', 'memories', 'conversations', 'p50 ms', 'p95 ms', 'model calls', 'growth of p50'],
      rows,
    }
  },
}

function rowOf(system: string, now: MeasuredInside, before: MeasuredInside | undefined): string[] {
  const power = before
    ? growth(
        { size: before.conversations, value: before.p50Ms },
        { size: now.conversations, value: now.p50Ms },
      ).toFixed(2)
    : '–'
  return [
    system,
    now.memories.toLocaleString('en'),
    now.conversations.toLocaleString('en'),
    now.p50Ms.toFixed(2),
    now.p95Ms.toFixed(2),
    now.calls.toFixed(1),
    power,
  ]
}
