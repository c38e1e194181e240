import { z } from 'zod'

const turn = z.looseObject({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
})

/** A sentence of the release with the turn, or the turns, it retells. */
const observation = z.tuple([z.string(), z.union([z.string(), z.array(z.string())])])

const qa = z.looseObject({
  question: z.string(),
  answer: z.union([z.string(), z.number()]).optional(),
  adversarial_answer: z.union([z.string(), z.number()]).optional(),
  evidence: z.array(z.string()),
  category: z.number().int().min(1).max(5),
})

/** The release: a list of conversations, each with `session_<n>` and `session_<n>_date_time`. */
export const Release = z
  .array(
    z.looseObject({
      sample_id: z.string(),
      qa: z.array(qa),
      conversation: z.record(z.string(), z.union([z.string(), z.array(turn)])),
      observation: z.record(z.string(), z.record(z.string(), z.array(observation))).optional(),
    }),
  )
  .min(1)

export type ReleasedChat = z.infer<typeof Release>[number]
export type LocomoQuestion = z.infer<typeof qa>

/** The public audit: a list of what is wrong with questions, known by their places: `locomo_<conversation>_qa<question>`. */
export const Audit = z.array(
  z.looseObject({
    question_id: z.string(),
    question: z.string(),
    error_type: z.string(),
    golden_answer: z.union([z.string(), z.number()]),
    correct_answer: z.union([z.string(), z.number()]),
    cited_evidence: z.array(z.string()),
    correct_evidence: z.array(z.string()),
  }),
)

export type AuditEntry = z.infer<typeof Audit>[number]
