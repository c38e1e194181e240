import { createHash } from 'node:crypto'
import { addUsage, type LlmUsage, NO_USAGE } from '../../model/index.js'
import { countReplyTokens, countRequestTokens, countTokens } from '../price/prompt-tokens.js'
import type { WireReply, WireRequest } from '../wire.js'
import { type MessyOptions, messyReply } from './messy.js'
import { fillGroups, matchRule, type Rule, type ScriptedReply } from './rules.js'
import { type Fault, type FaultOptions, FaultPlan } from './scripted-faults.js'

export interface ScriptedOptions {
  rules: readonly Rule[]
  /** What is said when no rule fits. Without it, such a request is refused. */
  otherwise?: Rule['reply']
  /** How long every reply takes. */
  latencyMs?: number
  faults?: FaultOptions
  /** Replies are not quite what was asked for. */
  messy?: MessyOptions
  /** Length of vectors. */
  dimensions?: number
}

/** A request that came, whatever became of it. */
export interface ScriptedRequest {
  number: number
  kind: 'chat' | 'embedding'
  request: WireRequest | { texts: readonly string[] }
  fault: Fault | null
  /** Which connection it came over; none in this process. Who sends a second one over it has read the reply to the first. */
  connection: number | null
}

export interface ScriptedStats {
  calls: number
  active: number
  /** Most calls that were under way at the same time. */
  peak: number
  faults: Partial<Record<Fault, number>>
  /** Tokens a provider would charge for: replies that were written, also those that never arrived. */
  billed: LlmUsage
}

/** No rule of the script fits a request. */
export class NoRule extends Error {}

/** A call under way. `end` is called exactly once, when its reply is out or its client gone. */
export interface ScriptedTurn {
  number: number
  fault: Fault | null
  end(): void
}

/** A model that says what it is told to, in this process and over HTTP; counts what it gets, and fails on demand. */
export class ScriptedModel {
  readonly faults: FaultPlan
  readonly stats: ScriptedStats = { calls: 0, active: 0, peak: 0, faults: {}, billed: { ...NO_USAGE } }
  readonly requests: ScriptedRequest[] = []

  constructor(readonly options: ScriptedOptions) {
    this.faults = new FaultPlan(options.faults ?? {})
  }

  /** Notes that a call has come, and decides whether it fails. */
  begin(
    kind: ScriptedRequest['kind'],
    request: ScriptedRequest['request'],
    connection: ScriptedRequest['connection'] = null,
  ): ScriptedTurn {
    const { stats } = this
    const number = ++stats.calls
    stats.peak = Math.max(stats.peak, ++stats.active)
    const fault = this.faults.next(number, request)
    if (fault) stats.faults[fault] = (stats.faults[fault] ?? 0) + 1
    this.requests.push({ number, kind, request, fault, connection })
    let open = true
    const end = () => {
      if (open) stats.active--
      open = false
    }
    return { number, fault, end }
  }

  /** What the rules say to a request, tokens counted. */
  async reply(request: WireRequest, number: number): Promise<WireReply> {
    const found = matchRule(this.options.rules, request)
    const say = found?.rule.reply ?? this.options.otherwise
    if (say === undefined) {
      throw new NoRule(
        `No rule of the script fits the request that ends in "${request.messages.at(-1)?.content.slice(0, 80)}".`,
      )
    }
    const groups = found?.groups ?? []
    const last = request.messages.at(-1)?.content ?? ''
    const schema = request.format?.schema ?? null
    const said = typeof say === 'function' ? await say({ number, request, last, schema, groups }) : filled(say, groups)
    const clean = wireReply(said, request, number)
    const reply = this.options.messy ? messyReply(clean, request, this.options.messy) : clean
    this.stats.billed = addUsage(this.stats.billed, reply.usage)
    return reply
  }

  /** Vectors that depend on the words of a text: texts that share words are near each other. */
  embed(texts: readonly string[]): { vectors: Float32Array[]; tokens: number } {
    const size = this.options.dimensions ?? 8
    return {
      vectors: texts.map((text) => wordVector(text, size)),
      tokens: texts.reduce((sum, text) => sum + countTokens(text), 0),
    }
  }
}

function filled(said: ScriptedReply, groups: readonly string[]): ScriptedReply {
  if (typeof said === 'string') return fillGroups(said, groups)
  return said.text === undefined ? said : { ...said, text: fillGroups(said.text, groups) }
}

function wireReply(said: ScriptedReply, request: WireRequest, number: number): WireReply {
  const { text, json, toolCalls = [], finish, usage } = typeof said === 'string' ? { text: said } : said
  const reply = {
    text: text ?? (json === undefined ? '' : JSON.stringify(json)),
    toolCalls: toolCalls.map((call, i) => ({
      id: call.id ?? `call_${number}_${i}`,
      name: call.name,
      arguments: call.arguments ?? JSON.stringify(call.input ?? {}),
    })),
  }
  return {
    ...reply,
    finish: finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop'),
    usage: {
      cachedInput: 0,
      reasoning: 0,
      ...usage,
      // Counting is work: only where nothing else is said.
      input: usage?.input ?? countRequestTokens(request),
      output: usage?.output ?? Math.max(1, countReplyTokens(reply)),
    },
  }
}

function wordVector(text: string, size: number): Float32Array {
  const vector = new Float32Array(size)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const bytes = createHash('sha256').update(word).digest()
    for (let i = 0; i < size; i++) vector[i]! += bytes[i % bytes.length]! / 127.5 - 1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
