import { giveWay, mapGivingWay } from '../../../base/give-way.js'
import type { Criterion, Embedder } from '../../../model/index.js'
import { inWords, ofWhole, type Ruled, reportOf, WHOLE } from '../../lint-report.js'
import { compile } from '../compile.js'
import { DURATIONS } from '../days.js'
import { criteriaOf, nullFloor } from '../fama.js'
import type { QuestionCandidate } from '../questions/asking.js'
import { candidatesOf } from '../questions/index.js'
import { PERSONAS, readSeed } from '../seed.js'
import { checkSeed, seedSizes } from '../seed-check.js'
import { simulate } from '../simulate/index.js'
import { deviations, PUBLISHED, sessionStatistics } from '../simulate/mix.js'
import { diversity, EVERY_PAIR, meanSessionSimilarity } from '../talk/diversity.js'
import { findGroundingErrors } from '../talk/grounded.js'
import { type SpokenSession, tellSessions } from '../talk/talk.js'
import { type LifeTrace, TASKS } from '../trace.js'
import { violations } from '../violations.js'
import type { MemoraReport } from './published.js'

/** Pairs of sessions that are compared, and the highest mean overlap of runs of one, two and three words. */
const PAIRS = 8000
const MOST_ALIKE = { 1: 0.2, 2: 0.05, 3: 0.02 } as const
const RUNS = [1, 2, 3] as const

export interface LifeLint {
  seed: number
  days: number
  /** How many personas, in their order. */
  personas: number
  /** For how close sessions are in meaning; without one that is not told. */
  embedder?: Embedder
}

interface Life {
  trace: LifeTrace
  conversations: SpokenSession[]
  candidates: QuestionCandidate[]
  /** What went wrong when questions were made. */
  failure: string | null
}

/** Checks what this project simulates: traces, talk, its variety, questions and their criteria. */
export async function lintGeneratedLives({ seed, days, personas, embedder }: LifeLint): Promise<MemoraReport> {
  const lives: Life[] = []
  for (const persona of PERSONAS.slice(0, personas)) lives.push(await lifeOf(simulate({ persona, days, seed }), seed))
  const sessions = lives.flatMap(({ conversations }) => conversations)
  const overlap = diversity(sessions, PAIRS, seed)
  const meaning = embedder && (await meanSessionSimilarity(sessions, EVERY_PAIR, seed, embedder))
  const asked = TASKS.map((task) => {
    const all = lives.flatMap(({ candidates }) => candidates.map(({ question }) => question))
    return { task, questions: all.filter((question) => question.task === task) }
  })
  const floors = asked.map(({ task, questions }) => ({ task, floor: 100 * (nullFloor(questions) ?? 0) }))
  const floorWords = floors.map(({ task, floor }) => ({ floor, words: `${task} ${floor.toFixed(2)}` }))
  const overlaps = RUNS.map((run) => ({ run, share: overlap[run], words: overlap[run].toFixed(3) }))
  const seedData = readSeed()
  const mix = sessionStatistics(lives.map(({ trace }) => trace))
  const duration = DURATIONS[days as keyof typeof DURATIONS]
  const away = duration && deviations(mix, PUBLISHED[duration])
  const from = away && ` (${signed(away.sessions)} and ${signed(away.operations)} from the published)`

  const rule = (name: string, about: string, found: Ruled['found']): Ruled => ({ name, about, found })
  const each = (find: (life: Life) => [place: string, message: string][]): Ruled['found'] =>
    lives.flatMap((life) => find(life).map(([place, message]) => ({ row: `${life.trace.persona} ${place}`, message })))
  const inQuestions = (find: (criteria: readonly Criterion[]) => string[]): Ruled['found'] =>
    each(({ candidates }) =>
      candidates.flatMap(({ question }) =>
        find(criteriaOf(question)).map((message): [string, string] => [question.id, message]),
      ),
    )
  const rules = [
    rule(
      'seed',
      "seed data is unambiguous and at least as large as the paper's Table 7",
      checkSeed(seedData).map(({ where, message }) => ({ row: where, message })),
    ),
    rule(
      'trace',
      'operations touch what exists, in order, with the value it has',
      each(({ trace }) => violations(trace).map(({ session, text }) => [`session ${session}`, text])),
    ),
    rule(
      'said',
      'every session says what it does, and nothing else that could be kept',
      each(({ trace, conversations }) =>
        trace.sessions
          .flatMap((session, at) => findGroundingErrors(trace, session, conversations[at]!.turns))
          .map(({ session, message }) => [`session ${session}`, message]),
      ),
    ),
    rule('evidence', 'every fact stands in a sentence of its conversation', each(unproven)),
    rule(
      'reckoned-twice',
      'gold of reasoning comes out the same by a second way',
      each(({ failure }) => (failure === null ? [] : [[WHOLE, failure]])),
    ),
    rule('duplicates', 'nothing is asked for twice in one question', inQuestions(duplicates)),
    rule('contradictions', 'nothing must be both there and not', inQuestions(clashes)),
    rule(
      'null-answer',
      'an empty answer gets nothing',
      floorWords.flatMap(({ floor, words }) => ofWhole(floor !== 0 && words)),
    ),
    rule(
      'variety',
      `sessions share few runs of 1/2/3 words: at most ${Object.values(MOST_ALIKE).join('/')}`,
      overlaps.flatMap(({ run, share, words }) => ofWhole(share > MOST_ALIKE[run] && `runs of ${run}: ${words}`)),
    ),
  ]
  const report = reportOf(`${days} days`, lives.length, rules, {
    'null answer': floorWords.map(({ words }) => words).join(', '),
    'seed data': inWords(Object.entries(seedSizes(seedData))),
    sessions: `${mix.sessions.toFixed(1)} a persona, ${mix.operations.toFixed(1)} of them with an operation${from ?? ''}`,
    operations: (['add', 'update', 'delete'] as const)
      .map((act) => `${act} ${mix[act].toFixed(1)} %${away ? ` (${signed(away[act])})` : ''}`)
      .join(', '),
    'turns a session': (sessions.flatMap(({ turns }) => turns).length / sessions.length).toFixed(2),
    'overlap of runs of 1/2/3 words': `${overlaps.map(({ words }) => words).join(' / ')} over ${PAIRS} pairs`,
    ...(meaning && {
      'cosine of embeddings': `${meaning.cosine.toFixed(3)} over all ${meaning.pairs} pairs of ${meaning.sessions} sessions`,
    }),
    'questions that could be asked': inWords(asked.map(({ task, questions }) => [task, questions.length])),
  })
  return { ...report, counts: Object.fromEntries(floors.map(({ task, floor }) => [`null ${task}`, floor])) }
}

