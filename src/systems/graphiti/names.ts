import { fold } from '../../base/text.js'
import { FIXED } from './fixed.js'

/** A name by which equal ones are found. */
export function nameKey(name: string): string {
  return fold(name)
}

/** Whether two names have nearly the same runs of three letters. Short and monotonous ones are never the same: one letter makes another name. */
export function isNearlySame(name: string, other: string): boolean {
  const [one, two] = [letters(name), letters(other)]
  if (!isTelling(one) || !isTelling(two)) return false
  const [a, b] = [shingles(one), shingles(two)]
  const common = [...a].filter((run) => b.has(run)).length
  return common / (a.size + b.size - common) >= FIXED.alike
}

function letters(name: string): string {
  return fold(name)
    .replace(/[^\p{L}\p{N}' ]/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
}

function isTelling(name: string): boolean {
  if (name.length < FIXED.leastLength && !name.includes(' ')) return false
  const counts = new Map<string, number>()
  const characters = [...name.replaceAll(' ', '')]
  for (const character of characters) counts.set(character, (counts.get(character) ?? 0) + 1)
  let entropy = 0
  for (const count of counts.values()) entropy -= (count / characters.length) * Math.log2(count / characters.length)
  return entropy >= FIXED.leastEntropy
}

function shingles(name: string): Set<string> {
  const packed = name.replaceAll(' ', '')
  const runs = new Set<string>()
  for (let i = 0; i + FIXED.shingle <= packed.length; i++) runs.add(packed.slice(i, i + FIXED.shingle))
  return runs.size === 0 ? new Set([packed]) : runs
}
