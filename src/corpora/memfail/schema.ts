import { z } from 'zod'

/** Surface forms of one part of a fact; any one suffices. The first is the plain one. */
const forms = z.array(z.string().min(1)).min(1)

const threshold = z.object({
  comparison: z.enum(['below', 'at-most', 'above', 'at-least', 'exactly', 'before', 'after', 'between']),
  value: z.number(),
  to: z.number().optional(),
  unit: z.string().optional(),
})

/** Where a generated row comes from: enough to make it again. Written rows have none. */
const provenance = z
  .strictObject({
    generator: z.string(),
    version: z.string(),
    seed: z.number().int(),
    index: z.number().int(),
    /** What the row was made from: condition type, category, voice and the like. */
    spec: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  })
  .optional()

/** One conditional rule, told twice: whole in the easy essay, spread over three sentences in the hard one. */
export const ConditionalRow = z.strictObject({
  id: z.string(),
  entity: z.string(),
  category: z.enum(['person', 'pet', 'character']),
  behavior: z.string(),
  conditionType: z.string(),
  condition: z.string(),
  conditionMet: z.boolean(),
  question: z.string(),
  questionContext: z.string(),
  answer: z.enum(['yes', 'no']),
  answerText: z.string(),
  cues: z.strictObject({ what: forms, condition: forms, threshold: threshold.optional() }),
  damaged: z.array(z.string()).min(3),
  easy: z.strictObject({ essay: z.string(), rule: z.string() }),
  hard: z.strictObject({ essay: z.string(), behavior: z.string(), condition: z.string(), link: z.string() }),
  provenance,
})

/** One category of preferences that hold side by side. */
export const CoexistingRow = z.strictObject({
  id: z.string(),
  category: z.string(),
  question: z.string(),
  preferences: z
    .array(z.strictObject({ name: z.string(), fact: z.string(), forms, damaged: z.array(z.string()).min(2) }))
    .min(2)
    .max(5),
  provenance,
})

/** A particular of a persona, stated by one sentence of the essay; all parts must be there. */
const detail = z.strictObject({
  id: z.string(),
  sentence: z.string(),
  parts: z.array(forms).min(1),
  damaged: z.array(z.string()).min(1),
})

const personaQuestion = z.discriminatedUnion('misleading', [
  z.strictObject({
    text: z.string(),
    misleading: z.literal(false),
    needs: z.array(z.string()).min(1),
    answer: z.string(),
  }),
  z.strictObject({ text: z.string(), misleading: z.literal(true), distractor: z.string() }),
])

/** An essay about one person and three questions, some of them about somebody nobody ever spoke of. */
export const PersonaRow = z.strictObject({
  id: z.string(),
  entity: z.string(),
  flavor: z.string(),
  essay: z.string(),
  details: z.array(detail).min(3),
  questions: z.array(personaQuestion).length(3),
  provenance,
})

const link = z.strictObject({
  text: z.string(),
  from: forms,
  to: forms,
  relation: forms,
  damaged: z.array(z.string()).min(2),
})

/** A chain of facts, each stored apart, that only together answer the question. */
export const LongHopRow = z.strictObject({
  id: z.string(),
  hops: z.number().int().min(1).max(5),
  voice: z.enum(['first-person', 'named']),
  anchors: z.array(z.string()),
  facts: z.array(link),
  question: z.string(),
  answer: z.string(),
  choices: z.array(z.string()).length(5),
  provenance,
})

export type ConditionalRow = z.infer<typeof ConditionalRow>
export type CoexistingRow = z.infer<typeof CoexistingRow>
export type PersonaRow = z.infer<typeof PersonaRow>
export type LongHopRow = z.infer<typeof LongHopRow>
