import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ComparableRun } from '../../src/analysis/comparable.js'
import { comparePaired, holmCorrection, type PairedValue } from '../../src/analysis/paired.js'
import { groupBy } from '../../src/base/group-by.js'
import { Random } from '../../src/base/random.js'
import { readComparable } from '../../src/library/comparable-run.js'
import type { OwnPart } from '../../src/library/types.js'
import { run } from '../../src/library.js'
import type { WrittenCell } from '../../src/report/summary-json.js'
import { honest, memoryCheats } from './memories.js'
import { answerCheats, plainReaders } from './readers.js'

/** One number that a change was tried on, beside what it is without the change. */
export interface Tried {
  change: string
  /** Suite, task and depth; where all tasks are taken together, the task is `all`. */
  place: string
  /** `evidence`, `answer`, a suite's own score, or the share of facts at a stage. */
  number: string
  n: number
  /** Of the number, in points from -1 to 1. */
  gain: number
  ci95: readonly [number, number]
  p: number
  /** Holm's correction over everything that was tried. */
  corrected: number
}

export interface SearchOptions {
  seed: number
  /** What `--size` counts, by suite. */
  sizes: Readonly<Record<string, number | 'quick'>>
  /** How many blanket words are drawn. */
  words: number
  tell?(message: string): void
}

const DEPTHS = { k: [5, 20], tokenBudget: [500] }

/** Tries every change on every number of every suite. */
export async function searchCheats({ seed, sizes, words, tell = () => {} }: SearchOptions): Promise<Tried[]> {
  const found: Omit<Tried, 'corrected'>[] = []
  const cheats = memoryCheats(new Random(`cheats ${seed}`), words)
  for (const [suite, size] of Object.entries(sizes)) {
    tell(`${suite}: ${cheats.length} changes of memories`)
    const systems = [honest, ...cheats].map(({ system }) => system)
    const memories = await measured({ suite, size, seed, system: systems, ...DEPTHS }, systems)
    const names = new Map(cheats.map(({ name, system }) => [system.name, name]))
    found.push(
      ...pairedGains(
        memories.run,
        ({ system }) => names.get(system),
        ({ system }) => system === honest.system.name,
      ),
    )
    found.push(...factGains(memories.cells, names))
    tell(`${suite}: ${answerCheats.length} changes of answers`)
    const readers = [...plainReaders, ...answerCheats].map(({ reader }) => reader)
    const parts = [honest.system, ...readers]
    const answers = await measured({ suite, size, seed, system: honest.system, reader: readers, k: [20] }, parts)
    const named = new Map(answerCheats.map(({ name, reader }) => [reader.name, name]))
    const plain = new Set(plainReaders.map(({ reader }) => reader.name))
    found.push(
      ...pairedGains(
        answers.run,
        ({ reader }) => named.get(reader),
        ({ reader }) => plain.has(reader),
      ),
    )
  }
  const corrected = holmCorrection(found.map(({ p }) => p))
  return found.map((one, i) => ({ ...one, corrected: corrected[i]! }))
}

