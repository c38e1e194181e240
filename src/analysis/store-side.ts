import { orderRecoverable, removalOf } from '../judges/lexical/index.js'
import type { FactVerdict, Memory, Question } from '../model/index.js'

/** What can be told of a question from the store alone, beyond the stages of its facts, by name. */
export type StoreSide = Record<string, string>

/**
 * Looks at the store for what only some questions ask: whether the order of a series can still be told (`order`), and what became of a
 * value that was to be forgotten (`removal`); of one that never was in the store nothing did.
 */
export async function storeSideOf(
  question: Question,
  verdictOf: (fact: string) => FactVerdict | undefined,
  wasStored: (fact: string) => boolean,
  memories: () => Promise<Iterable<Memory>>,
): Promise<StoreSide> {
  const { gold, needs, gone = [] } = question
  if (gold.kind === 'sequence') {
    const { recoverable } = orderRecoverable([...(await memories())], gold.items)
    return { order: recoverable ? 'kept' : 'lost' }
  }
  const value = gone[0] === undefined ? undefined : verdictOf(gone[0])
  if (gold.kind !== 'withheld' || !value) return {}
  if (value.label === 'not_stored' && !wasStored(gone[0]!)) return { removal: 'never there' }
  const request = needs[0]?.[0] === undefined ? undefined : verdictOf(needs[0][0])
  const forms = [gold.value, ...(gold.forms ?? [])]
  return { removal: removalOf(value, request, [...(await memories())], forms) }
}
