import type { Providers } from '../gateway/index.js'
import type { RunProgress, RunStatus } from '../model/index.js'
import type { HomeOptions, ModelOptions, OwnPart, Several } from './types.js'

/** What a worker of a shared run is told. */
export interface WorkerOptions extends HomeOptions {
  /** The run to work for, until it is done; without one, whatever there is in the store. */
  run?: string
  /** End when nothing is left to do. */
  once?: boolean
  /** Units side by side; as the run says unless given. */
  concurrency?: number
  /** Most calls of one model at a time, as `concurrency=8`; as the run says unless given. */
  llm?: ModelOptions['llm']
  /** Objects that runs are made with. */
  parts?: readonly OwnPart[]
  /** Systems that are not built in and may run here, as runs name them. */
  allowSystem?: Several<string>
  /** Files of suites, judges, readers and prompts that may be read here, by path. */
  allowFile?: Several<string>
  /** Providers of your own by name, or a file of them. Those of a run must be the same. */
  providers?: string | Providers
}

/** A run as `memscope runs` lists it. */
export interface ListedRun {
  run: string
  status: RunStatus
  created: string
  /** With tasks where only some were run. */
  suites: string[]
  systems: string[]
  /** Which part of the lives it is of, where it is of a part. */
  shard?: string
  /** How far it is and who works on it, in a shared store. */
  progress?: RunProgress
}
