import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../base/errors.js'
import { entryOf } from '../base/group-by.js'
import type { Embedder, Llm } from '../model/index.js'
import { BATCH_APIS } from './batch/batch-api.js'
import { batchFetch } from './batch/batch-fetch.js'
import { BatchFile } from './batch/batch-store.js'
import { Calls, type Plant, type Target } from './calls.js'
import { type RemoteEmbedderOptions, remoteEmbedder } from './embed/remote.js'
import { createLlm, DEFAULT_REPAIR, type RepairPolicy } from './gateway-llm.js'
import { Cassette } from './keep/cassette.js'
import { ReplyCache } from './keep/reply-cache.js'
import { type Clock, realClock } from './limits/clock.js'
import { DEFAULT_RETRY, type RetryPolicy } from './limits/retry.js'
import { requirePrice } from './price/bound.js'
import { Budget } from './price/budget.js'
import { Ledger } from './price/ledger.js'
import { Meter, type UsageReport } from './price/meter.js'
import { type OwnPrices, priceTable } from './price/prices.js'
import type { Backend } from './providers/backend.js'
import { configOf, parseSpec, resolveEndpoint, secretsOf } from './providers/catalog.js'
import { leanFetch } from './providers/lean-fetch.js'
import type { Providers } from './providers/provider-config.js'
import { sdkBackend } from './providers/sdk.js'
import { Redactor } from './redact.js'
import type { ScriptedModel } from './scripted/model.js'
import { readScript } from './scripted/script-file.js'
import { scriptedBackend } from './scripted/scripted-backend.js'
import { rateKey, SharedBooking, SharedReplies, type SharedTraffic } from './shared.js'

export interface GatewayOptions {
  /** Where keys and base URLs come from. Nothing else is read from the environment. */
  env: Readonly<Record<string, string | undefined>>
  /** Folder of replies and vectors kept from before; null keeps nothing. */
  cacheDir: string | null
  /** `record` also writes a cassette; `replay` reads one and never touches the network; `offline` makes no call and needs no keys. */
  mode?: Plant['mode']
  cassette?: string
  /** Keys and base URLs are looked for at the first call, not before: for work that may find all it needs among what is kept. */
  lazily?: boolean
  /** The user's own prices, or files that hold them. */
  prices?: OwnPrices | readonly OwnPrices[]
  /** Most that may be spent. */
  budgetUsd?: number
  /** Whose budget it is, such as a run. What earlier sittings under the same name have spent counts, also when they were killed. */
  account?: string
  /** Most calls of one model at a time. */
  concurrency?: number
  /** Calls to answer and to judge go out in batches where the provider has them, and cost half as much. */
  batch?: boolean
  deadlines?: Partial<RetryPolicy>
  repair?: Partial<RepairPolicy>
  providers?: Providers
  /** Models behind `scripted:<name>`. A name that ends in `.json` is a script file. */
  scripted?: Readonly<Record<string, ScriptedModel>>
  log?(message: string): void
  /** How requests go over the network, such as through a proxy. */
  fetch?: typeof fetch
  /** What other processes share with this one: then replies, vectors, limits and the budget are theirs, too. */
  shared?: SharedTraffic | undefined
  /** Time and chance, for tests. */
  clock?: Partial<Clock>
}

/** All traffic with models goes through here. */
export interface Gateway {
  /** A model by `provider:model`. A missing key, or price with a budget, is told at once, not at the first call. */
  llm(spec: string): Llm
  /** An embedding model by `provider:model`, refused as models are. Asks for one vector when their length is not known. */
  embedder(spec: string, options?: RemoteEmbedderOptions): Promise<Embedder>
  usage(): UsageReport
  /** Keeps a value out of everything that is written from now on. */
  keepSecret(value: string): void
  /** Calls one model may have under way right now. */
  concurrency(spec: string): number
  /** Whether calls wait for their turn. */
  busy(): boolean
  /** What limits of a provider are shared by: its address and key. */
  rateOf(provider: string): string
  close(): Promise<void>
}

