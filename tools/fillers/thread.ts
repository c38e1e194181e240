import type { Random } from '../../src/base/random.js'

/** A question and its answer. */
export interface Exchange {
  ask: string
  answer: string
  /** May be asked together with the question before it. */
  joins?: true
  /** Stands before the answer when it is given together with others. */
  head?: string
}

/** Makes a run of exchanges on one subject. */
export type Maker = (random: Random) => Exchange[]

/** A maker, the group of subjects it belongs to, and how often it is dealt compared with others. */
export interface Source {
  id: string
  group: string
  weight: number
  make: Maker
}

const CHOICE = /\{([^{}|]*(?:\|[^{}|]*)+)\}/

/**
 * Fills the slots `{name}` of a template, then decides its choices `{a|b}`. Slots without a value stay, so a missing value is seen.
 *
 * @example vary('{name} is {quite|rather} big', random, { name: 'It' })
 */
export function vary(template: string, random: Random, values: Record<string, string | number> = {}): string {
  let text = template.replace(/\{(\w+)\}/g, (slot, key: string) => String(values[key] ?? slot))
  for (let found = CHOICE.exec(text); found; found = CHOICE.exec(text)) {
    text = text.slice(0, found.index) + random.pick(found[1]!.split('|')) + text.slice(found.index + found[0].length)
  }
  return text
}

/** One of several templates, filled. */
export function say(ways: readonly string[], random: Random, values: Record<string, string | number> = {}): string {
  return vary(random.pick(ways), random, values)
}

/** Some of a list, in random order. */
export function some<T>(list: readonly T[], count: number, random: Random): T[] {
  return random.shuffle([...list]).slice(0, count)
}

/** A whole number from one bound to the other, both included. */
export function between(low: number, high: number, random: Random): number {
  return low + random.below(high - low + 1)
}

/** A fenced block of code. */
export function fenced(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}

/** A table in Markdown. */
export function grid(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Names in a sentence: "a, b and c". */
export function listed(names: readonly string[], joint = 'and'): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`
}

/** First letter in upper case. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
