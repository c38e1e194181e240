import type { InstrumentContext, InstrumentDefinition } from './instrument.js'
import type { Judge } from './judge.js'

/** A judge as `create` makes it: name and key follow from the definition where they are left out. */
export type MadeJudge = Omit<Judge, 'name' | 'key'> & Partial<Pick<Judge, 'name' | 'key'>>

/** What a judge says of itself, and how one is made. One definition a file. */
export interface JudgeDefinition extends InstrumentDefinition {
  kind: 'judge'
  /** Which of what is named behind it are models; all, unless told otherwise. */
  modelsAmong?(named: readonly string[]): string[]
  create(context: InstrumentContext): MadeJudge | Promise<MadeJudge>
}

/** A definition as a file of one's own gives it: its name may follow from the file. */
export type OwnJudge = Partial<Omit<JudgeDefinition, 'kind' | 'create'>> & Pick<JudgeDefinition, 'create'>

/**
 * Types a judge. A file of one's own needs `create` alone.
 *
 * @example export default defineJudge({ create: () => ({ judgeFacts: async (facts, store) => [], judgeAnswer: async (question, answer) => … }) })
 */
export function defineJudge(judge: Omit<JudgeDefinition, 'kind'>): JudgeDefinition
export function defineJudge(judge: OwnJudge): OwnJudge & { kind: 'judge' }
export function defineJudge(judge: OwnJudge): OwnJudge & { kind: 'judge' } {
  return { ...judge, kind: 'judge' }
}
