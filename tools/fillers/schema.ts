import { z } from 'zod'

/** Prose in which `{a|b}` is a choice and `{name}` a slot. */
const prose = z.string().min(1)
const ways = z.array(prose).min(1)

/** A part of a subject: how a user asks for it and what is answered. */
const facet = z.strictObject({ ask: prose, say: prose, list: z.array(prose).optional(), code: z.string().optional() })

/** A subject that somebody may ask a helper about. `claim` is a common mistake about it, `truth` what is right. */
export const TopicFile = z.array(
  z.strictObject({
    id: z.string(),
    group: z.string(),
    open: ways,
    facets: z.array(facet).min(4),
    claim: prose.optional(),
    truth: prose.optional(),
  }),
)
export type Topic = z.infer<typeof TopicFile>[number]

const column = z.strictObject({
  key: z.string(),
  label: z.string(),
  /** Sentences with `{name}` and `{v}`. */
  say: ways,
  /** For numbers: sentences with `{a}`, `{b}`, `{va}`, `{vb}`, where a has the greater one. */
  more: ways.optional(),
  /** For quizzes: a question with `{name}`. */
  quiz: prose.optional(),
})

/** Things of one kind and what is known of each, for descriptions, comparisons, rankings and quizzes. */
export const TableFile = z.array(
  z.strictObject({
    id: z.string(),
    group: z.string(),
    one: z.string(),
    many: z.string(),
    open: ways,
    columns: z.array(column).min(2),
    rows: z
      .array(
        z.strictObject({
          name: z.string(),
          is: z.array(z.union([z.string(), z.number()])),
          notes: z.array(prose).min(1),
        }),
      )
      .min(6),
  }),
)
export type Table = z.infer<typeof TableFile>[number]
export type Row = Table['rows'][number]

/** What speakers say around the matter itself. */
export const MovesFile = z.strictObject({
  /** A remark of the user before a question. */
  asides: ways,
  /** From one subject to the next. */
  turns: ways,
  /** Between two questions of one turn. */
  also: ways,
  thanks: ways,
  welcome: ways,
  leads: ways,
  closings: ways,
  bridges: ways,
  doubts: ways,
  corrections: ways,
  summaries: ways,
  summaryLeads: ways,
  compares: ways,
  ranks: ways,
  tables: ways,
  quizzes: ways,
  right: ways,
  wrong: ways,
  /** Expressions of equal meaning, of which a speaker prefers one. */
  swaps: z.array(z.array(z.string()).min(2)),
})
export type Moves = z.infer<typeof MovesFile>

/** Dishes for others: amounts for a number of people, and what to do. */
export const DishFile = z.array(
  z.strictObject({
    name: z.string(),
    for: z.number(),
    parts: z.array(z.tuple([z.number(), z.string(), z.string()])),
    steps: ways,
    notes: ways,
  }),
)
export type Dish = z.infer<typeof DishFile>[number]

/** Letters on behalf of others. */
export const LetterFile = z.strictObject({
  senders: ways,
  asks: ways,
  tones: z.array(z.strictObject({ ask: prose, hello: ways, bye: ways, note: ways })),
  causes: z.array(z.strictObject({ to: prose, about: prose, body: ways, want: ways, facts: ways })),
  advice: ways,
  shorter: ways,
})
export type Letters = z.infer<typeof LetterFile>

/** Everyday sentences in other languages, with a remark on each. */
export const PhraseFile = z.strictObject({
  languages: z.array(z.string()),
  rows: z.array(z.strictObject({ english: z.string(), said: z.array(z.string()) })),
  notes: z.record(z.string(), z.array(prose).min(3)),
})
export type Phrases = z.infer<typeof PhraseFile>

/** Explanations and code for procedures worked through on numbers; `code` by language, with slots for names. */
export const ProcedureFile = z.record(
  z.string(),
  z.strictObject({
    asks: ways,
    leads: ways,
    notes: z.array(prose).min(3),
    code: z.record(z.string(), z.string()).optional(),
    more: z.array(z.strictObject({ ask: prose, say: prose })).optional(),
  }),
)
export type Procedures = z.infer<typeof ProcedureFile>

/** Toy programs with one fault each, for reviews. */
export const ReviewFile = z.strictObject({
  asks: ways,
  nouns: z.array(z.tuple([z.string(), z.string(), z.string()])),
  faults: z.array(
    z.strictObject({
      language: z.string(),
      code: z.string(),
      fixed: z.string(),
      problem: ways,
      why: ways,
      more: z.array(z.strictObject({ ask: prose, say: prose })),
    }),
  ),
  small: ways,
})
export type Reviews = z.infer<typeof ReviewFile>
