import { z } from 'zod'
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
import { findJson } from './json.js'
import { isZod, toWire, type WireReply, type WireRequest } from './wire.js'

export interface RepairPolicy {
  /** How often an unusable reply is sent back with what is wrong with it. */
  repairs: number
  /** How often, after that, the question is asked anew. */
  restarts: number
}

export const DEFAULT_REPAIR: RepairPolicy = { repairs: 2, restarts: 1 }

type Checked<T> = { ok: true; object: T; toolCalls: LlmToolCall[] } | { ok: false; why: string; mendable: boolean }

/** A model whose replies are checked against what was asked for, and mended a bounded number of times; then it gives up, loudly. */
export function createLlm(calls: Calls, target: Target, policy: RepairPolicy): Llm {
  return {
    model: target.spec,
    generate: async <T = undefined>(request: LlmRequest<T>, options: LlmOptions): Promise<LlmReply<T>> => {
      const { role, trial = 0, signal, label } = options
      const wire = toWire(request)
      const made: Called[] = []
      const line = calls.plant.meter.line(role, target.spec)
      let why = ''
      for (let ask = 0; ask <= policy.restarts; ask++) {
        let messages = wire.messages
        for (let repair = 0; repair <= policy.repairs; repair++) {
          const called = await calls.generate(target, { ...wire, messages }, { role, trial, ask, signal, label })
          made.push(called)
          const checked = check(request, called.reply)
          if (checked.ok) {
            const usage = usageOf(made)
            const cost = calls.plant.prices.cost(target.spec, usage)
            return replyOf(checked, called.reply, made, { usage, cost })
          }
          why = checked.why
          line.repairs++
          if (!checked.mendable) break
          messages = [...messages, ...complaint(called.reply, checked.why)]
        }
      }
      line.repairs--
      line.errors++
      calls.forget(made.map(({ key }) => key))
      const what =
        label === undefined ? `A reply of ${target.spec} to ${role}` : `The reply of ${target.spec} for "${label}"`
      throw new LlmError(
        'unparsable',
        calls.plant.redactor.message(`${what} cannot be used, after ${made.length} calls: ${why}`),
        'Use a model that keeps to a JSON Schema, or allow more tokens for the reply.',
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

/** Whether a reply is what the request asked for. A schema is never satisfied by a guess or a default. */
function check<T>(request: LlmRequest<T>, reply: WireReply): Checked<T> {
  const toolCalls: LlmToolCall[] = []
  for (const call of reply.toolCalls) {
    const input = findJson(call.arguments === '' ? '{}' : call.arguments)
    if (!input.ok) return { ok: false, why: `The arguments of the tool "${call.name}": ${input.why}`, mendable: false }
    const tool = request.tools?.find(({ name }) => name === call.name)
    if (!tool) return { ok: false, why: `There is no tool "${call.name}".`, mendable: false }
    if (isZod(tool.parameters)) {
      const fits = tool.parameters.safeParse(input.value)
      if (!fits.success) {
        return { ok: false, why: `The arguments of the tool "${call.name}": ${explain(fits.error)}`, mendable: false }
      }
      toolCalls.push({ id: call.id, name: call.name, input: fits.data })
    } else toolCalls.push({ id: call.id, name: call.name, input: input.value })
  }
  if (reply.text === '' && toolCalls.length === 0 && reply.finish in NO_WORDS) {
    return { ok: false, why: NO_WORDS[reply.finish as keyof typeof NO_WORDS], mendable: false }
  }
  // Without a schema `T` is undefined; a model that calls tools has not answered yet.
  if (!request.schema || toolCalls.length > 0) return { ok: true, object: undefined as T, toolCalls }
  const found = findJson(reply.text)
  if (!found.ok) {
    const cut = reply.finish === 'length' ? ' It was cut off at the most tokens allowed.' : ''
    return { ok: false, why: `${found.why}${cut}`, mendable: true }
  }
  const fits = request.schema.safeParse(found.value)
  return fits.success
    ? { ok: true, object: fits.data, toolCalls }
    : { ok: false, why: `The JSON does not fit the schema: ${explain(fits.error)}`, mendable: true }
}

/** What goes back to the model: its own words, and what is wrong with them. */
function complaint(reply: WireReply, why: string): WireRequest['messages'] {
  return [
    { role: 'assistant', content: reply.text === '' ? '(empty)' : reply.text },
    {
      role: 'user',
      content: `That reply cannot be used. ${why}\nReply again with nothing but one JSON value that fits the schema.`,
    },
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
    text: reply.text,
    object: checked.object,
    toolCalls: checked.toolCalls,
    finish: reply.finish,
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
