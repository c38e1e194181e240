import Database from 'libsql'
import { UserError } from '../base/errors.js'
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './schema.js'

/** Opens the file of a run store, makes its tables or brings those of an older version up to date. */
export function openDatabase(file: string): Database.Database {
  const db = new Database(file)
  db.pragma('busy_timeout = 10000')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  inTransaction(db, () => {
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
    if (version === SCHEMA_VERSION) return
    const steps = version === 0 ? [SCHEMA] : migrationsFrom(version)
    if (!steps) {
      throw new UserError(
        `${file} was written by another version of Memscope (tables ${version}, expected ${SCHEMA_VERSION}).`,
        'Use the version that wrote it, or another folder with --home <folder>.',
      )
    }
    db.exec(`${steps.join('\n')} PRAGMA user_version = ${SCHEMA_VERSION};`)
  })
  return db
}

/** The steps from an older version of the tables to this one; null when there is no way. */
function migrationsFrom(version: number): string[] | null {
  const steps: string[] = []
  for (let at = version; at !== SCHEMA_VERSION; at++) {
    const step = MIGRATIONS[at]
    if (step === undefined) return null
    steps.push(step)
  }
  return steps
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

/** Bytes of the file of a run store, with what is still in its log. */
export function databaseBytes(file: string): number {
  const db = new Database(file)
  try {
    const pragma = <T extends string>(name: T) => (db.prepare(`PRAGMA ${name}`).get() as Record<T, number>)[name]
    return pragma('page_count') * pragma('page_size')
  } finally {
    db.close()
  }
}
