import { z } from 'zod'
import {
  LlmError,
  type LlmMessage,
  type LlmOptions,
  type LlmRequest,
  type LlmRole,
  type LlmToolCall,
  type SystemContext,
} from '../../model/index.js'
import { DATA_NOTE, type Data, showData } from './data.js'

/** One call of the model inside a system. */
export interface ModelRequest {
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

/** A tool of a {@link Asker.loop}. What it throws as a `ToolError` is told to the model; anything else ends the work. */
export interface Tool<T = unknown> {
  name: string
  description: string
  parameters: z.ZodType<T>
  /** Calling it says that there is nothing left to do. */
  ends?: boolean
  run(input: T): string | Promise<string>
}

/** A mistake of the model in using a tool. */
export class ToolError extends Error {}

export interface LoopAsk extends ModelRequest {
  tools: readonly Tool[]
  /** Most calls of the model; a few more where the last of them made mistakes in calling tools. */
  rounds: number
  /** Every reply must call a tool; one of them `ends` the loop. */
  force?: boolean
  /** All that may be said instead of calling any tool. */
  closing?: string
}

/** A tool call, and what came of it. */
export interface Used {
  round: number
  name: string
  input: unknown
  output: string
  failed: boolean
  /** It could not even be tried: there is no such tool, or its arguments do not fit. */
  wrong: boolean
}

/** What happened in a loop. */
export interface LoopResult {
  /** What the model said last. */
  text: string
  /** Tool calls in the order in which they were made. */
  calls: Used[]
  /** Calls of the model. */
  rounds: number
  /** The model stopped calling tools by itself. */
  done: boolean
}

/** Rounds that a loop may go on for, so that mistakes in calling tools can be corrected. */
const CORRECTIONS = 2

/**
 * The model inside a system. Every reply with a schema is checked by the gateway, mended a bounded number of times, and then an `LlmError`:
 * let it pass, for what was asked for cannot be had. A reply that cannot be read is never an empty one: calls that were written as text are read
 * or are an error, a call that cannot be carried out goes back to the model as its own result, and a loop in which nothing else was called is an error.
 */
export interface Asker {
  ask<T>(ask: ModelRequest & { schema: z.ZodType<T> }): Promise<T>
  say(ask: ModelRequest): Promise<string>
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
  const call = <T>(
    { step, role, temperature = 0, maxTokens }: ModelRequest,
    request: LlmRequest<T>,
    more?: Partial<LlmOptions>,
  ) => {
    signal.throwIfAborted()
    return llm.generate<T>(
      { temperature, ...(maxTokens !== undefined && { maxTokens }), ...request },
      { role, signal, label: `${name}/${step}`, ...more },
    )
  }
  return {
    ask: async ({ schema, ...ask }) => (await call(ask, { messages: messagesOf(ask), schema })).object,
    say: async (ask) => (await call(ask, { messages: messagesOf(ask) })).text,
    loop: async ({ tools, rounds, force = false, closing, ...ask }) => {
      const messages = messagesOf(ask)
      const result: LoopResult = { text: '', calls: [], rounds: 0, done: false }
      let mistaken = false
      while (!result.done && result.rounds < rounds + (mistaken ? CORRECTIONS : 0)) {
        const { text, toolCalls } = await call(
          ask,
          { messages: [...messages], tools: tools.map(described), ...(force && { toolChoice: 'required' }) },
          {
            wrongCalls: 'return',
            objection: (reply) => (result.calls.length > 0 ? null : silence(reply, tools, closing)),
          },
        )
        result.rounds++
        result.text = text
        messages.push({ role: 'assistant', content: text, ...(toolCalls.length > 0 && { toolCalls }) })
        const used: Used[] = []
        for (const made of toolCalls) {
          const { output, ...end } = await use(tools, made)
          used.push({ round: result.rounds, name: made.name, input: made.input, output, ...end })
          messages.push({ role: 'tool', callId: made.id, name: made.name, content: output })
        }
        result.calls.push(...used)
        mistaken = used.some(({ wrong }) => wrong)
        result.done = toolCalls.length === 0 || (!mistaken && used.some((made) => isEnd(made, tools)))
      }
      const tried = result.calls.filter((made) => !isEnd(made, tools))
      if (mistaken || (tried.length > 0 && tried.every(({ wrong }) => wrong)))
        throw neverRight(`${name}/${ask.step}`, result)
      return result
    },
  }
}

/** Why a reply without any call is no end of a loop that has called nothing yet; null when it is one. */
function silence(
  { text, toolCalls }: { text: string; toolCalls: readonly LlmToolCall[] },
  tools: readonly Tool[],
  closing: string | undefined,
): string | null {
  if (toolCalls.length > 0) return null
  if (closing !== undefined) {
    return lettersOf(text) === lettersOf(closing)
      ? null
      : `No tool was called, so nothing was done. Call one, or reply with "${closing}" and nothing else when there is nothing to do.`
  }
  // A name such as "grep" may be a word like others; one that is marked as a name, or can be nothing else, is none.
  const named = tools.find(({ name }) =>
    name.includes('_') ? text.includes(name) : new RegExp(`["'\`]${name}["'\`]`).test(text),
  )
  return named ? `It speaks of the tool "${named.name}" and does not call it. Call it.` : null
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function isEnd({ name, wrong }: Used, tools: readonly Tool[]): boolean {
  return !wrong && tools.some((tool) => tool.ends && tool.name === name)
}

function neverRight(step: string, { calls, rounds }: LoopResult): LlmError {
  const { name, output } = calls.findLast(({ wrong }) => wrong)!
  return new LlmError(
    'unparsable',
    `The model did not get its tool calls for "${step}" right in ${rounds} rounds. The last mistake, calling "${name}": ${output}`,
    'Use a model that calls tools well.',
  )
}

function messagesOf({ system, data, close }: ModelRequest): LlmMessage[] {
  const shown = [showData(data), ...(close === undefined ? [] : [close])].filter((part) => part !== '').join('\n\n')
  return [
    { role: 'system', content: `${system}\n\n${DATA_NOTE}` },
    { role: 'user', content: shown },
  ]
}

function described({ name, description, parameters }: Tool) {
  return { name, description, parameters }
}

async function use(
  tools: readonly Tool[],
  { name, input, wrong }: LlmToolCall,
): Promise<Pick<Used, 'output' | 'failed' | 'wrong'>> {
  const tool = tools.find((candidate) => candidate.name === name)
  const mistake = (why: string) => ({ output: `Error: ${why}`, failed: true, wrong: true })
  if (wrong !== undefined) return mistake(wrong)
  if (!tool) return mistake(`There is no tool "${name}".`)
  const fits = tool.parameters.safeParse(input)
  if (!fits.success) return mistake(`The arguments do not fit: ${z.prettifyError(fits.error)}`)
  try {
    return { output: await tool.run(fits.data), failed: false, wrong: false }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { output: `Error: ${error.message}`, failed: true, wrong: false }
  }
}
