import { unknownName } from '../base/errors.js'
import { fingerprint } from '../base/hash.js'
import { DEFAULT_BUDGETS, type Depth } from '../model/depth.js'
import { type ReaderRef, readReader, type Subject, subjectKey } from '../model/identity.js'
import type { OwnPrompts } from '../model/instrument.js'
import type { JudgePair } from '../model/judge.js'
import type { Question } from '../model/question.js'
import type { LifeKey } from '../model/run-store.js'
import { questionsOf, type Scenario } from '../model/scenario.js'
import type { LoadedSuite, Suite, SuiteOptions } from '../model/suite.js'
import type { SystemDefinition, SystemOptions } from '../model/system.js'

/** What a user asked for, complete and free of secrets: a run can be planned again from it. */
export interface RunRequest extends Pick<SuiteOptions, 'view' | 'seed' | 'size' | 'extra'> {
  /** `file` is the absolute path of one that is not built in. */
  suites: { name: string; tasks: string[] | null; file?: string }[]
  systems: string[]
  /** Null: the suite's own, or the paper's in the released view. `paper`: of each system as many as its papers retrieved. */
  ks: number[] | 'paper' | null
  /** A first look, at the depths at which each suite is best seen. */
  tour?: boolean
  /** Tokens of context to fill. Null: none where k was named; else the usual ones in a first look. */
  budgets: number[] | null
  /** A conversation that could not be stored ends its life. */
  strict?: boolean
  /** Folder of a published release, absolute. */
  data: string | null
  trials: number
  /** Questions a task, in the order in which they are asked. */
  limit: number | null
  /** Names of the scenarios that are lived; all unless given. */
  episodes?: string[]
  /** As they are written, each time of answering a reader of its own. */
  readers: string[]
  /** How readers are asked to answer. */
  answerStyle: string
  /** `off` or `default`: how much readers may reason. */
  reasoning: string
  /** What readers are told, where it is not what comes with the package. */
  readerPrompt?: OwnPrompts
  /** The model that replies to what is told, where a suite wants that. */
  taker?: string
  models: string[]
  judge: JudgePair<string>
  /** How often they judge everything. The first time counts; the others show how far verdicts vary. */
  judgeTrials: number
  /** What models that judge are told, where it is not what comes with the package. */
  judgePrompt?: OwnPrompts
  embedder: string
  /** How a provider's model is asked for vectors. */
  vectors?: { dimensions?: number; query?: string; document?: string }
  /** Memories whose model is only played compare texts by their words: no embedder was asked for, and nothing is measured. */
  byWords?: boolean
  /** Keep the store after every conversation, also in suites that do not ask for it. */
  timeline?: boolean
  /** Only every so many-th life, from this one on, counted from 1. */
  shard?: { index: number; of: number }
}

/** How a suite is asked to load what a request is about. */
export function suiteOptions(request: RunRequest, tasks: string[] | null): SuiteOptions {
  const { data, view, seed, size, extra } = request
  return { ...(tasks && { tasks }), ...(data !== null && { data }), view, seed, size, extra }
}

/** A subject as it will be made. */
export interface PlannedSubject extends Subject {
  definition: SystemDefinition
  options: SystemOptions
  /** It comes from a file of the user's, and may reach what it likes. */
  outside?: boolean
}

/** A suite with everything it will ask. */
export interface LoadedPlanSuite extends LoadedSuite {
  suite: Suite
}

/** One life of one memory, with what is to be asked in it. */
export interface PlannedLife {
  key: Omit<LifeKey, 'run'>
  suite: Suite
  scenario: Scenario
  subject: PlannedSubject
  /** The store is kept after every conversation. */
  timeline: boolean
  /** Who answers; empty when nobody does. */
  readers: ReaderRef[]
  /** Questions that are asked, and at which depths. */
  asks: { question: Question; depths: Depth[] }[]
}

/** A run before it is run. */
export interface Plan {
  request: RunRequest
  suites: LoadedPlanSuite[]
  subjects: PlannedSubject[]
  lives: PlannedLife[]
  /** Hash of `settingParts`; equal settings can be compared. */
  setting: string
  settingParts: Record<string, string>
  subjectPrints: Record<string, string>
}

/**
 * Lays out everything a run will do. Pure: the same request over the same data gives the same plan.
 *
 * @param settingParts what results depend on besides the memories, by name
 */
