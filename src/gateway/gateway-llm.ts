import { z } from 'zod'
import { shortened } from '../base/text.js'
import {
  type Llm,
  LlmError,
  type LlmOptions,
  type LlmReply,
  type LlmRequest,
  type LlmToolCall,
  type LlmUsage,
  type Spent,
} from '../model/index.js'
import type { Called, Calls, Target } from './calls.js'
import { fitReply, strictFit } from './fit.js'
import { readToolCalls } from './tool-calls.js'
import { toWire, type WireReply, type WireRequest } from './wire.js'

export interface RepairPolicy {
  /** How often an unusable reply is sent back with what is wrong with it. */
  repairs: number
  /** How often, after that, the question is asked anew. */
  restarts: number
  /** Whether replies count to the letter from everybody, as they do from judges. */
  strict?: boolean
  /** Replies that cannot be used stay kept, for work that is made again from the same replies. */
  keepsAll?: boolean
}

export const DEFAULT_REPAIR: RepairPolicy = { repairs: 2, restarts: 1 }

type Checked<T> =
  | { ok: true; object: T; text: string; toolCalls: LlmToolCall[] }
  /** `wish` is what the model is asked for instead; null when telling it would not help. `isSilent`: it said nothing, and was free to. */
  | { ok: false; why: string; wish: string | null; isSilent?: true }

/** A model whose replies are checked against what was asked for, and mended a bounded number of times; then it gives up, loudly. */
export function createLlm(calls: Calls, target: Target, policy: RepairPolicy): Llm {
  return {
    model: target.spec,
    generate: async <T = undefined>(request: LlmRequest<T>, options: LlmOptions): Promise<LlmReply<T>> => {
      const { role, trial = 0, signal, label } = options
      const wire = toWire(request)
      if (target.effort) wire.reasoning ??= target.effort
      const made: Called[] = []
      const line = calls.plant.meter.line(role, target.spec)
      let why = ''
      for (let ask = 0; ask <= policy.restarts; ask++) {
        let messages = wire.messages
        for (let repair = 0; repair <= policy.repairs; repair++) {
          const called = await calls.generate(target, { ...wire, messages }, { role, trial, ask, signal, label })
          made.push(called)
          const said = await check(request, called, options, policy.strict ?? false)
          // Silence may be a fault of the server, so it is asked anew; said twice, it is what the model answers.
          const isAnswer = !said.ok && said.isSilent && ask === policy.restarts
          const checked: Checked<T> = isAnswer ? { ok: true, object: undefined as T, text: '', toolCalls: [] } : said
          // Nothing can be measured by an empty answer, so a later run may ask for it anew; a memory's silence is part of its life.
          if (isAnswer && role === 'answer') await calls.forget(made.map(({ key }) => key))
          if (checked.ok) {
            const usage = usageOf(made)
            const cost = calls.plant.prices.cost(target.spec, usage)
            return replyOf(checked, called.reply, made, { usage, cost })
          }
          why = shortened(checked.why, MOST_WHY)
          line.repairs++
          if (checked.wish === null) break
          messages = [...messages, ...complaint(called.reply, why, checked.wish)]
        }
      }
      line.repairs--
      line.errors++
      if (!policy.keepsAll) await calls.forget(made.map(({ key }) => key))
      const what =
        label === undefined ? `A reply of ${target.spec} to ${role}` : `The reply of ${target.spec} for "${label}"`
      throw new LlmError(
        'unparsable',
        calls.plant.redactor.message(`${what} cannot be used, after ${made.length} calls: ${why}`),
        request.tools
          ? 'Use a model that calls tools, behind a server that passes its calls on.'
          : 'Use a model that keeps to a JSON Schema, or allow more tokens for the reply.',
        undefined,
        spentOn(made),
      )
    },
  }
}

/** Replies without words that are no answer: a reader's silence would count as wrong, though the model was not let speak. */
const NO_WORDS = {
  'content-filter': "It is empty: the provider's filter blocked it.",
  length: 'It is empty: all tokens that were allowed went into reasoning.',
}

const WISH = {
  json: 'Reply again with nothing but one JSON value that fits the schema.',
  words: 'Reply again, with nothing but the answer itself.',
  call: 'Make the call again as a tool call, not as text.',
}

