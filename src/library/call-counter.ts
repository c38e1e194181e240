import { entryOf } from '../base/group-by.js'
import { sha256 } from '../base/hash.js'
import { promptTokens } from '../gateway/index.js'
import { expectedAnswer } from '../judges/llm/bill.js'
import { countByLine, passingReply, verdictsIn } from '../judges/llm/rehearsal.js'
import type { Embedder, Llm, LlmRequest, LlmRole, Question, Rehearsal } from '../model/index.js'
import { NO_USAGE } from '../model/index.js'
import { hashEmbedder } from '../systems/hash-embedder.js'
import { rehearse } from '../systems/parts/rehearse.js'
import { rehearsedText } from './rehearsal.js'

/** From the least to the most that is expected. */
export interface Span {
  low: number
  high: number
}

/** All calls of one role to one model, over all lives they stand for. */
export interface CountedCalls {
  role: LlmRole
  model: string
  /** The system that has the model inside; null for readers and judges. */
  subject: string | null
  calls: Span
  input: Span
  output: Span
}

/** Tokens of answers that are assumed: to the point, and with reasons. Judges read them. */
export const ANSWER_TOKENS: Span = { low: 20, high: 150 }

/** Tokens of one verdict that are assumed. */
export const VERDICT_TOKENS: Span = { low: 25, high: 80 }
/** What a test taker may say to a turn. */
const REPLY =
  'That sounds good, thank you for telling me. I will keep it in mind for the next time that we talk about it.'

/** How far a real model may ask for less or more than what plays it. */
export const UNKNOWN_MODEL: Span = { low: 0.5, high: 2 }

/** `stores` is what comes before answers; these are given twice, short and long. */
export type Phase = 'stores' | 'short' | 'long'

/** What is being played: calls count as often as lives are like this one. */
export interface Scene {
  phase: Phase
  subject: string
  questions: ReadonlyMap<string, Question>
  /** How many calls and tokens one of this life stands for, by role. */
  weight(role: LlmRole): { calls: number; tokens: number }
  /** What the memory holds is only known roughly. */
  unsure: boolean
}

type Tally = Omit<CountedCalls, 'calls'> & { phase: Phase; calls: number }

const ENDS = ['low', 'high'] as const
const zero = (): Span => ({ low: 0, high: 0 })

/**
 * Models that are only counted. Readers get an answer of the assumed length, judges find everything in order, systems hear their rehearsal.
 * Calls that are word for word the same are made once, as the cache does.
 */
export class CallCounter {
  scene: Scene | null = null
  readonly #seen = new Set<string>()
  readonly #tallies = new Map<string, Tally>()

  /** A model of readers and judges. */
  outside(model: string): Llm {
    return {
      model,
      generate: async (request, options) => {
        const { phase, questions } = this.#current()
        const asked = options.role === 'answer' ? questions.get(options.label ?? '') : undefined
        const length = ANSWER_TOKENS[phase === 'long' ? 'high' : 'low']
        const isReply = options.role === 'generate'
        const text = asked ? expectedAnswer(asked, length) : isReply ? REPLY : ''
        const verdicts = verdictsIn(request.messages)
        const tokens = (end: keyof Span) => (text === '' ? verdicts * VERDICT_TOKENS[end] : countByLine(text))
        this.#add(model, null, request, options, { low: tokens('low'), high: tokens('high') })
        const object = passingReply(request)
        return { text, object, toolCalls: [], finish: 'stop', usage: NO_USAGE, cost: 0, cached: true, repairs: 0 }
      },
    }
  }

  /** A model inside a system, played by its rehearsal. */
  inside(model: string, rehearsal: Rehearsal): Llm {
    const { generate } = rehearse(rehearsal, {
      onCall: ({ options, request, reply }) => {
        const tokens = countByLine(rehearsedText(reply))
        this.#add(model, this.#current().subject, request, options, { low: tokens, high: tokens })
      },
    })
    return { model, generate }
  }

  /** Everything that was counted: at the least with short answers, at the most with long ones. */
  counted(): CountedCalls[] {
    const found = new Map<string, CountedCalls>()
    for (const { phase, calls, input, output, ...who } of this.#tallies.values()) {
      const all = entryOf(found, JSON.stringify(who), () => ({ ...who, calls: zero(), input: zero(), output: zero() }))
      for (const end of ENDS) {
        if (phase === (end === 'low' ? 'long' : 'short')) continue
        all.calls[end] += calls
        all.input[end] += input[end]
        all.output[end] += output[end]
      }
    }
    return [...found.values()]
  }

  #current(): Scene {
    if (!this.scene) throw new Error('A model was asked although nothing is played')
    return this.scene
  }

  #add(
    model: string,
    subject: string | null,
    request: LlmRequest<unknown>,
    { role, trial = 0 }: { role: LlmRole; trial?: number },
    output: Span,
  ): void {
    const { phase, weight, unsure } = this.#current()
    const call = sha256(JSON.stringify([model, trial, request.messages]))
    if (this.#seen.has(`stores ${call}`) || this.#seen.has(`${phase} ${call}`)) return
    this.#seen.add(`${phase} ${call}`)
    const key = JSON.stringify([role, model, subject, phase])
    const who = { role, model, subject, phase }
    const tally = entryOf(this.#tallies, key, () => ({ ...who, calls: 0, input: zero(), output: zero() }))
    const { calls, tokens } = weight(role)
    const input = promptTokens(request, countByLine) * tokens
    tally.calls += calls
    for (const end of ENDS) {
      const rough = unsure ? UNKNOWN_MODEL[end] : 1
      tally.input[end] += input * rough
      tally.output[end] += output[end] * calls * (subject === null ? 1 : rough)
    }
  }
}

/**
 * An embedder that computes nothing that takes time, and counts what the real one would have to compute. One that cannot say what it keeps
 * has to compute everything.
 */
export function textCounter({ missing = (texts) => texts }: Pick<Embedder, 'missing'>) {
  const hashed = hashEmbedder(64)
  const seen = new Set<string>()
  let texts = 0
  const embed: Embedder['embed'] = async (asked) => {
    const fresh = [...new Set(asked)].filter((text) => !seen.has(text))
    for (const text of fresh) seen.add(text)
    texts += missing(fresh).length * counter.weight
    return hashed.embed(asked)
  }
  const counter = {
    /** For how many texts one that is asked for now stands. */
    weight: 1,
    /** Distinct texts whose vectors are kept nowhere. */
    texts: () => Math.round(texts),
    embed: { ...hashed, embed },
  }
  return counter
}
