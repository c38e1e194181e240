import type { RunStatus } from '../model/index.js'
import type { KeptRunOptions, Several, TextOutput } from './types.js'

/** What is looked at of a run that was made before. */
export interface ShowOptions extends KeptRunOptions {
  /** Tasks, as `suite/task`, `task` or `suite`: their tables instead of the screen of all. */
  task?: string
  /** The tables of all tasks instead of the screen. */
  verbose?: boolean
  /** The failed questions one by one. */
  failed?: boolean
  /** Of these systems only, as reports name them. */
  system?: Several<string>
  /** Most failed questions that are shown; 5 unless given. */
  n?: number
  text: TextOutput
}

/** What was shown of a run. */
export interface ShownRun {
  run: string
  status: RunStatus
  /** With `failed`: how many questions failed, and how many of them were shown. */
  failed: { all: number; shown: number } | null
}
