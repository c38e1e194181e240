import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * What tells whether two names are of one file, by whatever links they lead there; also of a file that is not there yet. Null for what is no
 * file, such as a pipe or a device: several may write there.
 */
export function fileIdentity(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  if (found) return found.isFile() ? `${found.dev}:${found.ino}` : null
  const whole = resolve(path)
  const folder = statSync(dirname(whole), { throwIfNoEntry: false })
  return folder?.isDirectory() ? join(realpathSync(dirname(whole)), basename(whole)) : whole
}

/** Whether both names are of one file. */
export function isSameFile(one: string, other: string): boolean {
  const identity = fileIdentity(one)
  return identity !== null && identity === fileIdentity(other)
}
