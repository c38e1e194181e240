import type { LintedCorpus, Violation } from '../../model/suite-data.js'

/** What checking the corpora of a suite found. */
export interface CheckedData {
  violations: number
  corpora: (LintedCorpus['report'] & { name: string })[]
}

/** What breaks rules in one scenario: of it as a whole, and at the ids of what is in it. */
export interface LintPlaces {
  whole: Violation[]
  at: ReadonlyMap<string, Violation[]>
}

/**
 * Where violations stand in a scenario. A row names its scenario, something in it, or both; the corpus, too, may be part of the scenario's id.
 * What names neither this scenario nor anything in it stands elsewhere.
 *
 * @param ids of questions, conversations and facts, as in `task/12`, `task/12.1` or `0012`
 */
export function lintPlaces({ corpora }: CheckedData, scenario: string, ids: readonly string[]): LintPlaces {
  const own = scenario.split('/')
  const places: { whole: Violation[]; at: Map<string, Violation[]> } = { whole: [], at: new Map() }
  const named = corpora.filter(({ name }) => own.includes(name))
  for (const { violations } of named.length > 0 ? named : corpora)
    for (const violation of violations) {
      const words = violation.row.split(' ')
      const rest = words.filter((word) => !own.includes(word) && word !== 'session')
      const found = rest.length === 0 ? [] : ids.filter((id) => isNamed(id, rest.join(' ')))
      for (const id of found) places.at.set(id, [...(places.at.get(id) ?? []), violation])
      if (found.length === 0 && words.some((word) => own.includes(word))) places.whole.push(violation)
    }
  return places
}

function isNamed(id: string, row: string): boolean {
  const last = id.slice(id.lastIndexOf('/') + 1)
  return id === row || last === row || last.startsWith(`${row}.`) || last.replace(/^0+/, '') === row
}
