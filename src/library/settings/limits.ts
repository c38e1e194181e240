import { UserError } from '../../base/errors.js'
import { wholeNumber } from '../../base/whole-number.js'
import type { RateLimits } from '../../model/index.js'
import type { Several } from '../types.js'
import { listOf, secondsFrom } from './values.js'

/** How models are asked. */
export interface LlmLimits {
  /** Most calls of one model at a time; 16 unless given. */
  concurrency?: number
  /** Longest wait for one reply, in seconds; 180 unless given. */
  timeout?: number
  /** Limits of providers over all workers of a store, by provider. */
  rates?: Readonly<Record<string, RateLimits>>
}

/** How models are asked, checked. */
export interface ReadLimits {
  concurrency?: number
  attemptMs?: number
  rates: Readonly<Record<string, RateLimits>>
}

const RATE_WORDS = { rpm: 'requestsPerMinute', tpm: 'tokensPerMinute', calls: 'concurrency' } as const

/** Limits as they are typed: `concurrency=8`, `timeout=60`, and of providers `openai=500rpm`, `openai=200000tpm`, `openai=64calls`. */
export function limitsFrom(given: Several<string> | LlmLimits): ReadLimits {
  const { concurrency, timeout, rates = {} } = isTyped(given) ? limitsIn(listOf(given)!) : given
  return {
    ...(concurrency !== undefined && { concurrency: wholeNumber('llm concurrency', concurrency, 1) }),
    ...(timeout !== undefined && { attemptMs: secondsFrom('llm timeout', timeout) }),
    rates,
  }
}

function isTyped(given: Several<string> | LlmLimits): given is Several<string> {
  return typeof given === 'string' || Array.isArray(given)
}

interface TypedLimits {
  concurrency?: string
  timeout?: string
  rates: Record<string, RateLimits>
}

function limitsIn(typed: readonly string[]): TypedLimits {
  const limits: TypedLimits = { rates: {} }
  for (const one of typed) {
    const [, name, value, word] = /^([^=]+)=(.*?)(rpm|tpm|calls)?$/.exec(one) ?? []
    if (name === 'concurrency' && word === undefined) limits.concurrency = value!
    else if (name === 'timeout' && word === undefined) limits.timeout = value!
    else if (name !== undefined && word !== undefined && /^\d+$/.test(value!) && Number(value) > 0) {
      const field = RATE_WORDS[word as keyof typeof RATE_WORDS]
      limits.rates[name] = { ...limits.rates[name], [field]: Number(value) }
    } else
      throw new UserError(
        `Expected --llm to be concurrency=<n>, timeout=<s>, or provider=<n>rpm, <n>tpm or <n>calls, got "${one}".`,
        'Such as: --llm concurrency=8,timeout=60,openai=500rpm',
      )
  }
  return limits
}
