import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../../base/errors.js'
import { fingerprint, sha256 } from '../../../base/hash.js'
import type { LoadedSuite, ReviewRow, Scenario, SuiteOptions } from '../../../model/index.js'
import { filterQuestions } from '../../asking.js'
import { holdsLives, LIFE_FILE } from '../holds-lives.js'
import { askedAbout, personasFrom } from '../load.js'
import type { SpokenSession } from '../talk/talk.js'
import { type LifeTrace, TASKS, type Task, type TraceSession } from '../trace.js'

/** A life that models told: what every session does, and what was said. */
export interface ToldLife {
  trace: LifeTrace
  seed: number
  talks: SpokenSession[]
  /** Ids of questions that need no memory, and are not asked. */
  guessed: string[]
}

/** A life as lines of a file: what it is, then a session a line. */
export function* lifeLines({ trace, seed, talks, guessed }: ToldLife): Generator<string> {
  const { persona, start, end, sessions } = trace
  yield `${JSON.stringify({ persona, start, end, seed, guessed })}\n`
  for (const [at, session] of sessions.entries()) yield `${JSON.stringify({ ...session, talk: talks[at] })}\n`
}

/** The lives of a folder, in the order of their names. */
function readLives(folder: string): (ToldLife & { hash: string })[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(LIFE_FILE))
  return files.sort().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    try {
      const [head, ...lines] = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
      const { seed, guessed, ...trace } = head as Omit<LifeTrace, 'sessions'> & Pick<ToldLife, 'seed' | 'guessed'>
      const told = lines as (TraceSession & { talk: SpokenSession })[]
      const sessions = told.map(({ talk: _, ...session }) => session)
      const talks = told.map(({ talk }) => talk)
      return { trace: { ...trace, sessions }, seed, guessed, talks, hash: sha256(text) }
    } catch (error) {
      throw new UserError(`${join(folder, name)} is no life: ${error instanceof Error ? error.message : error}.`)
    }
  })
}

/** Lives that models told, as scenarios: asked about as simulated ones are. */
export async function loadLives({ tasks, size, extra }: SuiteOptions, folder: string): Promise<LoadedSuite> {
  const all = readLives(folder)
  const { personas = 'all' } = extra
  const wanted = personas === 'all' ? null : personasFrom(personas, size)
  const count = size === 'quick' ? 1 : size === 'paper' ? all.length : size
  const chosen = all.filter(({ trace }) => wanted?.some((name) => name === trace.persona) ?? true).slice(0, count)
  const asked = TASKS.filter((task) => tasks?.includes(task) ?? true)
  const scenarios = []
  for (const life of chosen) scenarios.push(await scenarioOf(life, asked))
  return { scenarios, datasetHash: fingerprint(chosen.map(({ hash }) => hash)), audit: [] }
}

/** A told life with what is asked about it. */
export async function scenarioOf({ trace, talks, seed, guessed }: ToldLife, tasks: readonly Task[]): Promise<Scenario> {
  return filterQuestions(await askedAbout(trace, talks, { seed, tasks }), ({ id }) => !guessed.includes(id))
}

/** Sessions for people to look over; when one is rejected, all of its persona are. */
export async function reviewLives(folder: string): Promise<ReviewRow[]> {
  if (!holdsLives(folder)) throw new UserError(`${folder} holds no lives that models told.`)
  return readLives(folder).flatMap(({ trace, talks, seed }) =>
    trace.sessions.map(({ number, day, operation }, at) => ({
      id: `${trace.persona}@${seed}/${number}`,
      stratum: `${trace.persona} ${operation?.of ?? 'none'} ${operation?.act ?? ''}`.trim(),
      batch: trace.persona,
      text: talks[at]!.turns.map(({ role, text }) => `${role}: ${text}`).join('\n'),
      claim: `${day}: ${operation ? JSON.stringify(operation) : 'nothing to remember'}`,
    })),
  )
}
