import { basename, extname } from 'node:path'
import { UserError } from '../base/errors.js'
import { fingerprint } from '../base/hash.js'
import { contentHash, findOwnFile } from '../base/own-file.js'
import { findInstalledPackage } from '../base/own-package.js'
import { MemoryGoneError, SYSTEM_TIMEOUT_MS, type SystemDefinition } from '../model/index.js'
import { describeFile } from './outside/host.js'

/** Most milliseconds that a file may take to be imported. */
const LOAD_MS = 60_000

/**
 * Loads a memory system from a user's own TypeScript or JavaScript file. Its default export is a definition, an object with `create`, a
 * function that makes an instance, or a class. All of it runs in processes of its own, never in this one. The version follows the content of
 * the file and of the files it imports by relative path.
 *
 * @param timeoutMs longest that the import may take
 */
export async function loadSystemFile(
  path: string,
  cwd: string,
  timeoutMs = SYSTEM_TIMEOUT_MS,
): Promise<SystemDefinition> {
  const file = findOwnFile(path, cwd)
  return loadedFrom({ file, shown: path, name: basename(file, extname(file)), content: contentHash(file) }, timeoutMs)
}

/**
 * Loads a memory system from an installed package, whose default export is what a file's would be. Its version follows from that of the
 * package and from the content of what it imports by relative path.
 *
 * @param timeoutMs longest that the import may take
 */
export async function loadSystemPackage(
  name: string,
  cwd: string,
  timeoutMs = SYSTEM_TIMEOUT_MS,
): Promise<SystemDefinition> {
  const { file, version } = findInstalledPackage(name, cwd)
  const content = fingerprint([version, contentHash(file)])
  return loadedFrom({ file, shown: name, name: name.split('/').at(-1)!, content }, timeoutMs)
}

/** What is imported: the file, how a user knows it, what it is called unless it says so, and the hash of its content. */
interface OwnCode {
  file: string
  shown: string
  name: string
  content: string
}

async function loadedFrom(
  { file, shown, name: usual, content }: OwnCode,
  timeoutMs: number,
): Promise<SystemDefinition> {
  const limit = Math.min(timeoutMs, LOAD_MS)
  const { name, version, ...rest } = await describeFile(file, shown, limit).catch((error: unknown) => {
    if (!(error instanceof MemoryGoneError)) throw error
    const why = error.timedOut ? `Importing it took longer than ${limit / 1000} s` : error.message
    throw new UserError(`"${shown}" could not be loaded. ${why}.`, 'Mend the file and run again.')
  })
  return { ...rest, name: name ?? usual, version: version ? `${version}+${content}` : content }
}
