import type { Conversation } from '../../model/index.js'
import { shiftedDate } from '../shifted-date.js'
import { CONVERSATIONS } from './fixtures.js'
import { assertSame } from './same.js'
import { filled, type SystemCheck, stateOf, storeAll } from './subject.js'

/** Further than any cache or rounding could hide. */
const DECADE_MS = 10 * 365 * 86_400_000

/** What a memory promises about its life as a whole: beside others, at another time, and at its end. */
export const lifeChecks = {
  'side-by-side': {
    title: 'lives beside others as it does alone',
    run: async ({ create }) => {
      const lives = [CONVERSATIONS, CONVERSATIONS.toReversed(), CONVERSATIONS.slice(2)]
      const lived = async (life: readonly Conversation[]) => {
        const system = await create()
        await storeAll(system, life)
        return stateOf(system)
      }
      const alone = []
      for (const life of lives) alone.push(await lived(life))
      const together = await Promise.all(lives.map(lived))
      assertSame(together, alone, 'Memories that are filled at the same time should not disturb each other')
    },
  },
  'scenario-time': {
    title: 'knows no other time than the one it is told',
    run: async ({ create }) => {
      const today = await stateOf(await filled(create))
      const later = await inTenYears(async () => stateOf(await filled(create)))
      assertSame(later, today, 'The clock of the machine should not show in what is stored')
    },
  },
  closes: {
    title: 'can be closed, full or empty, and once more',
    run: async ({ create }) => {
      const [full, empty, other] = [await filled(create), await create(), await filled(create)]
      const before = await stateOf(other)
      for (const system of [full, empty, full]) await system.close?.()
      assertSame(await stateOf(other), before, 'Closing one instance should leave another as it was')
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
