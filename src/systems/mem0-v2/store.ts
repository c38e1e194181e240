import { z } from 'zod'
import type { Conversation, SystemContext } from '../../model/index.js'
import {
  type Asker,
  embedAll,
  embedOne,
  formatTranscript,
  isSilent,
  type Kept,
  longDayOf,
  numbered,
  type Prompts,
} from '../parts/index.js'
import type { HybridMemory } from './memory.js'
import type { PROMPTS } from './prompts.js'

const Extracted = z.object({
  memory: z.array(
    z.object({
      text: z.string(),
      attributed_to: z.enum(['user', 'assistant']),
      linked_memory_ids: z.array(z.string()),
    }),
  ),
})

export interface Mem0V2Settings {
  /** Existing memories that are shown to the model. */
  neighbours: number
  /** Messages from before that are shown to the model. */
  recent: number
  temperature: number
  /** What becomes of existing memories that a new one takes further: `ignore` leaves them, `replace` takes them out. */
  links: 'ignore' | 'replace'
}

/** What storing works with. */
export interface Mem0V2Parts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  memory: HybridMemory
  /** Messages of earlier conversations, newest last. */
  history: string[]
  nextId: () => string
  settings: Mem0V2Settings
}

/** Extracts new memories in one call and adds them; what is there stays as it is. */
export async function storeConversation(conversation: Conversation, parts: Mem0V2Parts): Promise<void> {
  if (isSilent(conversation)) return
  const { context, memory, nextId, settings } = parts
  const said = formatTranscript(conversation)
  const near = memory.rows.size === 0 ? [] : await neighboursOf(said, parts)
  const extracted = await extract(conversation, said, near, parts)
  const fresh = withoutKnown(extracted, near)
  const { id: source, time } = conversation
  const rows = fresh.map(({ text }): Kept => ({ id: nextId(), text, time, sources: [source] }))
  const vectors = await embedAll(
    context,
    rows.map(({ text }) => text),
  )
  await memory.add(rows, vectors)
  remember(said, parts)
  if (settings.links === 'ignore') return
  const linked = fresh.flatMap(({ linked_memory_ids }) =>
    linked_memory_ids.flatMap((id) => near[numberIn(id)]?.id ?? []),
  )
  for (const id of linked) memory.delete(id)
}

async function neighboursOf(said: string, { context, memory, settings }: Mem0V2Parts): Promise<Kept[]> {
  return memory.rows.nearest(await embedOne(context, said), settings.neighbours).map(({ row }) => row)
}

async function extract(
  { time }: Conversation,
  said: string,
  near: readonly Kept[],
  { model, prompts, history, settings }: Mem0V2Parts,
) {
  const recent = history.slice(-settings.recent)
  const { memory } = await model.ask({
    step: 'extract',
    role: 'ingest',
    system: prompts.text('extract'),
    data: {
      recent: recent.length === 0 || settings.recent === 0 ? '(none)' : recent.join('\n'),
      memories: numbered(near.map(({ text }) => text)),
      conversation: said,
    },
    close: `Observation date: ${longDayOf(time)}.`,
    schema: Extracted,
    temperature: settings.temperature,
  })
  return memory
}

/** Only so many messages are ever looked at again. */
function remember(said: string, { history, settings }: Mem0V2Parts): void {
  history.push(...said.split(/\n(?! {2}\| )/))
  history.splice(0, Math.max(0, history.length - settings.recent))
}

/** What is not word for word one of the memories that were shown, or said before in the same reply. */
function withoutKnown<T extends { text: string }>(extracted: readonly T[], near: readonly Kept[]): T[] {
  const known = new Set(near.map(({ text }) => text))
  return extracted.filter(({ text }) => {
    if (text.trim() === '' || known.has(text)) return false
    known.add(text)
    return true
  })
}

function numberIn(id: string): number {
  return Number(/^\D*(\d+)\D*$/.exec(id)?.[1] ?? Number.NaN)
}
