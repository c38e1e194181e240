import { z } from 'zod'
import { messageOf } from '../base/errors.js'
import type { Reader, Reading } from '../model/index.js'
import { billedTo, newBill } from './bill.js'
import { MOST_CHARACTERS } from './checked.js'
import { isFatal } from './fatal.js'

const amount = z.number().min(0)

const reading = z.object({
  answer: z.string().max(MOST_CHARACTERS),
  prompt: z.string(),
  tokens: z.object({ input: amount, output: amount }),
  cost: amount.nullable(),
  repairs: z.object({ tokens: amount, cost: amount.nullable() }).optional(),
  kept: z.boolean().optional(),
})

/**
 * A reader whose answers are looked at before they count, for readers from a user's file. What is no answer, or was thrown, is an error of
 * that question, which says whose and what was expected. What ends a run does so, too, when the reader swallowed it.
 *
 * @example checkedReader(await createReader(asked, tools))
 */
export function checkedReader({ name, key, ...reader }: Reader): Reader {
  return {
    name,
    key,
    async read(question, memories, about) {
      const said: unknown = await billedTo(newBill(), async () => reader.read(question, memories, about)).catch(
        (error: unknown) => {
          if (about.signal?.aborted || isFatal(error)) throw error
          throw new Error(`${name}: read threw: ${messageOf(error)}`, { cause: error })
        },
      )
      const parsed = reading.safeParse(said)
      if (parsed.success) return parsed.data satisfies Reading
      const faults = parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(': '))
      throw new Error(`${name}: read returned no answer: ${faults.join('; ')}`)
    },
  }
}
