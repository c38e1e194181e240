import { z } from 'zod'
import type { Conversation, Memory, SystemContext } from '../../model/index.js'
import { askerOf, formatTranscript, isSilent, longDayOf } from '../parts/index.js'
import type { NoteStance, StatementCues } from './cues.js'
import { noteOf, notesOf, type SaidNote } from './note.js'
import { PROMPTS } from './prompts.js'

/**
 * Makes notes of a conversation, in the order of saying. What it throws leaves a memory as it was.
 *
 * @param name what ids of notes begin with
 */
export type Extractor = (conversation: Conversation, name: string) => Promise<SaidNote[]>

/** Every turn is a note, as it was said; what it does is known by its words. */
export const byWords: Extractor = async (conversation, name) => notesOf(conversation, name)

const Extracted = z.object({
  notes: z.array(
    z.object({
      text: z.string(),
      speaker: z.enum(['user', 'assistant']),
      of: z.string(),
      about: z.string(),
      value: z.string(),
      rests_on: z.array(z.string()),
      kind: z.enum(['fact', 'pending', 'change', 'thought', 'revoked', 'erase']),
    }),
  ),
})

const STANCES: Record<z.infer<typeof Extracted>['notes'][number]['kind'], NoteStance> = {
  fact: 'told',
  erase: 'told',
  pending: 'rule',
  change: 'change',
  thought: 'thought',
  revoked: 'revoked',
}

/**
 * Notes by a model, in one call a conversation. It is shown nothing but the conversation, so that the last call of a life costs what the first
 * did.
 *
 * @example new Mosaic({ embed, extract: byModel({ llm, signal }) })
 */
export function byModel(context: Pick<SystemContext, 'llm' | 'signal' | 'prompts'>): Extractor {
  const model = askerOf(context, 'mosaic-model', PROMPTS)
  return async (conversation, name) => {
    if (isSilent(conversation)) return []
    const { id: source, time } = conversation
    const { notes } = await model.ask('extract', Extracted, {
      data: { conversation: formatTranscript(conversation) },
      close: `Date: ${longDayOf(time)}.`,
    })
    const told = notes.filter(({ text }) => text.trim() !== '')
    return told.map(({ text, speaker, kind, ...note }, i): SaidNote => {
      const said = speaker === 'assistant' ? `Assistant: ${text}` : text
      const memory: Memory = { id: `${name}#${i}`, text: said, time, sources: [source] }
      const cues: StatementCues = {
        leans: note.rests_on,
        isNews: kind === 'change' || kind === 'thought' || kind === 'revoked',
        isForget: kind === 'erase',
        stance: STANCES[kind],
        ...(note.about.trim() !== '' && { of: note.of, about: note.about, value: note.value }),
      }
      return noteOf(memory, cues)
    })
  }
}
