import type { RunStore } from '../model/run-store.js'

export type SqlValue = string | number | null

/** Columns with their types, for databases that want to know them. */
export type SqlColumns = Readonly<Record<string, 'text' | 'int' | 'float8'>>

/** That in which databases differ, below one run store. In statements `?` stands for parameters in their order. */
export interface SqlDriver extends Pick<RunStore, 'holdRun' | 'close'> {
  /** Stands before the names of tables. */
  schema: string
  /** The column by which runs stand in the order in which they were created. */
  runOrder: string
  /** What verdicts are of, by the column that says it. */
  judgedBy: Record<'fact_verdict' | 'store_side', string>
  /** Selects lives, with how often each was begun. */
  selectLives: string
  /** Counts an attempt at a life. */
  countAttempt: string
  /** The members of a JSON list that is a parameter. */
  members(type: 'text' | 'bigint'): string
  read<Row>(query: string, params?: readonly SqlValue[]): Row[] | Promise<Row[]>
  /** Writes rows, in the order of the columns, all or none. What has the same key is replaced, or left as it is. */
  put(table: string, columns: SqlColumns, rows: readonly (readonly SqlValue[])[], on: OnConflict): void | Promise<void>
  /** Changes and deletes, all or nothing; each statement ends in a condition. @param what is told in the log, where there is one */
  change(what: string, statements: readonly (readonly [sql: string, params: SqlValue[]])[]): void | Promise<void>
}

export interface OnConflict {
  key: readonly string[]
  replace: boolean
}
