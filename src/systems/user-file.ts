import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, resolve } from 'node:path'
import { UserError } from '../base/errors.js'
import { fingerprint } from '../base/hash.js'
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
  const file = resolve(cwd, path)
  if (!existsSync(file) || !statSync(file).isFile()) {
    throw new UserError(`There is no file "${path}" (looked for ${file}).`, 'Give a path relative to where you are.')
  }
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

/** Hash of a file and of what it imports by relative path, however deep. */
function contentHash(entry: string): string {
  const contents = new Map<string, string>()
  const visit = (file: string): void => {
    if (contents.has(file)) return
    const text = readFileSync(file, 'utf8')
    contents.set(file, text)
    for (const match of text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
      const found = importedFile(resolve(dirname(file), match[1]!))
      if (found) visit(found)
    }
  }
  visit(entry)
  return fingerprint([...contents.values()])
}

function importedFile(path: string): string | undefined {
  const bare = path.replace(/\.[cm]?js$/, '')
  const candidates = [path, ...['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'].map((end) => bare + end)]
  candidates.push(`${path}/index.ts`, `${path}/index.js`)
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile())
}
