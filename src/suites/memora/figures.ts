import { z } from 'zod'
import { readData } from '../../base/data.js'
import type { PublishedFigure } from '../../model/index.js'

const Figure = z.strictObject({
  source: z.string(),
  /** What answered from: `full-context` for models that were given the conversations, a memory system, or `data` for the dataset itself. */
  system: z.string(),
  /** The model that answered. */
  model: z.string(),
  task: z.string(),
  score: z.string(),
  value: z.number(),
  at: z.record(z.string(), z.string()),
})

/**
 * The paper's figures, as shares of 1: Table 3 (`fama` by task and duration), Table 4 (the same summed over durations), Table 5 (`mpa`
 * and its reduction summed over tasks), Table 1 (sessions to be considered, and changes). What the paper calls MemoryOS is the system
 * MemOS, to which its code speaks.
 */
export function figures(): PublishedFigure[] {
  return readData(new URL('./figures.json', import.meta.url), z.array(Figure))
}
