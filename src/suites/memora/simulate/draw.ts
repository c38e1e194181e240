import type { Random } from '../../../base/random.js'

/** From and to, both included. */
export type Range = readonly [number, number]

/** A random whole number from low to high, both included. */
export function randomInteger(random: Random, [low, high]: Range): number {
  return low + random.below(high - low + 1)
}

/** How far the points of `evenly` lie apart: with the golden ratio they never come round and fill the line evenly. */
const STRIDE = (Math.sqrt(5) - 1) / 2

/**
 * Draws keys as often as their weights say, and for every name in shares that are right after a few draws already. Short lives then have
 * the mix they are meant to have, and differ in what it meets.
 */
export function quotaSampler(
  random: Random,
): <Key extends string>(name: string, weights: Partial<Record<Key, number>>) => Key {
  const points = new Map<string, number>()
  return (name, weights) => {
    const point = ((points.get(name) ?? random.random()) + STRIDE) % 1
    points.set(name, point)
    return keyAt(weights, point)
  }
}

/** The key that lies at a share of the way through all weights. */
export function keyAt<Key extends string>(weights: Partial<Record<Key, number>>, share: number): Key {
  const entries = Object.entries(weights) as [Key, number][]
  let point = share * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [key, weight] of entries) {
    point -= weight
    if (point < 0) return key
  }
  return entries.at(-1)![0]
}

/** So many different ones of a list, in random order. */
export function sampleDistinct<T>(random: Random, list: readonly T[], count: number): T[] {
  return random.shuffle([...list]).slice(0, count)
}

/** Takes one out of a list; the list must not be empty. */
export function take<T>(random: Random, list: T[]): T {
  return list.splice(random.below(list.length), 1)[0]!
}
