import { cosine } from '../../base/cosine.js'
import { cleanText } from '../../base/fence.js'
import { countTokens } from '../../base/tokens.js'
import type { Conversation } from '../../model/index.js'
import { type Embedding, embedAll } from '../parts/index.js'
import { FIXED } from './fixed.js'

/** Something the user said. */
export interface Said {
  /** Place among the turns of the conversation. */
  turn: number
  text: string
}

/** Turns on one topic. */
export type Segment = readonly Said[]

/** What the user says, cut into topics after so many tokens, in portions of so many tokens of topics. What is left at the end is the last. */
export async function portionsOf(
  { turns }: Conversation,
  buffers: { sensory: number; shortTerm: number },
  context: Embedding,
): Promise<Segment[][]> {
  const portions: Segment[][] = []
  let waiting: Said[] = []
  let topics: Segment[] = []
  const pass = (segments: readonly Segment[]) => {
    for (const segment of segments) {
      topics.push(segment)
      if (tokensIn(topics.flat()) <= buffers.shortTerm) continue
      portions.push(topics)
      topics = []
    }
  }
  for (const [turn, { role, text }] of turns.entries()) {
    if (role !== 'user' || cleanText(text).trim() === '') continue
    waiting.push({ turn, text })
    if (tokensIn(waiting) <= buffers.sensory) continue
    const segments = await topicsIn(waiting, context)
    // The last topic may go on, unless it is the only one.
    const open = segments.length > 1 ? segments.pop()! : []
    pass(segments)
    waiting = [...open]
  }
  if (waiting.length > 0) pass(await topicsIn(waiting, context))
  if (topics.length > 0) portions.push(topics)
  return portions
}

/** Turns cut where a turn is unlike the one before. */
async function topicsIn(said: readonly Said[], context: Embedding): Promise<Segment[]> {
  if (said.length < 2) return [said]
  const vectors = await embedAll(context, said)
  const likeness = vectors.slice(1).map((vector, i) => cosine(vectors[i]!, vector))
  const limit = FIXED.cuts.find((cut) => likeness.some((value) => value < cut))
  if (limit === undefined) return [said]
  const segments: Said[][] = [[said[0]!]]
  for (const [i, value] of likeness.entries()) {
    if (value < limit) segments.push([])
    segments.at(-1)!.push(said[i + 1]!)
  }
  return segments
}

function tokensIn(said: readonly Said[]): number {
  return said.reduce((sum, { text }) => sum + countTokens(text), 0)
}
