import { existsSync } from 'node:fs'
import { UserError } from '../base/errors.js'
import { createGateway, type Gateway, type GatewayOptions, type OwnPrices } from '../gateway/index.js'
import { configOf, parseSpec, resolveEndpoint } from '../gateway/providers/catalog.js'
import type { SharedTraffic } from '../gateway/shared.js'
import type { RateLimits } from '../model/index.js'
import { type Home, homeAt } from './compose.js'
import { MODEL_SETTINGS } from './settings/models.js'
import { refuseMoved } from './settings/moved.js'
import type { HomeOptions, ModelOptions } from './types.js'

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
  refuseMoved(asked)
  const { budget, record, replay, prices, llm, providers, batch } = asked
  if (record !== undefined && replay !== undefined) throw new UserError('--record and --replay exclude each other.')
  const { concurrency, attemptMs, rates } = MODEL_SETTINGS.llm.read(llm ?? [])
  return {
    prices: priceFiles(asked.home, prices),
    ...(providers !== undefined && { providers: MODEL_SETTINGS.providers.read(providers) }),
    ...(batch && { batch: true }),
    ...(Object.keys(rates).length > 0 && { rates }),
    ...(budget !== undefined && { budgetUsd: MODEL_SETTINGS.budget.read(budget) }),
    ...(record !== undefined && { mode: 'record', cassette: record }),
    ...(replay !== undefined && { mode: 'replay', cassette: replay }),
    ...(concurrency !== undefined && { concurrency }),
    // A call gets time for several tries, whatever one may take.
    ...(attemptMs !== undefined && { deadlines: { attemptMs, deadlineMs: Math.max(DEADLINE_MS, 4 * attemptMs) } }),
  }
}

/** Where a user's own prices are found: those that were saved, and over them those that are named. */
function priceFiles(home: string | undefined, named: string | undefined): string[] {
  const { prices: saved } = homeAt(home)
  return [...(existsSync(saved) ? [saved] : []), ...(named === undefined ? [] : [named])]
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
