import { z } from 'zod'

const LABELS = ['not_stored', 'summary_error', 'correct'] as const

/** What became of a fact in a store: no version of it, a damaged one, or one from which it can be recovered exactly. */
export type FactLabel = (typeof LABELS)[number]

/** A share of what models took: tokens in and out, and USD (null when a price is not known), as if nothing had been cached. */
export interface Spent {
  tokens: number
  cost: number | null
}

/** What unusable replies took besides. Absent when there were none. */
export interface Repaired {
  repairs?: Spent
}

/** What a verdict took: its equal share of the calls it came from. */
export interface JudgingShare extends Repaired {
  /** Absent when no model was asked. */
  took?: Spent
  /** Milliseconds that the call took from which it came; absent when all replies were kept from before. */
  ms?: number
}

export const factVerdictSchema = z.object({
  fact: z.string(),
  label: z.enum(LABELS),
  /** The label is the best guess, but the judge would ask somebody else. */
  uncertain: z.boolean(),
  /** That the label is right, where a judge can tell. */
  probability: z.number().min(0).max(1).optional(),
  /**
   * Alternative sets of memory ids. For `correct`, a fact is retrieved when all memories of one set are. For `summary_error` the sets
   * hold the damaged versions. Empty for `not_stored`.
   */
  support: z.array(z.array(z.string())),
  /** One sentence for people. */
  reason: z.string(),
  /** Passages of supporting memories to highlight. */
  quotes: z.array(z.object({ memory: z.string(), text: z.string() })),
  /** What each judge of a panel said. */
  votes: z.array(z.object({ judge: z.string(), label: z.enum(LABELS) })).optional(),
})

/** A judge's word on one fact in one store. */
export interface FactVerdict extends z.infer<typeof factVerdictSchema>, JudgingShare {}

const criterionVerdict = z.object({
  id: z.string(),
  /** Null: no verdict could be had. That is neither a yes nor a no. */
  answer: z.enum(['yes', 'no']).nullable(),
  uncertain: z.boolean(),
  reason: z.string(),
  /** The judge looked, and could not tell. */
  unclear: z.literal(true).optional(),
  /** What each judge of a panel said; null where its reply could not be used. */
  votes: z.array(z.object({ judge: z.string(), answer: z.enum(['yes', 'no', 'unclear']).nullable() })).optional(),
})

/** A judge's word on one criterion. */
export type CriterionVerdict = z.infer<typeof criterionVerdict>

const answerVote = z.object({ judge: z.string(), grade: z.enum(['right', 'wrong', 'error']) })

/** What one judge of a panel said of an answer. */
export type AnswerVote = z.infer<typeof answerVote>

const answerDetail = z.object({
  /** It uses what no longer holds. */
  stale: z.boolean().optional(),
  /** Share of what was asked for, 0 to 1, by name of the measure, such as `partial`. */
  credit: z.record(z.string(), z.number().min(0).max(1)).optional(),
  /** One verdict for every criterion of the gold, in their order. */
  criteria: z.array(criterionVerdict).optional(),
})

/** What a grade is made of, where there is more to it than right or wrong. */
export type AnswerDetail = z.infer<typeof answerDetail>

const reasons = { reason: z.string(), votes: z.array(answerVote).optional() }

export const answerVerdictSchema = z.discriminatedUnion('grade', [
  z.object({ grade: z.enum(['right', 'wrong']), uncertain: z.boolean(), ...reasons, ...answerDetail.shape }),
  z.object({ grade: z.literal('error'), ...reasons, criteria: answerDetail.shape.criteria }),
])

/** A judge's word on one answer. `error` when no verdict could be had. */
export type AnswerVerdict = z.infer<typeof answerVerdictSchema>

const factStages = z.object({
  fact: z.string(),
  stored: z.boolean(),
  faithful: z.boolean().nullable(),
  retrieved: z.boolean().nullable(),
  /** One sentence for people, on the last stage that was looked at. */
  reason: z.string(),
})

/** How far one fact came on the way to one answer. Null: not looked at, for an earlier stage had failed. */
export type FactStages = z.infer<typeof factStages>

export const questionVerdictSchema = z.object({
  /** Of the facts of the case, in their order; empty when they could not be judged. */
  stages: z.array(factStages),
  /** Null: the answer was not read, for a stage before it had failed. */
  answer: answerVerdictSchema.nullable(),
})

/** A judge's word on a question as a whole. */
export type QuestionVerdict = z.infer<typeof questionVerdictSchema>

export const storeSideSchema = z.record(z.string(), z.string())

/** What a store tells of a question beyond the stages of its facts, by name: whether a series can still be put in order, and the like. */
export type StoreSide = Readonly<z.infer<typeof storeSideSchema>>
