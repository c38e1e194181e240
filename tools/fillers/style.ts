import type { Random } from '../../src/base/random.js'
import { escapeRegExp } from '../../src/base/text.js'

/** A speaker's habits: which of several expressions of equal meaning is used throughout a session. */
export interface Style {
  pattern: RegExp
  uses: ReadonlyMap<string, string>
}

/** Decides for each set of equal expressions on one of them, or on leaving each as it stands. */
export function drawStyle(swaps: readonly (readonly string[])[], random: Random): Style {
  const uses = new Map<string, string>()
  for (const ways of swaps) {
    const use = random.pick(ways)
    if (random.random() < 0.7) for (const way of ways) uses.set(way, use)
  }
  return { pattern: patternOf(swaps), uses }
}

/**
 * A text in somebody's style. Code, quoted words, headings and tables are left alone.
 *
 * @example styled('It rarely snows', { pattern: /rarely|seldom/g, uses: new Map([['rarely', 'seldom']]) }) // 'It seldom snows'
 */
export function styled(text: string, { pattern, uses }: Style): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]*`|"[^"\n]*"|\*+[^*\n]+\*+|^(?:\||###).*$)/m)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(pattern, (way) => uses.get(way) ?? way)))
    .join('')
}

const patterns = new WeakMap<object, RegExp>()

function patternOf(swaps: readonly (readonly string[])[]): RegExp {
  let pattern = patterns.get(swaps)
  if (!pattern) {
    const ways = swaps.flat().map(escapeRegExp)
    pattern = new RegExp(`(?<![\\w-])(?:${ways.join('|')})(?![\\w-])`, 'g')
    patterns.set(swaps, pattern)
  }
  return pattern
}
