import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ResultKeys } from '../analysis/results.js'
import { UserError, unknownName } from '../base/errors.js'
import { suites as builtinSuites, factTracker } from '../builtins.js'
import { metered } from '../engine/bill.js'
import {
  type LoadedPlanSuite,
  makePlan,
  type Plan,
  type PlannedSubject,
  type RunRequest,
  suiteOptions,
} from '../engine/plan.js'
import { llmTaker, type TestTaker } from '../engine/taker.js'
import { timelineKey } from '../engine/timeline.js'
import { createEmbedder, embeddingModels, type LocalEmbedder, type ModelName, packsIn } from '../gateway/embed/index.js'
import { createEntailment, type LocalEntailment } from '../gateway/entailment/index.js'
import { type Gateway, openEndpoint, priceTable } from '../gateway/index.js'
import type { SharedTraffic } from '../gateway/shared.js'
import type { AskedJudge } from '../judges/registry.js'
import type { Embedder, Judge, JudgePair, Llm, OpenEndpoint, Reader, SystemDefinition } from '../model/index.js'
import { hasModelInside, isRehearsed, mapJudgePair, readReader, SYSTEM_TIMEOUT_MS } from '../model/index.js'
import { resolveSuite } from '../suites/registry.js'
import { hashEmbedder } from '../systems/hash-embedder.js'
import { type KeptSystem, keptSystem, systemFrom } from '../systems/kept-system.js'
import { requirePackages, resolveSystem } from '../systems/registry.js'
import type { PromptWords } from './choices.js'
import { type AskedReader, createJudges, createReaders, resolveJudges, resolveReaders } from './instruments.js'
import { requireKeepableIds } from './keepable-ids.js'
import { type KeptInstrument, type KeptInstruments, keptInstrument } from './kept-instruments.js'
import { type LookedAtSuites, leftOutWords, lookAtSuite } from './kept-suites.js'
import { checkModelSpecs, type ModelAccess, type Models, openGateway, shareLimits } from './model-access.js'
import { codeIn } from './named-code.js'
import { Parts } from './own-parts.js'
import { promptWords } from './prompts.js'
import { refuseRehearsal, rehearsedModel } from './rehearsal.js'
import { resolveTraces, tracesIn } from './scored-traces.js'
import { settingParts } from './settings/parts.js'
import { harnessVersion } from './version.js'

/** What judges and reads in a run. */
export interface InstrumentSet {
  judge: JudgePair<Judge>
  /** The same judges for the second time and on; what they say then shows how far verdicts vary. */
  judgedAgain: readonly JudgePair<Judge>[]
  /** Readers by name. */
  readers: ReadonlyMap<string, Reader>
}

/** Everything a call works with, made from a request. The only place that knows all parts by name. */
export interface Workshop extends InstrumentSet {
  plan: Plan
  /** The same judges and readers on other models, for estimates. */
  instrumentsOn(models: Models, embed: Embedder): Promise<InstrumentSet>
  /** Models that judge. */
  judgeModels: readonly string[]
  prompts: PromptWords
  /** Systems of the user's own by what was typed, as they are kept with the run. */
  own: Readonly<Record<string, KeptSystem>>
  /** Judges and readers of the user's own by what was typed, as they are kept with the run. */
  instruments: KeptInstruments
  /** Suites that were read without their code, each with a line that says how to load it. */
  leftOut: readonly LeftOut[]
  /** Follows facts along timelines, whatever judge decides at probes. */
  tracker: Judge
  embed: Embedder
  /** For memories whose model is only played. */
  rehearsedEmbed: Embedder
  /** Readers and judges are asked in batches. */
  batch: boolean
  /** When the prices that costs rest on were looked up. */
  prices: string
  /** Null when no model is used at all. */
  gateway: Gateway | null
  /** A model inside a memory system, by name. */
  llm(model: string, inside: SystemDefinition): Llm
  /** Replies to what is told, where a suite wants that; null where none does. */
  taker: TestTaker | null
  /** Servers for systems whose own client talks to the model. */
  endpoint: OpenEndpoint
  /** Milliseconds that a call of a system may take. */
  systemMs: number
  close(): Promise<void>
}

