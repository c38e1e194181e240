import { Random } from '../../../base/random.js'
import { words } from '../../../base/text.js'
import { jaccard } from '../../jaccard.js'

/** Two texts that are nearly the same, by their positions in the list. */
export interface NearPair {
  a: number
  b: number
  similarity: number
}

/** From this many texts on, `auto` goes by MinHash. */
const MANY = 20_000

/**
 * Pairs of texts whose word sets have a Jaccard similarity of at least `threshold`.
 *
 * `exact` finds all of them by an inverted index over each text's rarest words; `minhash` finds them by locality-sensitive hashing, checks
 * each candidate exactly, and may miss a pair close to the threshold.
 */
export function nearDuplicates(
  texts: readonly string[],
  threshold: number,
  method: 'exact' | 'minhash' | 'auto' = 'auto',
): NearPair[] {
  const sets = texts.map((text) => new Set(words(text)))
  const candidates =
    method === 'minhash' || (method === 'auto' && texts.length >= MANY)
      ? byMinHash(sets, threshold)
      : byPrefix(sets, threshold)
  const pairs: NearPair[] = []
  for (const [a, b] of candidates) {
    const similarity = jaccard(sets[a]!, sets[b]!)
    if (similarity >= threshold) pairs.push({ a, b, similarity })
  }
  return pairs.sort((x, y) => x.a - y.a || x.b - y.b)
}

/** Prefix filtering: two sets that are similar enough share a word among the rarest few of each. */
function byPrefix(sets: readonly ReadonlySet<string>[], threshold: number): Iterable<[number, number]> {
  const frequency = new Map<string, number>()
  for (const set of sets) for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const rarestFirst = (a: string, b: string) => frequency.get(a)! - frequency.get(b)! || (a < b ? -1 : 1)
  const index = new Map<string, number[]>()
  const found = new Map<string, [number, number]>()
  for (const [b, set] of sets.entries()) {
    const sorted = [...set].sort(rarestFirst)
    const prefix = sorted.slice(0, sorted.length - Math.ceil(threshold * sorted.length) + 1)
    for (const word of prefix) {
      const earlier = index.get(word)
      if (!earlier) index.set(word, [b])
      else {
        for (const a of earlier) if (similarSizes(sets[a]!.size, set.size, threshold)) found.set(`${a} ${b}`, [a, b])
        earlier.push(b)
      }
    }
  }
  return found.values()
}

const HASHES = 128

/** Bands so cut that a pair at the threshold is very likely to meet in one of them. */
function byMinHash(sets: readonly ReadonlySet<string>[], threshold: number): Iterable<[number, number]> {
  const random = new Random(0x5eed)
  const seeds = Array.from({ length: HASHES }, () => [random.below(0x7fffffff) | 1, random.below(0x7fffffff)] as const)
  const rows = rowsFor(threshold)
  const bands = Math.floor(HASHES / rows)
  const buckets = Array.from({ length: bands }, () => new Map<string, number[]>())
  const found = new Map<string, [number, number]>()
  for (const [b, set] of sets.entries()) {
    const signature = new Uint32Array(HASHES).fill(0xffffffff)
    for (const word of set) {
      const hash = hashOf(word)
      for (let i = 0; i < HASHES; i++) {
        const [times, plus] = seeds[i]!
        const mixed = mix(Math.imul(hash, times) + plus)
        if (mixed < signature[i]!) signature[i] = mixed
      }
    }
    for (let band = 0; band < bands; band++) {
      const key = signature.subarray(band * rows, (band + 1) * rows).join()
      const bucket = buckets[band]!.get(key)
      if (!bucket) buckets[band]!.set(key, [b])
      else {
        for (const a of bucket) found.set(`${a} ${b}`, [a, b])
        bucket.push(b)
      }
    }
  }
  return found.values()
}

/** The most rows a band may have for a pair at the threshold to be found with 99.9 %. */
function rowsFor(threshold: number): number {
  for (let rows = 16; rows > 1; rows--) {
    const bands = Math.floor(HASHES / rows)
    if (1 - (1 - threshold ** rows) ** bands >= 0.999) return rows
  }
  return 1
}

function similarSizes(a: number, b: number, threshold: number): boolean {
  return Math.min(a, b) >= threshold * Math.max(a, b)
}

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

function mix(value: number): number {
  let hash = value >>> 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
