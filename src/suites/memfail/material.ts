import type { AuditNote, Choice, Cues, Gold } from '../../model/index.js'

/** A piece of text that is stored in one go: an essay, a preference, a link of a chain. */
export interface MaterialUnit {
  text: string
}

/** Gold of one row, before it is known in which conversation it will be said. */
export interface FactDraft {
  /** Index of the unit that states it. */
  unit: number
  text: string
  evidence?: string[]
  spread?: boolean
  unsupported?: string
  cues: Cues
}

export interface QuestionDraft {
  text: string
  query?: string
  choices?: Choice[]
  /** Alternative sets of indices into the row's facts. */
  needs: number[][]
  /** Indices of facts that the question tempts a reader to use. */
  tempting?: number[]
  gold: Gold
  tags: Record<string, string>
  flags: string[]
}

/** One row of a dataset, ours or published, in the shape that is laid out into a scenario. */
export interface MaterialRow {
  id: string
  units: MaterialUnit[]
  facts: FactDraft[]
  questions: QuestionDraft[]
}

/** A row whose facts are stored one by one, and needed all together. */
export function rowOfFacts(
  id: string,
  facts: readonly Pick<FactDraft, 'text' | 'cues'>[],
  question: Omit<QuestionDraft, 'needs'>,
): MaterialRow {
  return {
    id,
    units: facts.map(({ text }) => ({ text })),
    facts: facts.map((fact, unit) => ({ unit, ...fact })),
    questions: [{ ...question, needs: [facts.map((_, index) => index)] }],
  }
}

/** A dataset ready to be laid out. */
export interface Material {
  task: MemfailTask
  rows: MaterialRow[]
  audit: AuditNote[]
  /** Hash of the file it came from. */
  hash: string
}

export const TASKS = ['conditional-easy', 'conditional-hard', 'coexisting', 'persona', 'long-hop'] as const

export type MemfailTask = (typeof TASKS)[number]

export const LETTERS = ['A', 'B', 'C', 'D', 'E'] as const
