import type { z } from 'zod'
import type { LlmMessage, LlmRequest, LlmRole, SystemContext } from '../../model/index.js'
import { DATA_NOTE, type Data, showData } from './data.js'

/** One call of the model inside a system. */
export interface Ask {
  /** Names the step: it is what scripts and rehearsals go by. */
  step: string
  role: Extract<LlmRole, 'ingest' | 'retrieve' | 'answer'>
  /** What the model is to do: a prompt of the system. */
  system: string
  /** What it is shown. */
  data: Data
  /** A last line after the data, such as a question about it. */
  close?: string
  temperature?: number
  maxTokens?: number
}

/** A tool of a {@link Asker.loop}. What it throws as a `ToolError` is told to the model; anything else ends the life. */
export interface Tool<T = unknown> {
  name: string
  description: string
  parameters: z.ZodType<T>
  run(input: T): string | Promise<string>
}

/** A mistake of the model in using a tool. */
export class ToolError extends Error {}

export interface LoopAsk extends Ask {
  tools: readonly Tool[]
  /** Most calls of the model. */
  rounds: number
}

/** What happened in a loop. */
export interface LoopResult {
  /** What the model said last. */
  text: string
  /** Tool calls in the order in which they were made. */
  calls: { round: number; name: string; input: unknown; output: string; failed: boolean }[]
  /** Calls of the model. */
  rounds: number
  /** The model stopped calling tools by itself. */
  done: boolean
}

/**
 * The model inside a system. Every reply with a schema is checked by the gateway, mended a bounded number of times, and then an `LlmError`:
 * let it pass, for it makes the life an error. A reply that cannot be read is never an empty one.
 */
export interface Asker {
  ask<T>(ask: Ask & { schema: z.ZodType<T> }): Promise<T>
  say(ask: Ask): Promise<string>
  loop(ask: LoopAsk): Promise<LoopResult>
}

/**
 * The model of a context, for one system.
 *
 * @example
 * const model = askerOf(context, 'mem0-v1')
 * const { facts } = await model.ask({ step: 'extract', role: 'ingest', system: prompts.text('extract'), data: { conversation }, schema: Facts })
 */
export function askerOf({ llm, signal }: Pick<SystemContext, 'llm' | 'signal'>, name: string): Asker {
  if (!llm) throw new Error(`Expected \`llm\` in the context of ${name}, which declares needs.llm`)
  const call = <T>({ step, role, temperature = 0, maxTokens }: Ask, request: LlmRequest<T>) => {
    signal.throwIfAborted()
    return llm.generate<T>(
      { temperature, ...(maxTokens !== undefined && { maxTokens }), ...request },
      { role, signal, label: `${name}/${step}` },
    )
  }
  return {
    ask: async ({ schema, ...ask }) => (await call(ask, { messages: messagesOf(ask), schema })).object,
    say: async (ask) => (await call(ask, { messages: messagesOf(ask) })).text,
    loop: async ({ tools, rounds, ...ask }) => {
      const messages = messagesOf(ask)
      const result: LoopResult = { text: '', calls: [], rounds: 0, done: false }
      while (result.rounds < rounds && !result.done) {
        const { text, toolCalls } = await call(ask, { messages: [...messages], tools: tools.map(described) })
        result.rounds++
        result.text = text
        result.done = toolCalls.length === 0
        messages.push({ role: 'assistant', content: text, ...(toolCalls.length > 0 && { toolCalls }) })
        for (const { id, name: tool, input } of toolCalls) {
          const { output, failed } = await use(tools, tool, input)
          result.calls.push({ round: result.rounds, name: tool, input, output, failed })
          messages.push({ role: 'tool', callId: id, name: tool, content: output })
        }
      }
      return result
    },
  }
}

function messagesOf({ system, data, close }: Ask): LlmMessage[] {
  const shown = [showData(data), ...(close === undefined ? [] : [close])].filter((part) => part !== '').join('\n\n')
  return [
    { role: 'system', content: `${system}\n\n${DATA_NOTE}` },
    { role: 'user', content: shown },
  ]
}

function described({ name, description, parameters }: Tool) {
  return { name, description, parameters }
}

async function use(tools: readonly Tool[], name: string, input: unknown): Promise<{ output: string; failed: boolean }> {
  const tool = tools.find((candidate) => candidate.name === name)
  try {
    if (!tool) throw new ToolError(`There is no tool "${name}".`)
    const fits = tool.parameters.safeParse(input)
    if (!fits.success) throw new ToolError(`The arguments do not fit: ${fits.error.issues[0]?.message}.`)
    return { output: await tool.run(fits.data), failed: false }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { output: `Error: ${error.message}`, failed: true }
  }
}
