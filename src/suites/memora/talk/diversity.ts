import { cosine } from '../../../base/cosine.js'
import { Random } from '../../../base/random.js'
import { words } from '../../../base/text.js'
import type { Embedder, Turn } from '../../../model/index.js'
import { jaccard } from '../../jaccard.js'

/** Mean overlap of two sessions, by runs of one, two and three words: shared runs among all runs of both. */
export type TalkDiversity = Record<1 | 2 | 3, number>

const RUNS = [1, 2, 3] as const

/**
 * How alike conversations are: the mean Jaccard overlap of their word runs over random pairs. Low means varied.
 *
 * @example diversity(conversations, 8000, 1) // { 1: 0.17, 2: 0.03, 3: 0.01 }
 */
export function diversity(sessions: readonly { turns: readonly Turn[] }[], pairs: number, seed: number): TalkDiversity {
  const drawn = pairsOf(sessions.length, pairs, seed)
  const token = new Map<string, number>()
  const ids = sessions.map(({ turns }) =>
    words(textOf(turns)).map((word) => {
      const id = token.get(word) ?? token.size
      token.set(word, id)
      return id
    }),
  )
  const mean = (length: number) => {
    const runs = ids.map((list) => runsOf(list, length, token.size))
    return drawn.reduce((sum, [a, b]) => sum + jaccard(runs[a]!, runs[b]!), 0) / drawn.length
  }
  return Object.fromEntries(RUNS.map((length) => [length, mean(length)])) as TalkDiversity
}

/** Sessions of which each with each makes about 8,000 pairs: an embedding takes much longer than words do. */
export const EVERY_PAIR = 127

/** Mean cosine similarity over all pairs of at most `most` sessions, drawn at random. */
export async function meanSessionSimilarity(
  sessions: readonly { turns: readonly Turn[] }[],
  most: number,
  seed: number,
  embedder: Embedder,
): Promise<{ cosine: number; sessions: number; pairs: number }> {
  if (sessions.length < 2) throw new RangeError(`Expected at least two sessions to compare, got ${sessions.length}`)
  const drawn = new Random(seed).shuffle([...sessions]).slice(0, most)
  const vectors = await embedder.embed(drawn.map(({ turns }) => textOf(turns)))
  const pairs = (vectors.length * (vectors.length - 1)) / 2
  let sum = 0
  for (const [at, one] of vectors.entries()) {
    for (const other of vectors.slice(at + 1)) sum += cosine(one, other)
  }
  return { cosine: sum / pairs, sessions: vectors.length, pairs }
}

const textOf = (turns: readonly Turn[]): string => turns.map(({ text }) => text).join('\n')

function pairsOf(count: number, pairs: number, seed: number): [number, number][] {
  if (count < 2) throw new RangeError(`Expected at least two sessions to compare, got ${count}`)
  const random = new Random(seed)
  return Array.from({ length: pairs }, () => {
    const first = random.below(count)
    const second = random.below(count - 1)
    return [first, second < first ? second : second + 1]
  })
}

/** Runs of so many words as numbers; exact while the vocabulary to the power of three is a safe integer. */
function runsOf(list: readonly number[], length: number, vocabulary: number): Set<number> {
  const runs = new Set<number>()
  for (let at = 0; at + length <= list.length; at++) {
    let run = 0
    for (let i = at; i < at + length; i++) run = run * vocabulary + list[i]!
    runs.add(run)
  }
  return runs
}
