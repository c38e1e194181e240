import { z } from 'zod'
import { item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { embedOne, numbered, withSource } from '../parts/index.js'
import { type Event, eventText } from './events.js'
import type { StructMemParts } from './store.js'

const Update = z.object({ action: z.enum(['update', 'delete', 'ignore']), new_memory: z.string().nullable() })

/** Tells what happened in a conversation, together with older events that may belong with it, as a summary of its own. */
export async function summarise(
  events: readonly Event[],
  { id: source, time }: Conversation,
  parts: StructMemParts,
): Promise<void> {
  const { context, model, summaries, nextSummary } = parts
  const vector = await embedOne(context, events.map(({ memory }) => memory).join(' '))
  const data = { entries: numbered(events), related: numbered(relatedTo(events, vector, parts)) }
  const text = await model.say('summarise', { data })
  summaries.set({ id: nextSummary(), text, time, sources: [source] }, await embedOne(context, text))
}

/** The events most like those of a conversation, with all that were recorded of the same turns. */
function relatedTo(own: readonly Event[], vector: Float32Array, { events, settings }: StructMemParts): Event[] {
  const ids = new Set(own.map(({ id }) => id))
  const seeds = events.rows.nearest(vector, settings.seeds, ({ id }) => !ids.has(id))
  const turns = new Set(seeds.map(({ row }) => turnOf(row)))
  return turns.size === 0 ? [] : events.rows.rows().filter((event) => turns.has(turnOf(event)) && !ids.has(event.id))
}

function turnOf({ sources, moment }: Event): string {
  return `${sources[0]} ${moment}`
}

/** Lets the model change or delete events that have newer ones like them. What is changed is still found by its old words, and not asked again. */
export async function updateStore(parts: StructMemParts): Promise<void> {
  const { model, events, asked, journal } = parts
  const targets = events.targets().filter(({ target, newer }) => {
    const question = [target, ...newer].map(({ text }) => text).join('\n')
    const known = asked.get(target.id) === question
    journal.set(asked, target.id, question)
    return !known
  })
  const decisions = await Promise.all(
    targets.map(({ target, newer }) =>
      model.ask('update', Update, { data: { target: item('-', target.text), newer: numbered(newer) } }),
    ),
  )
  for (const [i, { action, new_memory }] of decisions.entries()) {
    const { target, newer } = targets[i]!
    if (action === 'delete') {
      events.delete(target.id)
      journal.delete(asked, target.id)
    }
    if (action !== 'update' || !new_memory?.trim()) continue
    const sources = newer.flatMap((event) => event.sources).reduce(withSource, [...target.sources])
    events.rows.set({ ...target, memory: new_memory, text: eventText(new_memory, target.time), sources })
  }
}
