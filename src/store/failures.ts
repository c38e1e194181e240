import { UserError } from '../base/errors.js'

/** Turns what SQLite and the file system say into words and an exit code; anything else is passed on as it is. */
export function explain(error: unknown, file: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const text = error instanceof Error ? error.message : String(error)
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || /disk is full/i.test(text)) {
    return new UserError(
      `The disk that holds ${file} is full.`,
      'Free some space, then go on with --resume last. Nothing that was kept is lost.',
      3,
    )
  }
  if (code === 'EFBIG' || code.startsWith('SQLITE_IOERR')) {
    return new UserError(
      `Writing ${file} failed (${text}).`,
      'Check the disk and its quota, then go on with --resume last.',
      3,
    )
  }
  if (
    /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EACCES|EROFS|EPERM|ENOTDIR|EEXIST)/.test(code) ||
    /unable to open|readonly database/i.test(text)
  ) {
    return new UserError(
      `${file} cannot be written (${text}).`,
      'Choose a folder you may write to with --home <folder>.',
    )
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code) || /database is locked/i.test(text)) {
    return new UserError(
      `${file} is in use by another process.`,
      'Wait for it to end, or give this run a folder of its own with --home <folder>.',
    )
  }
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code) || /not a database|malformed/i.test(text)) {
    return new UserError(
      `${file} is not a Memscope store, or it is damaged (${text}).`,
      'Move it away, or choose another folder with --home <folder>.',
    )
  }
  return error
}
