import type { LintedCorpus, Violation } from '../model/index.js'

/** A rule with what breaks it. */
export interface Ruled {
  name: string
  about: string
  found: Omit<Violation, 'rule'>[]
}

/** What lint found in one corpus. */
export interface LintReport {
  corpus: string
  rows: number
  rules: { name: string; about: string; broken: number }[]
  violations: Violation[]
  /** Figures worth knowing, in words, that break no rule. */
  figures: Record<string, string>
}

export const WHOLE = '*'

/** A report of rules that were applied already. */
export function reportOf(
  corpus: string,
  rows: number,
  rules: readonly Ruled[],
  figures: Record<string, string> = {},
): LintReport {
  return {
    corpus,
    rows,
    rules: rules.map(({ name, about, found }) => ({ name, about, broken: found.length })),
    violations: rules.flatMap(({ name, found }) => found.map((one) => ({ rule: name, ...one }))),
    figures,
  }
}

/** Rules that are broken while a corpus is read. */
export class RuleBook<Name extends string> {
  readonly #found: Map<Name, Ruled>

  constructor(rules: Readonly<Record<Name, string>>) {
    const all = Object.entries(rules) as [Name, string][]
    this.#found = new Map(all.map(([name, about]) => [name, { name, about, found: [] }]))
  }

  add(rule: Name, row: string, message: string): void {
    this.#found.get(rule)!.found.push({ row, message })
  }

  all(): Ruled[] {
    return [...this.#found.values()]
  }
}

/** What is wrong with a corpus as a whole, where something is. */
export function ofWhole(message: string | false): Ruled['found'] {
  return message === false ? [] : [{ row: WHOLE, message }]
}

/** A report with its figures as notes. */
export function linted(report: LintReport): LintedCorpus {
  const notes = Object.entries(report.figures).map(([name, figure]) => `${name}: ${figure}`)
  return { name: report.corpus, report, notes }
}

/** What a list has more than once. */
export function repeated(list: readonly string[]): Set<string> {
  const seen = new Set<string>()
  return new Set(list.filter((one) => seen.size === seen.add(one).size))
}

/** How often each key occurs, most often first. */
export function tally(keys: readonly string[]): [key: string, count: number][] {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

/** "a 3, b 2" */
export function inWords(counts: readonly (readonly [string, number])[]): string {
  return counts.map(([key, count]) => `${key} ${count}`).join(', ')
}
