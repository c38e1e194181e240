import { sha256, stableStringify } from '../../base/hash.js'
import type { WireReply, WireRequest } from '../wire.js'

/** Ways in which a scripted model can fail. */
export const FAULTS = [
  'rate-limit',
  'server-error',
  'hang',
  'reset',
  'truncated-stream',
  'truncated-json',
  'malformed-json',
  'wrong-schema',
  'slow-first-byte',
] as const

export type Fault = (typeof FAULTS)[number]

export interface FaultOptions {
  /** Share of calls that fail, 0 to 1. */
  rate?: number
  /** Among these, evenly. All when left out. */
  kinds?: readonly Fault[]
  /** Which calls fail is a function of the seed, the request and how often it came before, whatever the concurrency. */
  seed?: number | string
  /** Faults by number of call, from 1. */
  at?: Readonly<Record<number, Fault>>
  /** Header `Retry-After` of a `rate-limit`. */
  retryAfter?: string
  /** How late the first byte is with `slow-first-byte`. */
  slowMs?: number
}

/** Decides which calls fail. */
export class FaultPlan {
  readonly retryAfter: string
  readonly slowMs: number
  readonly #seen = new Map<string, number>()

  constructor(readonly options: FaultOptions) {
    this.retryAfter = options.retryAfter ?? '0'
    this.slowMs = options.slowMs ?? 50
  }

  next(number: number, request: unknown): Fault | null {
    const { at, rate = 0, kinds = FAULTS, seed = 0 } = this.options
    const planned = at?.[number]
    if (planned) return planned
    if (rate <= 0) return null
    const content = sha256(stableStringify(request))
    const times = this.#seen.get(content) ?? 0
    this.#seen.set(content, times + 1)
    const draw = Buffer.from(sha256(`${seed} ${content} ${times}`), 'hex')
    if (draw.readUInt32BE(0) / 2 ** 32 >= rate) return null
    return kinds[draw.readUInt32BE(4) % kinds.length]!
  }
}

/** A reply spoilt in its words; null when the fault is none of words, or there is no schema by which anybody could tell. */
export function spoiltReply(fault: Fault, reply: WireReply, request: WireRequest): WireReply | null {
  if (!request.format?.schema || reply.toolCalls.length > 0) return null
  switch (fault) {
    case 'truncated-json':
      return { ...reply, text: reply.text.slice(0, Math.max(1, Math.floor(reply.text.length / 2))) }
    case 'malformed-json':
      return { ...reply, text: `${reply.text.replaceAll('"', "'")},` }
    case 'wrong-schema':
      return { ...reply, text: JSON.stringify({ unexpected: [reply.text] }) }
    default:
      return null
  }
}
