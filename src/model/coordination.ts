import { AsyncLocalStorage } from 'node:async_hooks'

/** A piece of a run that one worker does by itself: a life, or a batch of judging after it. */
export interface UnitOfWork {
  /** Unique in the run, the same in the plan of every worker. */
  name: string
  /** The unit that must be done before. */
  after: string | null
  /** Questions in it, for progress. */
  weight: number
}

/** The right to work on a unit until it is settled or somebody else has taken it over. Every later holder has a larger fence. */
export interface Lease {
  run: string
  /** The unit's number in the store. */
  unit: number
  name: string
  fence: number
}

/** Which lease whatever is written at the moment is written under; none outside of workers. */
export const leaseInForce: { run<T>(lease: Lease, work: () => T): T; getStore(): Lease | undefined } =
  new AsyncLocalStorage<Lease>()

/** The unit was given to somebody else meanwhile: nothing was written, and nothing may be. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'

  constructor(what: string) {
    super(`${what} was given to another worker.`)
  }
}

/** The worker is being stopped: nothing is begun under its leases any more. */
export class DrainingError extends LeaseLostError {}

/** Who works. */
export interface WorkerInfo {
  id: string
  host: string
  pid: number
}

/** What a worker has done so far; told with every heartbeat. */
export interface WorkerStats {
  calls: number
  /** Calls in the last minute. */
  callsPerMinute: number
  /** What its calls cost. */
  usd: number
}

/** What is still a worker's, by the store's clock, and whether there is reason to stop. */
export interface Heartbeat {
  leases: { unit: number; fence: number }[]
  /** Why the run was stopped for all; null while it goes on. */
  halted: string | null
}

/** Limits of one provider and key over all workers; what is not given is not limited. */
export interface RateLimits {
  requestsPerMinute?: number
  tokensPerMinute?: number
  concurrency?: number
}

/** What is asked for before a call goes out. */
export interface CallRequest {
  /** Made up by who asks: asking again with it is the same request. */
  id: string
  worker: string
  lease: Lease | null
  /** Provider and key, as limits are kept by. */
  rate: string
  /** What the reply is kept by; equal calls of two workers are made once. Null: it is kept elsewhere. */
  key: string | null
  /** Whose budget; null when there is none. */
  account: string | null
  /** The most it can cost, and about how many tokens it takes. */
  usd: number
  tokens: number
}

/** The answer to it. `era` grows whenever a provider was overloaded; `spent` is what is paid or cannot come back. */
export type CallGrant = { era: number; total: number; spent: number } & (
  | { outcome: 'granted'; waitMs: number }
  /** Limits, others that have money set aside, or another worker with the same call: ask again after a while. */
  | { outcome: 'wait'; waitMs: number }
  /** Somebody else's reply is kept. */
  | { outcome: 'known' }
  /** It would not fit the budget even if all that is set aside came back. */
  | { outcome: 'refused' }
  | { outcome: 'lost' }
)

/** How a call ended. */
export interface CallEnd {
  /** What it cost; null: nobody knows, and all that was set aside counts. */
  usd: number | null
  /** Tokens beyond those asked for. */
  tokens: number
  /** The provider had too much to do: it is left alone for so long, and all workers ask less. */
  overloaded?: { pauseMs: number; era: number }
}

/**
 * How workers on several machines share a run. Every method is one statement that may be repeated without harm, so that it can be asked
 * again when a connection broke; nothing rests on a session. Time is the store's.
 */
export interface Coordination {
  /** Lays out the units of a run, all to be done; whoever held one of before holds it no longer. */
  enqueue(run: string, units: readonly UnitOfWork[]): Promise<void>
  /** Takes up to so many units: those whose holder is gone first, or only those. `ticket` is made up for each claim. */
  claim(run: string, worker: WorkerInfo, most: number, ticket: string, orphansOnly?: boolean): Promise<Lease[]>
  /** A worker's heartbeat: extends all that it holds. */
  extend(run: string | null, worker: WorkerInfo, stats: WorkerStats): Promise<Heartbeat>
  /** Ends a lease: the unit is done, and those that wait for it can be claimed; or it is given back. @throws LeaseLostError */
  settle(lease: Lease, outcome: 'done' | 'given-back'): Promise<void>
  /** Asks to make a call: within limits, budget and a lease that is still good. */
  reserve(request: CallRequest): Promise<CallGrant>
  /** Says how a call that was granted ended; returns the era. Late words of a worker that was given up are heard: they are about money. */
  release(id: string, end: CallEnd): Promise<number>
  /** Sets limits, and the cap of a budget. */
  limit(rate: string, limits: RateLimits): Promise<void>
  cap(account: string, usd: number): Promise<void>
  /** Stops a run for all workers. */
  halt(run: string, reason: string): Promise<void>
  /** Runs with something left to do, newest first. */
  openRuns(): Promise<string[]>
  /** A worker leaves for good. */
  leave(worker: string): Promise<void>
  progress(run: string): Promise<RunProgress>
}

/** How far a shared run is. */
export interface RunProgress {
  /** Units, and questions in them. */
  units: { done: number; total: number }
  questions: { done: number; total: number }
  /** Units done in the last minutes, of which so many milliseconds are known. */
  pace: { done: number; ms: number }
  halted: string | null
  /** What calls cost, as far as workers have told. */
  usd: number
  workers: (WorkerInfo & WorkerStats & { units: number; seenMsAgo: number; alive: boolean })[]
  /** Set aside or spent, and what of it is set aside; null without a budget. */
  budget: { cap: number; total: number; reserved: number } | null
  limits: { rate: string; limits: RateLimits; open: number; blockedMs: number; overloads: number }[]
}
