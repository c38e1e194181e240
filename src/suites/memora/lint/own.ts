import { giveWay } from '../../../base/give-way.js'
import type { Criterion, Embedder } from '../../../model/index.js'
import { type Ruled, reportOf, WHOLE } from '../../lint-report.js'
import { compile } from '../compile.js'
import { DURATIONS } from '../days.js'
import { criteriaOf, nullFloor } from '../fama.js'
import type { QuestionCandidate } from '../questions/asking.js'
import { candidatesOf } from '../questions/index.js'
import { PERSONAS, readSeed } from '../seed.js'
import { checkSeed, seedSizes } from '../seed-check.js'
import { simulate } from '../simulate/index.js'
import { deviations, PUBLISHED, sessionStatistics } from '../simulate/mix.js'
import { diversity, EVERY_PAIR, similarity } from '../talk/diversity.js'
import { grounded } from '../talk/grounded.js'
import { type SpokenSession, tellLife } from '../talk/talk.js'
import { type LifeTrace, TASKS } from '../trace.js'
import { violations } from '../violations.js'
import type { MemoraReport } from './published.js'

/** Pairs of sessions that are compared, and the highest mean overlap of runs of one, two and three words. */
const PAIRS = 8000
const MOST_ALIKE = { 1: 0.2, 2: 0.05, 3: 0.02 } as const

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
export async function lintOwn({ seed, days, personas, embedder }: LifeLint): Promise<MemoraReport> {
  const lives: Life[] = []
  for (const persona of PERSONAS.slice(0, personas)) lives.push(await lifeOf(simulate({ persona, days, seed }), seed))
  const each = (find: (life: Life) => [place: string | number, message: string][]): Ruled['found'] =>
    lives.flatMap((life) => find(life).map(([place, message]) => ({ row: `${life.trace.persona} ${place}`, message })))
  const inQuestions = (find: (candidate: QuestionCandidate) => string[]): Ruled['found'] =>
    each(({ candidates }) =>
      candidates.flatMap((one) => find(one).map((message): [string, string] => [one.question.id, message])),
    )
  const sessions = lives.flatMap(({ conversations }) => conversations)
  const overlap = diversity(sessions, PAIRS, seed)
  const meaning = embedder && (await similarity(sessions, EVERY_PAIR, seed, embedder))
  const floors = TASKS.map((task) => {
    const asked = lives.flatMap(({ candidates }) => candidates.flatMap(({ question }) => question))
    return [task, 100 * (nullFloor(asked.filter((question) => question.task === task)) ?? 0)] as const
  })
  const material = readSeed()
  const rules: Ruled[] = [
    {
      name: 'seed',
      about: "seed data is unambiguous and at least as large as the paper's Table 7",
      found: checkSeed(material).map(({ where, message }) => ({ row: where, message })),
    },
    {
      name: 'trace',
      about: 'operations touch what exists, in order, with the value it has',
      found: each(({ trace }) => violations(trace).map(({ session, text }) => [`session ${session}`, text])),
    },
    {
      name: 'said',
      about: 'every session says what it does, and nothing else that could be kept',
      found: each(({ trace, conversations }) =>
        trace.sessions.flatMap((session, at) =>
          grounded(trace, session, conversations[at]!.turns).map(({ session, message }): [string, string] => [
            `session ${session}`,
            message,
          ]),
        ),
      ),
    },
    {
      name: 'evidence',
      about: 'every fact stands in a sentence of its conversation',
      found: each(unproven),
    },
    {
      name: 'reckoned-twice',
      about: 'gold of reasoning comes out the same by a second way',
      found: each(({ failure }) => (failure === null ? [] : [[WHOLE, failure]])),
    },
    { name: 'duplicates', about: 'nothing is asked for twice in one question', found: inQuestions(duplicates) },
    { name: 'contradictions', about: 'nothing must be both there and not', found: inQuestions(clashes) },
    {
      name: 'null-answer',
      about: 'an empty answer gets nothing',
      found: floors.flatMap(([task, floor]) =>
        floor === 0 ? [] : [{ row: WHOLE, message: `${task} ${floor.toFixed(2)}` }],
      ),
    },
    {
      name: 'variety',
      about: `sessions share few runs of 1/2/3 words: at most ${Object.values(MOST_ALIKE).join('/')}`,
      found: ([1, 2, 3] as const).flatMap((run) =>
        overlap[run] <= MOST_ALIKE[run] ? [] : [{ row: WHOLE, message: `runs of ${run}: ${overlap[run].toFixed(3)}` }],
      ),
    },
  ]
  const mix = sessionStatistics(lives.map(({ trace }) => trace))
  const duration = DURATIONS[days as keyof typeof DURATIONS]
  const away = duration && deviations(mix, PUBLISHED[duration])
  const shown = ([1, 2, 3] as const).map((run) => overlap[run].toFixed(3)).join(' / ')
  const report = reportOf(`${days} days`, lives.length, rules, {
    'null answer': floors.map(([task, floor]) => `${task} ${floor.toFixed(2)}`).join(', '),
    'seed data': Object.entries(seedSizes(material))
      .map(([kind, size]) => `${kind} ${size}`)
      .join(', '),
    sessions: `${mix.sessions.toFixed(1)} a persona, ${mix.operations.toFixed(1)} of them with an operation${away ? ` (${signed(away.sessions)} and ${signed(away.operations)} from the published)` : ''}`,
    operations: (['add', 'update', 'delete'] as const)
      .map((act) => `${act} ${mix[act].toFixed(1)} %${away ? ` (${signed(away[act])})` : ''}`)
      .join(', '),
    'turns a session': (sessions.reduce((sum, { turns }) => sum + turns.length, 0) / sessions.length).toFixed(2),
    'overlap of runs of 1/2/3 words': `${shown} over ${PAIRS} pairs`,
    ...(meaning && {
      'cosine of embeddings': `${meaning.cosine.toFixed(3)} over all ${meaning.pairs} pairs of ${meaning.sessions} sessions`,
    }),
    'questions that could be asked': TASKS.map((task) => `${task} ${countOf(lives, task)}`).join(', '),
  })
  return { ...report, counts: Object.fromEntries(floors.map(([task, floor]) => [`null ${task}`, floor])) }
}

