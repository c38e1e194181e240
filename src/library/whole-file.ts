import { randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { PRIVATE_FILE } from '../base/folders.js'
import { fileSink, type Sink } from '../report/sink.js'

/** Files that are being written beside their places. */
const unfinished = new Set<string>()

/**
 * Writes a whole file or none: beside its place first, then moved there. What was there stays until then. Pipes and devices are written
 * straight. It settles always, also where several write the same file at once: the last that ends is what stays.
 *
 * @param isPrivate nobody but its owner may read it
 */
export async function writeWhole(
  path: string,
  produce: (write: Sink) => unknown,
  { isPrivate = false } = {},
): Promise<void> {
  const regular = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true
  if (regular) removeAbandoned(path)
  // A name that nobody can foresee: what lies there is neither another write of this process nor a link that somebody laid.
  const target = regular ? `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp` : path
  if (regular) unfinished.add(target)
  const file = fileSink(target, { isNew: regular, ...(isPrivate && { mode: PRIVATE_FILE }) })
  try {
    await produce(file.write)
    await file.close()
    if (regular) renameSync(target, path)
  } catch (error) {
    await file.close().catch(() => 0)
    if (regular) rmSync(target, { force: true })
    // The failure is told of the file that was asked for.
    throw error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error
  } finally {
    unfinished.delete(target)
  }
}

/** The last work on each file that is under way. */
const turns = new Map<string, Promise<unknown>>()

/** Does work that reads a file and writes it again, one after another, so that no change is lost. */
export function inTurn<T>(file: string, work: () => Promise<T>): Promise<T> {
  const key = resolve(file)
  const done = (turns.get(key) ?? Promise.resolve()).then(work, work)
  turns.set(key, done)
  const end = () => {
    if (turns.get(key) === done) turns.delete(key)
  }
  done.then(end, end)
  return done
}

/** Removes what is not finished; for the end of a process that was told to stop. */
export function removeUnfinished(): void {
  for (const file of unfinished) rmSync(file, { force: true })
}

/** Removes what processes that were killed have left of this file. */
function removeAbandoned(path: string): void {
  const folder = dirname(resolve(path))
  const start = `${basename(path)}.`
  for (const name of readdirSync(folder)) {
    const [, pid] = name.startsWith(start) ? (/^(\d+)(?:\.[0-9a-f]+)?\.tmp$/.exec(name.slice(start.length)) ?? []) : []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
