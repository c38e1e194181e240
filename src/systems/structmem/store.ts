import { z } from 'zod'
import type { Conversation } from '../../model/index.js'
import { choiceOption, countOption, numberOption, switchOption, temperatureOption } from '../options.js'
import { embedAll, idCounter, type Kept, partsMaker, VectorTable } from '../parts/index.js'
import { summarise, updateStore } from './consolidate.js'
import { type Event, Events } from './events.js'
import { eventsOf } from './extract.js'
import { PROMPTS } from './prompts.js'
import { portionsOf } from './segment.js'

export const OPTIONS = z.object({
  perspectives: choiceOption(['both', 'facts'], 'what is recorded: both facts and relations, or facts alone'),
  summarise: switchOption('on', 'on: every conversation is summarised together with related events; off'),
  summaries: switchOption('off', 'on: summaries can be found, beside events'),
  update: switchOption('on', 'on: events are changed or deleted in the light of newer ones like them; off'),
  threshold: numberOption('0.9', 'least likeness of events that are compared', { min: -1, max: 1 }),
  seeds: countOption('15', 'related events looked up for a summary', { min: 0 }),
  sensory: countOption('512', 'tokens after which what is said is cut into topics', { min: 0 }),
  'short-term': countOption('2000', 'tokens of topics after which events are recorded', { min: 0 }),
  temperature: temperatureOption('0.1'),
})

/** What storing works with. */
export type StructMemParts = ReturnType<typeof partsOf>

export const partsOf = partsMaker(
  { name: 'structmem', options: OPTIONS, prompts: PROMPTS },
  ({ context, settings, journal }) => ({
    events: new Events(context.embed.dimensions, settings.threshold, journal),
    summaries: new VectorTable<Kept>(context.embed.dimensions, journal),
    nextEvent: idCounter('e', journal),
    nextSummary: idCounter('s', journal),
    /** What was last asked about an event when it was compared, by its id. */
    asked: new Map<string, string>(),
  }),
)

/** Records events, summarises them, then compares what is alike in the whole store. Nothing waits for the next conversation. */
export async function storeConversation(conversation: Conversation, parts: StructMemParts): Promise<void> {
  const { context, events, settings } = parts
  const fresh: Event[] = []
  const buffers = { sensory: settings.sensory, shortTerm: settings['short-term'] }
  for (const portion of await portionsOf(conversation, buffers, context)) {
    fresh.push(...(await eventsOf(portion, conversation, parts)))
  }
  if (fresh.length === 0) return
  const memories = fresh.map(({ memory }) => memory)
  for (const [i, vector] of (await embedAll(context, memories)).entries()) events.add(fresh[i]!, vector)
  if (settings.summarise) await summarise(fresh, conversation, parts)
  if (settings.update) await updateStore(parts)
}
