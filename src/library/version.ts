import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { sep } from 'node:path'

/** Version of this package, part of every fingerprint. */
export function harnessVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}

/** The commit of a program in a folder, where that is of its repository; null where it is installed, be it in somebody else's. */
export function commitOf(cwd: string): string | null {
  if (cwd.split(sep).includes('node_modules')) return null
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8', stdio: [...stdio] }).trim()
  } catch {
    // Not checked out: the version says what it is.
    return null
  }
}
