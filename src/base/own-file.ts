import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createJiti } from 'jiti'
import { UserError } from './errors.js'
import { fingerprint } from './hash.js'

/** A file of a user's by its path, or a `UserError` that says where it was looked for. */
export function findOwnFile(path: string, cwd: string): string {
  const file = resolve(cwd, path)
  if (!existsSync(file) || !statSync(file).isFile())
    throw new UserError(`There is no file "${path}" (looked for ${file}).`, 'Give a path relative to where you are.')
  return file
}

/**
 * The default export of a user's TypeScript or JavaScript file. Whatever the file does as it is imported is done here, in this process.
 *
 * @param shown the file as its user typed it
 * @param example what such a file should hold, for those whose file does not
 */
export async function importDefault(file: string, shown: string, example: string): Promise<unknown> {
  const jiti = createJiti(import.meta.url, { moduleCache: false, fsCache: false, alias: { memscope: ownEntry() } })
  let module: Record<string, unknown>
  try {
    module = await jiti.import<Record<string, unknown>>(file)
  } catch (error) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new UserError(
      `"${shown}" could not be loaded. ${message.replaceAll(file, shown)}`,
      'Mend the file and run again.',
    )
  }
  if (!('default' in module) || module.default === undefined) {
    const names = Object.keys(module).filter((name) => name !== 'default')
    const found = names.length > 0 ? ` It exports ${names.join(', ')}.` : ''
    throw new UserError(`"${shown}" has no default export.${found}`, example)
  }
  return module.default
}

/** Hash of a file and of what it imports by relative path, however deep. */
export function sourceHash(entry: string): string {
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

/** So that `import { … } from 'memscope'` works wherever the file is. */
function ownEntry(): string {
  const built = fileURLToPath(new URL('../index.js', import.meta.url))
  return existsSync(built) ? built : fileURLToPath(new URL('../index.ts', import.meta.url))
}

function importedFile(path: string): string | undefined {
  const bare = path.replace(/\.[cm]?js$/, '')
  const candidates = [path, ...['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'].map((end) => bare + end)]
  candidates.push(`${path}/index.ts`, `${path}/index.js`)
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile())
}
