import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import { MEALS, TASTES, type Taste } from './trace.js'

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
export type PersonaId = (typeof PERSONAS)[number]

/** The subcategories of each domain of taste, as the published data names them. */
export const SUBCATEGORIES: Record<Taste, readonly string[]> = {
  movies: ['genres', 'directors', 'actors', 'already_watched_list'],
  books: ['authors', 'topics', 'already_read_list'],
  music: ['genres', 'artists', 'decades', 'already_listened_list'],
  travel: ['destination_types', 'regions', 'climates', 'already_visited_list'],
}

/** The names that the seed data has for the kinds of documents. */
export const SEED_KINDS = { proposal: 'proposals', email: 'emails', notes: 'notes', post: 'posts' } as const
export type SeedDocumentKind = (typeof SEED_KINDS)[keyof typeof SEED_KINDS]
export const DOCUMENT_KINDS = Object.values(SEED_KINDS)

/** Days from the telling to the event, first and last, for each kind of calendar event. */
export const OFFSETS = { work: [1, 20], personal: [2, 18], birthdays: [15, 125] } as const
export type EventKind = keyof typeof OFFSETS

/**
 * The fields of a document of each kind. A draft shows all required fields at once and half of the optional ones (rounded down); the
 * others, and part of every list, come out in later sessions. The title names the document in talk and is no field.
 */
export const DOCUMENT_FIELDS: Record<SeedDocumentKind, Record<'required' | 'optional', readonly string[]>> = {
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
}

/** Fields that hold several values, with the fewest and most of them. */
const LISTS: Record<string, readonly [least: number, most: number]> = {
  deliverables: [5, 7],
  team: [4, 6],
  risks: [3, 5],
  success_metrics: [3, 5],
  key_points: [4, 6],
  attachments: [2, 4],
  attendees: [4, 6],
  decisions: [3, 5],
  action_items: [4, 6],
  open_questions: [2, 4],
  hashtags: [3, 5],
}

const fieldsOf = (kind: SeedDocumentKind): string[] => Object.values(DOCUMENT_FIELDS[kind]).flat()

/** Fields of a document that hold one value; all others that can be added to are lists. */
export const SINGLE_FIELDS: ReadonlySet<string> = new Set(
  DOCUMENT_KINDS.flatMap(fieldsOf).filter((field) => field !== 'budget' && !(field in LISTS)),
)

const phrase = z.string().regex(/^\S(?:.*\S)?$/)
const phrases = z.array(phrase).min(1)
const whole = z.number().int()
const amount = z.number().positive()
const range = z.strictObject({ min: amount, max: amount }).refine(({ min, max }) => min < max, 'min must be below max')
const persona = z.enum(PERSONAS)

const Personas = z.array(
  z.strictObject({ id: persona, name: phrase, archetypes: z.strictObject(recordOf(TASTES, () => phrase)) }),
)

/** The likes and dislikes a kind of person may come to have in one domain, in the order of `SUBCATEGORIES`. */
const archetypes = (domain: Taste) =>
  z.strictObject({
    domain: z.literal(domain),
    archetypes: z.array(
      z.strictObject({ id: phrase, about: phrase, subcategories: z.record(z.enum(SUBCATEGORIES[domain]), phrases) }),
    ),
  })

const Todos = z.record(persona, z.strictObject({ work: phrases.length(20), personal: phrases.length(8) }))

const events = (count: number) =>
  z.array(z.strictObject({ name: phrase, offsets: z.array(whole).min(1) })).length(count)
const Calendar = z.record(persona, z.strictObject({ work: events(8), personal: events(6), birthdays: events(6) }))

const exchange = { ask: phrase, reply: phrase }

const Activities = z.strictObject({
  /** What one meal may cost: a range is drawn first, then an amount in it. */
  meals: z.record(z.enum(MEALS), z.array(range).length(3)),
  steps: z.array(z.strictObject({ activity: phrase, min: whole, max: whole })).length(5),
  /** What may be aimed at, and to what multiple it is rounded: food for a week, steps for a day. */
  goals: z.strictObject({
    food: z.record(z.enum(MEALS), z.strictObject({ min: amount, max: amount, round: amount })),
    steps: z.strictObject({
      min: whole,
      max: whole,
      rounding: z.array(z.strictObject({ below: whole, round: whole })).min(1),
    }),
  }),
  /** Small talk that leaves nothing to remember. */
  topics: z.array(
    z.strictObject({ topic: phrase, ...exchange, followUps: z.array(z.strictObject(exchange)).min(2).max(3) }),
  ),
})

/** A document as it is in the seed data: everything that may ever be said of it. */
export interface SeedDocument {
  title: string
  fields: Record<string, string | string[] | { min: number; max: number }>
}

function fieldSchema(field: string): z.ZodType<SeedDocument['fields'][string]> {
  const [least, most] = LISTS[field] ?? []
  if (least !== undefined) return z.array(phrase).min(least).max(most!)
  return field === 'budget' ? range : phrase
}

const Documents = z.strictObject(
  recordOf(DOCUMENT_KINDS, (kind): z.ZodType<SeedDocument[]> => {
    const fields = z.strictObject(recordOf(fieldsOf(kind), fieldSchema))
    return z.array(z.strictObject({ title: phrase, fields })).length(10)
  }),
)

export type Archetype = z.infer<ReturnType<typeof archetypes>>['archetypes'][number]
export type Todos = z.infer<typeof Todos>
export type Calendar = z.infer<typeof Calendar>
export type Activities = z.infer<typeof Activities>

/** Everything the simulator draws from. */
export interface Seed {
  personas: z.infer<typeof Personas>
  preferences: Record<Taste, Archetype[]>
  todos: Todos
  calendar: Calendar
  activities: Activities
  documents: Record<PersonaId, Record<SeedDocumentKind, SeedDocument[]>>
}

const read = <T>(name: string, schema: z.ZodType<T>): T =>
  readData(new URL(`../../corpora/memora/${name}.json`, import.meta.url), schema)

let seed: Seed | undefined

/** All seed files, read once, each checked against its schema; `checkSeed` looks at what a schema cannot see. */
export function readSeed(): Seed {
  seed ??= {
    personas: read('personas', Personas),
    preferences: recordOf(TASTES, (domain) => read(`preferences/${domain}`, archetypes(domain)).archetypes),
    todos: read('todos', Todos),
    calendar: read('calendar', Calendar),
    activities: read('activities', Activities),
    documents: recordOf(PERSONAS, (id) => read(`documents/${id}`, Documents)),
  }
  return seed
}

export function recordOf<Key extends string, Value>(
  keys: readonly Key[],
  value: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<Key, Value>
}

export const itemsOf = ({ subcategories }: Archetype): string[] => Object.values(subcategories).flat()

/** What somebody of an archetype may come to like in a domain. */
export const archetypeOf = (
  { personas, preferences }: Seed,
  persona: PersonaId,
  domain: Taste,
): Archetype | undefined =>
  preferences[domain].find(({ id }) => id === personas.find((one) => one.id === persona)?.archetypes[domain])
