import { UserError, unknownName } from '../../base/errors.js'
import { giveWay, mapGivingWay } from '../../base/give-way.js'
import { fingerprint } from '../../base/hash.js'
import type { LoadedSuite, Scenario, SuiteOptions } from '../../model/index.js'
import { compile } from './compile.js'
import { type AskOptions, askOf } from './questions/index.js'
import { PERSONAS, type PersonaId } from './seed.js'
import { simulate } from './simulate/index.js'
import { type SpokenSession, tellSessions } from './talk/talk.js'
import { type LifeTrace, TASKS } from './trace.js'

/** A quick look: one persona, so many days, and so many questions of each task. */
export const QUICK = { personas: 1, days: 4, questions: 5 }

/** The longest life: four quarters. */
const MOST_DAYS = 368

/** Simulated lives as scenarios: one for every persona and duration that was asked for. */
export async function loadOwn(options: SuiteOptions): Promise<LoadedSuite> {
  const { size, seed, extra } = options
  const personas = personasFrom(extra.personas ?? 'all', size)
  const tasks = TASKS.filter((task) => options.tasks?.includes(task) ?? true)
  const count = size === 'quick' ? QUICK.questions : undefined
  const lives = daysFrom(extra.days ?? 'auto', size).flatMap((days) =>
    personas.map((persona) => ({ persona, days, seed, tasks, ...(count !== undefined && { count }) })),
  )
  const scenarios: Scenario[] = []
  const hashes: string[] = []
  for (const life of lives) {
    const scenario = await lifeScenario(life)
    scenarios.push(scenario)
    await giveWay()
    hashes.push(fingerprint(scenario))
  }
  // Scenario by scenario: as one text, a quarter of ten personas would not fit into memory.
  return { scenarios, datasetHash: fingerprint(hashes), audit: [] }
}

/** One simulated life, told and asked about. */
async function lifeScenario(life: AskOptions & { persona: PersonaId; days: number }): Promise<Scenario> {
  const trace = simulate(life)
  return askedAbout(trace, await mapGivingWay(tellSessions(trace, life.seed), (session) => session), life)
}

/** A life that was simulated and told already, asked about. */
export async function askedAbout(
  trace: LifeTrace,
  conversations: SpokenSession[],
  options: AskOptions,
): Promise<Scenario> {
  await giveWay()
  const asked = askOf(trace, options)
  await giveWay()
  return compile({
    trace,
    conversations,
    questions: asked.map(({ question }) => question),
    derived: asked.flatMap(({ derived }) => derived),
  })
}

/** The durations that were asked for, each once. */
export function daysFrom(given: string, size?: SuiteOptions['size']): number[] {
  if (given === 'auto') return [size === 'quick' ? QUICK.days : 7]
  const days = given.split(',').map((one) => {
    const value = Number(one)
    if (!Number.isInteger(value) || value < 1 || value > MOST_DAYS) {
      throw new UserError(
        `Expected --days to be whole numbers from 1 to ${MOST_DAYS}, got "${one}".`,
        'The paper has 7, 28 and 92. Separate several by commas, such as --days 7,28,92.',
      )
    }
    return value
  })
  return [...new Set(days)]
}

/** The personas that were asked for by name, whatever the size; else as many as the size allows. */
export function personasFrom(given: string, size: SuiteOptions['size']): PersonaId[] {
  if (given === 'all') return PERSONAS.slice(0, size === 'quick' ? QUICK.personas : size === 'paper' ? undefined : size)
  return [...new Set(given.split(','))].map((name) => {
    const known = PERSONAS.find((persona) => persona === name)
    if (known === undefined) throw unknownName('persona', name, PERSONAS)
    return known
  })
}
