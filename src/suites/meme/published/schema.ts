import { z } from 'zod'

/** Names of the tasks in published files, older ones included, and what they are called here. */
const TASKS = {
  ER: 'ER',
  Exact: 'ER',
  Agg: 'Agg',
  'Multi-hop': 'Agg',
  Tr: 'Tr',
  'Multiple-update': 'Tr',
  Del: 'Del',
  Deletion: 'Del',
  Cas: 'Cas',
  'Cascade-D': 'Cas',
  Abs: 'Abs',
  'Cascade-U': 'Abs',
} as const
type TaskLabel = keyof typeof TASKS

const label = z.enum(Object.keys(TASKS) as [TaskLabel, ...TaskLabel[]]).transform((name) => TASKS[name])

/** Older files write behind a label what they say elsewhere as well, or not: "Cascade-D (1-hop)", "Deletion (before delete)". */
const withoutNote = (given: unknown) => {
  if (given === null || typeof given !== 'object' || !('task_type' in given)) return given
  const label = String(given.task_type)
  const open = label.indexOf('(', Math.max(1, label.lastIndexOf(')', label.length - 2) + 1))
  if (open < 0 || !label.endsWith(')')) return given
  const hop = /^(\d+)-hop$/.exec(label.slice(open + 1, -1))?.[1]
  return { ...(hop !== undefined && { hop: Number(hop) }), ...given, task_type: label.slice(0, open).trimEnd() }
}

/** Absent and null mean the same in published files. */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined)
/** One where a list is expected. */
const list = <T extends z.ZodType>(schema: T) =>
  z.preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(schema).min(1))

const Asked = z.preprocess(
  withoutNote,
  z.object({
    task_type: label,
    entity: list(z.string()),
    entity_values: z.record(z.string(), z.union([z.string(), z.array(z.string()), z.null()])).default({}),
    question: z.string().min(1),
    gold_answer: maybe(z.string()),
    expected_answer: maybe(z.string()),
    hop: maybe(z.number()),
  }),
)

const TIME = /^(\d{4})[/-](\d{2})[/-](\d{2})(?:\s*\([^)]*\))?[ T]+(\d{2}):(\d{2})/
/** "2023/03/01 (Wed) 09:00" as ISO 8601. */
const Timestamp = z.string().transform((text, context) => {
  const [, year, month, day, hour, minute] = TIME.exec(text) ?? []
  const iso = `${year}-${month}-${day}T${hour}:${minute}:00Z`
  if (year !== undefined && !Number.isNaN(Date.parse(iso))) return iso
  context.addIssue({ code: 'custom', message: `expected a time such as "2023/03/01 (Wed) 09:00", got "${text}"` })
  return z.NEVER
})

/** Questions at one moment; skeletons have the questions alone. */
const Probe = z.preprocess(
  (given) => (Array.isArray(given) ? { questions: given } : given),
  z.object({
    timestamp: maybe(Timestamp),
    position_after_session: maybe(z.union([z.number().int(), z.string()])),
    questions: z.array(Asked),
  }),
)

/** Something said: a fact, a rule (`is_if_then`), the change or the deletion (`type`). */
const said = {
  entity: z.string(),
  value: z.string(),
  dependency_source: maybe(z.string()),
  is_if_then: maybe(z.boolean()),
  is_exact: maybe(z.boolean()),
  is_filler: maybe(z.boolean()),
  type: maybe(z.string()),
}
const Seed = z.object({ ...said, gold_fact: z.string().min(1) })
const GoldFact = z.object({
  ...said,
  original_seed: maybe(z.string()),
  fact_text: maybe(z.string()),
  conveyed_in_turn: maybe(z.union([z.number().int(), z.array(z.number().int())])),
  conveyed: maybe(z.boolean()),
})

const Session = z.object({
  session_id: maybe(z.union([z.string(), z.number()]).transform(String)),
  type: maybe(z.string()),
  timestamp: Timestamp,
  conversation: z.array(z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.string() })).min(1),
  gold_facts: maybe(z.array(GoldFact)),
})

/** Unpacked files number their episodes within a domain: 7 is `pl_007` or `sw_007`, as in the release. */
const named = (given: unknown) => {
  if (given === null || typeof given !== 'object' || !('episode_id' in given)) return given
  const { episode_id: id } = given
  if (typeof id !== 'number' || !('domain' in given)) return given
  const domain = String(given.domain).startsWith('personal') ? 'pl' : 'sw'
  return { ...given, episode_id: `${domain}_${String(id).padStart(3, '0')}` }
}

const common = {
  episode_id: z.string().min(1),
  domain: z.preprocess(
    (given) => (typeof given === 'string' ? given.replaceAll('-', '_') : given),
    z.enum(['personal_life', 'software_project']),
  ),
  root: z.string(),
  root_change: z.object({ before: z.string(), after: z.string() }),
  chain_entities: z.array(z.string()).default([]),
  entities: z.record(
    z.string(),
    z.object({
      before: maybe(z.string()),
      after: maybe(z.string()),
      history: maybe(z.array(z.string())),
      cascade_source: maybe(z.string()),
    }),
  ),
  dependency_edges_used: z
    .array(z.object({ source: z.string(), target: z.string(), hop: z.number().default(1) }))
    .default([]),
  before_questions: Probe.default({ timestamp: undefined, position_after_session: undefined, questions: [] }),
  after_questions: Probe,
}

/** An episode with its dialogue. Keys that are not named here are left alone. */
export const FullEpisode = z.preprocess(named, z.object({ ...common, sessions: z.array(Session).min(1) }))
/** An episode without dialogue: what is to be said, and what is asked. */
export const BareEpisode = z.preprocess(
  named,
  z.object({ ...common, fact_seeds: z.array(Seed), change_delete_seeds: z.array(Seed) }),
)

export type FullEpisode = z.infer<typeof FullEpisode>
export type BareEpisode = z.infer<typeof BareEpisode>
export type AskedQuestion = z.infer<typeof Asked>
export type PublishedFact = z.infer<typeof GoldFact>
export type ReleasedSession = z.infer<typeof Session>
