import type { Embedder, Memory } from '../../model/index.js'
import type { Extractor } from './extract.js'

/** What a mosaic is made of. Every part but the embedder can be left out. */
export interface MosaicOptions {
  embed: Embedder
  signal?: AbortSignal
  /** Where it is kept; in memory alone when absent. */
  folder?: string
  /** What makes notes of a conversation: words alone when absent. */
  extract?: Extractor
  /** Tell with a statement from when on something else holds in its place, or what it rests on has changed. */
  timeline?: boolean
  /** Follow what a statement hangs on to what became of it. */
  links?: boolean
  /** Follow facts to facts by what they share. */
  chains?: boolean
  /** Find things of a kind by what kinds the things are of that notes speak of. */
  sets?: boolean
  /** Hold back greetings, questions and replies. */
  weights?: boolean
  /** Take out what is asked to be forgotten. */
  forget?: boolean
}

/** A request to forget that was not followed, and statements that it may mean. */
export interface OpenRequest {
  request: Memory
  nearest: Memory[]
}
