import type { SystemComparison } from '../analysis/compare-runs.js'
import type { HomeOptions, OutputOptions, OwnPart, Several } from './types.js'

/** What is compared, and where the comparison goes. */
export interface CompareOptions extends HomeOptions, Pick<OutputOptions, 'json' | 'md' | 'text'> {
  /** A file for the comparison as one page. */
  html?: string
  /** Runs, names of baselines or their files. The first is what the others are held against. */
  runs: Several<string>
  /** Within one run: the first system against each other one. Of several runs one of each, in their order. */
  systems?: Several<string>
  /** The depth; the suite's own if both were asked at it, else the deepest, unless given. */
  k?: number
  tokenBudget?: number
  /** Parts of the setting that may differ: `harness`, `judge`, … */
  despite?: Several<string>
  /** Objects that the runs were made with. */
  parts?: readonly OwnPart[]
  /** Files of suites that may be loaded, as in `report`. */
  load?: Several<string>
}

/** Pairs of systems, each over all tasks. */
export interface CompareResult {
  comparisons: SystemComparison[]
  /** Systems that had nobody to be compared with, each in a sentence. */
  alone: string[]
}
