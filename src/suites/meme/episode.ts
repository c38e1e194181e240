import type { Stance, Turn } from '../../model/index.js'
import type { Domain } from './graph.js'

/** The six tasks of the paper. */
export const PAPER_TASKS = ['exact-recall', 'aggregation', 'tracking', 'deletion', 'cascade', 'absence'] as const

/** Questions asked before the change; they tell what was known from what was never there. */
export const BEFORE = 'before'

export type PaperTask = (typeof PAPER_TASKS)[number]
/** Tasks beyond the paper, with scores of their own. */
export type ControlTask =
  | 'control-unchanged'
  | 'control-hypothetical'
  | 'control-revoked'
  | 'conditioned-cascade'
  | 'implicit-absence'
export type AfterTask = PaperTask | ControlTask

/** Something said in an episode: an entity and a value, and in which way it is spoken of. */
export interface Statement {
  id: string
  stance: Stance
  entity: string
  value: string
  /** What it depends on, or what a rule waits for; `becomes` when the rule waits for one value. */
  parent?: { entity: string; value?: string; becomes?: string }
  /** The sentence that says it, as it stands in the session. */
  text: string
  /** Id of the session that says it. */
  session: string
  /** What a published session says in other words than `text`. */
  evidence?: string[]
  /** Why a published episode does not say it; `session` is then the one that should have. */
  unsupported?: string
  /** Must be kept word for word. */
  exact?: boolean
}

/** One conversation of an episode. Evidence says something that is asked about. */
export interface Session {
  id: string
  /** ISO 8601. */
  time: string
  turns: Turn[]
  evidence: boolean
}

/** A question before or after the change, with what the solver says about it. */
export interface EpisodeQuestion {
  id: string
  task: AfterTask | typeof BEFORE
  probe: 'before' | 'after'
  /** One entity; three for aggregation. */
  entities: string[]
  text: string
  /** Gold: values expected, in order for tracking; the old value for absence and deletion. */
  values: string[]
  /** Values that no longer hold. */
  old: string[]
  /** Statements that suffice together: what was said. */
  needs: string[]
  /** How the gold follows, in a sentence. */
  why: string
  hop?: number
  /** Id of the question before the change about the same entity. */
  pair?: string
  /** Defects of a published question that were kept, in words. */
  flags?: string[]
}

/** One episode, generated or imported: everything said, asked and expected. */
export interface Episode {
  id: string
  domain: Domain
  root: { entity: string; before: string; after: string }
  sessions: Session[]
  /** Sessions stored before the first questions are asked. */
  storedBefore: number
  times: { before: string; after: string }
  statements: Statement[]
  questions: EpisodeQuestion[]
  /** How entities and values are named, for recognising them. */
  namesOf(entity: string): string[]
  formsOf(entity: string, value: string): string[]
  /** What a report calls its setting: filler, hops, … */
  tags: Record<string, string>
}
