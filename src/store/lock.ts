import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'libsql'

/**
 * A lock that the operating system lets go when the process that holds it ends, however it ends: an open transaction on a file of its own.
 * It needs neither a clock nor the numbers of processes. The file stays, empty.
 *
 * @example const lock = FileLock.take('.memscope/locks/run.lock') // null when another process has it
 */
export class FileLock {
  readonly #db: Database.Database

  private constructor(db: Database.Database) {
    this.#db = db
  }

  static take(file: string): FileLock | null {
    mkdirSync(dirname(file), { recursive: true })
    const db = new Database(file)
    try {
      db.pragma('busy_timeout = 0')
      db.exec('BEGIN EXCLUSIVE')
      return new FileLock(db)
    } catch (error) {
      db.close()
      if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return null
      throw error
    }
  }

  release(): void {
    // Closing alone lets go only when the memory of the handle is collected.
    this.#db.exec('ROLLBACK')
    this.#db.close()
  }
}