/** Enough that words of one text rarely meet. */
const REHEARSED_DIMENSIONS = 384

/** Where a user's runs, caches and reports are kept. */
export interface Home
  extends Record<'database' | 'cache' | 'work' | 'reports' | 'baselines' | 'labels' | 'prices', string> {
  /** Vectors, and local models as their engines read them: any number of homes may share them. */
  models: string
  /** Address of a store for runs, replies and vectors instead. */
  store: string | null
}

/** Where everything is kept, below one folder, but for what `MEMSCOPE_CACHE` keeps for several. */
export function homeAt(folder = '.memscope', store: string | null = null): Home {
  const inside = (name: string) => join(folder, name)
  const folders = { cache: inside('cache'), work: inside('work'), reports: inside('reports') }
  const files = { database: inside('memscope.db'), prices: inside('prices.json') }
  const models = process.env.MEMSCOPE_CACHE || folders.cache
  return { ...files, baselines: inside('baselines'), labels: inside('labels'), ...folders, models, store }
}

/** What composing needs besides a request; none of it changes what is measured. */
export interface ComposeOptions {
  access?: ModelAccess
  /** Whose spending a budget counts. */
  account?: string
  log?(message: string): void
  systemMs?: number
  /** Objects that the request names. */
  parts?: Parts
  /** Systems of the user's own as they were kept: these are not loaded before a memory of them is made. */
  own?: Readonly<Record<string, KeptSystem>> | undefined
  /** Length of the vectors of a remote embedder, where it is known. */
  vectorLength?: number | undefined
  /** What other processes share with this one. */
  shared?: SharedTraffic | undefined
  /** Systems are read as they were kept, and none is loaded. */
  asKept?: boolean
  /** A run that is only looked at: what it names is read as it was kept, and no code of it is loaded. */
  looking?: Looking | undefined
}

/** A suite that was read without its code. */
export interface LeftOut {
  suite: string
  /** What is missing, and how to have it. */
  words: string
}

/** What was kept of what a run names. Its systems are in `own`. */
export interface Looking extends LookedAtSuites {
  instruments: KeptInstruments | undefined
}

