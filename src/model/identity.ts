import { type Depth, depthKey } from './depth.js'

/** A memory under test: a system by its label, and the model inside it, null where there is none. The system is the label alone. */
export interface Subject {
  system: string
  model: string | null
}

/** What results are about: a subject, or a guesser, which reads no memory. */
export type Contestant = Subject | { guesser: string }

/** A judge or reader as a run knows it: by its name, and which time it does its work, from 0. Each time is kept and cached apart. */
export interface InstrumentRef {
  name: string
  trial: number
}

/** Who answers: a reader, or the memory by itself. Nobody is null. */
export type ReaderRef = InstrumentRef | 'self'

/** Where results belong. What is left out is added up over. */
export interface Place {
  suite?: string
  task?: string
  subject: Contestant
  reader?: ReaderRef | null
  depth?: Depth
  trial?: number
}

/** A contestant as tables, gates and files write it, without its model; `guess:always-no` for a guesser. */
export function systemName(of: Contestant): string {
  return isGuess(of) ? `guess:${of.guesser}` : of.system
}

/** A contestant as records and messages write it: system and, where there is one, model. */
export function subjectKey(of: Contestant): string {
  const model = modelOf(of)
  return model === null ? systemName(of) : `${systemName(of)} @ ${model}`
}

/** The model inside a contestant; null where there is none. */
export function modelOf(of: Contestant): string | null {
  return isGuess(of) ? null : of.model
}

/** Whether it is a guesser, which reads no memory. */
export function isGuess(of: Contestant): of is { guesser: string } {
  return 'guesser' in of
}

/** A judge, a reader, or the key of one, as it is written: the first time by their own name, the third as `openai:gpt-5#3`. */
export function instrumentKey({ name, trial }: InstrumentRef): string {
  return trial === 0 ? name : `${name}#${trial + 1}`
}

/** Who answers, as it is typed and written: `openai:gpt-5#3`, `self` or `none`. */
export function readerKey(reader: ReaderRef | null): string {
  return isReader(reader) ? instrumentKey(reader) : (reader ?? 'none')
}

/** Who answers, from how it is written. */
export function readReader(written: string): ReaderRef | null {
  if (written === 'none') return null
  if (written === 'self') return written
  const [, name, time] = /^(.+)#([1-9]\d*)$/.exec(written) ?? []
  return name === undefined ? { name: written, trial: 0 } : { name, trial: Number(time) - 1 }
}

/** Whether it is a reader that answers, neither the memory by itself nor nobody. */
export function isReader(reader: ReaderRef | null): reader is InstrumentRef {
  return reader !== null && reader !== 'self'
}

/** The same reader with trial 0. */
export function withFirstTrial(reader: ReaderRef | null): ReaderRef | null {
  return isReader(reader) ? { ...reader, trial: 0 } : reader
}

/** Which time somebody answers, from 0. */
export function answerTrial(reader: ReaderRef | null): number {
  return isReader(reader) ? reader.trial : 0
}

/** What answers, grades and counterfactuals of somebody are kept by: the key of the reader that was made, where there is one. */
export function answersKey(reader: ReaderRef | null, made: ReadonlyMap<string, { key: string }>): string {
  return made.get(readerKey(reader))?.key ?? readerKey(reader)
}

/** What a question at a depth is known by in one life. */
export function askKey(question: string, depth: Depth): string {
  return `${depthKey(depth)} ${question}`
}

/** What a place is known by in one run. */
export function placeKey({ suite, task, subject, reader, depth, trial }: Place): string {
  const who = [subjectKey(subject), reader === undefined ? null : readerKey(reader)]
  return JSON.stringify([suite, task, ...who, depth === undefined ? null : depthKey(depth), trial])
}
