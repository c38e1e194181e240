import { UserError } from '../../base/errors.js'
import { giveWay } from '../../base/give-way.js'
import { fingerprint } from '../../base/hash.js'
import { type LoadedSuite, questionsOf, type Scenario, type SuiteGraph, type SuiteOptions } from '../../model/index.js'
import { filterQuestions } from '../asking.js'
import { compileEpisode } from './compile.js'
import { dependencyGraph } from './dependency-graph.js'
import { BEFORE, type Episode } from './episode.js'
import { type FillerPool, readFillerFolder } from './filler/index.js'
import { makeEpisode } from './generate/index.js'
import { DOMAINS, type Domain } from './graph.js'

/** An amount of filler in thousands of tokens. The paper has `none`, `32k` and `128k`. */
export type FillerName = 'none' | `${number}k`

/** Episodes of a quick look, without filler. */
export const QUICK = 4

/** Tokens of an amount of filler. */
export function fillerTokens(name: FillerName): number {
  return name === 'none' ? 0 : Number(name.slice(0, -1)) * 1000
}

/** Episodes of the paper's size: fewer where there is much filler. */
export function paperSize(name: FillerName): number {
  return fillerTokens(name) < 128_000 ? 100 : 40
}

/** Generated episodes as scenarios: as many as asked for, both domains in turn, once for every amount of filler. */
export async function loadOwn(options: SuiteOptions): Promise<LoadedSuite> {
  const { size, seed, extra } = options
  const names = fillerNames(extra.filler ?? 'auto', size)
  const pool = extra.fillers ? await readFillerFolder(extra.fillers) : undefined
  const scenarios: Scenario[] = []
  const graphs = new Map<string, SuiteGraph>()
  for (const name of names) {
    const count = size === 'quick' ? QUICK : size === 'paper' ? paperSize(name) : size
    for (let i = 0; i < count; i++) {
      await giveWay()
      const domain = DOMAINS[i % DOMAINS.length]!
      const made = episode(domain, Math.floor(i / DOMAINS.length), seed, name, pool)
      const scenario = askOnly(compileEpisode(made), options.tasks)
      scenarios.push(scenario)
      graphs.set(scenario.id, dependencyGraph(made, scenario))
    }
  }
  return { scenarios, datasetHash: fingerprint(scenarios), audit: [], graphs }
}

function episode(domain: Domain, index: number, seed: number, name: FillerName, pool: FillerPool | undefined): Episode {
  return makeEpisode({ domain, seed, index, filler: fillerTokens(name), fillerName: name, ...(pool && { pool }) })
}

/** The amounts of filler that were asked for. */
export function fillerNames(given: string, size: SuiteOptions['size']): FillerName[] {
  if (given === 'auto') return [size === 'quick' ? 'none' : '32k']
  return given.split(',').map((name) => {
    if (!isFillerName(name)) {
      throw new UserError(
        `Expected --filler to be none or thousands of tokens such as 32k, or several of these, got "${name}".`,
        'Separate several by commas, such as --filler none,32k,128k.',
      )
    }
    return name
  })
}

function isFillerName(name: string): name is FillerName {
  return name === 'none' || /^[1-9]\d{0,3}k$/.test(name)
}

/** Keeps the questions of some tasks, and those before the change that they are paired with. */
export function askOnly(scenario: Scenario, tasks: readonly string[] | undefined): Scenario {
  if (!tasks) return scenario
  const pairs = new Set(questionsOf(scenario).flatMap(({ task, pair }) => (tasks.includes(task) ? (pair ?? []) : [])))
  return filterQuestions(scenario, ({ id, task }) => tasks.includes(task) || (task === BEFORE && pairs.has(id)))
}