/** Resolves every name in a request, loads its data and lays out the plan. No run is written. */
export async function compose(request: RunRequest, home: Home, options: ComposeOptions = {}): Promise<Workshop> {
  const { access = {}, account = 'none', log = () => {}, vectorLength, shared, looking } = options
  const asKept = looking !== undefined || options.asKept === true
  const cwd = process.cwd()
  const { systemMs = SYSTEM_TIMEOUT_MS, parts = new Parts() } = options
  const askedReaders = await resolveReaders(request.readers, parts, looking)
  const askedJudges = await resolveJudges(request.judge, parts, looking)
  const read = [...askedReaders.values()].flatMap(({ named }) => named)
  const { taker } = request
  const embeds = request.embedder.includes(':') ? [request.embedder] : []
  const judgeModels = Object.values(askedJudges).flatMap(({ models }) => models)
  const others = [...read, ...judgeModels, ...embeds, ...(taker === undefined ? [] : [taker])]
  refuseRehearsal(others)
  checkModelSpecs([...others, ...request.models.filter((model) => !isRehearsed(model))], access)
  let opened: Gateway | null = null
  const gateway = (): Gateway => (opened ??= openGateway(access, home, account, log, shared))
  const isRemote = embeds.length > 0
  // An estimate asks nobody for vectors.
  const local =
    isRemote && !access.offline ? null : await openEmbedder(isRemote ? 'minilm' : request.embedder, home, shared)
  const { dimensions, ...prefixes } = request.vectors ?? {}
  const asked = { prefixes, ...(dimensions && { dimensions }), ...(vectorLength && { length: vectorLength }) }
  const embed = local ?? (await gateway().embedder(request.embedder, asked))
  const isOwn = (other: Embedder) => other === embed
  const entail = local ? openEntailment(request.embedder, home) : undefined
  const instrumentsOn = async (models: Models, embed: Embedder): Promise<InstrumentSet> => {
    const { judgeTrials, judgePrompt, answerStyle, reasoning, readerPrompt } = request
    // Whoever only plays the run has vectors that mean nothing.
    const judging = { embed, ...(isOwn(embed) && { entail }), models, prompts: judgePrompt }
    const [judge, ...judgedAgain] = await createJudges(askedJudges, judgeTrials, judging)
    const reading = { embed, models, prompts: readerPrompt }
    return { judge, judgedAgain, readers: await createReaders(askedReaders, answerStyle, reasoning, reading) }
  }
  const { judge, judgedAgain, readers } = await instrumentsOn(gateway, embed)
  const subjects: PlannedSubject[] = []
  let loading: Promise<LoadedPlanSuite[]> | undefined
  const leftOut: LeftOut[] = []
  const suites = () => (loading ??= loadSuites(request, parts, looking, leftOut))
  const code = codeIn(request, parts).systems
  const own: Record<string, KeptSystem> = {}
  for (const spec of request.systems) {
    const traces = tracesIn(spec)
    const load = async () => {
      if (asKept && (traces !== null || code.includes(spec))) throw notKept(spec)
      return traces === null
        ? resolveSystem(spec, cwd, systemMs, parts.systems)
        : resolveTraces(traces, request, await suites())
    }
    const kept = options.own?.[spec]
    const resolved = kept ? systemFrom(kept, load) : await load()
    if (resolved.outside) own[spec] = kept ?? (await keptSystem(resolved))
    const { label: system, ...subject } = resolved
    if (subjects.some((other) => other.system === system))
      throw new UserError(`The system "${system}" is named twice.`, 'Name each system once.')
    if (!asKept) requirePackages(subject.definition, cwd)
    if (await hasModelInside(subject.definition, subject.options)) {
      if (request.models.length === 0)
        throw new UserError(
          `The system "${system}" has a language model inside.`,
          `Name one with --model provider:model${subject.definition.rehearsal ? '; without a key, --model rehearsal:demo plays one' : ''}.`,
        )
      for (const model of request.models) if (isRehearsed(model)) rehearsedModel(model, subject.definition)
      subjects.push(...request.models.map((model) => ({ ...subject, system, model })))
    } else subjects.push({ ...subject, system, model: null })
  }
  const loaded = await suites()
  const instruments = {
    judge: mapJudgePair(judge, ({ key }) => key),
    readers: Object.fromEntries([...readers].map(([name, { key }]) => [name, key])),
    embedder: embed.id,
    harness: harnessVersion(),
  }
  if (shared && !looking && (access.budgetUsd !== undefined || access.rates))
    await shareLimits(access, account, gateway(), shared)
  const labels = [...askedReaders.keys()]
  const named: RunRequest = {
    ...request,
    // What a plan and its reports call them: of a file its name, wherever it lies.
    judge: mapJudgePair(askedJudges, ({ label }) => label),
    readers: request.readers.map((reader) => (readReader(reader) ? labels.shift()! : reader)),
  }
  return {
    plan: makePlan(named, loaded, subjects, settingParts({ request: named, suites: loaded, ...instruments })),
    own,
    instruments: ownInstruments(request, askedJudges, askedReaders, { judge, readers }),
    leftOut,
    instrumentsOn,
    judgeModels,
    prompts: {
      reader: promptWords(request.readerPrompt, askedReaders.values(), 'readers'),
      judge: promptWords(request.judgePrompt, Object.values(askedJudges), 'judges'),
    },
    judge,
    judgedAgain,
    tracker: await factTracker(),
    readers,
    embed,
    rehearsedEmbed: request.byWords ? hashEmbedder(REHEARSED_DIMENSIONS) : embed,
    batch: access.batch ?? false,
    prices: priceTable(access.prices).updated,
    get gateway() {
      return opened
    },
    llm: (model, inside) => (isRehearsed(model) ? rehearsedModel(model, inside) : gateway().llm(model)),
    taker: taker === undefined ? null : llmTaker(deferred(taker, () => metered(gateway().llm(taker), 0))),
    endpoint: async (parts) => {
      const endpoint = await openEndpoint(parts)
      gateway().keepSecret(endpoint.token)
      return endpoint
    },
    systemMs,
    close: async () => {
      await local?.close()
      await entail?.close()
      await opened?.close()
    },
  }
}

