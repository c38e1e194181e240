import { z } from 'zod'
import { readData } from '../../base/data.js'

/** The professional personas, by the ids of the published data. */
export const PERSONAS = [
  'academic_researcher',
  'business_executive',
  'content_writer',
  'creative_designer',
  'financial_analyst',
  'management_consultant',
  'marketing_manager',
  'sales_manager',
  'software_engineer',
  'startup_founder',
] as const

/** What preferences are about, and the subcategories of each as the published data names them. */
export const SUBCATEGORIES = {
  movies: ['genres', 'directors', 'actors', 'already_watched_list'],
  books: ['authors', 'topics', 'already_read_list'],
  music: ['genres', 'artists', 'decades', 'already_listened_list'],
  travel: ['destination_types', 'regions', 'climates', 'already_visited_list'],
} as const

export const DOMAINS = ['movies', 'books', 'music', 'travel'] as const
const MEALS = ['breakfast', 'lunch', 'dinner', 'coffee', 'grocery'] as const
export const DOCUMENT_KINDS = ['proposals', 'emails', 'notes', 'posts'] as const

/** Days from the telling to the event, first and last, for each kind of calendar event. */
export const OFFSETS = { work: [1, 20], personal: [2, 18], birthdays: [15, 125] } as const

/**
 * The fields of a document of each kind. A draft shows all required fields at once and half of the optional ones (rounded down); the
 * others, and part of every list, come out in later sessions. The title names the document in talk and is no field.
 */
export const DOCUMENT_FIELDS = {
  proposals: {
    required: ['client_or_sponsor', 'objective', 'budget', 'timeline', 'deliverables'],
    optional: ['team', 'risks', 'success_metrics'],
  },
  emails: { required: ['subject', 'recipient', 'purpose', 'key_points'], optional: ['deadline', 'attachments'] },
  notes: {
    required: ['meeting', 'attendees', 'decisions'],
    optional: ['action_items', 'next_meeting', 'open_questions'],
  },
  posts: { required: ['platform', 'topic', 'hook', 'hashtags', 'call_to_action'], optional: [] },
} as const

const phrase = z.string().regex(/^\S(?:.*\S)?$/)
const phrases = (least: number, most: number) => z.array(phrase).min(least).max(most)
const range = z
  .strictObject({ min: z.number().positive(), max: z.number().positive() })
  .refine(({ min, max }) => min < max, 'min must be below max')
const persona = z.enum(PERSONAS)

const Personas = z.array(
  z.strictObject({
    id: persona,
    name: phrase,
    archetypes: z.strictObject({ movies: phrase, books: phrase, music: phrase, travel: phrase }),
  }),
)

const archetypes = <const Domain extends keyof typeof SUBCATEGORIES>(domain: Domain) =>
  z.strictObject({
    domain: z.literal(domain),
    archetypes: z.array(
      z.strictObject({
        id: phrase,
        about: phrase,
        subcategories: z.record(z.enum<readonly string[]>(SUBCATEGORIES[domain]), z.array(phrase).min(1)),
      }),
    ),
  })

const Todos = z.record(
  persona,
  z.strictObject({ work: z.array(phrase).length(20), personal: z.array(phrase).length(8) }),
)

const events = (count: number) =>
  z.array(z.strictObject({ name: phrase, offsets: z.array(z.number().int()).min(1) })).length(count)

const Calendar = z.record(persona, z.strictObject({ work: events(8), personal: events(6), birthdays: events(6) }))

const exchange = { ask: phrase, reply: phrase }
const goal = z.strictObject({ min: z.number().positive(), max: z.number().positive(), round: z.number().positive() })

