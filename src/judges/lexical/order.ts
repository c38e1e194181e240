import type { Memory } from '../../model/index.js'
import { formsWithoutNote } from './state/note.js'
import { findPhrase } from './state/phrase.js'
import { plainText } from './store/units.js'

/** By what the order of two values of a series can be told: dates, a sentence about both, or their places in one transcript. */
export type OrderClue = 'dates' | 'words' | 'transcript'

export interface SeriesOrder {
  /** All values are there, and the order of each and the next can be told, and is right. */
  recoverable: boolean
  /** Values that are there. */
  present: number
  /** For every value and the next one how their order can be told; null where it cannot. */
  clues: (OrderClue | null)[]
}

/** One value in one memory. */
interface Sighting {
  memory: Memory
  line: number
  date: number | null
}

const SPEAKER = /^\s*(?:\[[^\]]*\]\s*)?(?:user|assistant|human|ai)\s*:/im
const DATE = /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]*(?:\(\w{3,9}\))?\s*(\d{1,2}):(\d{2}))?/

/**
 * Whether the order of a series can be told from memories: by dates in their texts or beside them, by sentences that set one value after
 * another ("moved from A to B", "A, then B"), or because a transcript holds them in turn.
 *
 * @param values from earliest to latest
 * @example orderRecoverable([{ id: 'm', text: 'Car history: A -> B -> C' }], ['A', 'B', 'C']).recoverable // true
 */
export function orderRecoverable(memories: readonly Memory[], values: readonly string[]): SeriesOrder {
  const sightings = values.map((value) => memories.flatMap((memory) => sightingsIn(memory, value)))
  const clues = values.slice(1).map((later, i) => clueOf(values[i]!, later, sightings[i]!, sightings[i + 1]!, memories))
  const present = sightings.filter((list) => list.length > 0).length
  return { recoverable: present === values.length && clues.every((clue) => clue !== null), present, clues }
}

function sightingsIn(memory: Memory, value: string): Sighting[] {
  const forms = formsWithoutNote(value)
  const found: Sighting[] = []
  let above: number | null = null
  for (const [line, text] of memory.text.split('\n').entries()) {
    const own = dateOf(text)
    if (own !== null) above = own
    const plain = plainText(text)
    if (!forms.some((form) => findPhrase(form, plain, false))) continue
    found.push({ memory, line, date: above ?? (memory.time === undefined ? null : dateOf(memory.time)) })
  }
  return found
}

/** Minutes since the beginning of our era, roughly: only their order counts. */
function dateOf(text: string): number | null {
  const found = DATE.exec(text)
  if (!found) return null
  const [year, month, day, hour = 0, minute = 0] = found
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  return (((year! * 12 + month!) * 31 + day!) * 24 + hour) * 60 + minute
}

function clueOf(
  earlier: string,
  later: string,
  before: readonly Sighting[],
  after: readonly Sighting[],
  memories: readonly Memory[],
): OrderClue | null {
  const first = earliest(before)
  const second = earliest(after)
  if (first !== null && second !== null && first !== second) return first < second ? 'dates' : null
  if (memories.some(({ text }) => text.split('\n').some((line) => saysOrder(plainText(line), earlier, later))))
    return 'words'
  const inTurn = before.some((one) =>
    after.some((other) => one.memory === other.memory && one.line < other.line && SPEAKER.test(one.memory.text)),
  )
  return inTurn ? 'transcript' : null
}

/** When a value was first told. A memory without a date says nothing about that. */
function earliest(sightings: readonly Sighting[]): number | null {
  const dates = sightings.flatMap(({ date }) => (date === null ? [] : [date]))
  return dates.length > 0 ? Math.min(...dates) : null
}

const ONWARD =
  /->|=>|\u2192|\b(?:then|to|later|now|followed by|replaced by|finally|next|afterwards|after that|before|changed|switched|moved|became|current\w*|and finally)\b/
const BACKWARD =
  /<-|\u2190|\b(?:previous\w*|former\w*|was|before that|replac(?:ed|es|ing)|instead of|after|from|originally|used to be|earlier|formerly)\b/

/** One line sets the later value after the earlier one. */
function saysOrder(plain: string, earlier: string, later: string): boolean {
  const [a, b] = [earlier, later].map((value) =>
    formsWithoutNote(value)
      .map((form) => findPhrase(form, plain, false))
      .find((place) => place !== undefined),
  )
  if (!a || !b) return false
  const between = a.at < b.at ? plain.slice(a.end, b.at) : plain.slice(b.end, a.at)
  return a.at < b.at ? ONWARD.test(between) : BACKWARD.test(between)
}
