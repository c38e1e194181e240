import { cleanText } from '../../base/fence.js'
import { type Conversation, LlmError, type Query } from '../../model/index.js'
import type { Asker, Tool } from './asker.js'
import { dayOf } from './clock.js'
import { formatTranscript } from './data.js'

/** A memory that a model keeps and looks up by itself, with tools and in so many calls. */
export interface ToolLoop {
  /** What it is called in messages. */
  name: string
  model: Asker<'store' | 'retrieve'>
  rounds: number
  temperature: number
}

const MAX_TOKENS = 8000

/**
 * Shows the model a conversation, and lets it keep what it will with its tools.
 *
 * @throws LlmError when it was not done in time: what it would still have kept is not known
 */
export async function keepWithTools(
  conversation: Conversation,
  tools: readonly Tool[],
  { name, model, ...settings }: ToolLoop,
): Promise<void> {
  const { done, rounds } = await model.loop('store', {
    values: { day: dayOf(conversation.time) },
    data: { conversation: formatTranscript(conversation) },
    tools,
    closing: 'Done.',
    ...settings,
    maxTokens: MAX_TOKENS,
  })
  if (done) return
  throw new LlmError(
    'unparsable',
    `The model of ${name} was not done storing "${conversation.id}" in ${rounds} rounds.`,
    'Allow more `rounds`.',
  )
}

/** Lets the model look up a question with its tools. What they show it is what is found, also when its rounds end before it does. */
export async function lookUpWithTools(
  query: Query,
  tools: readonly Tool[],
  { name: _name, model, ...settings }: ToolLoop,
): Promise<void> {
  await model.loop('retrieve', {
    role: 'retrieve',
    values: { day: dayOf(query.time) },
    data: { question: cleanText(query.text) },
    tools,
    closing: 'Done.',
    ...settings,
    maxTokens: MAX_TOKENS,
  })
}
