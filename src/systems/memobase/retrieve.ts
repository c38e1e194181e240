import { z } from 'zod'
import { countTokens } from '../../base/tokens.js'
import type { Memory, Query } from '../../model/index.js'
import { embedOne, hoursBetween, type Kept, memoryOf, numbered } from '../parts/index.js'
import { FIXED } from './fixed.js'
import type { MemobaseParts } from './parts.js'
import type { ProfileSlot } from './profile.js'

const Picked = z.object({ numbers: z.array(z.number().int()) })

/** The context MemoBase hands out: slots, those changed last first, then events by meaning, each within its share of tokens. */
export async function contextFor(query: Query, parts: MemobaseParts): Promise<Memory[]> {
  const { profile, gists, context, settings } = parts
  if (profile.size + gists.size === 0) return []
  const forProfile = Math.floor(settings.tokens * settings.ratio)
  const slots = settings.pick ? await picked(query, parts) : profile.newestFirst()
  const kept = withinTokens(slots, forProfile).map((slot) => memoryOf(slot))
  if (gists.size === 0) return kept
  const recent = ({ time }: Kept) => hoursBetween(time, query.time) <= settings.days * 24
  const near = gists
    .nearest(await embedOne(context, query.text), FIXED.mostEvents, recent)
    .filter(({ score }) => score > settings.threshold)
    .map(({ row, score }) => memoryOf(row, score))
  return [...kept, ...withinTokens(near, settings.tokens - forProfile)]
}

async function picked(query: Query, { model, profile }: MemobaseParts): Promise<ProfileSlot[]> {
  const slots = profile.newestFirst()
  if (slots.length === 0) return []
  const { numbers } = await model.ask('pick', Picked, {
    role: 'retrieve',
    data: { slots: numbered(slots), question: numbered([query.text]) },
  })
  const wanted = new Set(numbers)
  return slots.filter((_, i) => wanted.has(i))
}

/** Rows from the first on, up to the one that no longer fits. */
function withinTokens<R extends { text: string }>(rows: readonly R[], tokens: number): R[] {
  let left = tokens
  const end = rows.findIndex(({ text }) => {
    left -= countTokens(text)
    return left < 0
  })
  return end < 0 ? [...rows] : rows.slice(0, end)
}
