import { dirname } from 'node:path'
import Database from 'libsql'
import { UserError } from '../base/errors.js'
import { makePrivateFile, makePrivateFolder } from '../base/folders.js'
import { openSqlite } from '../base/sqlite.js'
import { MIGRATIONS, SCHEMA, SCHEMA_VERSION } from './sqlite-schema.js'

/** Opens the file of a run store, makes its tables or brings those of an older version up to date. */
export function openDatabase(file: string): Database.Database {
  return openSqlite(file, (db, version) => {
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

/**
 * Takes a lock that the operating system lets go when the process that holds it ends, however it ends: an open transaction on a file of its
 * own, which stays, empty. Returns what lets it go, or null when another process has it.
 */
export function takeLock(file: string): (() => void) | null {
  makePrivateFolder(dirname(file))
  makePrivateFile(file)
  const db = new Database(file)
  try {
    db.pragma('busy_timeout = 0')
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return null
    throw error
  }
  return () => {
    // Closing alone lets go only when the memory of the handle is collected.
    db.exec('ROLLBACK')
    db.close()
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

/** Turns what SQLite and the file system say into words and an exit code; anything else is passed on as it is. */
export function explainDatabaseError(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const text = error instanceof Error ? error.message : String(error)
  const is = (codes: RegExp, words: RegExp) => codes.test(code) || words.test(text)
  if (is(/^(SQLITE_FULL|ENOSPC)$/, /disk is full/i)) {
    const hint = 'Free some space, then go on with --resume last. Nothing that was kept is lost.'
    return new UserError(`The disk that holds ${file} is full.`, hint, 3)
  }
  if (/^(EFBIG$|SQLITE_IOERR)/.test(code)) {
    const hint = 'Check the disk and its quota, then go on with --resume last.'
    return new UserError(`Writing ${file} failed (${text}).`, hint, 3)
  }
  const unwritable = /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EACCES|EROFS|EPERM|ENOTDIR|EEXIST)/
  if (is(unwritable, /unable to open|readonly database/i)) {
    const hint = 'Choose a folder you may write to with --home <folder>.'
    return new UserError(`${file} cannot be written (${text}).`, hint)
  }
  if (is(/^SQLITE_(BUSY|LOCKED)/, /database is locked/i)) {
    const hint = 'Wait for it to end, or give this run a folder of its own with --home <folder>.'
    return new UserError(`${file} is in use by another process.`, hint)
  }
  if (is(/^SQLITE_(NOTADB|CORRUPT)/, /not a database|malformed/i)) {
    const hint = 'Move it away, or choose another folder with --home <folder>.'
    return new UserError(`${file} is not a Memscope store, or it is damaged (${text}).`, hint)
  }
  return error
}
