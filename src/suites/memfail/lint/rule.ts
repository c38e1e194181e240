import { entryOf } from '../../../base/group-by.js'
import { ofWhole } from '../../lint-report.js'
import { nearDuplicates } from './near-duplicates.js'

/** A rule over the rows of one task. `check` says where it is broken; an empty list is a pass. */
export interface LintRule<Row> {
  name: string
  about: string
  check(rows: readonly Row[]): { row: string; message: string }[]
}

/** A rule that looks at each row by itself; `problem` returns what is wrong, or nothing. */
export function eachRow<Row extends { row: string }>(
  name: string,
  about: string,
  problem: (row: Row) => string | string[] | null | undefined | false,
): LintRule<Row> {
  return {
    name,
    about,
    check: (rows) =>
      rows.flatMap((row) => {
        const found = problem(row)
        return [found || []].flat().map((message) => ({ row: row.row, message }))
      }),
  }
}

/** Rows by the value that `key` gives them, only those values that more than one row has. */
export function collisions<Row>(rows: readonly Row[], key: (row: Row) => string[]): Map<string, Row[]> {
  const groups = new Map<string, Set<Row>>()
  for (const row of rows) for (const value of key(row)) entryOf(groups, value, () => new Set()).add(row)
  return new Map([...groups].filter(([, group]) => group.size > 1).map(([value, group]) => [value, [...group]]))
}

/** A rule that no two rows have a value in common; `message` is told the value and the rows that have it. */
export function unshared<Row extends { row: string }>(
  name: string,
  about: string,
  key: (row: Row) => string[],
  message: (value: string, rows: { count: number; list: string }, row: Row) => string,
): LintRule<Row> {
  return {
    name,
    about,
    check: (rows) =>
      [...collisions(rows, key)].flatMap(([value, shared]) => {
        const told = { count: shared.length, list: shared.map(({ row }) => row).join(', ') }
        return shared.map((row) => ({ row: row.row, message: message(value, told, row) }))
      }),
  }
}

/** A rule that no two texts of rows share so many of their words. */
export function dissimilar<Row extends { row: string }>(
  about: string,
  threshold: number,
  textsOf: (row: Row) => string[],
  message = (like: string, other: string, _text: string) => `${like} row ${other}`,
): LintRule<Row> {
  return {
    name: 'near-duplicate',
    about,
    check(rows) {
      const all = rows.flatMap(({ row }, at) => textsOf(rows[at]!).map((text) => ({ row, text })))
      const texts = all.map(({ text }) => text)
      return nearDuplicates(texts, threshold).map(({ a, b, similarity }) => ({
        row: all[b]!.row,
        message: message(`${Math.round(100 * similarity)} % like`, all[a]!.row, texts[b]!),
      }))
    },
  }
}

/** A rule that about half of what rows are asked is so. */
export function balanced<Row>(what: string, of: (row: Row) => boolean[]): LintRule<Row> {
  return {
    name: 'balance',
    about: `between 45 and 55 % of the ${what}`,
    check(rows) {
      const all = rows.flatMap(of)
      const share = all.filter(Boolean).length / all.length
      return ofWhole((share < 0.45 || share > 0.55) && `${Math.round(100 * share)} % of the ${what}`)
    },
  }
}
