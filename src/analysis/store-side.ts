import type { FactVerdict, Question, StoreSide } from '../model/index.js'

/** What the judge said of a store for a question. Of a value to be forgotten that never was in the store nothing became. */
export function sideOf(
  { gold, gone = [] }: Question,
  judged: StoreSide | undefined,
  verdictOf: (fact: string) => FactVerdict | undefined,
  wasStored: (fact: string) => boolean,
): StoreSide {
  const [value] = gone
  if (gold.kind === 'withheld' && value !== undefined && verdictOf(value)?.label === 'not_stored' && !wasStored(value))
    return { removal: 'never there' }
  return judged ?? {}
}
