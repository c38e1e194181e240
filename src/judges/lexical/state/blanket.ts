import { wilson } from '../../../base/intervals.js'
import { hasMarker, type Marker } from '../../../language/stance.js'
import type { Memory } from '../../../model/index.js'
import type { StoreIndex } from '../store/store-index.js'
import { unitsOf } from '../store/units.js'
import type { Speech } from './speech.js'

/** Ways of speaking that a few words beside any value would give it, and the marker of these words. */
const MARKS = { doubted: 'doubt', removed: 'removal', revoked: 'revoked', considered: 'considered' } as const

type Way = keyof typeof MARKS
const WAYS = Object.keys(MARKS) as Way[]

/**
 * Words that so many sentences of a store bear tell nothing of one of them. In MEME's episodes at most one thing in seven is in doubt at the
 * end, and of what is said there at most one sentence in eighteen bears any of these marks.
 */
const MOST = 1 / 4

interface Shares {
  /** Sentences of the store, and those with a mark. */
  all: number
  marked: Map<Marker, number>
}

const known = new WeakMap<StoreIndex, Shares>()

/** How a unit speaks of a value, without what so much of the store bears that it tells nothing of this one; and whether that was there. */
export function withoutBlanket(
  speech: Speech,
  memory: Memory,
  index: StoreIndex,
): { speech: Speech; blanket: boolean } {
  const empty = WAYS.filter((way) => speech[way] && isBlanket(way, memory, index))
  if (empty.length === 0) return { speech, blanket: false }
  return { speech: { ...speech, ...Object.fromEntries(empty.map((way) => [way, false])) }, blanket: true }
}

/**
 * Whether the words for a way of speaking stand on far more of the store than could deserve them. The memory that is looked at is left out of
 * the count: of a store that holds one thing, the one thing may be in doubt. A status is no word, and belongs to its memory.
 */
export function isBlanket(way: Way, memory: Memory, index: StoreIndex): boolean {
  if (way === 'removed' && memory.status === 'tombstone') return false
  const { all, marked } = sharesIn(index)
  const units = unitsOf(memory)
  const own = units.filter(({ plain, heading }) => bears(MARKS[way], plain, heading)).length
  const n = all - units.length
  return n > 0 && wilson((marked.get(MARKS[way]) ?? 0) - own, n)[0] > MOST
}

function sharesIn(index: StoreIndex): Shares {
  let shares = known.get(index)
  if (!shares) {
    shares = { all: 0, marked: new Map() }
    for (const memory of index.memories) {
      for (const { plain, heading } of unitsOf(memory)) {
        shares.all++
        for (const marker of Object.values(MARKS))
          if (bears(marker, plain, heading)) shares.marked.set(marker, (shares.marked.get(marker) ?? 0) + 1)
      }
    }
    known.set(index, shares)
  }
  return shares
}

function bears(marker: Marker, plain: string, heading: string): boolean {
  return hasMarker(marker, plain, true) || (heading !== '' && hasMarker(marker, heading, true))
}
