import { count, NONE, percent } from '../base/figures.js'
import type { Interval, Outcome } from '../model/index.js'

export { count, NONE, percent } from '../base/figures.js'
export { depthWords } from '../model/index.js'

/** An outcome as people read it: `not_stored` is "not stored". */
export function outcomeWords(outcome: Outcome): string {
  return outcome.replaceAll('_', ' ')
}

/** A rate as whole per cent beside another of the same whole: rounded down where both, rounded up, would make 101. */
export function percentBeside(rate: number, other: number | null | undefined): string {
  const text = percent(rate)
  return Number(text) + Number(percent(other)) > 100 ? String(Math.floor(rate * 100)) : text
}

/**
 * All parts of one whole in per cent, so that they make 100: what rounding down leaves goes to the largest remainders, among
 * equals to the largest parts.
 */
export function percents(shares: readonly number[]): string[] {
  const whole = shares.map((share) => Math.floor(100 * share + 1e-9))
  const left =
    Math.round(100 * shares.reduce((sum, share) => sum + share, 0)) - whole.reduce((sum, one) => sum + one, 0)
  const rest = (at: number) => Math.round(1e9 * (100 * shares[at]! - whole[at]!))
  const order = shares.map((_, at) => at).sort((a, b) => rest(b) - rest(a) || shares[b]! - shares[a]!)
  for (const at of order.slice(0, Math.max(0, left))) whole[at]!++
  return shares.map((share, at) => (/^[<>–]/.test(percent(share)) ? percent(share) : String(whole[at])))
}

/** An interval in per cent, as "36–47". */
export function percentRange(interval: Interval | null | undefined): string {
  if (!interval) return NONE
  return `${Math.round(interval[0] * 100)}–${Math.round(interval[1] * 100)}`
}

/** Bounds of a rate in per cent; empty where they have no width that could be seen. */
export function boundsText(bounds: Interval | null | undefined): string {
  return bounds && Math.round(bounds[0] * 100) !== Math.round(bounds[1] * 100) ? percentRange(bounds) : ''
}

/** A quantity to about three figures: 7.4, 312, 1,240, 18.2k. */
export function quantity(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE
  if (value >= 1_000_000) return `${(value / 1_000_000).toFixed(1)}M`
  if (value >= 10_000) return `${(value / 1000).toFixed(value >= 100_000 ? 0 : 1)}k`
  if (value >= 100 || Number.isInteger(value)) return count(value)
  return value.toFixed(1)
}

/** "1 error", "3 errors". */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`
}

/** "a", "a and b", "a, b and c". */
export function wordList(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** At most `most` characters, with an ellipsis where something was left out; never splits a surrogate pair. */
export function clipText(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** Names without what they share with no loss: the provider goes when `gpt-5` still tells `openai:gpt-5` apart. */
export function shortNames(names: readonly string[]): Map<string, string> {
  const cuts = [(name: string) => name.replace(/^.*[/\\]/, ''), (name: string) => name.replace(/^[^:]*:/, '')]
  for (const cut of cuts) {
    const short = names.map((name) => cut(name) || name)
    if (new Set(short).size === names.length && (cut !== cuts[0] || names.every((name) => /[/\\]/.test(name))))
      return new Map(names.map((name, at) => [name, short[at]!]))
  }
  return new Map(names.map((name) => [name, name]))
}

/** A difference of shares in points, with its sign: `+12`, `−3`, `±0`. */
export function signedPoints(difference: number): string {
  const rounded = Math.round(100 * difference)
  if (rounded === 0) return '±0'
  return `${rounded > 0 ? '+' : '−'}${Math.abs(rounded)}`
}