const Activities = z.strictObject({
  /** What one meal may cost: a range is drawn first, then an amount in it. */
  meals: z.record(z.enum(MEALS), z.array(range).length(3)),
  steps: z.array(z.strictObject({ activity: phrase, min: z.number().int(), max: z.number().int() })).length(5),
  /** What may be aimed at, and to what multiple it is rounded: food for a week, steps for a day. */
  goals: z.strictObject({
    food: z.record(z.enum(MEALS), goal),
    steps: z.strictObject({
      min: z.number().int(),
      max: z.number().int(),
      rounding: z.array(z.strictObject({ below: z.number().int(), round: z.number().int() })).min(1),
    }),
  }),
  /** Small talk that leaves nothing to remember. */
  topics: z.array(
    z.strictObject({ topic: phrase, ...exchange, followUps: z.array(z.strictObject(exchange)).min(2).max(3) }),
  ),
})

const document = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.array(z.strictObject({ title: phrase, fields: z.strictObject(fields) })).length(10)

const Documents = z.strictObject({
  proposals: document({
    client_or_sponsor: phrase,
    objective: phrase,
    budget: range,
    timeline: phrase,
    deliverables: phrases(5, 7),
    team: phrases(4, 6),
    risks: phrases(3, 5),
    success_metrics: phrases(3, 5),
  }),
  emails: document({
    subject: phrase,
    recipient: phrase,
    purpose: phrase,
    key_points: phrases(4, 6),
    deadline: phrase,
    attachments: phrases(2, 4),
  }),
  notes: document({
    meeting: phrase,
    attendees: phrases(4, 6),
    decisions: phrases(3, 5),
    action_items: phrases(4, 6),
    next_meeting: phrase,
    open_questions: phrases(2, 4),
  }),
  posts: document({
    platform: phrase,
    topic: phrase,
    hook: phrase,
    hashtags: phrases(3, 5),
    call_to_action: phrase,
  }),
})

export type PersonaId = (typeof PERSONAS)[number]
export type TasteDomain = (typeof DOMAINS)[number]
export type EventKind = keyof typeof OFFSETS
export type SeedDocumentKind = (typeof DOCUMENT_KINDS)[number]
export type Persona = z.infer<typeof Personas>[number]
export type Todos = z.infer<typeof Todos>
export type Calendar = z.infer<typeof Calendar>
export type Activities = z.infer<typeof Activities>
export type Documents = z.infer<typeof Documents>

/** The likes and dislikes a kind of person may come to have in one domain. */
export interface Archetype {
  id: string
  about: string
  /** In the order of `SUBCATEGORIES`. */
  subcategories: Record<string, string[]>
}

/** Everything the simulator draws from. */
export interface Seed {
  personas: Persona[]
  preferences: Record<TasteDomain, Archetype[]>
  todos: Todos
  calendar: Calendar
  activities: Activities
  documents: Record<PersonaId, Documents>
}

const file = (name: string) => new URL(`../../corpora/memora/${name}.json`, import.meta.url)

const readPersonas = (): Persona[] => readData(file('personas'), Personas)

/** The archetypes of one domain; every one has all subcategories of it. */
export const readPreferences = (domain: TasteDomain): Archetype[] =>
  readData(file(`preferences/${domain}`), archetypes(domain)).archetypes

const readTodos = (): Todos => readData(file('todos'), Todos)
const readCalendar = (): Calendar => readData(file('calendar'), Calendar)
export const readActivities = (): Activities => readData(file('activities'), Activities)
export const readDocuments = (id: PersonaId): Documents => readData(file(`documents/${id}`), Documents)

/** All seed files, each checked against its schema; `checkSeed` looks at what a schema cannot see. */
export function readSeed(): Seed {
  return {
    personas: readPersonas(),
    preferences: {
      movies: readPreferences('movies'),
      books: readPreferences('books'),
      music: readPreferences('music'),
      travel: readPreferences('travel'),
    },
    todos: readTodos(),
    calendar: readCalendar(),
    activities: readActivities(),
    documents: Object.fromEntries(PERSONAS.map((id) => [id, readDocuments(id)])) as Record<PersonaId, Documents>,
  }
}
