import type { OwnSystem } from '../model/index.js'
import type { MeasureOptions, Several } from './types.js'

/** Whose prompts are to be improved, and on what. */
export interface OptimiseOptions extends Omit<MeasureOptions, 'system' | 'model' | 'trials' | 'episodes' | 'limit'> {
  system: string | OwnSystem
  model: string
  /** The model that gives advice; the one inside unless given. */
  adviser?: string
  /** How many episodes, or which: 10 to train on and 10 others unless given. */
  train?: Several<number | string>
  test?: Several<number | string>
  /** Rounds, episodes and candidates of each: 2, 4 and 4 unless given. */
  steps?: number
  batchSize?: number
  candidates?: number
  /** Runs over the test episodes, at least 2: 3 unless given. */
  trials?: number
  /** Refuse to begin anything else than the work of this id. */
  resume?: string
  /** A file for the best prompts. */
  out?: string
}

/** What appending to prompts came to. */
export interface Optimised {
  id: string
  system: string
  train: string[]
  test: string[]
  /** All candidates with their score on the training episodes; the first is the system as it is. */
  candidates: { name: string; by: string; train: number }[]
  winner: string
  /** Prompts of the winner that differ from the system's own. */
  prompts: Readonly<Record<string, string>>
  /** On the test episodes, over several runs. */
  baseline: { mean: number; sd: number }
  optimised: { mean: number; sd: number }
  gain: number
  /** Two standard errors of the difference: what runs differ by anyway. */
  floor: number
  confirmed: boolean
}