async function lifeOf(trace: LifeTrace, seed: number): Promise<Life> {
  const conversations = await tellLife(trace, seed)
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
  return compile({ trace, conversations, questions: [], derived: [] }).facts.flatMap(
    ({ id, evidence = [], sources }) => {
      const said = sources.flatMap((source) => texts.get(source) ?? [])
      const isSaid = evidence.length > 0 && evidence.every((sentence) => said.some((text) => text.includes(sentence)))
      return isSaid ? [] : [[id, 'its sentences are not in the conversation'] as [string, string]]
    },
  )
}

/** What a criterion asks for, apart from how it is put. */
function keyOf({ asks, text }: Criterion): string {
  return JSON.stringify(asks ? [asks.act, asks.forms[0], asks.numbers ?? [], asks.status?.forms ?? []] : text)
}

function duplicates({ question }: QuestionCandidate): string[] {
  const seen = new Set<string>()
  return criteriaOf(question).flatMap((criterion) => {
    const key = `${criterion.type} ${keyOf(criterion)}`
    if (seen.has(key)) return [criterion.text]
    seen.add(key)
    return []
  })
}

function clashes({ question }: QuestionCandidate): string[] {
  const criteria = criteriaOf(question)
  const wanted = new Set(criteria.filter(({ type }) => type === 'presence').map(keyOf))
  return criteria.filter((one) => one.expected === 'no' && wanted.has(keyOf(one))).map(({ text }) => text)
}

function countOf(lives: readonly Life[], task: string): number {
  return lives.flatMap(({ candidates }) => candidates).filter(({ question }) => question.task === task).length
}

const signed = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`
