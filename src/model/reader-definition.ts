import type { InstrumentContext, InstrumentDefinition } from './instrument.js'
import type { Reader } from './reader.js'

/** How questions are put: `auto` by their kind; a named style where a question fits it, freely elsewhere. */
export const ANSWER_STYLES = ['auto', 'free', 'yes-no', 'choice'] as const

export type AnswerStyle = (typeof ANSWER_STYLES)[number]

/** Everything a reader may use: what judges may, and how it is asked to answer. */
export interface ReaderContext extends InstrumentContext {
  style: AnswerStyle
  reasoning: 'off' | 'default'
}

/** A reader as `create` makes it: name and key follow from the definition where they are left out. */
export type MadeReader = Pick<Reader, 'read'> & Partial<Pick<Reader, 'name' | 'key'>>

/** What a reader says of itself, and how one is made. One definition a file. */
export interface ReaderDefinition extends InstrumentDefinition {
  kind: 'reader'
  create(context: ReaderContext): MadeReader | Promise<MadeReader>
}

/** A definition as a file of one's own gives it: its name may follow from the file. */
export type OwnReader = Partial<Omit<ReaderDefinition, 'kind' | 'create'>> & Pick<ReaderDefinition, 'create'>

/**
 * Types a reader. A file of one's own needs `create` alone.
 *
 * @example export default defineReader({ create: () => ({ read: async (question, memories) => ({ answer: memories[0]?.text ?? '', … }) }) })
 */
export function defineReader(reader: Omit<ReaderDefinition, 'kind'>): ReaderDefinition
export function defineReader(reader: OwnReader): OwnReader & { kind: 'reader' }
export function defineReader(reader: OwnReader): OwnReader & { kind: 'reader' } {
  return { ...reader, kind: 'reader' }
}
