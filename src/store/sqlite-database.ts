import { dirname } from 'node:path'
import Database from 'libsql'
import { UserError } from '../base/errors.js'
import { makePrivateFile, makePrivateFolder } from '../base/folders.js'
import { openSqlite } from '../base/sqlite.js'
import { SCHEMA, SCHEMA_VERSION } from './sqlite-schema.js'

/** Opens the file of a run store, and makes its tables where it is new. */
export function openDatabase(file: string): Database.Database {
  return openSqlite(file, (db, version) => {
    if (version === SCHEMA_VERSION) return
    if (version !== 0) {
      throw new UserError(
        `${file} was written by another version of Memscope (tables ${version}, expected ${SCHEMA_VERSION}).`,
        'Begin anew in another folder with --home <folder>, or use the version that wrote it.',
      )
    }
    db.exec(`${SCHEMA} PRAGMA user_version = ${SCHEMA_VERSION};`)
  })
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
