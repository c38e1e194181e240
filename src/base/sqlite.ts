import Database from 'libsql'
import { makePrivateFile } from './folders.js'

/**
 * Opens a SQLite file in WAL mode: what was written survives the end of the process, and several may share it.
 *
 * @param prepare makes its tables, or refuses the version that it finds; 0 is a new file
 */
export function openSqlite(file: string, prepare: (db: Database.Database, version: number) => void): Database.Database {
  // What SQLite lays beside it, a log and its index, has the permissions of the file.
  makePrivateFile(file)
  const db = new Database(file)
  db.pragma('busy_timeout = 10000')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  inTransaction(db, () => {
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
    prepare(db, version)
  })
  return db
}

/** All of the work or none. The first failure is the one that is thrown: a full disk has ended the transaction already. */
export function inTransaction<T>(db: Database.Database, work: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    try {
      db.exec('ROLLBACK')
    } catch {
      // SQLite rolled back by itself.
    }
    throw error
  }
}
