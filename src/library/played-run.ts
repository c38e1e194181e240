import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { removeTemporary, temporaryFolder } from '../base/temporary.js'
import { executePlan } from '../engine/execute.js'
import type { PlannedLife, PlannedSubject } from '../engine/plan.js'
import { llmTaker } from '../engine/taker.js'
import type { Judge, LlmRole, RunStore, Suite } from '../model/index.js'
import { isReader, isRehearsed, questionsOf, sameJudgePair, subjectKey } from '../model/index.js'
import { databaseBytes } from '../store/sqlite-database.js'
import { openSqliteStore } from '../store/sqlite-run-store.js'
import { resolveSystem } from '../systems/registry.js'
import { CallCounter, type CountedCalls, type Phase, textCounter } from './call-counter.js'
import type { Workshop } from './compose.js'
import { lengthOf } from './forecast.js'

/** What a run would ask of models, and on what that rests. */
export interface PlayedRun {
  calls: CountedCalls[]
  /** Of how many lives of a suite how many were played. */
  lives: { suite: string; played: number; all: number }[]
  /** Systems with a model whose replies are not known: they were played by their rehearsal. */
  rehearsed: string[]
  /** Systems that were not played: in their place stood one that keeps everything as said and finds by words. */
  replaced: string[]
  /** What systems threw. */
  failures: string[]
  /** Texts whose vectors are kept nowhere. */
  texts: number
  /** Bytes that the run will take on disk, vectors included. */
  bytes: number
}

/** Lives of one suite that are played; the others are taken to be like them. */
const MOST_LIVES = 6

/** Characters of conversations that are played of a suite, unless a single life has more. */
const MOST_TEXT = 6_000_000

/**
 * Plays a run without asking anybody: the engine stores, retrieves, answers and judges as it will, on models that only count. So prompts are
 * those that will be sent, as far as they do not depend on what real models say. Of many lives some are played, of all lengths.
 *
 * @param inside systems with a model inside are played, too; otherwise another stands in their place, which is fast
 */
export async function playRun(workshop: Workshop, inside: boolean): Promise<PlayedRun> {
  const { plan, embed } = workshop
  const texts = textCounter(embed)
  const counter = new CallCounter()
  const instruments = await workshop.instrumentsOn(() => ({ llm: (model) => counter.outside(model) }), texts.embed)
  const folder = temporaryFolder('estimate')
  const stores = playedStores(folder)
  const standIn = await resolveSystem('bm25', process.cwd())
  const played: PlayedRun = { calls: [], lives: [], rehearsed: [], replaced: [], failures: [], texts: 0, bytes: 0 }
  const isReplaced = ({ outside, model, definition }: PlannedSubject) =>
    outside || (model !== null && !(inside && definition.rehearsal))
  for (const subject of plan.subjects) {
    if (isReplaced(subject)) played.replaced.push(subjectKey(subject))
    else if (isUnsure(subject)) played.rehearsed.push(subjectKey(subject))
  }
  const play = async (phase: Phase, lives: readonly PlannedLife[]) => {
    const own = lives.filter((life) => phase === 'stores' || life.readers.length > 0)
    if (own.length === 0) return
    // Judges that go by question have nothing to do before there are answers.
    const blind = instruments.judge.facts.judgeQuestions && own.every((life) => life.readers.length === 0)
    await executePlan({
      run: 'estimate',
      plan: { ...plan, lives: own },
      judge: blind ? sameJudgePair(blindJudge) : instruments.judge,
      judgedAgain: blind ? [] : instruments.judgedAgain,
      tracker: blindJudge,
      readers: new Map([...instruments.readers].map(([name, one]) => [name, { ...one, key: `${one.key} ${phase}` }])),
      concurrency: 1,
      tools: {
        store: stores.open(),
        embed: texts.embed,
        llm: (model, { rehearsal }) => counter.inside(model, rehearsal!),
        taker: plan.request.taker === undefined ? null : llmTaker(counter.outside(plan.request.taker)),
        endpoint: workshop.endpoint,
        workroot: join(folder, 'work'),
        signal: new AbortController().signal,
        inFlight: 64,
        settleMs: 600_000,
        log: (message) => played.failures.push(message),
      },
      onProgress: () => {},
    })
  }
  try {
    for (const { suite } of plan.suites) {
      const groups = groupsOf(plan.lives, suite)
      const all = groups.reduce((sum, group) => sum + group.length, 0)
      if (all > 0) played.lives.push({ suite: suite.name, played: groups.length, all })
      for (const group of groups) {
        const middle = group[Math.floor(group.length / 2)]!
        const { scenario } = middle
        const questions = new Map(questionsOf(scenario).map((question) => [question.id, question]))
        texts.weight = ratioOf(group, middle, lengthOf)
        await stores.begin(texts.weight)
        for (const phase of ['stores', 'short', 'long'] satisfies Phase[]) {
          for (const subject of plan.subjects) {
            const replaced = isReplaced(subject)
            const player = replaced ? { ...subject, ...standIn, system: standIn.label, model: null } : subject
            const own = plan.lives.filter((life) => life.scenario === scenario && life.subject === subject)
            if (own.length === 0) continue
            const lives = own.map((life): PlannedLife => {
              // Of a memory without a model nobody asks anything along a timeline; it only takes room on disk.
              const timeline = life.timeline && (inside || subject.model !== null) && !replaced
              const readers = life.readers.filter((reader) => isReader(reader) === (phase !== 'stores'))
              return { ...life, timeline, subject: player, readers: replaced && phase === 'stores' ? [] : readers }
            })
            counter.scene = {
              phase,
              subject: subjectKey(subject),
              questions,
              unsure: replaced || isUnsure(subject),
              weight: weightOf(group, own[0]!, subject.definition.depth === 'fixed'),
            }
            await play(phase, lives)
          }
          await stores.endPhase(phase)
        }
      }
    }
  } finally {
    await stores.close()
    removeTemporary(folder)
  }
  const vectors = texts.texts() * embed.dimensions * 4
  return { ...played, calls: counter.counted(), texts: texts.texts(), bytes: stores.bytes() + vectors }
}

