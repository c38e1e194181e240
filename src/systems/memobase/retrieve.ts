import { z } from 'zod'
import { countTokens } from '../../base/tokens.js'
import type { Memory, Query, SystemContext } from '../../model/index.js'
import {
  type Asker,
  embedOne,
  hoursBetween,
  type Kept,
  memoryOf,
  numbered,
  type Prompts,
  type VectorTable,
} from '../parts/index.js'
import type { Profile, ProfileSlot } from './profile.js'
import type { PROMPTS } from './prompts.js'

const Picked = z.object({ numbers: z.array(z.number().int()) })

export interface ContextSettings {
  /** Tokens of the whole context. */
  tokens: number
  /** Share of them for the profile; the rest is for events. */
  ratio: number
  /** Whether the model picks the slots that bear on a question. */
  pick: boolean
  /** Least cosine, most entries and greatest age in days of events. */
  threshold: number
  events: number
  days: number
  temperature: number
}

export interface ContextParts {
  context: SystemContext
  model: Asker
  prompts: Prompts<keyof typeof PROMPTS>
  profile: Profile
  gists: VectorTable<Kept>
}

/** The context MemoBase hands out: slots, those changed last first, then events by meaning, each within its share of tokens. */
export async function contextFor(query: Query, parts: ContextParts, settings: ContextSettings): Promise<Memory[]> {
  const { profile, gists, context } = parts
  if (profile.size + gists.size === 0) return []
  const forProfile = Math.floor(settings.tokens * settings.ratio)
  const slots = settings.pick ? await picked(query, parts, settings) : profile.newestFirst()
  const kept = withinTokens(slots, forProfile)
  if (gists.size === 0) return kept.map((slot) => memoryOf(slot))
  const recent = ({ time }: Kept) => hoursBetween(time, query.time) <= settings.days * 24
  const near = gists
    .nearest(await embedOne(context, query.text), settings.events, recent)
    .filter(({ score }) => score > settings.threshold)
  const scores = new Map(near.map(({ row, score }) => [row.id, score]))
  const found = withinTokens(
    near.map(({ row }) => row),
    settings.tokens - forProfile,
  )
  return [...kept.map((slot) => memoryOf(slot)), ...found.map((row) => memoryOf(row, scores.get(row.id)))]
}

async function picked(
  query: Query,
  { model, prompts, profile }: ContextParts,
  { temperature }: ContextSettings,
): Promise<ProfileSlot[]> {
  const slots = profile.newestFirst()
  if (slots.length === 0) return []
  const { numbers } = await model.ask({
    step: 'pick',
    role: 'retrieve',
    system: prompts.text('pick'),
    data: { slots: numbered(slots.map(({ text }) => text)), question: numbered([query.text]) },
    schema: Picked,
    temperature,
  })
  const wanted = new Set(numbers)
  return slots.filter((_, i) => wanted.has(i))
}

/** Rows from the first on, up to the one that no longer fits. */
function withinTokens<R extends Kept>(rows: readonly R[], tokens: number): R[] {
  let left = tokens
  const end = rows.findIndex(({ text }) => {
    left -= countTokens(text)
    return left < 0
  })
  return end < 0 ? [...rows] : rows.slice(0, end)
}
