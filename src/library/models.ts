import { UserError } from '../base/errors.js'
import { wholeNumber } from '../base/whole-number.js'
import { createGateway, type Gateway, type GatewayOptions } from '../gateway/index.js'
import { configOf, parseSpec, resolveEndpoint } from '../gateway/providers/catalog.js'
import type { Home } from './compose.js'
import { secondsFrom } from './request.js'
import type { ModelOptions } from './types.js'

/** Time for one call over all its tries, unless tries are given more. */
const DEADLINE_MS = 600_000

/** Where models are had by name. */
export type Models = () => Pick<Gateway, 'llm'>

/** How models are reached. */
export interface ModelAccess
  extends Pick<GatewayOptions, 'mode' | 'cassette' | 'lazily' | 'budgetUsd' | 'concurrency' | 'deadlines'> {
  prices?: string | undefined
  /** No call is made and no key needed: for estimates. */
  offline?: boolean
}

export function modelAccess(asked: ModelOptions): ModelAccess {
  const { budget, record, replay, prices, llmConcurrency } = asked
  if (record !== undefined && replay !== undefined) throw new UserError('--record and --replay exclude each other.')
  if (budget !== undefined && !(Number(budget) >= 0))
    throw new UserError(`Expected --budget to be an amount in USD, got "${budget}".`)
  const attemptMs = secondsFrom('llm-timeout', asked.llmTimeout)
  return {
    prices,
    ...(budget !== undefined && { budgetUsd: Number(budget) }),
    ...(record !== undefined && { mode: 'record', cassette: record }),
    ...(replay !== undefined && { mode: 'replay', cassette: replay }),
    ...(llmConcurrency !== undefined && { concurrency: wholeNumber('llm-concurrency', llmConcurrency, 1) }),
    // A call gets time for several tries, whatever one may take.
    ...(attemptMs !== undefined && { deadlines: { attemptMs, deadlineMs: Math.max(DEADLINE_MS, 4 * attemptMs) } }),
  }
}

/** @param account whose spending the budget counts: the run, over all its sittings */
export function openGateway(access: ModelAccess, home: Home, account: string, log: (message: string) => void): Gateway {
  const { offline, mode = offline ? 'offline' : 'live', ...others } = access
  return createGateway({ env: process.env, cacheDir: offline ? null : home.cache, account, log, mode, ...others })
}

/**
 * Refuses a malformed model spec, an unknown provider, a missing key and a base URL that is missing or none. Keys and URLs are not checked
 * for estimates, and neither they nor the provider for replayed cassettes, scripted models and lazy access.
 */
export function checkModelSpecs(specs: readonly string[], { mode, lazily, offline }: ModelAccess): void {
  for (const spec of specs) {
    const { provider } = parseSpec(spec)
    if (provider === 'scripted' || mode === 'replay' || lazily) continue
    if (offline) configOf(provider, {}, process.env)
    else resolveEndpoint(provider, {}, process.env)
  }
}
