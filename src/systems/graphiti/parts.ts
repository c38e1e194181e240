import { z } from 'zod'
import type { Conversation } from '../../model/index.js'
import { choiceOption, countOption, numberOption, switchOption, temperatureOption } from '../options.js'
import { formatTranscript, idCounter, partsMaker } from '../parts/index.js'
import { FIXED } from './fixed.js'
import { MemoryGraph } from './graph.js'
import { PROMPTS } from './prompts.js'

export const OPTIONS = z.object({
  wording: choiceOption(
    ['paraphrase', 'exact'],
    'paraphrase: facts in other words, without quotes; exact: they carry every detail',
  ),
  invalidate: switchOption('on', 'on: facts end when a new one contradicts them; off: nothing ever ends'),
  summaries: switchOption('on', 'on: what is known of an entity is gathered beside the facts; off'),
  summary: countOption('500', 'characters of what is written of an entity; twice as many are gathered before', {
    min: 50,
  }),
  threshold: numberOption('0.6', 'score (1 + cosine) / 2 above which something is found by meaning', {
    min: 0,
    max: 1,
  }),
  candidates: countOption('10', 'entities or facts that a new one is compared with, of each kind'),
  earlier: countOption('10', 'earlier conversations shown when one is read', { min: 0 }),
  temperature: temperatureOption('0'),
})

/** What storing works with. */
export type GraphitiParts = ReturnType<typeof partsOf>

export const partsOf = partsMaker(
  { name: 'graphiti', options: OPTIONS, prompts: PROMPTS, maxTokens: FIXED.maxTokens },
  ({ context, settings, journal }) => ({
    graph: new MemoryGraph(context.embed.dimensions, settings.threshold, journal),
    /** The last conversations, oldest first. */
    episodes: [] as Conversation[],
    nextNode: idCounter('n', journal),
    nextEdge: idCounter('e', journal),
  }),
)

/** The data of a prompt on a conversation: its transcript, and those of the conversations before it. */
export function conversationPromptData(conversation: Conversation, { episodes }: GraphitiParts) {
  const earlier = episodes.map((episode) => formatTranscript(episode)).join('\n')
  return { earlier: earlier || '(none)', conversation: formatTranscript(conversation) }
}