/** A model that is not reached before it is asked something. */
function deferred(model: string, open: () => Llm): Llm {
  return { model, generate: (request, options) => open().generate(request, options) }
}

/** A run that is only looked at names a system of which nothing was kept. */
function notKept(spec: string): UserError {
  return new UserError(
    `The run names a system that is code, ${spec}, of which nothing was kept.`,
    'Looking at a run loads no system: it can only be run again.',
  )
}

/** Judges and readers that are not built in, as they are kept. */
function ownInstruments(
  request: RunRequest,
  judges: JudgePair<AskedJudge>,
  readers: ReadonlyMap<string, AskedReader>,
  made: Pick<InstrumentSet, 'judge' | 'readers'>,
): KeptInstruments {
  const own: Record<string, KeptInstrument> = {}
  for (const side of ['facts', 'answers'] as const)
    if (judges[side].content !== null) own[request.judge[side]] = keptInstrument(judges[side], made.judge[side].key)
  for (const [name, asked] of readers)
    if (asked.content !== null && asked.trial === 0)
      own[asked.typed] = keptInstrument(asked, made.readers.get(name)!.key)
  return own
}

/**
 * The suites of a request with all that they ask.
 *
 * @param looking what was kept of them, where a run is only looked at
 * @param leftOut hears of those that were read without their code
 */
export async function loadSuites(
  request: RunRequest,
  parts: Parts,
  looking?: Looking,
  leftOut: LeftOut[] = [],
): Promise<LoadedPlanSuite[]> {
  const loaded: LoadedPlanSuite[] = []
  for (const asked of request.suites) {
    const { name, file, tasks } = asked
    const isOwn = file !== undefined || !builtinSuites.some((one) => one.name === name)
    const found = looking && isOwn && !parts.suites.has(name) ? await lookAtSuite(asked, looking) : null
    if (found && 'kept' in found) {
      loaded.push(found.kept)
      leftOut.push({ suite: name, words: leftOutWords(asked) })
      continue
    }
    const suite = found?.own ?? (await resolveSuite(file ?? name, process.cwd(), parts.suites))
    const one = { suite, ...(await suite.load(suiteOptions(request, tasks))) }
    requireKeepableIds(one)
    loaded.push(one)
  }
  return loaded
}

/** Keys by which verdicts and answers of a workshop are kept. */
export function resultKeys({ judge, judgedAgain, tracker, readers }: Workshop): ResultKeys {
  return {
    judge: mapJudgePair(judge, ({ key }) => key),
    judgedAgain: judgedAgain.map((pair) => mapJudgePair(pair, ({ key }) => key)),
    timeline: timelineKey(tracker.key),
    readers,
  }
}

/** Opens an embedder by its name. */
export async function openEmbedder(model: string, home: Home, shared?: SharedTraffic): Promise<LocalEmbedder> {
  if (!(embeddingModels as string[]).includes(model)) throw unknownName('embedding model', model, embeddingModels)
  return createEmbedder({
    model: model as ModelName,
    cacheDir: home.models,
    bundled: bundledPacks(),
    shared: shared?.vectors,
  })
}

/** The entailment model, for the embedder with which its decision was fitted. */
export function openEntailment(embedder: string, home: Home): LocalEntailment | undefined {
  return embedder === 'minilm' ? createEntailment({ cacheDir: home.models, bundled: bundledPacks() }) : undefined
}

function bundledPacks(): string[] {
  return packsIn(fileURLToPath(new URL('../corpora/vectors/', import.meta.url)))
}
