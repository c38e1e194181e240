import { dirname } from 'node:path'
import Libsql from 'libsql'
import { UserError } from '../../base/errors.js'
import { makeFolder } from '../../base/folders.js'

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
      makeFolder(dirname(file))
      const db = new Libsql(file)
      db.pragma('busy_timeout = 10000')
      db.pragma('journal_mode = WAL')
      db.pragma('synchronous = NORMAL')
      inTransaction(db, () => {
        const { user_version: found } = db.prepare('PRAGMA user_version').get() as { user_version: number }
        if (found === 0) db.exec(`${schema} PRAGMA user_version = ${version};`)
        else if (found !== version) {
          throw new UserError(
            `${file} was written by another version of Memscope.`,
            'Delete it, or choose another folder with --home <folder>.',
          )
        }
      })
      return db
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
    try {
      return work()
    } catch (error) {
      if (error instanceof UserError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new UserError(
        `The ${this.#what} at ${this.#file} cannot be used: ${reason}.`,
        'Make room on the disk and its folder writable, or choose another folder with --home <folder>. Nothing that was kept is lost.',
        /full|i\/o/i.test(reason) ? 3 : 2,
      )
    }
  }

  close(): void {
    this.#db.close()
  }
}

function inTransaction(db: Libsql.Database, work: () => void): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    work()
    db.exec('COMMIT')
  } catch (error) {
    try {
      db.exec('ROLLBACK')
    } catch {
      // SQLite rolled back by itself.
    }
    throw error
  }
}