async function measured(asked: Parameters<typeof run>[0], parts: readonly OwnPart[]) {
  const home = mkdtempSync(join(tmpdir(), 'memscope-cheats-'))
  try {
    const settings = asked?.suite === 'meme' ? { settings: { filler: 'none' } } : {}
    const { run: id, summary } = await run({ ...asked, ...settings, home })
    const kept = await readComparable({ run: id }, { home, parts, despite: [] })
    return { run: kept, cells: summary.cells }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

type Measure = 'evidence' | 'answer' | 'own'
type Contestant = ComparableRun['contestants'][number]

/**
 * What each change gains over the best of those without one, by task and over all tasks. What is not measured of one is left out of both, as
 * comparisons of runs do.
 */
function pairedGains(
  run: ComparableRun,
  changeOf: (who: Contestant) => string | undefined,
  isBase: (who: Contestant) => boolean,
): Omit<Tried, 'corrected'>[] {
  const own = new Map(run.suites.map((suite) => [suite.name, suite.own]))
  const tried: Omit<Tried, 'corrected'>[] = []
  for (const measure of ['evidence', 'answer', 'own'] as const) {
    const places = groupBy(
      run.results.filter((result) => result[measure] !== null),
      ({ question, depth }) => `${run.questions[question]!.suite}/${run.questions[question]!.task}@${depth}`,
    )
    const pooled = groupBy([...places], ([place]) => place.replace(/\/[^@]*@/, '/all@'))
    const all: [string, ComparableRun['results']][] = [...pooled].map(([place, parts]) => [
      place,
      parts.flatMap(([, results]) => results),
    ])
    for (const [place, results] of [...places, ...(places.size > pooled.size ? all : [])]) {
      const by = groupBy(results, ({ contestant }) => String(contestant))
      const meanOf = (list: typeof results) => list.reduce((sum, one) => sum + one[measure]!, 0) / list.length
      const isOf = (test: (who: Contestant) => boolean) => [...by].filter(([at]) => test(run.contestants[Number(at)]!))
      const [base] = isOf(isBase).toSorted(([, a], [, b]) => meanOf(b) - meanOf(a))
      if (!base) continue
      for (const [at, given] of isOf((who) => changeOf(who) !== undefined)) {
        const values = pairsOf(run, base[1], given, measure)
        if (values.length === 0) continue
        const { n, difference, ci95, p } = comparePaired(values)
        const number = measure === 'own' ? (own.get(place.split('/')[0]!) ?? 'own') : measure
        tried.push({ change: changeOf(run.contestants[Number(at)]!)!, place, number, n, gain: difference, ci95, p })
      }
    }
  }
  return tried
}

function pairsOf(
  run: ComparableRun,
  base: ComparableRun['results'],
  given: ComparableRun['results'],
  measure: Measure,
): PairedValue[] {
  const before = new Map(base.map((result) => [`${result.question} ${result.depth}`, result]))
  return given.flatMap((result) => {
    const other = before.get(`${result.question} ${result.depth}`)
    if (!other) return []
    return [{ cluster: run.questions[result.question]!.cluster, a: other[measure]!, b: result[measure]! }]
  })
}

const STAGES = ['stored', 'faithful', 'retrieved'] as const

/** What each change gains in shares of facts. Facts are counted, not paired, so that two shares are compared. */
function factGains(cells: readonly WrittenCell[], names: ReadonlyMap<string, string>): Omit<Tried, 'corrected'>[] {
  const placeOf = ({ suite, task, depth }: WrittenCell) => `${suite}/${task}@${JSON.stringify(depth)}`
  const base = new Map(cells.filter(({ system }) => system === honest.system.name).map((cell) => [placeOf(cell), cell]))
  return cells.flatMap((cell) => {
    const [change, before] = [names.get(cell.system), base.get(placeOf(cell))]
    if (change === undefined || !before || cell.facts.n === 0 || before.facts.n === 0) return []
    return STAGES.flatMap((stage) => {
      const [a, b] = [before.facts[stage], cell.facts[stage]]
      if (a === null || b === null) return []
      // What could not be measured counts as failed, as in the bounds of a cell.
      const n = Math.max(before.facts.n, cell.facts.n)
      return [{ change, place: placeOf(cell), number: `facts ${stage}`, n, ...twoShares(a / before.facts.n, b / n, n) }]
    })
  })
}

/** The difference of two shares of so many each, with the interval of Newcombe's kind by the normal distribution. */
function twoShares(a: number, b: number, n: number): Pick<Tried, 'gain' | 'ci95' | 'p'> {
  const gain = b - a
  const pooled = (a + b) / 2
  const error = Math.sqrt((2 * pooled * (1 - pooled)) / n)
  const spread = 1.96 * Math.sqrt((a * (1 - a) + b * (1 - b)) / n)
  const p = error === 0 ? 1 : 2 * (1 - normalShare(Math.abs(gain) / error))
  return { gain, ci95: [gain - spread, gain + spread], p }
}

/** The share of the standard normal distribution below a value (Abramowitz and Stegun, 26.2.17). */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail = ((((1.330274429 * t - 1.821255978) * t + 1.781477937) * t - 0.356563782) * t + 0.31938153) * t
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail
}
