import type { StoreCase, StoreSide } from '../../model/index.js'
import { orderRecoverable } from './order.js'
import { removalOf } from './removal.js'

/** Whether the order of a series can still be told from a store (`order`), and what became of a value that was to be forgotten (`removal`). */
export async function storeSide({ question, verdictOf, memories }: StoreCase): Promise<StoreSide> {
  const { gold, needs, gone = [] } = question
  if (gold.kind === 'sequence' && !gold.free) {
    const { recoverable } = orderRecoverable(await memories(), gold.items)
    return { order: recoverable ? 'kept' : 'lost' }
  }
  const value = gone[0] === undefined ? undefined : verdictOf(gone[0])
  if (gold.kind !== 'withheld' || !value) return {}
  const request = needs[0]?.[0] === undefined ? undefined : verdictOf(needs[0][0])
  return { removal: removalOf(value, request, await memories(), [gold.value, ...(gold.forms ?? [])]) }
}
