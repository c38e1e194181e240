import type { Phase } from './kept.js'
import { ASKED, BEGUN, type Started } from './start.js'

/** Numbers from 0 up to 1. */
export type Draw = () => number

/** A kind of run that is killed. One object a kill session: it may keep count of what it sees. */
export interface Kind {
  /** What is run. */
  flags: readonly string[]
  /** What is typed at every start, also when a run goes on. */
  always: readonly string[]
  env: Readonly<Record<string, string>>
  /** Where a run is killed, in the order in which it comes by; then it may finish. */
  moments: readonly Moment[]
  /** What many kills must have met, each at least once. */
  phases: readonly Phase[]
  /** What is going on as a kill comes, as far as that can be seen from here. */
  underWay?(): readonly Phase[]
  /** Looks at an undisturbed run. */
  undisturbed?(home: string): void
  /** Called before every start of a run; a run that has nothing yet is new. */
  starts?(home: string, isNew: boolean): void
  /** Called after every start. */
  ended?(home: string, killed: boolean): void
  /** Called when a run has come to its end. */
  finished?(): void
  /** What is to be told besides, after all kills. */
  told?(kills: number): string
  close(): Promise<void>
}

/** Arms a kill, and returns how to disarm it; null when the moment cannot come any more. */
export type Moment = (started: Started, draw: Draw, calm: Calm) => (() => void) | null

/** How long a start would take undisturbed: all of it, until it stands in the store, and until its last question has been asked. */
export interface Calm {
  ms: number
  begunMs: number
  askedMs: number
}

/** With so many kills of a kind, everything that can be met must have been met. */
export const MANY = 40

/** Time in which a process only loads itself. */
export const FIRST_MS = 300

/** Kills within the first moments of the process. */
export const inTheBeginning: Moment = ({ kill }, draw) => after(draw() * FIRST_MS, kill)

/** Kills at any time. */
export const anywhere: Moment = ({ kill }, draw, { ms }) => after(draw() * ms, kill)

/** Kills while memories are filled and asked. */
export const atWork: Moment = (started, draw, { begunMs, askedMs }) =>
  afterLine(started, BEGUN, draw() * (askedMs - begunMs))

/** Kills after the last question: during the last verdicts and the report. */
export const atTheEnd: Moment = (started, draw, { ms, askedMs }) => afterLine(started, ASKED, draw() * (ms - askedMs))

function after(ms: number, kill: () => void): () => void {
  const timer = setTimeout(kill, ms)
  return () => clearTimeout(timer)
}

function afterLine({ kill, onLine }: Started, line: RegExp, ms: number): () => void {
  let disarm = () => {}
  onLine(line, () => {
    disarm = after(ms, kill)
  })
  return () => disarm()
}
