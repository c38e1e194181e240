import type { TaskComparison } from '../../src/analysis/compare-runs.js'
import { ALPHA } from '../../src/analysis/paired.js'
import { inPercent } from '../../src/base/figures.js'
import { compare } from '../../src/library.js'
import type { Bench } from '../bench.js'
import { measureParts, OURS } from './measured.js'
import { HOME, SEED, TOKENS } from './parts.js'

/** Every task at three budgets of tokens: what mosaic finds, what the best other system without a model does, and whether that is by chance. */
export const mosaicBench: Bench = {
  name: 'mosaic',
  about:
    'mosaic against every other system without a model, over MEME, MemFail and, where their data is, LoCoMo, Memora and BEAM, episodes in other words and long chats; goes on where it stopped (EPISODES=n, LIVES=n, PARTS=meme,locomo,…)',
  run: async (progress) => {
    const { runs, names, judge, leftOut } = await measureParts(progress)
    const rows: string[][] = []
    for (const { part, id } of runs)
      for (const tokenBudget of TOKENS) rows.push(...(await compared(id, part.name, tokenBudget, names)))
    return {
      title: 'Mosaic against other systems without a model',
      note: `All needed evidence within so many tokens, in percent, judged without a key (${judge}). MEME: generated episodes of seed ${SEED} with 32K tokens
of filler. Beside mosaic is the best of ${names.filter((name) => name !== OURS).join(', ')}, task by task; p is that of the paired test behind \`memscope compare\`, not
corrected for the number of tasks. A loss is significant where p is at most ${ALPHA}.${leftOut.length > 0 ? ` Left out: ${leftOut.join('; ')}.` : ''}`,
      columns: ['suite', 'task', 'tokens', 'questions', 'mosaic', 'best other', 'is', 'difference', 'p', ''],
      rows,
    }
  },
}

/** A row a task: mosaic, and of all others the one that does best. */
async function compared(id: string, suite: string, tokenBudget: number, names: readonly string[]): Promise<string[][]> {
  const best = new Map<string, { other: string; task: TaskComparison }>()
  const others = names.filter((name) => name !== OURS)
  const { comparisons } = await compare({ runs: id, systems: [OURS, ...others], tokenBudget, home: HOME })
  for (const { b, tasks } of comparisons)
    for (const task of tasks) {
      const leader = best.get(task.task)
      if (!leader || task.b > leader.task.b) best.set(task.task, { other: b.system, task })
    }
  return [...best.values()].map(({ other, task }) => [
    suite,
    task.task,
    String(tokenBudget),
    String(task.n),
    inPercent(task.a),
    other,
    inPercent(task.b),
    ((task.a - task.b) * 100).toFixed(0),
    task.p.toFixed(3),
    verdictOf(task),
  ])
}

function verdictOf({ difference, p, by }: TaskComparison): string {
  if (by === 'question') return 'too few to decide'
  if (p > ALPHA) return difference === 0 ? 'equal' : 'may be chance'
  return difference > 0 ? 'significant loss' : 'significant gain'
}
