import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those it lies in. Node's own `recursive` never returns where nothing can be made in a folder that is there and the
 * system answers "no such file", as /proc does; this throws what the system said.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path && !isFolder(parent)) makeFolder(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have been quicker.
    if (!isFolder(path)) throw error
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
