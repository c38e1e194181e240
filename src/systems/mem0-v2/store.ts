import { z } from 'zod'
import type { Conversation } from '../../model/index.js'
import { choiceOption, countOption, numberOption, temperatureOption } from '../options.js'
import {
  embedAll,
  embedOne,
  formatTranscript,
  idCounter,
  isSilent,
  type Kept,
  longDayOf,
  numbered,
  numberIn,
  partsMaker,
} from '../parts/index.js'
import { HybridMemory } from './memory.js'
import { PROMPTS } from './prompts.js'

export const OPTIONS = z.object({
  links: choiceOption(
    ['ignore', 'replace'],
    'what happens to memories that a new one takes further: ignore, or replace',
  ),
  scoring: choiceOption(['hybrid', 'meaning'], 'hybrid (meaning, words and names) or meaning alone'),
  threshold: numberOption('0.1', 'least likeness in meaning of what is retrieved', { min: -1, max: 1 }),
  neighbours: countOption('10', 'existing memories shown to the model', { min: 0 }),
  recent: countOption('10', 'earlier messages shown to the model', { min: 0 }),
  temperature: temperatureOption('0.1'),
})

const Extracted = z.object({
  memory: z.array(
    z.object({
      text: z.string(),
      attributed_to: z.enum(['user', 'assistant']),
      linked_memory_ids: z.array(z.string()),
    }),
  ),
})

/** What storing works with. */
export type Mem0V2Parts = ReturnType<typeof partsOf>

export const partsOf = partsMaker(
  { name: 'mem0-v2', options: OPTIONS, prompts: PROMPTS },
  ({ context, settings, journal }) => ({
    memory: new HybridMemory(context, settings.scoring === 'hybrid', journal),
    /** Messages of earlier conversations, newest last: only so many are ever looked at again. */
    history: [] as string[],
    nextId: idCounter('m', journal),
  }),
)

/** Extracts new memories in one call and adds them; what is there stays as it is. */
export async function storeConversation(conversation: Conversation, parts: Mem0V2Parts): Promise<void> {
  if (isSilent(conversation)) return
  const { context, model, memory, history, nextId, settings } = parts
  const { id: source, time } = conversation
  const said = formatTranscript(conversation)
  const near = memory.rows.size === 0 ? [] : memory.rows.nearest(await embedOne(context, said), settings.neighbours)
  const known = near.map(({ row }) => row)
  const extracted = await model.ask('extract', Extracted, {
    data: { recent: history.join('\n') || '(none)', memories: numbered(known), conversation: said },
    close: `Observation date: ${longDayOf(time)}.`,
  })
  const fresh = withoutKnown(extracted.memory, known)
  const rows = fresh.map(({ text }): Kept => ({ id: nextId(), text, time, sources: [source] }))
  await memory.add(rows, await embedAll(context, rows))
  history.push(...said.split(/\n(?! {2}\| )/))
  history.splice(0, Math.max(0, history.length - settings.recent))
  if (settings.links === 'ignore') return
  for (const id of fresh.flatMap(({ linked_memory_ids }) => linked_memory_ids)) {
    const linked = known[numberIn(id)]
    if (linked) memory.delete(linked.id)
  }
}

/** What is not word for word one of the memories that were shown, or said before in the same reply. */
function withoutKnown<T extends { text: string }>(extracted: readonly T[], shown: readonly Kept[]): T[] {
  const known = new Set(shown.map(({ text }) => text))
  return extracted.filter(({ text }) => text.trim() !== '' && !known.has(text) && known.add(text))
}