/** What a real model inside will say is not known. */
function isUnsure({ model }: PlannedSubject): boolean {
  return model !== null && !isRehearsed(model)
}

/** A life of each scenario of a suite, from the shortest to the longest, in as many groups as are played. */
function groupsOf(lives: readonly PlannedLife[], suite: Suite): PlannedLife[][] {
  const first = new Map(lives.filter((life) => life.suite === suite).map((life) => [life.scenario, life]))
  const sorted = [...first.values()].sort((a, b) => lengthOf(a) - lengthOf(b))
  const text = sorted.reduce((sum, life) => sum + lengthOf(life), 0)
  const fitting = Math.floor(MOST_TEXT / Math.max(1, text / sorted.length))
  const groups = Math.min(sorted.length, Math.max(1, Math.min(MOST_LIVES, fitting)))
  return Array.from({ length: groups }, (_, i) =>
    sorted.slice(Math.round((i * sorted.length) / groups), Math.round(((i + 1) * sorted.length) / groups)),
  )
}

/** For how much one life stands: storing goes with the length of conversations, asking with questions, reading everything with both. */
function weightOf(group: readonly PlannedLife[], one: PlannedLife, readsAll: boolean) {
  const ratio = (measure: (life: PlannedLife) => number) => ratioOf(group, one, measure)
  const text = ratio(lengthOf)
  const asks = ratio(({ asks }) => asks.length)
  const read = readsAll ? ratio((life) => life.asks.length * lengthOf(life)) : asks
  return (role: LlmRole) => (role === 'ingest' ? { calls: text, tokens: text } : { calls: asks, tokens: read })
}

function ratioOf(group: readonly PlannedLife[], one: PlannedLife, measure: (life: PlannedLife) => number): number {
  return group.reduce((sum, life) => sum + measure(life), 0) / Math.max(1, measure(one))
}

/** Finds nothing, at once: where verdicts are not looked at. */
const blindJudge: Judge = {
  name: 'blind',
  key: 'blind',
  judgeFacts: async (facts) =>
    facts.map(({ id }) => ({ fact: id, label: 'not_stored', uncertain: false, support: [], reason: '', quotes: [] })),
  judgeAnswer: async () => ({ grade: 'wrong', uncertain: false, reason: '' }),
}

/**
 * Run stores of a run that is played, one for each life that stands for others, and the bytes that the real one will have. Answers are
 * played twice, short and long: they count as half of both.
 */
function playedStores(folder: string) {
  const file = join(folder, 'estimate.db')
  let store: RunStore | null = null
  let weight = 1
  let last = 0
  let bytes = 0
  let empty = 0
  const open = (): RunStore => (store ??= openSqliteStore(file))
  const close = async () => {
    await store?.close()
    store = null
  }
  return {
    open,
    close,
    /** Begins with an empty store for a life that stands for so many. */
    async begin(lives: number): Promise<void> {
      await close()
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
      open()
      await close()
      weight = lives
      last = empty = databaseBytes(file)
    },
    async endPhase(phase: Phase): Promise<void> {
      await close()
      const grown = databaseBytes(file) - last
      last = databaseBytes(file)
      bytes += grown * weight * (phase === 'stores' ? 1 : 0.5)
    },
    bytes: () => Math.round(bytes + empty),
  }
}
