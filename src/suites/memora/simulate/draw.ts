import type { Random } from '../../../base/random.js'

/** From and to, both included. */
export type Range = readonly [number, number]

export function between(random: Random, [low, high]: Range): number {
  return low + random.below(high - low + 1)
}

/** One of the keys, as often as its weight says. */
export function weighted<Key extends string>(random: Random, weights: Partial<Record<Key, number>>): Key {
  const entries = Object.entries(weights) as [Key, number][]
  let point = random.random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [key, weight] of entries) {
    point -= weight
    if (point < 0) return key
  }
  return entries.at(-1)![0]
}

/** So many different ones of a list, in random order. */
export function some<T>(random: Random, list: readonly T[], count: number): T[] {
  return random.shuffle([...list]).slice(0, count)
}

/** Takes one out of a list; the list must not be empty. */
export function take<T>(random: Random, list: T[]): T {
  return list.splice(random.below(list.length), 1)[0]!
}

/** A multiple of `step` within the range, both ends rounded to multiples. */
export function multiple(random: Random, { min, max }: { min: number; max: number }, step: number): number {
  return between(random, [Math.ceil(min / step), Math.floor(max / step)]) * step
}

/** The day so many days later, as `YYYY-MM-DD`. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}
