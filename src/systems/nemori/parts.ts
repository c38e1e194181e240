import type { SystemContext } from '../../model/index.js'
import type { Asker, Kept, Prompts } from '../parts/index.js'
import type { HybridTable } from './hybrid-table.js'
import type { PROMPTS } from './prompts.js'

/** An account of a conversation or a part of it. Its text is title and content. */
export interface NemoriEpisode extends Kept {
  readonly title: string
  readonly content: string
}

export interface NemoriSettings {
  /** Messages from which a conversation is divided. */
  segment: number
  merge: boolean
  /** Earlier episodes shown when it is decided whether to merge. */
  similar: number
  /** Statements from which an episode is foretold. */
  known: number
  predict: boolean
  /** Only what lasts becomes a statement. */
  lasting: boolean
  temperature: number
}

/** What storing works with. */
export interface NemoriParts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  episodes: HybridTable<NemoriEpisode>
  statements: HybridTable<Kept>
  nextEpisode: () => string
  nextStatement: () => string
  settings: NemoriSettings
}

export const MAX_TOKENS = 4000
