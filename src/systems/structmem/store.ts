import type { Conversation, SystemContext } from '../../model/index.js'
import { type Asker, embedAll, type Journal, type Kept, type Prompts, type VectorTable } from '../parts/index.js'
import { summarise, updateStore } from './consolidate.js'
import type { Event, Events } from './events.js'
import { eventsOf } from './extract.js'
import type { PROMPTS } from './prompts.js'
import { type Buffers, portionsOf } from './segment.js'

export interface StructMemSettings {
  buffers: Buffers
  relations: boolean
  summarise: boolean
  /** Events most like a conversation that are shown when it is summarised. */
  seeds: number
  /** Whether events are compared with newer ones that are like them. */
  update: boolean
  temperature: number
}

/** What storing works with. */
export interface StructMemParts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  events: Events
  summaries: VectorTable<Kept>
  nextEvent: () => string
  nextSummary: () => string
  /** What was last asked about an event when it was compared, by its id. */
  asked: Map<string, string>
  journal: Journal
  settings: StructMemSettings
}

/** Records events, summarises them, then compares what is alike in the whole store. Nothing waits for the next conversation. */
export async function storeConversation(conversation: Conversation, parts: StructMemParts): Promise<void> {
  const { context, events, settings } = parts
  const fresh: Event[] = []
  for (const portion of await portionsOf(conversation, settings.buffers, context)) {
    fresh.push(...(await eventsOf(portion, conversation, parts)))
  }
  if (fresh.length === 0) return
  const vectors = await embedAll(
    context,
    fresh.map(({ memory }) => memory),
  )
  for (const [i, event] of fresh.entries()) events.add(event, vectors[i]!)
  if (settings.summarise) await summarise(fresh, conversation, parts)
  if (settings.update) await updateStore(parts)
}