export function makePlan(
  request: RunRequest,
  suites: LoadedPlanSuite[],
  subjects: PlannedSubject[],
  settingParts: Record<string, string>,
): Plan {
  const { shard } = request
  const all = suites.flatMap(({ suite, scenarios: loaded }) => {
    const scenarios = namedScenarios(request.episodes, suite, loaded)
    const chosen = chosenQuestions(request.limit, scenarios)
    return scenarios.flatMap((scenario) => {
      const questions = questionsOf(scenario).filter((question) => chosen.has(question))
      if (questions.length === 0) return []
      return subjects.flatMap((subject) => {
        const { system, model, definition } = subject
        const timeline = suite.timeline === true || request.timeline === true
        const readers = definition.answers ? (['self'] as const) : request.readers.map(readReader)
        const asks = questions.map((question) => ({
          question,
          depths:
            definition.depth === 'fixed' ? ['all' as const] : depthsOf(request, suite, question.task, [definition]),
        }))
        return Array.from({ length: request.trials }, (_, trial): PlannedLife => {
          const key = { subject: { system, model }, scenario: scenario.id, trial }
          return { key, suite, scenario, subject, timeline, readers: readers.filter((one) => one !== null), asks }
        })
      })
    })
  })
  const lives = shard ? all.filter((_, i) => i % shard.of === shard.index - 1) : all
  const subjectPrints = Object.fromEntries(subjects.map((subject) => [subjectKey(subject), printOf(subject)]))
  return { request, suites, subjects, lives, setting: fingerprint(settingParts), settingParts, subjectPrints }
}

/** The scenarios of a suite that are named, with or without the name of the suite before theirs; all of them where none is. */
function namedScenarios(
  names: string[] | undefined,
  suite: Suite,
  scenarios: readonly Scenario[],
): readonly Scenario[] {
  if (!names) return scenarios
  const known = new Map(
    scenarios.flatMap((one) => [one.id, one.id.replace(`${suite.name}/`, '')].map((id) => [id, one])),
  )
  const missing = names.find((name) => !known.has(name))
  if (missing !== undefined) throw unknownName('episode', missing, [...known.keys()])
  return [...new Set(names.map((name) => known.get(name)!))]
}

/**
 * The depths at which a task is asked: memories, then tokens of context. Naming one of the two asks for that one only; a first look has both.
 *
 * @param systems of whom it is asked, where they differ
 */
export function depthsOf(
  request: RunRequest,
  suite: Suite,
  task: string,
  systems: readonly Pick<SystemDefinition, 'paperK'>[] = [],
): Depth[] {
  const { ks, budgets } = request
  const firstLook = request.tour === true || request.size === 'quick'
  const tokens = budgets ?? (ks === null && firstLook ? DEFAULT_BUDGETS : [])
  const counts =
    ks === 'paper' ? paperKs(suite, systems) : (ks ?? (budgets?.length ? [] : usualKs(request, suite, task)))
  return [...counts.map((k) => ({ k })), ...tokens.map((size) => ({ tokens: size }))]
}

/** What papers retrieved from systems, and the suite's own k for those they did not run. */
function paperKs({ name, defaultK }: Suite, systems: readonly Pick<SystemDefinition, 'paperK'>[]): number[] {
  const ks = systems.flatMap(({ paperK }) => paperK?.[name] ?? defaultK)
  return [...new Set(ks.length > 0 ? ks : defaultK)].sort((a, b) => a - b)
}

function usualKs({ tour, data, view }: RunRequest, suite: Suite, task: string): number[] {
  if (tour) return suite.tourK ?? suite.defaultK
  const paper = suite.tasks.find(({ name }) => name === task)?.paperK
  return data !== null && view === 'released' && paper?.length ? paper : suite.defaultK
}

/** The questions that are asked: so many of each task, in their order, and what these are paired with. */
function chosenQuestions(limit: number | null, scenarios: readonly Scenario[]): ReadonlySet<Question> {
  const questions = scenarios.flatMap(questionsOf)
  if (limit === null) return new Set(questions)
  const paired = new Set(scenarios.flatMap((scenario) => pairedQuestions(scenario)))
  const counts = new Map<string, number>()
  const chosen = questions.filter((question) => {
    if (paired.has(question)) return false
    const count = (counts.get(question.task) ?? 0) + 1
    counts.set(question.task, count)
    return count <= limit
  })
  const kept = new Set(chosen)
  return new Set([...chosen, ...scenarios.flatMap((scenario) => pairedQuestions(scenario, kept))])
}

/** The questions with which others of a scenario are paired. */
function pairedQuestions(scenario: Scenario, of?: ReadonlySet<Question>): Question[] {
  const questions = questionsOf(scenario)
  const pairs = new Set(questions.filter((question) => of?.has(question) ?? true).map(({ pair }) => pair))
  return questions.filter(({ id }) => pairs.has(id))
}

function printOf({ definition, options, system, model }: PlannedSubject): string {
  return fingerprint({ name: definition.name, version: definition.version, options, label: system, model })
}
