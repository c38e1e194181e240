import { basename, extname } from 'node:path'
import { UserError } from '../base/errors.js'
import { contentHash, findOwnFile } from '../base/own-file.js'
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
  const content = contentHash(file)
  const limit = Math.min(timeoutMs, LOAD_MS)
  const { name, version, ...rest } = await describeFile(file, path, limit).catch((error: unknown) => {
    if (!(error instanceof MemoryGoneError)) throw error
    const why = error.timedOut ? `Importing it took longer than ${limit / 1000} s` : error.message
    throw new UserError(`"${path}" could not be loaded. ${why}.`, 'Mend the file and run again.')
  })
  return {
    ...rest,
    name: name ?? basename(file, extname(file)),
    version: version ? `${version}+${content}` : content,
  }
}
