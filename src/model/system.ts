import type { Depth } from './depth.js'
import type { Embedder, Endpoint, EndpointOptions, Llm, LlmRequest } from './llm.js'
import type { Query } from './question.js'
import type { Conversation } from './scenario.js'

/** One entry of a memory. `id` is stable: what `retrieve` returns can be found in `dump` by it. */
export interface Memory {
  id: string
  text: string
  score?: number
  time?: string
  status?: 'live' | 'invalidated' | 'tombstone'
  /** Ids of the conversations it came from. */
  sources?: string[]
}

/** What a system that answers by itself returns. */
export interface Answer {
  text: string
  /** The memories it looked at, when it knows them. */
  used?: Memory[]
}

/** State that a system can be put back to. Opaque to the harness. */
export type Snapshot = unknown

/** What is under test. `store` and `retrieve` are all that is needed. */
export interface MemorySystem {
  /** Takes in one finished conversation. */
  store(conversation: Conversation): Promise<void>
  /**
   * Best first, at most `k`. Read-only, unless `snapshot` and `restore` are offered. `depth` says what counts: with `{ tokens }` as many of
   * the first memories are read as fit, and `k` is only more than could.
   */
  retrieve(query: Query, k: number, depth: Depth): Promise<Memory[]>
  /** Everything held now; used only for diagnosis. Without it nobody can say at which stage a fact was lost. */
  dump?(): Promise<Memory[]>
  /** Resolves when background work is done; awaited before every probe and dump. */
  settle?(timeoutMs: number): Promise<void>
  /** Only for systems that answer by themselves. */
  answer?(query: Query): Promise<Answer>
  /**
   * Puts memories into the store as they are, past all summarising. Only used to find out what would have happened, had a fact been kept;
   * offering it makes that finding exact.
   */
  insert?(memories: readonly Memory[]): Promise<void>
  snapshot?(): Promise<Snapshot>
  restore?(snapshot: Snapshot): Promise<void>
  close?(): Promise<void>
}

/**
 * A memory that cannot be asked any more: a call of it took too long, so that nobody knows what it holds, or its process has ended. What it
 * was asked meanwhile fails with this, too.
 */
export class MemoryGoneError extends Error {
  /** @param timedOut the call itself took too long; else it fell with the memory */
  constructor(
    message: string,
    readonly timedOut = false,
  ) {
    super(message)
    this.name = 'MemoryGoneError'
  }
}

/** Nobody can look into a memory at this moment. Thrown by `dump`, it leaves the stages before retrieval unavailable, and is no failure. */
export class UnseenError extends Error {}

/** The needed facts of a question; given to `oracle` alone. */
export interface GoldAccess {
  /** The facts of the set that takes least at this depth, with what corrects them, as memories. */
  needed(queryId: string, depth: Depth): Memory[]
  /** Every fact that is ever said, and what follows from them: its sources are the conversations it follows from. */
  all(): Memory[]
}

/** Everything a system may use. It reads neither the environment, the wall clock nor the network by itself. */
export interface SystemContext {
  embed: Embedder
  /** The model inside the memory; only present for systems that declare `needs.llm`. */
  llm?: Llm
  /** A folder of its own, empty at first. */
  workdir: string
  /** A name of its own, for systems that share a server. */
  namespace: string
  /** Scenario time. */
  now(): string
  signal: AbortSignal
  log(message: string): void
  /** An opaque name of the scenario; only present for systems that declare `playback`. */
  scenario?: string
  /** Only present for systems that declare `needs.gold`. */
  gold?: GoldAccess
  /** A server for clients of the system's own; only present for systems that declare `needs.endpoint`. The system closes it. */
  endpoint?(options?: EndpointOptions): Promise<Endpoint>
  /** Texts that the user put in the place of the system's own `prompts`, by name. */
  prompts?: Readonly<Record<string, string>>
}

/** Options of a system, as given in `name:variant:key=value`. */
export type SystemOptions = Record<string, string>

/** A call that a system made of its model, as a rehearsal sees it. */
export interface RehearsedCall {
  /** Which step of the system asks: what follows the `/` in the label of the call. */
  step: string
  /** All messages, one after another. */
  prompt: string
  request: LlmRequest<unknown>
}

