import { UserError } from '../../base/errors.js'
import { fingerprint } from '../../base/hash.js'
import type { LoadedSuite, Scenario, SuiteOptions } from '../../model/index.js'
import { compile } from './compile.js'
import { BEFORE, type Episode } from './episode.js'
import { type FillerPool, readFillerFolder } from './filler/index.js'
import { makeEpisode } from './generate/index.js'
import { DOMAINS, type Domain } from './graph.js'

/** Tokens of filler by name, as in the paper. */
export const FILLERS = { none: 0, '32k': 32_000, '128k': 128_000 } as const
export type FillerName = keyof typeof FILLERS

/** Episodes of a quick look, without filler; of the paper's size, per filler. */
export const QUICK = 4
export const PAPER: Record<FillerName, number> = { none: 100, '32k': 100, '128k': 40 }

/** Generated episodes as scenarios: as many as asked for, both domains in turn, once for every amount of filler. */
export async function loadOwn(options: SuiteOptions): Promise<LoadedSuite> {
  const { size, seed, extra } = options
  const names = fillerNames(extra.filler ?? 'auto', size)
  const pool = extra.fillers ? await readFillerFolder(extra.fillers) : undefined
  const scenarios: Scenario[] = []
  for (const name of names) {
    const count = size === 'quick' ? QUICK : size === 'paper' ? PAPER[name] : size
    for (let i = 0; i < count; i++) {
      const domain = DOMAINS[i % DOMAINS.length]!
      scenarios.push(askOnly(compile(episode(domain, Math.floor(i / DOMAINS.length), seed, name, pool)), options.tasks))
    }
  }
  return { scenarios, datasetHash: fingerprint(scenarios), audit: [] }
}

function episode(domain: Domain, index: number, seed: number, name: FillerName, pool: FillerPool | undefined): Episode {
  return makeEpisode({ domain, seed, index, filler: FILLERS[name], fillerName: name, ...(pool && { pool }) })
}

/** The amounts of filler that were asked for. */
export function fillerNames(given: string, size: SuiteOptions['size']): FillerName[] {
  if (given === 'auto') return [size === 'quick' ? 'none' : '32k']
  return given.split(',').map((name) => {
    if (!Object.hasOwn(FILLERS, name)) {
      throw new UserError(
        `Expected --filler to be one or more of ${Object.keys(FILLERS).join(', ')}, got "${name}".`,
        'Separate several by commas, such as --filler none,32k,128k.',
      )
    }
    return name as FillerName
  })
}

/** Keeps the questions of some tasks, and those before the change that they are paired with. */
export function askOnly(scenario: Scenario, tasks: readonly string[] | undefined): Scenario {
  if (!tasks) return scenario
  const timeline = scenario.timeline.map((event) => {
    if (event.type !== 'probe') return event
    return { ...event, probe: { ...event.probe, questions: event.probe.questions.filter(({ task }) => wanted(task)) } }
  })
  const pairs = new Set(
    timeline.flatMap((event) => (event.type === 'probe' ? event.probe.questions.map(({ pair }) => pair) : [])),
  )
  function wanted(task: string): boolean {
    return tasks!.includes(task) || task === BEFORE
  }
  return {
    ...scenario,
    timeline: timeline.map((event) =>
      event.type === 'probe' && !tasks.includes(BEFORE)
        ? {
            ...event,
            probe: {
              ...event.probe,
              questions: event.probe.questions.filter(({ id, task }) => task !== BEFORE || pairs.has(id)),
            },
          }
        : event,
    ),
  }
}
