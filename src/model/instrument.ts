import type { Judge } from './judge.js'
import type { Embedder, Entailment, Llm } from './llm.js'
import type { ReaderQuestion } from './question.js'
import type { Memory } from './system.js'
import type { Repaired } from './verdict.js'

/** An answer with what it took. */
export interface Reading extends Repaired {
  answer: string
  prompt: string
  tokens: { input: number; output: number }
  /** In USD; null when the price is not known. */
  cost: number | null
  /** The reply was kept from before, so that its time says nothing. */
  kept?: boolean
}

/** What answers a question from retrieved memories. There is none in keyless runs. */
export interface Reader {
  readonly name: string
  readonly key: string
  read(
    question: ReaderQuestion,
    memories: readonly Memory[],
    about: { time: string; trial: number; signal?: AbortSignal },
  ): Promise<Reading>
}

/** What judges and readers say of themselves alike. Their names stand before a colon, models and options behind it. */
export interface InstrumentDefinition {
  name: string
  /** One line for people. */
  about: string
  /** It asks models, which are named behind it: one, as in `llm:provider:model`, or several, as in `panel:a,b,c`. */
  needs?: { llm?: boolean | 'several' }
  /** Options with their defaults and meaning, given as `name:key=value`. Unknown ones are refused. */
  options?: Record<string, { default: string; about: string }>
  /** What it tells its models, by name. A user may replace each, as a section of a file, and gets them in `context.prompts`. */
  prompts?: Readonly<Record<string, string>>
}

/** Everything a judge or reader may use. */
export interface InstrumentContext {
  embed: Embedder
  /** Reads facts against memories; absent where the local model is not to be used. */
  entail?: Entailment
  /** What is named behind it, in order; without `needs.llm` nothing. */
  named: readonly string[]
  /** A model by its name, such as `openai:gpt-5-mini`. What it takes is counted, kept and paid for as for any other. */
  llm(model: string): Llm
  /** Its own `prompts`, with what the user put in their place. */
  prompts: Readonly<Record<string, string>>
  /** With defaults filled in. */
  options: Readonly<Record<string, string>>
}

/** Prompts that a user put in place of those of a reader or judge: the text of the file itself, so that a run needs no file to go on. */
export interface OwnPrompts {
  /** Name of the set, or of the file without its folder. */
  name: string
  /** Sections that begin with a line `@@ name`. */
  text: string
}

/** A definition as a file of one's own gives it: its name may follow from the file. */
type Own<D extends { kind: string; create: unknown }> = Partial<Omit<D, 'kind' | 'create'>> & Pick<D, 'create'>

/** A judge as `create` makes it: name and key follow from the definition where they are left out. */
export type MadeJudge = Omit<Judge, 'name' | 'key'> & Partial<Pick<Judge, 'name' | 'key'>>

/** What a judge says of itself, and how one is made. One definition a file. */
export interface JudgeDefinition extends InstrumentDefinition {
  kind: 'judge'
  /** Which of what is named behind it are models; all, unless told otherwise. */
  modelsAmong?(named: readonly string[]): string[]
  create(context: InstrumentContext): MadeJudge | Promise<MadeJudge>
}

export type OwnJudge = Own<JudgeDefinition>

/**
 * Types a judge. A file of one's own needs `create` alone.
 *
 * @example export default defineJudge({ create: () => ({ judgeFacts: async (facts, store) => [], judgeAnswer: async (question, answer) => … }) })
 */
export function defineJudge(judge: Omit<JudgeDefinition, 'kind'>): JudgeDefinition
export function defineJudge(judge: OwnJudge): OwnJudge & { kind: 'judge' }
export function defineJudge(judge: OwnJudge): OwnJudge & { kind: 'judge' } {
  return { ...judge, kind: 'judge' }
}

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

export type OwnReader = Own<ReaderDefinition>

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
