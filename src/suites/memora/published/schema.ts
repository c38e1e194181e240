import { z } from 'zod'
import { MEALS } from '../trace.js'

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'expected a day such as 2025-06-01')
const meal = z.enum(MEALS)
const liking = z.enum(['like', 'dislike'])
/** Absent and null mean the same in published files. */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined)

/** Whatever a file says in a place, by name; nothing where the place is empty. */
const anything = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {})

const Turn = z.object({
  speaker: z.enum(['user_agent', 'ai_agent', 'user', 'assistant']),
  message: z.string(),
  share_memory: z.boolean().default(false),
})

/** What stands in a field: one value, an amount, or several values; anything else as its JSON. */
const FieldValue = z.preprocess(
  (given) => (Array.isArray(given) ? given.map(asText) : typeof given === 'number' ? given : asText(given)),
  z.union([z.string(), z.number(), z.array(z.string())]),
)
const element = z.preprocess(asText, z.string())

function asText(given: unknown): unknown {
  return given === undefined || typeof given === 'string' ? given : JSON.stringify(given)
}

/** What a session does to a taste. The domain was taken out of the published files. */
export const TasteDetails = z.object({
  item: z.string().min(1),
  subcategory: z.string().min(1),
  preference: liking,
  old_preference: maybe(liking),
  old_item: maybe(z.string()),
})

export const GoalDetails = z.object({
  subcategory: z.union([z.literal('daily_steps'), meal]),
  item: z.number(),
  old_value: maybe(z.number()),
})

/** What a session does to the diary, to the tasks or to the calendar. */
export const ActivityDetails = z.discriminatedUnion('category', [
  z.object({
    category: z.literal('food_expenses'),
    item: z.object({ expense_type: meal, amount: z.number(), created_at: day }),
  }),
  z.object({
    category: z.literal('step_tracker'),
    item: z.object({ activity_type: z.string(), step_count: z.number().int(), created_at: day }),
  }),
  z.object({
    category: z.literal('todo_list'),
    item: z.object({ task_type: z.string(), description: z.string().min(1) }),
  }),
  z.object({
    category: z.literal('calendar_event'),
    item: z.object({
      event_type: z.string(),
      event_name: z.string().min(1),
      date: z.string().regex(/^\+\d+ (?:day|week|month)s?$/, 'expected a distance such as "+4 days"'),
      created_at: day,
    }),
  }),
])

const scalar = z.union([z.string(), z.number()])
const Delta = z.union([
  z.object({ field: z.string(), added_item: element }),
  z.object({ field: z.string(), removed_item: element }),
  z.object({ field: z.string(), updated_from: scalar, updated_to: scalar }),
  z.object({ field: z.string(), reverted_from: scalar, reverted_to: scalar }),
])
/** What could not be done stands in the list too, with the reason. */
const Failure = z.object({ error: z.string() })
const deltas = maybe(z.array(z.union([Delta, Failure])))

/** What a session does to a document: its id, what it says afterwards, and what came or went. */
export const ContentDetails = z.object({
  item: z.string().regex(/^(?:project_proposal|email_writeup|meeting_notes|social_media_post)_\d+$/),
  content_data: z.record(z.string(), FieldValue),
  pool_status: maybe(z.string()),
  memory_updates: deltas,
  memory_deletes: deltas,
})

/** One file of a session. What its operation is and says is looked at by itself, so that one of an unknown kind leaves the others alone. */
export const PublishedSession = z.object({
  session_id: z.number().int().positive(),
  session_type: z.string(),
  operation: maybe(z.string()),
  operation_details: anything,
  date: day,
  persona: z.string(),
  conversation: z.array(Turn).min(1),
})

const Criterion = z.object({
  evaluation_question_id: z.string(),
  evaluation_question: z.string().min(1),
  expected_answer: z.enum(['yes', 'no']),
  evaluation_type: z.enum(['memory_presence', 'forgetting_absence']),
})

/** Stands in releases that this program made. */
export const OWN_GENERATOR = 'memscope'

const Question = z.object({
  question_id: z.string().min(1),
  question: z.string().min(1),
  question_date: day,
  memory_evidence: anything,
  forgetting_evidence: anything,
  evaluation: z.object({ evaluation_questions: z.array(Criterion).min(1) }),
})

/** The questions about one life. */
export const QuestionFile = z.object({
  /** Who made it, where that is us: its criteria come from the trace, and there is nothing to put right. */
  generator: z.literal(OWN_GENERATOR).optional(),
  persona: z.string(),
  date_range: z.object({ start_date: day, end_date: day }),
  questions: z.object({
    remembering: z.array(Question).default([]),
    reasoning: z.array(Question).default([]),
    recommending: z.array(Question).default([]),
  }),
})

export type PublishedSession = z.infer<typeof PublishedSession>
export type QuestionFile = z.infer<typeof QuestionFile>
export type ReleasedQuestion = z.infer<typeof Question>
export type ReleasedCriterion = z.infer<typeof Criterion>
export type TasteDetails = z.infer<typeof TasteDetails>
export type ContentDetails = z.infer<typeof ContentDetails>
export type ActivityDetails = z.infer<typeof ActivityDetails>
export type Delta = z.infer<typeof Delta>
