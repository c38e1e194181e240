import type { Embedder } from '../src/model/index.js'
import { DAYS, type Duration } from '../src/suites/memora/days.js'
import { askOf } from '../src/suites/memora/questions/index.js'
import { PERSONAS } from '../src/suites/memora/seed.js'
import { simulate } from '../src/suites/memora/simulate/index.js'
import { PUBLISHED, type SessionStatistics, sessionStatistics } from '../src/suites/memora/simulate/mix.js'
import { diversity, EVERY_PAIR, meanSessionSimilarity } from '../src/suites/memora/talk/diversity.js'
import { findGroundingErrors } from '../src/suites/memora/talk/grounded.js'
import { type SpokenSession, tellSessions } from '../src/suites/memora/talk/talk.js'
import { type LifeTrace, TASKS } from '../src/suites/memora/trace.js'
import { violations } from '../src/suites/memora/violations.js'
import type { BenchTable } from './bench.js'
import { type Loads, loadsOf, publishedLoads } from './loads.js'

/** The seed of the lives that the suite has by default. */
const SEED = 42
const SEEDS = 1_000
const PAIRS = 8_000
/** Seeds checked before others have a turn. */
const AT_ONCE = 50
const TIMELINES = ['weekly', 'monthly', 'quarterly'] as const

/** What the paper's Table 2 says of published conversations: turns a session, overlap of word runs, closeness of embeddings. */
const PUBLISHED_TALK: Record<Duration, { turns: number; overlap: Record<1 | 2 | 3, number>; cosine: number }> = {
  weekly: { turns: 16.1, overlap: { 1: 0.144, 2: 0.027, 3: 0.011 }, cosine: 0.275 },
  monthly: { turns: 15.6, overlap: { 1: 0.144, 2: 0.026, 3: 0.011 }, cosine: 0.272 },
  quarterly: { turns: 15.7, overlap: { 1: 0.126, 2: 0.027, 3: 0.01 }, cosine: 0.281 },
}

/** What is counted of lives of one length. Seconds are for all ten. */
interface Counted {
  mix: SessionStatistics
  loads: Loads
  turns: number
  overlap: Record<1 | 2 | 3, number>
  cosine: number
  pairs: number
  broken: number
  unfounded: number
  brokenSeeds: number
  simulating: number
  talking: number
}

/**
 * Ten lives of each published length beside the paper's Tables 1 and 2, how varied their talk is, and whether 1,000 seeds keep all constraints.
 *
 * @example console.table((await benchLives(() => {}, embedder)).rows)
 */
export async function benchLives(progress: (message: string) => void, embedder: Embedder): Promise<BenchTable> {
  const counted = {} as Record<Duration, Counted>
  for (const timeline of TIMELINES) counted[timeline] = await count(timeline, progress, embedder)
  progress('ten personas for 90 days')
  const ninety = inWords(90)
  const row = (name: string, ours: (one: Counted) => string, theirs?: (timeline: Duration) => string): string[] => [
    name,
    ...TIMELINES.flatMap((timeline) => [ours(counted[timeline]), theirs?.(timeline) ?? '–']),
  ]
  const mixed = (name: string, key: keyof SessionStatistics): string[] =>
    row(
      name,
      ({ mix }) => mix[key].toFixed(1),
      (timeline) => beside(counted[timeline].mix[key], PUBLISHED[timeline][key]),
    )
  const loaded = (name: string, key: keyof Loads): string[] =>
    row(
      name,
      ({ loads }) => loads[key].toFixed(key.endsWith('_max') ? 0 : 1),
      (timeline) => beside(counted[timeline].loads[key], publishedLoads(timeline)[key]),
    )
  return {
    title: 'Simulated Memora lives',
    note: `All ten personas, seed ${SEED}, beside the paper (in brackets how far ours is from it): its Table 2, and for what questions rest on
its Table 1. Shares are recomputed from the release to one digit more; Table 2 prints 68/13/19, 63/16/21 and 63/18/19. Sessions that changed
or withdrew something are those of remembering and recommending. Overlap is the mean over
${PAIRS.toLocaleString('en')} random pairs of sessions, cosine that of ${embedder.id} over all ${counted.weekly.pairs.toLocaleString('en')} pairs of ${EVERY_PAIR} of them. Constraints are those of the
trace; grounded means that a session says what it does and nothing else trackable. Both count findings; the seeds take the personas in turn.
Ten personas × 90 days: ${ninety.simulating.toFixed(2)} s to simulate, ${ninety.talking.toFixed(2)} s to put into words.`,
    columns: ['a persona', ...TIMELINES.flatMap((timeline) => [`${DAYS[timeline]} days`, 'paper'])],
    rows: [
      mixed('sessions', 'sessions'),
      mixed('operations', 'operations'),
      mixed('added %', 'add'),
      mixed('updated %', 'update'),
      mixed('deleted %', 'delete'),
      loaded('sessions a question', 'consolidation'),
      loaded('… at most', 'consolidation_max'),
      loaded('changes a question', 'mutation'),
      loaded('… at most', 'mutation_max'),
      row(
        'turns a session',
        ({ turns }) => turns.toFixed(2),
        (timeline) => PUBLISHED_TALK[timeline].turns.toFixed(1),
      ),
      ...([1, 2, 3] as const).map((run) =>
        row(
          `overlap of ${run}-grams`,
          ({ overlap }) => overlap[run].toFixed(3),
          (timeline) => PUBLISHED_TALK[timeline].overlap[run].toFixed(3),
        ),
      ),
      row(
        'cosine',
        ({ cosine }) => cosine.toFixed(3),
        (timeline) => PUBLISHED_TALK[timeline].cosine.toFixed(3),
      ),
      row('constraints broken', ({ broken }) => String(broken)),
      row(`in ${SEEDS.toLocaleString('en')} seeds`, ({ brokenSeeds }) => String(brokenSeeds)),
      row('not grounded', ({ unfounded }) => String(unfounded)),
      row('simulating s', ({ simulating }) => simulating.toFixed(2)),
      row('putting into words s', ({ talking }) => talking.toFixed(2)),
    ],
  }
}

