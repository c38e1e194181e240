import { existsSync, readFileSync } from 'node:fs'
import { UserError } from '../base/errors.js'
import { wholeNumber } from '../base/whole-number.js'
import {
  checkProviders,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type OwnPrices,
  type Providers,
} from '../gateway/index.js'
import { configOf, parseSpec, resolveEndpoint } from '../gateway/providers/catalog.js'
import type { SharedTraffic } from '../gateway/shared.js'
import type { RateLimits } from '../model/index.js'
import { type Home, homeAt } from './compose.js'
import { secondsFrom } from './request.js'
import type { HomeOptions, ModelOptions, Several } from './types.js'

/** Time for one call over all its tries, unless tries are given more. */
const DEADLINE_MS = 600_000

/** Where models are had by name. */
export type Models = () => Pick<Gateway, 'llm'>

/** How models are reached. */
export interface ModelAccess
  extends Pick<
    GatewayOptions,
    'mode' | 'cassette' | 'lazily' | 'budgetUsd' | 'concurrency' | 'deadlines' | 'providers' | 'batch' | 'repair'
  > {
  /** Prices or files of them, each over those before. */
  prices?: readonly OwnPrices[]
  /** Limits of providers over all workers. */
  rates?: Readonly<Record<string, RateLimits>>
  /** No call is made and no key needed: for estimates. */
  offline?: boolean
}

/** How models are reached, from what was asked for. */
export function modelAccess(asked: ModelOptions & HomeOptions): ModelAccess {
  const { budget, record, replay, prices, llmConcurrency, providers, batch } = asked
  const rates = ratesFrom(asked.rate)
  if (record !== undefined && replay !== undefined) throw new UserError('--record and --replay exclude each other.')
  if (budget !== undefined && !(Number(budget) >= 0 && Number.isFinite(Number(budget))))
    throw new UserError(`Expected --budget to be an amount in USD, got "${budget}".`)
  const attemptMs = secondsFrom('llm-timeout', asked.llmTimeout)
  return {
    prices: priceFiles(asked.home, prices),
    ...(providers !== undefined && { providers: providersFrom(providers) }),
    ...(batch && { batch: true }),
    ...(Object.keys(rates).length > 0 && { rates }),
    ...(budget !== undefined && { budgetUsd: Number(budget) }),
    ...(record !== undefined && { mode: 'record', cassette: record }),
    ...(replay !== undefined && { mode: 'replay', cassette: replay }),
    ...(llmConcurrency !== undefined && { concurrency: wholeNumber('llm-concurrency', llmConcurrency, 1) }),
    // A call gets time for several tries, whatever one may take.
    ...(attemptMs !== undefined && { deadlines: { attemptMs, deadlineMs: Math.max(DEADLINE_MS, 4 * attemptMs) } }),
  }
}

/** Where a user's own prices are found: those that were saved, and over them those that are named. */
function priceFiles(home: string | undefined, named: string | undefined): string[] {
  const { prices: saved } = homeAt(home)
  return [...(existsSync(saved) ? [saved] : []), ...(named === undefined ? [] : [named])]
}

/** Providers of a user's own: as they are, as JSON, or in a file. */
function providersFrom(given: string | Providers): Providers {
  if (typeof given !== 'string') return checkProviders(given, 'The given providers')
  const isFile = !given.trim().startsWith('{')
  if (isFile && !existsSync(given)) throw new UserError(`There is no file of providers ${given}.`, 'Check its path.')
  const where = isFile ? given : 'The given providers'
  let json: unknown
  try {
    json = JSON.parse(isFile ? readFileSync(given, 'utf8') : given)
  } catch (error) {
    throw new UserError(`${where} is not JSON: ${error instanceof Error ? error.message : error}.`)
  }
  return checkProviders(json, where)
}

/** @param account whose spending the budget counts: the run, over all its sittings */
export function openGateway(
  access: ModelAccess,
  home: Home,
  account: string,
  log: (message: string) => void,
  shared?: SharedTraffic,
): Gateway {
  const { offline, rates: _rates, mode = offline ? 'offline' : 'live', ...others } = access
  const cacheDir = offline ? null : home.cache
  return createGateway({ env: process.env, cacheDir, account, log, mode, ...others, shared })
}

const RATE_WORDS = { rpm: 'requestsPerMinute', tpm: 'tokensPerMinute', calls: 'concurrency' } as const

/** Limits of providers as they are typed: `openai=500rpm`, `openai=200000tpm`, `openai=64calls`. */
function ratesFrom(typed: Several<string> | undefined): Record<string, RateLimits> {
  const rates: Record<string, RateLimits> = {}
  for (const one of typed === undefined ? [] : [typed].flat()) {
    const [, provider, amount, word] = /^([^=]+)=(\d+)(rpm|tpm|calls)$/.exec(one) ?? []
    if (provider === undefined || !(Number(amount) > 0))
      throw new UserError(
        `Expected --rate to be provider=<n>rpm, <n>tpm or <n>calls, got "${one}".`,
        'Such as: --rate openai=500rpm,openai=200000tpm,openai=64calls',
      )
    rates[provider] = { ...rates[provider], [RATE_WORDS[word as keyof typeof RATE_WORDS]]: Number(amount) }
  }
  return rates
}

/** Tells all workers what a run may cost and how fast providers may be asked. */
export async function shareLimits(
  { budgetUsd, rates = {} }: ModelAccess,
  account: string,
  gateway: Gateway,
  shared: SharedTraffic,
): Promise<void> {
  if (budgetUsd !== undefined) await shared.coordination.cap(account, budgetUsd)
  for (const [provider, limits] of Object.entries(rates))
    await shared.coordination.limit(gateway.rateOf(provider), limits)
}

/**
 * Refuses a malformed model spec, an unknown provider, a missing key and a base URL that is missing or none. Keys and URLs are not checked
 * for estimates, and neither they nor the provider for replayed cassettes, scripted models and lazy access.
 */
export function checkModelSpecs(specs: readonly string[], access: ModelAccess): void {
  const { mode, lazily, offline, providers = {} } = access
  for (const spec of specs) {
    const { provider } = parseSpec(spec)
    if (provider === 'scripted' || mode === 'replay' || lazily) continue
    if (offline) configOf(provider, providers, process.env)
    else resolveEndpoint(provider, providers, process.env)
  }
}
