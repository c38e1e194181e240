import { giveWay } from '../../../base/give-way.js'
import { Random } from '../../../base/random.js'
import { words } from '../../../base/text.js'
import { jaccard } from '../../jaccard.js'
import type { GeneratedRows } from './index.js'

const MOST_PAIRS = 8_000
/** Texts kept for comparing; of more, a seeded sample. */
const MOST_TEXTS = 4_000
const SIZES = [1, 2, 3] as const

export interface Diversity {
  texts: number
  pairs: number
  /** Mean share of n-grams that two texts have in common, by n. */
  overlap: Record<(typeof SIZES)[number], number>
}

type AnyRow = GeneratedRows[keyof GeneratedRows]

/** The texts of a row that are stored: its essays or its facts. */
function storedTexts(row: AnyRow): string[] {
  if ('hard' in row) return [row.easy.essay, row.hard.essay]
  if ('preferences' in row) return row.preferences.map(({ fact }) => fact)
  return 'essay' in row ? [row.essay] : row.facts.map(({ text }) => text)
}

/**
 * How similar generated texts are, as Memora reports it: mean Jaccard overlap of 1-, 2- and 3-grams over a seeded sample of pairs; lower is
 * more diverse. NaN without a pair.
 *
 * @example (await measureTextOverlap(generateRows('persona', 1000, 7), 7)).overlap[3]
 */
export async function measureTextOverlap(items: Iterable<string | AnyRow>, seed: number): Promise<Diversity> {
  const random = new Random(seed)
  const kept: string[] = []
  let seen = 0
  for (const item of items) {
    await giveWay()
    for (const text of typeof item === 'string' ? [item] : storedTexts(item)) {
      const at = seen < MOST_TEXTS ? seen : random.below(seen + 1)
      if (at < MOST_TEXTS) kept[at] = text
      seen++
    }
  }
  const pairs = pairsOf(kept.length, random)
  const mean = async (size: number) => {
    const sets = new Map<number, Set<string>>()
    const setOf = (at: number) => {
      const known = sets.get(at) ?? grams(kept[at]!, size)
      sets.set(at, known)
      return known
    }
    let sum = 0
    for (const [a, b] of pairs) {
      await giveWay()
      sum += jaccard(setOf(a), setOf(b))
    }
    return sum / pairs.length
  }
  return { texts: seen, pairs: pairs.length, overlap: { 1: await mean(1), 2: await mean(2), 3: await mean(3) } }
}

/** The set of runs of `size` words of a text. */
function grams(text: string, size: number): Set<string> {
  const list = words(text)
  const found = new Set<string>()
  for (let i = 0; i + size <= list.length; i++) found.add(list.slice(i, i + size).join(' '))
  return found
}

/** All pairs of `count` things when they are few, otherwise different ones drawn at random. */
function pairsOf(count: number, random: Random): [number, number][] {
  const total = (count * (count - 1)) / 2
  if (total <= MOST_PAIRS) {
    return Array.from({ length: count }, (_, a) => a).flatMap((a) =>
      Array.from({ length: count - a - 1 }, (_, i): [number, number] => [a, a + 1 + i]),
    )
  }
  const drawn = new Map<number, [number, number]>()
  while (drawn.size < MOST_PAIRS) {
    const [a, b] = [random.below(count), random.below(count)]
    if (a < b) drawn.set(a * count + b, [a, b])
  }
  return [...drawn.values()]
}
