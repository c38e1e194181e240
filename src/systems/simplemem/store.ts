import { z } from 'zod'
import { cleanText, item } from '../../base/fence.js'
import type { Conversation } from '../../model/index.js'
import { choiceOption, countOption, switchOption } from '../options.js'
import { idCounter, minuteOf, numbered, partsMaker, setAll } from '../parts/index.js'
import { Entries, type Entry } from './entries.js'
import { FIXED } from './fixed.js'
import { PROMPTS } from './prompts.js'

export const OPTIONS = z
  .object({
    window: countOption('40', 'turns that are restated together; what is left of a conversation is a window too'),
    overlap: countOption('2', 'turns of a window that the next one begins with', { min: 0 }),
    restate: switchOption('on', 'on: entries restate what was said; off: they keep its words'),
    plan: switchOption('on', 'on: several queries, words and fields; off: the question alone, by meaning'),
    reflect: countOption('2', 'most rounds of looking again for what is missing', { min: 0 }),
    merge: choiceOption(['append', 'fuse'], 'how searches are joined: append, one after the other, or fuse, by rank'),
  })
  .superRefine(({ window, overlap }, context) => {
    if (overlap < window) return
    context.addIssue({ code: 'custom', path: ['overlap'], message: `a whole number from 0 to ${window - 1}` })
  })

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

/** What storing and searching work with. */
export type SimpleMemParts = ReturnType<typeof partsOf>

export const partsOf = partsMaker(
  { name: 'simplemem', options: OPTIONS, prompts: PROMPTS, temperatures: FIXED.temperatures },
  ({ context, journal }) => ({
    entries: new Entries(context.embed.dimensions, journal),
    nextId: idCounter('e', journal),
    /** Entries of the last window that was full. */
    previous: [] as Entry[],
  }),
)

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
  { context, model, entries, nextId, settings, previous }: SimpleMemParts,
): Promise<Entry[]> {
  const reply = await model.ask('compress', Compressed, {
    system: model.prompt(settings.restate ? 'compress' : 'compress-said'),
    data: { previous: numbered(previous.slice(0, FIXED.shown)), dialogue: lines.join('\n') },
  })
  const made = reply.entries
    .filter(({ lossless_restatement: text }) => text.trim() !== '')
    .map(({ lossless_restatement: text, ...fields }) => ({ id: nextId(), text, time, sources: [source], ...fields }))
  await setAll(context, made, (entry, vector) => entries.set(entry, vector))
  return made
}
