import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Permissions of what nobody but its owner may read: chats, memories and replies. Windows keeps the folder of a user from others itself. */
export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

/**
 * Makes a folder and those it lies in. Node's own `recursive` never returns where nothing can be made in a folder that is there and the
 * system answers "no such file", as /proc does; this throws what the system said.
 *
 * @param mode permissions of what is made
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path && !isFolder(parent)) makeFolder(parent, mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    // Another process may have been quicker.
    if (!isFolder(path)) throw error
  }
}

/** Makes a folder that only its owner may look into. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, PRIVATE_FOLDER)
}

/**
 * Makes an empty file that only its owner may read, where there is none; for whoever opens files by name, as SQLite does. Where none can be made,
 * whoever opens it next says why.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE))
  } catch {
    // It is there, or cannot be.
  }
}

/** Whether there is a folder of this name. What cannot be looked at is none. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Whether a disk took no more, or failed. */
export function isFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(code)
}