/** Whether a reply is what the request asked for. A schema is never satisfied by a guess or a default. */
async function check<T>(
  request: LlmRequest<T>,
  { reply, onlyThought }: Called,
  options: LlmOptions,
  strict: boolean,
): Promise<Checked<T>> {
  const { schema, tools = [], toolChoice } = request
  const read = readToolCalls(request, reply, explain)
  if (!read.ok) return { ok: false, why: read.unclear, wish: WISH.call }
  const { calls: toolCalls } = read
  const wrong = toolCalls.find((call) => call.wrong !== undefined)
  if (wrong && options.wrongCalls !== 'return') {
    return { ok: false, why: `The call of the tool "${wrong.name}": ${wrong.wrong}`, wish: null }
  }
  if (reply.text === '' && toolCalls.length === 0 && reply.finish in NO_WORDS) {
    return { ok: false, why: NO_WORDS[reply.finish as keyof typeof NO_WORDS], wish: null }
  }
  // Silence ends a tool loop in order; elsewhere it may be a fault.
  if (reply.text.trim() === '' && tools.length === 0 && toolCalls.length === 0 && !onlyThought) {
    return schema
      ? { ok: false, why: 'It is empty.', wish: WISH.json }
      : { ok: false, why: 'It is empty.', wish: null, isSilent: true }
  }
  if (onlyThought) return { ok: false, why: 'It is nothing but a thought.', wish: schema ? WISH.json : WISH.words }
  if (toolChoice === 'required' && toolCalls.length === 0) {
    const names = tools.map(({ name }) => name).join(', ')
    return { ok: false, why: 'It calls no tool, though one was asked for.', wish: `Call one of the tools: ${names}.` }
  }
  // A call that was written as text is a call, and not also something that was said.
  const text = read.asText ? '' : reply.text
  const objection = (await options.objection?.({ text, toolCalls })) ?? null
  if (objection !== null) return { ok: false, why: objection, wish: '' }
  // Without a schema `T` is undefined; a model that calls tools has not answered yet.
  if (!schema || toolCalls.length > 0) return { ok: true, object: undefined as T, text, toolCalls }
  // A verdict is taken to the letter: what a judge quotes or half writes must not become one.
  const found = await (strict || options.role === 'judge' ? strictFit : fitReply)(text, schema, explain)
  if (found.ok) return { ok: true, object: found.value, text, toolCalls }
  const cut = reply.finish === 'length' ? ' It was cut off at the most tokens allowed.' : ''
  return { ok: false, why: `${found.why}${cut}`, wish: WISH.json }
}

/** Most characters of an unusable reply that go back to the model, and of what is wrong with it. */
const MOST_QUOTED = 20_000
const MOST_WHY = 2_000

/** What goes back to the model: its own words, as far as they are not endless, what is wrong with them, and what is asked for instead. */
function complaint(reply: WireReply, why: string, wish: string): WireRequest['messages'] {
  return [
    { role: 'assistant', content: reply.text === '' ? '(empty)' : shortened(reply.text, MOST_QUOTED) },
    { role: 'user', content: `That reply cannot be used. ${why}\n${wish}`.trim() },
  ]
}

function replyOf<T>(
  checked: Extract<Checked<T>, { ok: true }>,
  reply: WireReply,
  made: readonly Called[],
  { usage, cost }: Pick<LlmReply, 'usage' | 'cost'>,
): LlmReply<T> {
  const all = spentOn(made)
  return {
    text: checked.text,
    object: checked.object,
    toolCalls: checked.toolCalls,
    finish: checked.toolCalls.length > reply.toolCalls.length ? 'tool-calls' : reply.finish,
    usage,
    cost,
    cached: made.every(({ cached }) => cached),
    repairs: made.length - 1,
    ...(made.length > 1 && {
      repairsTook: {
        tokens: all.tokens - usage.input - usage.output,
        cost: all.cost === null || cost === null ? null : all.cost - cost,
      },
    }),
  }
}

/** What the call would have used had its first reply been the accepted one: complaints are no part of what was asked. */
function usageOf(made: readonly Called[]): LlmUsage {
  const { input, cachedInput } = made[0]!.reply.usage
  const { output, reasoning } = made.at(-1)!.reply.usage
  return { input, cachedInput, output, reasoning }
}

function spentOn(made: readonly Called[]): Spent {
  return {
    tokens: made.reduce((sum, { reply: { usage } }) => sum + usage.input + usage.output, 0),
    cost: made.reduce<number | null>((sum, { cost }) => (sum === null || cost === null ? null : sum + cost), 0),
  }
}

function explain(error: z.ZodError): string {
  return z.prettifyError(error).replace(/\s*\n\s*/g, ' ')
}
