import { entryOf } from '../../base/group-by.js'
import { coverage } from '../../language/match.js'
import { plainWords } from '../../language/tokens.js'
import { shapeOf } from './store/store-index.js'

/** So many of the words of two near copies are the same. */
const NEAR_COPY = 0.5
/** A word is there when it is tied this closely, and says much when it weighs as much. */
export const THERE = 0.5

/** A text as near to a statement as it is, and how much its memory is like others of its shape: only in a large store. */
interface NearText {
  text: string
  memory: string
  near: number
  typical?: number
}

interface Standing<T> {
  /** What is left, in the same order. */
  standing: T[]
  /** Texts whose nearness must be exact, since a little more or less of it could let another stand. */
  unclear: string[]
}

/**
 * In a large store, of near copies about as near to a statement one stands for all: the one that has most words of the statement, of these
 * the one that is most like the others, and of these the nearest. Which of many copies comes nearest by a hair is chance. A copy that is
 * nearer by more than `reach` stands for itself.
 *
 * @param scored nearest first
 * @param error by which nearness may be off
 */
export function withoutNearCopies<T extends NearText>(
  statement: string,
  scored: readonly T[],
  reach: number,
  error: number,
): Standing<T> {
  const families: T[][] = []
  const ofShape = new Map<string, T[][]>()
  const unclear = new Set<string>()
  for (const chunk of scored) {
    const known = chunk.typical === undefined ? [] : entryOf(ofShape, shapeOf(plainWords(chunk.text)), () => [])
    const family = known.find(([first]) => {
      const farther = first!.near - chunk.near
      if (farther > reach + 2 * error || !isNearCopy(first!.text, chunk.text)) return false
      const isEdge = Math.abs(farther - reach) <= 2 * error || farther <= error
      if (isEdge && first!.text !== chunk.text) unclear.add(first!.text).add(chunk.text)
      return farther <= reach
    })
    if (family) family.push(chunk)
    else {
      const founded = [chunk]
      known.push(founded)
      families.push(founded)
    }
  }
  const standing = new Set<T>()
  for (const family of families) {
    const [first, second] = mostTypical(statement, family)
    standing.add(first!.chunk)
    if (second?.words !== first!.words || second.chunk.typical !== first!.chunk.typical) continue
    if (first!.chunk.text === second.chunk.text || first!.chunk.near - second.chunk.near > error) continue
    unclear.add(first!.chunk.text).add(second.chunk.text)
  }
  return { standing: scored.filter((chunk) => standing.has(chunk)), unclear: [...unclear] }
}

/** Whether most words of two texts are the same, in the same inflection. */
export function isNearCopy(text: string, other: string): boolean {
  const [words, known] = [new Set(plainWords(text)), new Set(plainWords(other))]
  const shared = [...words].filter((word) => known.has(word)).length
  return shared >= NEAR_COPY * Math.max(words.size, known.size)
}

/** A family, the one that stands for it first. */
function mostTypical<T extends NearText>(statement: string, family: readonly T[]): { chunk: T; words: number }[] {
  if (family.length === 1) return [{ chunk: family[0]!, words: 0 }]
  return family
    .map((chunk) => ({ chunk, words: wordsKept(statement, chunk.text) }))
    .sort((a, b) => b.words - a.words || b.chunk.typical! - a.chunk.typical! || b.chunk.near - a.chunk.near)
}

/** How many words of a text are in another, by what they say. */
function wordsKept(text: string, other: string): number {
  return coverage(text, other)
    .matches.filter(({ strength }) => strength >= THERE)
    .reduce((sum, { token }) => sum + token.weight, 0)
}