async function lifeOf(trace: LifeTrace, seed: number): Promise<Life> {
  const conversations = await mapGivingWay(tellSessions(trace, seed), (session) => session)
  await giveWay()
  try {
    const candidates = Object.values(candidatesOf(trace, seed)).flat()
    return { trace, conversations, candidates, failure: null }
  } catch (error) {
    return { trace, conversations, candidates: [], failure: error instanceof Error ? error.message : String(error) }
  }
}

/** Facts whose sentences are not known, or do not stand in what the user says. */
function unproven({ trace, conversations }: Life): [string, string][] {
  const texts = new Map(
    conversations.map(({ id, turns }) => [id, turns.flatMap(({ role, text }) => (role === 'user' ? [text] : []))]),
  )
  const { facts } = compile({ trace, conversations, questions: [], derived: [] })
  const isSaid = ({ evidence = [], sources }: (typeof facts)[number]) => {
    const said = sources.flatMap((source) => texts.get(source) ?? [])
    return evidence.length > 0 && evidence.every((sentence) => said.some((text) => text.includes(sentence)))
  }
  return facts.filter((fact) => !isSaid(fact)).map(({ id }) => [id, 'its sentences are not in the conversation'])
}

/** What a criterion asks for, apart from how it is put. */
const keyOf = ({ asks, text }: Criterion): string =>
  JSON.stringify(asks ? [asks.act, asks.forms[0], asks.numbers ?? [], asks.status?.forms ?? []] : text)

function duplicates(criteria: readonly Criterion[]): string[] {
  const keys = criteria.map((one) => `${one.type} ${keyOf(one)}`)
  return criteria.filter((_, at) => keys.indexOf(keys[at]!) < at).map(({ text }) => text)
}

function clashes(criteria: readonly Criterion[]): string[] {
  const wanted = new Set(criteria.filter(({ type }) => type === 'presence').map(keyOf))
  return criteria.filter((one) => one.expected === 'no' && wanted.has(keyOf(one))).map(({ text }) => text)
}

const signed = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`
