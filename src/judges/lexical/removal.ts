import type { FactVerdict, Memory } from '../../model/index.js'
import { containsForm } from './values.js'

/** What became of a value that was to be forgotten. */
export const REMOVALS = ['removed', 'tombstoned', 'tombstone repeats the value', 'still live'] as const

export type Removal = (typeof REMOVALS)[number]

/**
 * What a store did with a value that the user asked it to forget: nothing is left of it; a note says that it was removed; the note itself
 * repeats the value; or the value still stands as if nobody had asked.
 *
 * @param value the verdict on the value itself, and `request` the one on the request to forget it
 * @param forms the forms of the value
 */
export function removalOf(
  value: FactVerdict,
  request: FactVerdict | undefined,
  memories: readonly Memory[],
  forms: readonly string[],
): Removal {
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  const isLive = (id: string) => (byId.get(id)?.status ?? 'live') === 'live'
  if (value.label !== 'not_stored' && value.support.some((set) => set.every(isLive))) return 'still live'
  const notes = [...(request?.label === 'correct' ? request.support.flat() : []), ...value.support.flat()]
  if (notes.length === 0) return 'removed'
  const repeats = notes.some((id) => containsForm(forms, byId.get(id)?.text ?? ''))
  return repeats ? 'tombstone repeats the value' : 'tombstoned'
}
