import type { HomeOptions, KeptRunOptions } from './types.js'

/** What the viewer is opened on. */
export interface ViewOptions extends HomeOptions, Pick<KeptRunOptions, 'parts' | 'load'> {
  /** The run that is shown first; the newest unless given. */
  run?: string
  /** A table of rows to look over, as `reviewData` writes it; shown instead of runs. */
  table?: string
  /** Where it listens: 7117 if that is free, else any; 0 for any. */
  port?: number
}

/** A viewer that is served on this machine. */
export interface OpenedViewer {
  /** Where it is, with the token of its start: who has it sees and labels everything. */
  url: string
  close(): Promise<void>
}
