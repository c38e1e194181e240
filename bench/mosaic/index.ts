import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TaskComparison } from '../../src/analysis/compare-runs.js'
import { ALPHA } from '../../src/analysis/paired.js'
import { inPercent } from '../../src/base/figures.js'
import { loadAll, systems } from '../../src/builtins.js'
import { compare, type RunOptions, run } from '../../src/library.js'
import type { Bench } from '../bench.js'

/** A seed that nothing was made with; take another once somebody has looked at its episodes. */
const SEED = 2311
const EPISODES = 40
const TOKENS = [250, 500, 1000]
const OURS = 'mosaic'
/** Ceilings and floors, which no memory is held against. */
const NO_RIVALS = ['none', 'oracle', 'full-context']
/** Where published rows are, when they are there. */
const PUBLISHED = '../shared/data/memfail'
const HOME = process.env.MEMSCOPE_HOME ?? '.memscope'

/** A run that the table is made of. */
interface Part {
  name: string
  options: RunOptions
}

/** Every task at three budgets of tokens: what mosaic finds, what the best other system without a model does, and whether that is by chance. */
export const mosaicBench: Bench = {
  name: 'mosaic',
  about: `mosaic against every other system without a model, ${EPISODES} MEME episodes (EPISODES=n for others) and MemFail; goes on where it stopped`,
  run: async (progress) => {
    const episodes = Number(process.env.EPISODES ?? EPISODES)
    const definitions = (await loadAll(systems)).filter(
      ({ name, needs }) => !needs?.llm && !needs?.packages && !NO_RIVALS.includes(name),
    )
    const names = definitions.map(({ name }) => name)
    const versions = definitions.map(({ name, version }) => `${name} ${version}`).join(', ')
    const rows: string[][] = []
    for (const { name, options } of partsOf(episodes)) {
      const id = await measured(`${name}, ${versions}`, { ...options, system: names }, (message) =>
        progress(`${name}: ${message}`),
      )
      for (const tokenBudget of TOKENS) rows.push(...(await compared(id, name, tokenBudget, names)))
    }
    return {
      title: 'Mosaic against other systems without a model',
      note: `All needed evidence within so many tokens, in percent, judged without a key. MEME: ${episodes} generated episodes of seed ${SEED} with 32K tokens
of filler; MemFail: all bundled rows${existsSync(PUBLISHED) ? ', and the published ones' : ''}. Beside mosaic is the best of ${names.filter((name) => name !== OURS).join(', ')}, task by
task; p is that of the paired test behind \`memscope compare\`, not corrected for the number of tasks. A loss is significant where p is at most ${ALPHA}.`,
      columns: ['suite', 'task', 'tokens', 'questions', 'mosaic', 'best other', 'is', 'difference', 'p', ''],
      rows,
    }
  },
}

function partsOf(episodes: number): Part[] {
  const common: RunOptions = { tokenBudget: TOKENS, home: HOME }
  return [
    { name: 'memfail, bundled', options: { ...common, suite: 'memfail', size: 'paper' } },
    ...(existsSync(PUBLISHED)
      ? [
          {
            name: 'memfail, published',
            options: { ...common, suite: 'memfail', size: 'paper', data: PUBLISHED } as const,
          },
        ]
      : []),
    { name: `meme, ${episodes} episodes of ${SEED}`, options: memeOptions(common, episodes) },
  ]
}

function memeOptions(common: RunOptions, size: number): RunOptions {
  return { ...common, suite: 'meme', size, seed: SEED, settings: { filler: '32k' } }
}

/** The id of a run, which is measured unless it was: a run that stopped goes on. */
async function measured(what: string, options: RunOptions, progress: (message: string) => void): Promise<string> {
  const file = join(HOME, 'mosaic-bench.json')
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  const known = kept[what]
  const { run: id } = await run(known === undefined ? options : { resume: known, home: HOME }, {
    onProgress: (event) => {
      if (event.type !== 'started') return
      progress(`run ${event.run}`)
      mkdirSync(HOME, { recursive: true })
      writeFileSync(file, `${JSON.stringify({ ...kept, [what]: event.run }, null, 2)}\n`)
    },
  })
  return id
}

/** A row a task: mosaic, and of all others the one that does best. */
async function compared(id: string, suite: string, tokenBudget: number, names: readonly string[]): Promise<string[][]> {
  const best = new Map<string, { other: string; task: TaskComparison }>()
  for (const other of names.filter((name) => name !== OURS)) {
    const { comparisons } = await compare({ runs: id, systems: [OURS, other], tokenBudget, home: HOME })
    for (const task of comparisons.flatMap(({ tasks }) => tasks)) {
      const leader = best.get(task.task)
      if (!leader || task.b > leader.task.b) best.set(task.task, { other, task })
    }
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
