import { UserError } from '../base/errors.js'
import { createGateway, type Gateway, type RetryPolicy } from '../gateway/index.js'
import { configOf, parseSpec, resolveEndpoint } from '../gateway/providers/catalog.js'
import type { Home } from './compose.js'
import { secondsFrom } from './request.js'
import type { ModelOptions } from './types.js'

/** Time for one call over all its tries, unless tries are given more. */
const DEADLINE_MS = 600_000

/** Where models are had by name. */
export type Models = () => Pick<Gateway, 'llm'>

/** How models are reached. */
export interface ModelAccess {
  budgetUsd?: number
  cassette?: { mode: 'record' | 'replay'; file: string }
  prices?: string
  concurrency?: number
  timeoutMs?: number
  /** No call is made and no key needed: for estimates. */
  offline?: boolean
  /** Keys and base URLs are needed only when a model is really asked: for runs of which all may be kept. */
  lazily?: boolean
}

export function modelAccess(asked: ModelOptions): ModelAccess {
  const { budget, record, replay, prices, llmConcurrency } = asked
  if (record !== undefined && replay !== undefined) throw new UserError('--record and --replay exclude each other.')
  const budgetUsd = budget === undefined ? undefined : Number(budget)
  if (budgetUsd !== undefined && !(budgetUsd >= 0))
    throw new UserError(`Expected --budget to be an amount in USD, got "${budget}".`)
  const concurrency = llmConcurrency === undefined ? undefined : Number(llmConcurrency)
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0))
    throw new UserError(`Expected --llm-concurrency to be a whole number from 1 up, got "${llmConcurrency}".`)
  const timeoutMs = secondsFrom('llm-timeout', asked.llmTimeout)
  const file = record ?? replay
  return {
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(file !== undefined && { cassette: { mode: record === undefined ? 'replay' : 'record', file } }),
    ...(prices !== undefined && { prices }),
    ...(concurrency !== undefined && { concurrency }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
}

/** @param account whose spending the budget counts: the run, over all its sittings */
export function openGateway(access: ModelAccess, home: Home, account: string, log: (message: string) => void): Gateway {
  return createGateway({
    env: process.env,
    cacheDir: access.offline ? null : home.cache,
    ...(access.offline && { mode: 'offline' }),
    ...(access.lazily && { lazily: true }),
    ...(access.cassette && { mode: access.cassette.mode, cassette: access.cassette.file }),
    ...(access.prices !== undefined && { prices: access.prices }),
    ...(access.budgetUsd !== undefined && { budgetUsd: access.budgetUsd, account }),
    ...(access.concurrency !== undefined && { concurrency: access.concurrency }),
    ...(access.timeoutMs !== undefined && { deadlines: deadlinesFor(access.timeoutMs) }),
    log,
  })
}

/** A call gets time for several tries, whatever one may take. */
function deadlinesFor(attemptMs: number): Partial<RetryPolicy> {
  return { attemptMs, deadlineMs: Math.max(DEADLINE_MS, 4 * attemptMs) }
}

/**
 * Throws a UserError if a model spec is malformed, its provider is unknown, its base URL is missing or no URL, or its key is missing.
 * Keys and base URLs are not checked for estimates, and neither they nor the provider for replayed cassettes, scripted models and lazy
 * access.
 */
export function checkModelSpecs(specs: readonly string[], access: ModelAccess): void {
  for (const spec of specs) {
    const { provider } = parseSpec(spec)
    if (provider === 'scripted' || access.cassette?.mode === 'replay') continue
    if (access.lazily) continue
    if (access.offline) configOf(provider, {}, process.env)
    else resolveEndpoint(provider, {}, process.env)
  }
}