/** A published number, and how far ours is from it. */
function beside(ours: number, published: number): string {
  const away = 100 * (ours / published - 1)
  return `${published} (${away < 0 ? '−' : '+'}${Math.abs(away).toFixed(1)} %)`
}

async function count(timeline: Duration, progress: (message: string) => void, embedder: Embedder): Promise<Counted> {
  const days = DAYS[timeline]
  progress(`ten personas for ${days} days`)
  const { traces, talks, simulating, talking } = inWords(days)
  const sessions = talks.flat()
  const turns = sessions.reduce((sum, one) => sum + one.turns.length, 0) / sessions.length
  const unfounded = traces.reduce((sum, trace, at) => sum + findings(trace, talks[at]!), 0)
  const broken = traces.reduce((sum, trace) => sum + violations(trace).length, 0)
  const overlap = diversity(sessions, PAIRS, SEED)
  progress(`meaning of ${EVERY_PAIR} sessions`)
  const { cosine, pairs } = await meanSessionSimilarity(sessions, EVERY_PAIR, SEED, embedder)
  progress(`${SEEDS} seeds of ${days} days`)
  const brokenSeeds = await brokenIn(days)
  const loads = loadsOf(traces.flatMap((trace) => askOf(trace, { seed: SEED, tasks: TASKS })))
  return {
    mix: sessionStatistics(traces),
    loads,
    turns,
    overlap,
    cosine,
    pairs,
    broken,
    unfounded,
    brokenSeeds,
    simulating,
    talking,
  }
}

function inWords(days: number): { traces: LifeTrace[]; talks: SpokenSession[][]; simulating: number; talking: number } {
  const start = performance.now()
  const traces = PERSONAS.map((persona) => simulate({ persona, days, seed: SEED }))
  const between = performance.now()
  const talks = traces.map((trace) => [...tellSessions(trace, SEED)])
  const end = performance.now()
  return { traces, talks, simulating: (between - start) / 1000, talking: (end - between) / 1000 }
}

const findings = (trace: LifeTrace, talks: readonly SpokenSession[]): number =>
  trace.sessions.reduce((sum, session, at) => sum + findGroundingErrors(trace, session, talks[at]!.turns).length, 0)

async function brokenIn(days: number): Promise<number> {
  let broken = 0
  for (let seed = 0; seed < SEEDS; seed++) {
    if (seed % AT_ONCE === 0) await new Promise((done) => setImmediate(done))
    broken += violations(simulate({ persona: PERSONAS[seed % PERSONAS.length]!, days, seed })).length
  }
  return broken
}
