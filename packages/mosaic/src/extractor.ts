import type { Conversation } from 'memscope'
import { leaningClauses } from './clauses.js'
import type { NoteClaim, NoteContent, RestsOn } from './note.js'
import { passagesOf } from './passages.js'

/** A note that an extractor takes of a conversation. */
export interface ExtractedNote {
  text: string
  /** Who said it. */
  role: 'user' | 'assistant'
  /** What it tells, does or waits for; the timeline goes by this alone. */
  claim?: NoteClaim
  /** What it rests on, or what a rule waits for. Read from words of condition and reason when absent. */
  restsOn?: readonly RestsOn[]
  /** Ends its id: a number in the order of notes when absent. */
  key?: string
}

/** Takes notes of a conversation, in the order of saying. When it throws, the memory stays as it was. */
export type Extractor = (conversation: Conversation) => Promise<readonly ExtractedNote[]>

/** Every turn is a note, word for word; a long one is several. */
export const everyTurn: Extractor = async ({ turns }) =>
  turns.flatMap(({ role, text }, turn) => {
    if (text.trim() === '') return []
    const passages = passagesOf(text)
    const keyOf = (i: number) => (passages.length === 1 ? `${turn}` : `${turn}.${i + 1}`)
    return passages.map((passage, i) => ({ text: passage, role, key: keyOf(i) }))
  })

/** A note as it is kept. @param name what the ids of its conversation's notes begin with */
export function contentOf({ text, role, claim, restsOn, key }: ExtractedNote, name: string, at: number): NoteContent {
  return {
    id: `${name}#${key ?? at}`,
    text,
    role,
    clauses: restsOn ? restsOn.map(clauseOf) : role === 'user' ? leaningClauses(text) : [],
    ...(claim && { claim }),
    ...(restsOn && { restsOn }),
  }
}

function clauseOf({ about, value }: RestsOn): string {
  return value === undefined ? `${about} changes` : `${about}: ${value}`
}
