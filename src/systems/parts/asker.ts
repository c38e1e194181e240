import { z } from 'zod'
import {
  LlmError,
  type LlmMessage,
  type LlmOptions,
  type LlmReply,
  type LlmRequest,
  type LlmRole,
  type LlmToolCall,
  type SystemContext,
} from '../../model/index.js'
import { DATA_NOTE, type Data, showData } from './data.js'
import { type PromptValues, promptsOf } from './prompts.js'

/** How the model is asked in one step. */
export interface Ask {
  /** What it is shown. */
  data: Data
  /** What the places of the prompt are filled with. */
  values?: PromptValues
  /** What it is told, where that is not the prompt of the step's name. */
  system?: string
  /** A last line after the data, such as a question about it. */
  close?: string
  role?: Extract<LlmRole, 'ingest' | 'retrieve' | 'answer'>
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

/** A tool whose input is what its parameters say. */
export function toolOf<T>(name: string, description: string, parameters: z.ZodType<T>, run: Tool<T>['run']): Tool<T> {
  return { name, description, parameters, run }
}

export interface LoopAsk extends Ask {
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

/** What happened in a loop: what the model said last, its tool calls in order, and whether it stopped by itself. */
export interface LoopResult {
  text: string
  calls: Used[]
  /** Calls of the model. */
  rounds: number
  done: boolean
}

/** Rounds that a loop may go on for, so that mistakes in calling tools can be corrected. */
const CORRECTIONS = 2

/**
 * The model inside a system. Steps are named as the prompts are; scripts and rehearsals go by them. Every reply with a schema is checked by the
 * gateway, mended a bounded number of times, and then an `LlmError`: let it pass, for what was asked for cannot be had. A reply that cannot be
 * read is never an empty one: calls that were written as text are read or are an error, a call that cannot be carried out goes back to the
 * model as its own result, and a loop in which nothing else was called is an error.
 */
export interface Asker<Step extends string> {
  ask<T>(step: Step, schema: z.ZodType<T>, ask: Ask): Promise<T>
  say(step: Step, ask: Ask): Promise<string>
  loop(step: Step, ask: LoopAsk): Promise<LoopResult>
  /** A prompt with its places filled. */
  prompt(name: Step, values?: PromptValues): string
}

/** How a system's model is asked where a step says nothing else; a step with a temperature of its own keeps it. */
export interface UsualAsk<Step extends string> extends Pick<Ask, 'temperature' | 'maxTokens'> {
  temperatures?: Readonly<Partial<Record<Step, number>>>
}

/**
 * The model of a context, for one system with its prompts.
 *
 * @param usual what holds for all steps that say nothing else; temperature 0 by default
 * @example const { facts } = await askerOf(context, 'mem0-v1', PROMPTS).ask('extract', Facts, { data: { conversation } })
 */
export function askerOf<Step extends string>(
  context: Pick<SystemContext, 'llm' | 'signal' | 'prompts'>,
  name: string,
  own: Readonly<Record<Step, string>>,
  usual: UsualAsk<Step> = {},
): Asker<Step> {
  const { llm, signal } = context
  if (!llm) throw new Error(`Expected \`llm\` in the context of ${name}, which declares needs.llm`)
  const prompt = promptsOf(own, context).text
  const messagesOf = (step: Step, { values, system = prompt(step, values), data, close = '' }: Ask): LlmMessage[] => [
    { role: 'system', content: `${system}\n\n${DATA_NOTE}` },
    { role: 'user', content: [showData(data), close].filter((part) => part !== '').join('\n\n') },
  ]
  const call = <T>(step: Step, ask: Ask, request: LlmRequest<T>, more?: Partial<LlmOptions>): Promise<LlmReply<T>> => {
    signal.throwIfAborted()
    const { role = 'ingest', maxTokens = usual.maxTokens } = ask
    const temperature = ask.temperature ?? usual.temperatures?.[step] ?? usual.temperature ?? 0
    return llm.generate<T>(
      { temperature, ...(maxTokens !== undefined && { maxTokens }), ...request },
      { role, signal, label: `${name}/${step}`, ...more },
    )
  }
  return {
    prompt,
    ask: async (step, schema, ask) => (await call(step, ask, { messages: messagesOf(step, ask), schema })).object,
    say: async (step, ask) =>
      (await call(step, ask, { messages: messagesOf(step, ask) }, { objection: emptiness })).text,
    loop: async (step, ask) => {
      const { tools, rounds, force = false, closing } = ask
      const messages = messagesOf(step, ask)
      const result: LoopResult = { text: '', calls: [], rounds: 0, done: false }
      let mistaken = false
      while (!result.done && result.rounds < rounds + (mistaken ? CORRECTIONS : 0)) {
        const shown = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
        const { text, toolCalls } = await call(
          step,
          ask,
          { messages: [...messages], tools: shown, ...(force && { toolChoice: 'required' }) },
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
        throw neverRight(`${name}/${step}`, result)
      return result
    },
  }
}

/** Why a reply without any call is no end of a loop that has called nothing yet; null when it is one. */
function silence(
  { text, toolCalls }: Pick<LlmReply, 'text' | 'toolCalls'>,
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

/** Nothing said is no reply to a step that is to say something. */
function emptiness({ text }: Pick<LlmReply, 'text'>): string | null {
  return text.trim() === '' ? 'It is empty.' : null
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
