import { Random } from '../../../base/random.js'
import type { Turn } from '../../../model/index.js'
import type { Episode, Session, Statement } from '../episode.js'
import { type FillerPool, fillSessions } from '../filler/index.js'
import { type Domain, type Graph, readGraph } from '../graph.js'
import { briefing, news, talk } from './dialogue.js'
import type { EpisodePlan } from './plan.js'
import { questionsFor } from './questions.js'
import { planEpisode } from './skeleton.js'
import { PARTS, type Part, type Saying, sayings } from './statements.js'

/** How an episode is made. */
export interface EpisodeRequest {
  domain: Domain
  seed: number
  /** Number of the episode within its domain, from 0. */
  index: number
  /** Tokens of conversations that have no bearing on it. */
  filler: number
  /** What reports call that. */
  fillerName: string
  pool?: FillerPool
}

const START = Date.parse('2023-03-01T09:00:00Z')
const HOUR = 3_600_000
const GAPS = 6
const MOST_TRIES = 20

/**
 * Makes one episode: what holds, what depends on what, what changes, how it is told and what is asked. Same request, same bytes.
 *
 * @example makeEpisode({ domain: 'software-project', seed: 1, index: 0, filler: 32_000, fillerName: '32k' })
 */
export function makeEpisode(request: EpisodeRequest): Episode {
  const { domain, seed, index } = request
  const graph = readGraph(domain)
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const plan = planEpisode(graph, `${seed}${attempt === 0 ? '' : ` again ${attempt}`}`, index)
    const episode = tell(plan, request, new Random(`${seed} ${domain} ${index} told ${attempt}`))
    if (episode) return episode
  }
  throw new Error(`No episode ${index} of ${domain} came out as planned in ${MOST_TRIES} tries`)
}

function tell(plan: EpisodePlan, request: EpisodeRequest, random: Random): Episode | null {
  return episodeFrom(plan, sayings(plan, random), request, random)
}

/** The episode of a plan, told in talk of ours or as it was told already; null when a task would not be what it is called. */
export function episodeFrom(
  plan: EpisodePlan,
  said: readonly Saying[],
  request: EpisodeRequest,
  random: Random,
  turns?: ReadonlyMap<Part, Turn[]>,
): Episode | null {
  const { graph } = plan
  const { domain, index } = request
  const told = assemble(said, request, blockedBy(plan, said), random, turns)
  const questions = questionsFor(plan, told.statements, random)
  if (!questions) return null
  return {
    id: `${domain === 'personal-life' ? 'pl' : 'sw'}_${String(index + 1).padStart(3, '0')}${suffix(request)}`,
    domain,
    root: plan.root,
    ...told,
    questions,
    namesOf: (entity) => [...new Set([graph.entity(entity).label, ...graph.entity(entity).cues])],
    formsOf: (entity, value) => formsOf(graph, entity, value),
    tags: { filler: request.fillerName },
  }
}

/** An episode as it is written out: its sessions with their times, and where each thing is said. */
export type WrittenEpisode = Pick<Episode, 'sessions' | 'storedBefore' | 'times'> & { statements: Statement[] }

/** Makes sessions of what is to be said, with fillers that say none of what is blocked. */
export function assemble(
  said: readonly Saying[],
  request: EpisodeRequest,
  blocked: readonly string[],
  random: Random,
  told?: ReadonlyMap<Part, Turn[]>,
): WrittenEpisode {
  const turns = told ?? new Map(PARTS.map((part) => [part, turnsOf(request.domain, part, said, random)]))
  const { sessions, ids, storedBefore } = arrange(turns, request, blocked, random)
  const last = Date.parse(sessions.at(-1)!.time)
  return {
    sessions,
    storedBefore,
    times: {
      before: sessions[storedBefore - 1]!.time,
      after: timeAfter(last, between(random, 2, 48) + between(random, 2, 24)),
    },
    statements: said.map(({ part, forget: _, ...statement }) => ({ ...statement, session: ids.get(part)! })),
  }
}

/** What the id of an episode with filler ends with. */
export function suffix({ fillerName }: Pick<EpisodeRequest, 'fillerName'>): string {
  return fillerName === 'none' ? '' : `@${fillerName}`
}

function turnsOf(domain: Domain, part: Part, said: readonly Saying[], random: Random): Turn[] {
  const own = said.filter((saying) => saying.part === part)
  const sentences = own.map(({ text }) => text)
  if (part === 'change')
    return news(
      domain,
      own.map(({ text, forget }) => ({ sentence: text, ...(forget && { forget }) })),
      random,
    )
  return part === '2' ? briefing(domain, sentences, random) : talk(domain, sentences, random)
}

/** Evidence and filler in order, with times. The first questions come between the fifth gap and the change. */
function arrange(
  turns: ReadonlyMap<Part, Turn[]>,
  { domain, seed, index, filler, pool }: EpisodeRequest,
  blocked: readonly string[],
  random: Random,
) {
  const fillers = fillSessions({
    domain,
    tokens: filler,
    gaps: GAPS,
    seed: `${seed} ${index}`,
    blocked,
    ...(pool && { pool }),
  })
  const sessions: Session[] = []
  const ids = new Map<Part, string>()
  let clock = START
  const add = (said: Turn[], evidence: boolean): string => {
    const id = `s${String(sessions.length + 1).padStart(2, '0')}`
    sessions.push({ id, time: timeAfter(clock, 0), turns: said, evidence })
    clock = Date.parse(timeAfter(clock, between(random, 2, 48)))
    return id
  }
  let storedBefore = 0
  const gap = (place: number) => {
    for (const session of fillers[place]!) add(session.turns, false)
  }
  for (const [place, part] of PARTS.entries()) {
    gap(place)
    if (part === 'change') storedBefore = sessions.length
    ids.set(part, add(turns.get(part)!, true))
  }
  gap(GAPS - 1)
  return { sessions, ids, storedBefore }
}

/** What no filler may say: every value of the episode, and what its entities are called. */
function blockedBy(plan: EpisodePlan, said: readonly Saying[]): string[] {
  const values = said.flatMap(({ entity, value, parent }) => [
    ...formsOf(plan.graph, entity, value),
    ...(parent?.becomes === undefined ? [] : [parent.becomes]),
  ])
  return [...new Set([...values, plan.root.before])]
}

function formsOf(graph: Graph, entity: string, value: string): string[] {
  const known = graph.entity(entity).values.find(({ text }) => text === value)
  return [value, ...(known?.forms ?? [])]
}

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.random()
}

/** Whole minutes, as people and logs write them. */
function timeAfter(time: number, hours: number): string {
  const minute = 60_000
  return `${new Date(Math.round((time + hours * HOUR) / minute) * minute).toISOString().slice(0, 19)}Z`
}
