import { z } from 'zod'

/** Bounds of a session's length in tokens, as in the paper. */
export const LEAST = 500
export const MOST = 5_000

/** A conversation without bearing on any episode. */
export const FillerSession = z.strictObject({
  id: z.string(),
  tokens: z.number().int().min(LEAST).max(MOST),
  turns: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), text: z.string().min(1) })).min(1),
})
export type FillerSession = z.infer<typeof FillerSession>