/**
 * All traffic with models in one place: providers, limits, retries, cache, budget.
 *
 * @example await createGateway({ env: process.env, cacheDir: null }).llm('openai:gpt-5-mini').generate({ messages }, { role: 'answer' })
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { env, cacheDir, mode = 'live', cassette, providers = {}, budgetUsd, log = () => {} } = options
  const shared = options.shared && mode === 'live' ? options.shared : null
  const taped = mode === 'record' || mode === 'replay' ? mode : null
  if (taped && cassette === undefined) throw new UserError(`To ${mode}, a cassette is needed.`, 'Name its file.')
  const redactor = new Redactor(secretsOf(env, providers))
  const ledger =
    budgetUsd === undefined || options.account === undefined || cacheDir === null || options.shared
      ? null
      : new Ledger(join(cacheDir, 'spending.db'), options.account)
  const clock = { ...realClock, ...options.clock }
  const own = budgetUsd === undefined ? null : new Budget(budgetUsd, ledger)
  const booking = shared && new SharedBooking(shared, clock, own && (options.account ?? null), own?.cap ?? 0)
  const cache = () => (shared ? new SharedReplies(shared) : new ReplyCache(join(cacheDir!, 'replies.db')))
  const rates = new Map<string, string>()
  const isReached = mode === 'live' || mode === 'record'
  const batchFile = cacheDir === null ? null : join(cacheDir, 'batches.db')
  const batches = () => (batchFile && (options.batch || existsSync(batchFile)) ? new BatchFile(batchFile) : null)
  const plant: Plant = {
    mode,
    redactor,
    cache: cacheDir === null || mode === 'replay' ? null : cache(),
    cassette: !taped || cassette === undefined ? null : new Cassette(cassette, taped, redactor),
    clock,
    policy: { ...DEFAULT_RETRY, ...options.deadlines },
    concurrency: options.concurrency ?? 16,
    meter: new Meter(),
    prices: priceTable(options.prices),
    budget: own && (booking ?? own),
    booking: booking ?? own,
    rateOf: (provider, batched) =>
      entryOf(rates, `${provider} ${batched}`, () => {
        const key = rateKey(provider, provider === 'scripted' ? {} : resolveEndpoint(provider, providers, env))
        // Providers count batches apart.
        return batched ? `${key} batch` : key
      }),
    batches: isReached ? (shared?.batches ?? batches()) : null,
    batch: options.batch ?? false,
    draining: shared?.draining,
    log: (message) => log(redactor.message(message)),
  }
  const calls = new Calls(plant)
  const targets = new Map<string, Target>()
  const opened: { close(): void }[] = []
  const repair = { ...DEFAULT_REPAIR, ...options.repair }

  const target = (spec: string): Target => {
    if (plant.budget && isReached) requirePrice(spec, plant.prices)
    return entryOf(targets, spec, () => {
      const { provider, model, effort } = parseSpec(spec)
      let opened: Backend | null = null
      const backend = () => {
        if (!isReached) throw new Error('Nothing is reached in replay and offline')
        opened ??= openBackend(provider, model, options, plant)
        return opened
      }
      if (isReached && !options.lazily) backend()
      let batched: Backend | null | undefined
      const batchedOnce = () => {
        if (batched === undefined) batched = openBatched(provider, model, options, plant)
        return batched
      }
      return { spec, provider, model, ...(effort && { effort }), backend, batched: batchedOnce }
    })
  }

  return {
    llm: (spec) => createLlm(calls, target(spec), repair),
    embedder: async (spec, chosen = {}) => {
      const embedder = await remoteEmbedder(calls, target(spec), cacheDir, chosen, shared?.vectors)
      opened.push(embedder)
      return embedder
    },
    usage: () => plant.meter.report(plant.budget),
    keepSecret: (value) => redactor.add(value),
    concurrency: (spec) => calls.limiter(spec).limit,
    busy: () => calls.isBusy(),
    rateOf: (provider) => plant.rateOf(provider, false),
    close: async () => {
      for (const embedder of opened.splice(0)) embedder.close()
      plant.cassette?.close()
      plant.cache?.close()
      plant.batches?.close?.()
      ledger?.close()
    },
  }
}

function openBackend(provider: string, model: string, options: GatewayOptions, plant: Plant): Backend {
  if (provider === 'scripted') {
    const script = options.scripted?.[model] ?? (model.endsWith('.json') ? readScript(model) : undefined)
    if (!script) {
      throw new UserError(
        `There is no scripted model "${model}".`,
        'Write scripted:<path of a script file ending in .json>.',
      )
    }
    return scriptedBackend(script)
  }
  const endpoint = resolveEndpoint(provider, options.providers ?? {}, options.env)
  return sdkBackend(endpoint, model, plant.log, options.fetch)
}

/** Whether the provider of a model takes its calls in batches. */
export function hasBatches(
  spec: string,
  providers: Providers,
  env: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  const { provider } = parseSpec(spec)
  const kind = provider === 'scripted' ? undefined : configOf(provider, providers, env).kind
  return kind !== undefined && BATCH_APIS[kind] !== undefined
}

function openBatched(provider: string, model: string, options: GatewayOptions, plant: Plant): Backend | null {
  if (provider === 'scripted' || !plant.batches) return null
  const endpoint = resolveEndpoint(provider, options.providers ?? {}, options.env)
  const api = BATCH_APIS[endpoint.kind]
  if (!api) return null
  const { batches: store, clock, log, redactor } = plant
  const redact = (text: string) => redactor.text(text)
  const tools = { api, store, clock, log, redact, request: options.fetch ?? leanFetch }
  return sdkBackend(endpoint, model, plant.log, batchFetch(`${provider}:${model}`, tools))
}
