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
  for (const row of rows) {
    for (const value of key(row)) {
      const group = groups.get(value)
      if (group) group.add(row)
      else groups.set(value, new Set([row]))
    }
  }
  return new Map([...groups].filter(([, group]) => group.size > 1).map(([value, group]) => [value, [...group]]))
}

/** A violation that speaks of the whole corpus. */
export const WHOLE = '*'
