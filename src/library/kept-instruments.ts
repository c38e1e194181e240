import { UserError } from '../base/errors.js'
import type { AskedInstrument } from '../judges/asked.js'
import { notLoaded } from '../judges/asked.js'
import type { AskedJudge } from '../judges/registry.js'
import type { InstrumentDefinition, JudgeDefinition, ReaderDefinition } from '../model/index.js'

/** What is kept of a judge or reader of the user's own with a run, so that the run can be read without it. */
export interface KeptInstrument extends Pick<AskedInstrument, 'named' | 'options' | 'label' | 'content'> {
  definition: Pick<InstrumentDefinition, 'name' | 'about' | 'needs' | 'options' | 'prompts'>
  /** What its verdicts or answers are kept by. */
  key: string
  /** Models that it asks, of a judge. */
  models: string[]
}

/** What is kept of judges and readers, by what was typed. */
export type KeptInstruments = Readonly<Record<string, KeptInstrument>>

export function keptInstrument(asked: AskedInstrument | AskedJudge, key: string): KeptInstrument {
  const { named, options: given, label, content } = asked
  const { name, about, needs, options, prompts } = asked.definition
  const definition = { name, about, ...(needs && { needs }), ...(options && { options }), ...(prompts && { prompts }) }
  return { definition, named, options: given, label, content, key, models: 'models' in asked ? asked.models : [] }
}

/** A judge of a run that is only looked at, as it was kept. @throws UserError where nothing was */
export function judgeAsKept(typed: string, all: KeptInstruments | undefined): AskedJudge {
  const { definition, key, ...kept } = requireKept('judge', typed, all)
  const create: JudgeDefinition['create'] = notLoaded(kept.label)
  return { ...kept, definition: { ...definition, kind: 'judge', create }, keptBy: key }
}

/** The same of a reader. */
export function readerAsKept(typed: string, all: KeptInstruments | undefined): AskedInstrument<ReaderDefinition> {
  const { definition, key, models: _, ...kept } = requireKept('reader', typed, all)
  const create: ReaderDefinition['create'] = notLoaded(kept.label)
  return { ...kept, definition: { ...definition, kind: 'reader', create }, keptBy: key }
}

function requireKept(what: string, typed: string, all: KeptInstruments = {}): KeptInstrument {
  if (Object.hasOwn(all, typed)) return all[typed]!
  throw new UserError(
    `The run names a ${what} that is code, ${typed}, of which nothing was kept.`,
    'Looking at a run loads no code: it can only be run again.',
  )
}
