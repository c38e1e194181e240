import { count } from '../base/figures.js'
import { shortened } from '../base/text.js'
import { isIsoTime, type Memory, type MemorySystem, UnseenError } from '../model/index.js'
import type { PlannedSubject } from './plan.js'

/** Longest text of one memory. Longer ones are no memories, and would be read, counted and judged for every question. */
export const MOST_CHARACTERS = 1_000_000

/** Makes sure that what a system holds is a list of memories with ids of their own; throws what is wrong. */
function checkHeld(held: unknown, label: string): asserts held is Memory[] {
  checkMemories(held, `dump of ${label}`)
}

/** Everything a system holds, as it should be; null when it cannot be looked into. */
export async function checkedDump(system: MemorySystem, label: string): Promise<Memory[] | null> {
  if (!system.dump) return null
  let held: unknown
  try {
    held = await system.dump()
  } catch (error) {
    if (error instanceof UnseenError) return null
    throw error
  }
  checkHeld(held, label)
  return held
}

/**
 * Makes sure that what a system retrieved is what it was asked for: at most so many memories, each once, and none under the id of another
 * text in its own store.
 *
 * @param held its store by id; null when the system cannot be looked into
 */
export function checkRetrieved(
  found: unknown,
  most: number,
  held: ReadonlyMap<string, Memory> | null,
): asserts found is Memory[] {
  checkMemories(found, 'retrieve')
  if (found.length > most) throw new Error(`retrieve returned ${found.length} memories, at most ${most} were asked for`)
  for (const { id, text } of found) {
    const kept = held?.get(id)
    if (kept !== undefined && kept.text !== text)
      throw new Error(`retrieve returned another text under the id "${id}" than dump holds`)
  }
}

/** Makes sure that what a system answered is a text, and one that can be read. */
export function checkAnswer(answer: unknown): asserts answer is { text: string } {
  const { text } = (answer ?? {}) as { text?: unknown }
  if (typeof text !== 'string') throw new Error('answer returned no text: expected { text }')
  if (text.length > MOST_CHARACTERS) throw new Error(`answer returned ${tooLong(text)}`)
}

/** Whether a store holds the same as before: the same memories with the same text and standing. */
export function holdsTheSame(before: readonly Memory[], after: readonly Memory[]): boolean {
  const print = ({ text, status = 'live' }: Memory) => `${status} ${text}`
  const kept = new Map(before.map((memory) => [memory.id, print(memory)]))
  return before.length === after.length && after.every((memory) => kept.get(memory.id) === print(memory))
}

/** A memory that holds something before it was told anything would be measured on what it was never told. */
export async function requireEmpty(system: MemorySystem, { definition, system: label }: PlannedSubject): Promise<void> {
  if (definition.class === 'reference') return
  // A memory without words holds nothing.
  const told = (await checkedDump(system, label))?.filter(({ text }) => text.trim() !== '') ?? []
  if (told.length === 0) return
  const found = `it holds ${told.length} memories, such as "${told[0]!.id}"`
  throw new Error(
    `${label} is not empty before the first store: ${found}. A memory keeps its namespaces apart and begins with nothing`,
  )
}

function checkMemories(list: unknown, from: string): asserts list is Memory[] {
  if (!Array.isArray(list)) throw new Error(`${from} returned ${nameOf(list)}, expected a list of memories`)
  const ids = new Set<string>()
  for (const [i, memory] of list.entries()) {
    const { id, text } = (memory ?? {}) as Partial<Record<'id' | 'text', unknown>>
    if (typeof id !== 'string' || id === '' || typeof text !== 'string')
      throw new Error(
        `${from} returned a memory without ${typeof text === 'string' ? 'an id' : 'a text'} at place ${i + 1}`,
      )
    checkFields(memory as Memory, `${from} returned the memory "${id}" with`)
    if (text.length > MOST_CHARACTERS)
      throw new Error(`${from} returned a memory of ${tooLong(text, ` at place ${i + 1}`)}`)
    if (ids.has(id)) throw new Error(`${from} holds the id "${id}" twice; ids must be unique`)
    ids.add(id)
  }
}

/** What a memory may have besides; a field of another type would only break what reads it later. */
function checkFields({ score, time, status, sources }: Partial<Record<keyof Memory, unknown>>, what: string): void {
  const wrong = (field: string, value: unknown, expected: string) =>
    new Error(`${what} ${nameOf(value)} as ${field}, expected ${expected}`)
  if (score !== undefined && typeof score !== 'number') throw wrong('score', score, 'a number')
  if (time !== undefined && typeof time !== 'string') throw wrong('time', time, TIME_EXPECTED)
  // Readers are shown it, so that it can be nothing but a time; an empty one is none.
  if (time && !isIsoTime(time)) throw new Error(`${what} "${shortened(time, 60)}" as time, expected ${TIME_EXPECTED}`)
  if (status !== undefined && !STATUSES.includes(status)) throw wrong('status', status, STATUSES.join(', '))
  if (sources !== undefined && !(Array.isArray(sources) && sources.every((id) => typeof id === 'string')))
    throw wrong('sources', sources, 'a list of ids of conversations')
}

const TIME_EXPECTED = 'a day or a time in ISO 8601, such as 2024-03-04T09:00:00Z'

const STATUSES: readonly unknown[] = ['live', 'invalidated', 'tombstone']

function tooLong({ length }: string, place = ''): string {
  return `${count(length)} characters${place}; at most ${count(MOST_CHARACTERS)} are taken`
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value
}
