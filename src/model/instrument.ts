import type { Embedder } from './embedder.js'
import type { Llm } from './llm.js'

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
  /** What is named behind it, in order; without `needs.llm` nothing. */
  named: readonly string[]
  /** A model by its name, such as `openai:gpt-5-mini`. What it takes is counted, kept and paid for as for any other. */
  llm(model: string): Llm
  /** Its own `prompts`, with what the user put in their place. */
  prompts: Readonly<Record<string, string>>
  /** With defaults filled in. */
  options: Readonly<Record<string, string>>
}
