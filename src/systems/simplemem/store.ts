import { z } from 'zod'
import { cleanText, item } from '../../base/fence.js'
import type { Conversation, SystemContext } from '../../model/index.js'
import { type Asker, embedAll, minuteOf, numbered, type Prompts } from '../parts/index.js'
import type { Entries, Entry } from './entries.js'
import type { PROMPTS } from './prompts.js'

const Compressed = z.object({
  entries: z.array(
    z.object({
      lossless_restatement: z.string(),
      keywords: z.array(z.string()),
      timestamp: z.string().nullable(),
      location: z.string().nullable(),
      persons: z.array(z.string()),
      entities: z.array(z.string()),
      topic: z.string(),
    }),
  ),
})

export interface SimpleMemSettings {
  /** Turns a window, and how many of them the next one begins with. */
  window: number
  overlap: number
  restate: boolean
  plan: boolean
  /** Most rounds of looking again. */
  reflect: number
  merge: 'append' | 'fuse'
}

/** What storing and searching work with. */
export interface SimpleMemParts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  entries: Entries
  nextId: () => string
  settings: SimpleMemSettings
  /** Entries of the last window that was full. */
  previous: Entry[]
}

/** Entries of the window before that are shown, so that nothing is said twice. */
const SHOWN = 3
const TEMPERATURE = 0.1

/** Cuts a conversation into windows; what is left at its end is a window too, for every conversation is finalised. */
export async function storeConversation(conversation: Conversation, parts: SimpleMemParts): Promise<void> {
  const { window, overlap } = parts.settings
  let lines = linesOf(conversation)
  while (lines.length >= window) {
    parts.previous = await compress(lines.slice(0, window), conversation, parts)
    lines = lines.slice(window - overlap)
  }
  if (lines.length > 0) await compress(lines, conversation, parts)
}

function linesOf({ turns, time }: Conversation): string[] {
  return turns.flatMap(({ role, text }) =>
    cleanText(text).trim() === '' ? [] : [item(`[${minuteOf(time)}] ${role === 'user' ? 'User' : 'Assistant'}:`, text)],
  )
}

async function compress(
  lines: readonly string[],
  { id: source, time }: Conversation,
  parts: SimpleMemParts,
): Promise<Entry[]> {
  const { context, model, prompts, entries, nextId, settings, previous } = parts
  const reply = await model.ask({
    step: 'compress',
    role: 'ingest',
    system: prompts.text(settings.restate ? 'compress' : 'compress-said'),
    data: {
      previous: numbered(previous.slice(0, SHOWN).map(({ text }) => text)),
      dialogue: lines.join('\n'),
    },
    schema: Compressed,
    temperature: TEMPERATURE,
  })
  const made = reply.entries
    .filter(({ lossless_restatement: text }) => text.trim() !== '')
    .map(({ lossless_restatement: text, ...fields }): Entry => {
      return { id: nextId(), text, time, sources: [source], ...fields }
    })
  const vectors = await embedAll(
    context,
    made.map(({ text }) => text),
  )
  for (const [i, entry] of made.entries()) entries.add(entry, vectors[i]!)
  return made
}
