import type { Conversation, SystemContext } from '../../model/index.js'
import { type Asker, formatTranscript, type Prompts } from '../parts/index.js'
import type { MemoryGraph } from './graph.js'
import type { PROMPTS } from './prompts.js'

export interface GraphitiSettings {
  wording: 'exact' | 'paraphrase'
  invalidate: boolean
  summaries: boolean
  /** Characters of a summary that is written anew; facts are gathered up to twice as many. */
  summary: number
  /** Entities or facts looked up for comparison. */
  candidates: number
  /** Earlier conversations shown. */
  earlier: number
  temperature: number
}

/** What storing works with. */
export interface GraphitiParts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  graph: MemoryGraph
  /** The last conversations, oldest first. */
  episodes: Conversation[]
  nextNode: () => string
  nextEdge: () => string
  settings: GraphitiSettings
}

export const MAX_TOKENS = 8000

/** The data of a prompt on a conversation: its transcript, and those of the conversations before it. */
export function conversationPromptData(
  conversation: Conversation,
  { episodes }: GraphitiParts,
): { earlier: string; conversation: string } {
  const earlier = episodes.map((episode) => formatTranscript(episode)).join('\n')
  return { earlier: earlier || '(none)', conversation: formatTranscript(conversation) }
}
