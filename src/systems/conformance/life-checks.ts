import assert from 'node:assert/strict'
import { shiftedDate } from '../../base/shifted-date.js'
import { CONVERSATIONS, QUERIES } from './fixtures.js'
import { askAll, dumpOf, filled, type SystemCheck, storeAll } from './subject.js'

/** Further than any cache or rounding could hide. */
const DECADE_MS = 10 * 365 * 86_400_000

/** What a memory promises about its life as a whole: beside others, at another time, and at its end. */
export const lifeChecks = {
  'side-by-side': {
    title: 'lives beside others as it does alone',
    run: async ({ create }) => {
      const lives = [CONVERSATIONS, CONVERSATIONS.toReversed(), CONVERSATIONS.slice(2)]
      const alone = []
      for (const life of lives) {
        const system = await create()
        await storeAll(system, life)
        alone.push({ dump: await dumpOf(system), found: await askAll(system, QUERIES, 5) })
      }
      const together = await Promise.all(
        lives.map(async (life) => {
          const system = await create()
          await storeAll(system, life)
          return { dump: await dumpOf(system), found: await askAll(system, QUERIES, 5) }
        }),
      )
      assert.deepEqual(together, alone, 'Memories that are filled at the same time should not disturb each other')
    },
  },
  'scenario-time': {
    title: 'knows no other time than the one it is told',
    run: async ({ create }) => {
      const today = await dumpOf(await filled(create))
      const later = await inTenYears(async () => dumpOf(await filled(create)))
      assert.deepEqual(later, today, 'The clock of the machine should not show in what is stored')
    },
  },
  closes: {
    title: 'can be closed, full or empty',
    run: async ({ create }) => {
      const [full, empty, other] = [await filled(create), await create(), await filled(create)]
      const before = await dumpOf(other)
      await full.close?.()
      await empty.close?.()
      assert.deepEqual(await dumpOf(other), before, 'Closing one instance should leave another as it was')
    },
  },
} as const satisfies Record<string, SystemCheck>

/** Runs work with the clock of the machine put forward. */
async function inTenYears<T>(work: () => Promise<T>): Promise<T> {
  const Real = Date
  globalThis.Date = shiftedDate(Real, DECADE_MS)
  try {
    return await work()
  } finally {
    globalThis.Date = Real
  }
}
