import type { ContractResult } from '../base/contract-check.js'
import type { OutsideSystem } from '../base/outside-spec.js'
import type { FactLabel, Memory, OwnSystem } from '../model/index.js'
import type { CallTimes } from './check-notes.js'
import type { HomeOptions, MeasureOptions, OwnPart } from './types.js'

/* What calls about a memory of one's own take and give. */

export interface CheckOptions {
  /** A memory system, judge or reader: a name, a file or an object. */
  part: string | OwnPart
  systemTimeout?: number
}

/** Which promises of its contract a part keeps. */
export interface CheckResult {
  kind: 'system' | 'judge' | 'reader'
  label: string
  results: Pick<ContractResult, 'title' | 'status' | 'reason'>[]
  /** What a memory does without, and what comes of it. */
  notes?: string[]
  /** How long its calls took. */
  times?: CallTimes[]
}

export interface InitOptions {
  /** `ts`, `python`, `command`, `http`, `mcp` or `traces`; by what is in the folder unless given. */
  kind?: string
  /** The folder; the current one unless given. */
  out?: string
}

/** A starter that was written, and what to type next. */
export interface InitResult {
  kind: string
  file: string
  next: string[]
  others: { kind: string; about: string }[]
}

/** What is opened for a test: one memory of a system. */
export interface OpenMemoryOptions extends HomeOptions, Pick<MeasureOptions, 'systemTimeout'> {
  system: string | OwnSystem | OutsideSystem
  /** The time before anything is stored; then it is that of the last conversation. */
  time?: string
}

/** Whether memories keep what a statement says. */
export interface StatementVerdict {
  statement: string
  label: FactLabel
  uncertain: boolean
  reason: string
  /** The memories that carry it, or a damaged version of it. */
  memories: Memory[]
}