/** What a rehearsed model says. */
export type RehearsedReply =
  | { json: unknown }
  | { text: string }
  | { calls: readonly { name: string; input: unknown }[] }

/**
 * Plays the model inside a system: an instant reply to any call, a function of the call alone, of the kind and length a real model would
 * give. It serves estimates, conformance checks and benchmarks.
 */
export type Rehearsal = (call: RehearsedCall) => RehearsedReply | Promise<RehearsedReply>

/** What a system's model calls cost, in words: "2 a conversation", "1 a window of 20 turns", "0". */
export interface CostShape {
  store: string
  retrieve: string
}

/** What a system says of itself, and how one is made. One definition a file. */
export interface SystemDefinition {
  name: string
  /** Bumped whenever results may change; part of the run's fingerprint. */
  version: string
  /** `raw` keeps text as said, `processed` lets a model rewrite it, `file` keeps files, `reference` is a yardstick. */
  class: 'raw' | 'processed' | 'file' | 'reference'
  /** One line for `memscope systems`. */
  about: string
  /** `fixed`: ignores k, gets one row with `k: null`. */
  depth?: 'k' | 'fixed'
  /** How many memories may come for k, where what is found brings others along; k unless told. */
  mostFound?(k: number): number
  needs?: {
    embed?: boolean
    gold?: boolean
    llm?: boolean
    /** Its own client talks to the model, through `context.endpoint`. */
    endpoint?: boolean
    /** Packages that are not installed with this one. The first is the one it is about. */
    packages?: readonly string[]
  }
  /** Whether it makes no model calls with these options, although it declares `needs.llm`: no model has to be named then. */
  withoutModel?(options: SystemOptions): boolean | Promise<boolean>
  /** It was run elsewhere, and what it gave is played: nobody knows what its calls took, and it cannot live another life. */
  playback?: boolean
  /** It takes names and ids of turns as they are; others find a name before the text, as "Name: text". */
  speakers?: true
  /** It answers by itself: `answer` is asked instead of a reader. */
  answers?: boolean
  /**
   * A `store` that fails leaves the memory as it was before: all of a conversation or nothing. A `settle` that fails loses nothing either: it
   * can be asked again.
   */
  atomic?: boolean
  /** Storing a conversation whose id was stored before changes nothing. */
  idempotent?: boolean
  /** Named presets: `bm25:sentences` is `bm25` with these options. */
  variants?: Record<string, { about: string; options: SystemOptions }>
  /** Options with their defaults and meaning. Unknown ones are refused. */
  options?: Record<string, { default: string; about: string }>
  /** Model calls it makes; only for systems with a model inside. */
  cost?: CostShape
  papers?: readonly string[]
  /** How many memories the papers retrieved from it, by suite; `--k paper` asks for as many. */
  paperK?: Readonly<Record<string, number>>
  /** What a reader of its rows must know, each a clause such as "does not go by scenario time". Kept with the run; reports name the rows. */
  remarks?: readonly string[]
  /** What it tells its model, by name. A user may replace each with `prompts=<file.json>`, and gets them in `context.prompts`. */
  prompts?: Readonly<Record<string, string>>
  rehearsal?: Rehearsal
  create(context: SystemContext, options: SystemOptions): MemorySystem | Promise<MemorySystem>
}

/** Whether a system has a model inside, with these options. */
export async function hasModelInside(
  { needs, withoutModel }: SystemDefinition,
  options: SystemOptions,
): Promise<boolean> {
  return needs?.llm === true && !(await withoutModel?.(options))
}

/** A definition as a file of one's own gives it: name and version follow from the file, the rest has defaults. */
export type OwnSystem = Partial<SystemDefinition> & Pick<SystemDefinition, 'create'>

/**
 * Types a system definition. A file of one's own needs `create` alone.
 *
 * @example export default defineSystem({ create: () => ({ store: async (conversation) => {}, retrieve: async (query, k) => [] }) })
 */
export function defineSystem(definition: SystemDefinition): SystemDefinition
export function defineSystem(definition: OwnSystem): OwnSystem
export function defineSystem(definition: OwnSystem): OwnSystem {
  return definition
}
