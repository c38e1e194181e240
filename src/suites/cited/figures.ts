import { z } from 'zod'
import { readData } from '../../base/data-file.js'
import type { PublishedFigure } from '../../model/index.js'

const Claims = z.array(
  z.strictObject({
    /** Who printed it, where and when. */
    source: z.string(),
    date: z.string().regex(/^\d{4}-\d\d(?:-\d\d)?$/),
    url: z.url(),
    /** `own`: by those who make the system; `rival`: by others, of it. */
    claim: z.enum(['own', 'rival']),
    system: z.string(),
    model: z.string().optional(),
    score: z.enum(['answers', 'f1', 'bleu', 'rubric']),
    /** In per cent, by task. */
    values: z.record(z.string(), z.number()),
    at: z.record(z.string(), z.string()).optional(),
  }),
)

/** What makers of memories published of their systems: claims of theirs, read beside ours and never mixed with them. */
export function claimedFigures(file: URL): PublishedFigure[] {
  return readData(file, Claims).flatMap(({ source, date, claim, system, model, score, values, at }) =>
    Object.entries(values).map(([task, value]) => ({
      source: `${source}, ${date}, ${claim === 'own' ? 'its makers’ claim' : 'a rival’s measurement'}`,
      system,
      ...(model !== undefined && { model }),
      task,
      score,
      value: value / 100,
      ...(at && { at }),
    })),
  )
}
