import { linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { UserError } from 'memscope'

/** Who has a folder. */
interface Owner {
  pid: number
  host: string
  since: string
}

/** Locks of this process: a process that died may have had its number. */
const own = new Set<string>()
let attempts = 0

/**
 * Makes this memory the only one that has a folder, until what is returned is called. The lock of a process that is gone is taken over.
 *
 * @throws UserError that names the owner
 */
export function lockFolder(folder: string): () => void {
  const path = join(realpathSync(folder), 'notes.lock')
  const owner: Owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  const mine = `${path}.${process.pid}-${++attempts}`
  writeFileSync(mine, JSON.stringify(owner), { mode: 0o600 })
  try {
    // A link appears with its content, or not at all.
    while (!isLinked(mine, path)) removeStale(path, folder)
  } finally {
    rmSync(mine, { force: true })
  }
  own.add(path)
  return () => {
    if (own.delete(path)) rmSync(path, { force: true })
  }
}

function isLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Takes away the lock of a process that is gone; refused when its owner lives, or may live on another machine. */
function removeStale(path: string, folder: string): void {
  const text = textIn(path)
  if (text === null) return
  const owner = ownerIn(text)
  if (owner === null || isHeld(path, owner)) {
    const who = owner ? `process ${owner.pid} on ${owner.host} since ${owner.since}` : 'somebody unknown'
    throw new UserError(
      `The memory in ${folder} is open: ${who} has it.`,
      `Close it there first. If that is gone, delete ${path}.`,
    )
  }
  const aside = `${path}.stale-${process.pid}-${++attempts}`
  renameSync(path, aside)
  // Somebody else may have taken it over meanwhile.
  if (textIn(aside) !== text) isLinked(aside, path)
  rmSync(aside, { force: true })
}

function isHeld(path: string, { pid, host }: Owner): boolean {
  if (host !== hostname()) return true
  if (pid === process.pid) return own.has(path)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

function textIn(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function ownerIn(text: string): Owner | null {
  try {
    const { pid, host, since } = JSON.parse(text) as Partial<Owner>
    return Number.isInteger(pid) && pid! > 0 && host && since ? { pid: pid!, host, since } : null
  } catch {
    // Not written by a memory: nobody can say who has the folder.
    return null
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
