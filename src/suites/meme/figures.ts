import { z } from 'zod'
import { readData } from '../../base/data.js'
import type { PublishedFigure } from '../../model/index.js'

const Figure = z.strictObject({
  source: z.string(),
  system: z.string(),
  /** The model that answered. */
  model: z.string(),
  task: z.string(),
  score: z.string(),
  value: z.number(),
  at: z.record(z.string(), z.string()).optional(),
})

/** The paper's figures: Tables 2 to 6, 13 and 17, Figure 29 and the ceiling of Appendix L. */
export function figures(): PublishedFigure[] {
  return readData(new URL('./figures.json', import.meta.url), z.array(Figure)).map(({ at, ...figure }) => ({
    ...figure,
    ...(at && { at }),
  }))
}
