import { dirname } from 'node:path'
import type Libsql from 'libsql'
import { UserError } from '../../base/errors.js'
import { isFull, makePrivateFolder } from '../../base/folders.js'
import { inTransaction, openSqlite } from '../../base/sqlite.js'

/** A small SQLite file in WAL mode whose every write survives the end of the process, and whose failures are put into words. */
export class Database {
  readonly #file: string
  readonly #what: string
  readonly #db: Libsql.Database

  /** @param what names the file in errors, such as "cache of replies" */
  constructor(file: string, what: string, version: number, schema: string) {
    this.#file = file
    this.#what = what
    this.#db = this.try(() => {
      makePrivateFolder(dirname(file))
      return openSqlite(file, (db, found) => {
        if (found === 0) db.exec(`${schema} PRAGMA user_version = ${version};`)
        else if (found !== version) {
          throw new UserError(
            `${file} was written by another version of Memscope.`,
            'Delete it, or choose another folder with --home <folder>.',
          )
        }
      })
    })
  }

  prepare(sql: string): Libsql.Statement {
    return this.#db.prepare(sql)
  }

  /** All of it or nothing. */
  write(work: () => void): void {
    this.try(() => inTransaction(this.#db, work))
  }

  /** Does something with the file, and explains it when the disk is at fault. */
  try<T>(work: () => T): T {
    const instead = 'choose another folder with --home <folder>. Nothing that was kept is lost.'
    return orExplain(`${this.#what} at ${this.#file}`, instead, work, (error) => /full|i\/o/i.test(reasonOf(error)))
  }

  close(): void {
    this.#db.close()
  }
}

/** Does something with a file of ours; what goes wrong is told with what to do: make room, or something else instead. */
export function orExplain<T>(what: string, instead: string, work: () => T, isDisk = isFull): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(
      `The ${what} cannot be used: ${reasonOf(error)}.`,
      `Make room on the disk and its folder writable, or ${instead}`,
      isDisk(error) ? 3 : 2,
    )
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
