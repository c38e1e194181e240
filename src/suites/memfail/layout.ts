import { Random } from '../../base/random.js'
import type { MaterialRow, MemfailTask } from './material.js'

/** Where a unit or a question stands: index of its row, and of the unit or question in it. */
export type RowPlace = [row: number, index: number]

/** In which order units are stored and questions are asked. */
export interface StorageOrder {
  storage: RowPlace[]
  questions: RowPlace[]
}

/** Long-Hop shuffles its facts and its questions by seeds of their own, as the released code does. */
const FACT_SALT = 0xf1ac
const QUESTION_SALT = 0x5eed

/**
 * The orders of the released code for a seed. For seed 42 and the released rows these are the published vectors.
 *
 * Long-Hop shuffles its rows first; the other tasks draw the storage order and then the question order from one generator.
 */
export function orderOf(task: MemfailTask, rows: readonly MaterialRow[], seed: number): StorageOrder {
  const places = (of: (row: MaterialRow) => number, order: number[]): RowPlace[] =>
    order.flatMap((row) => Array.from({ length: of(rows[row]!) }, (_, index): RowPlace => [row, index]))
  const units = (row: MaterialRow) => row.units.length
  const questions = (row: MaterialRow) => row.questions.length
  const natural = rows.map((_, index) => index)
  if (task === 'long-hop') {
    const shuffled = new Random(seed).shuffle([...natural])
    return {
      storage: new Random((seed ^ FACT_SALT) >>> 0).shuffle(places(units, shuffled)),
      questions: new Random((seed ^ QUESTION_SALT) >>> 0).shuffle(places(questions, shuffled)),
    }
  }
  const random = new Random(seed)
  return { storage: random.shuffle(places(units, natural)), questions: random.shuffle(places(questions, natural)) }
}

/**
 * Units by conversation: greedy first fit in storage order, at most `size` a conversation, and never two units of one row together, for
 * then the chain would be given away.
 */
export function pack(storage: readonly RowPlace[], size: number): RowPlace[][] {
  const conversations: { places: RowPlace[]; rows: Set<number> }[] = []
  let firstOpen = 0
  for (const place of storage) {
    let target = -1
    for (let i = firstOpen; i < conversations.length; i++) {
      const candidate = conversations[i]!
      if (candidate.places.length < size && !candidate.rows.has(place[0])) {
        target = i
        break
      }
    }
    if (target < 0) target = conversations.push({ places: [], rows: new Set() }) - 1
    const conversation = conversations[target]!
    conversation.places.push(place)
    conversation.rows.add(place[0])
    while (firstOpen < conversations.length && conversations[firstOpen]!.places.length >= size) firstOpen++
  }
  return conversations.map(({ places }) => places)
}
