import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createJiti, type Jiti } from 'jiti'
import { UserError } from './errors.js'
import { fingerprint } from './hash.js'
import { PACKAGE_NAME } from './package-name.js'

const FILE = /^(.+?\.[cm]?[jt]s)(?::(.*))?$/

/** Whether what a user typed names a file of their own, not a built-in part. */
export function isOwnFile(spec: string): boolean {
  return FILE.test(spec)
}

/** What a user typed, taken apart: a path or a name, and what follows the colon behind it, as in `./my-judge.ts:openai:gpt-5`. */
export function splitSpec(spec: string): { name: string; rest: string | undefined; isFile: boolean } {
  const file = FILE.exec(spec)
  if (file) return { name: file[1]!, rest: file[2], isFile: true }
  const at = spec.indexOf(':')
  return { name: at < 0 ? spec : spec.slice(0, at), rest: at < 0 ? undefined : spec.slice(at + 1), isFile: false }
}

/** Where a file lies that a user named; refused when there is none. */
export function findOwnFile(path: string, cwd: string): string {
  const file = resolve(cwd, path)
  if (existsSync(file) && statSync(file).isFile()) return file
  throw new UserError(`There is no file "${path}" (looked for ${file}).`, 'Give a path relative to where you are.')
}

/** Hash of a file and of what it imports by relative path, however deep. */
export function contentHash(entry: string): string {
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

/**
 * Hash of what a caller's object is made of: its plain values, and the source of its functions. What these reach outside of themselves is
 * not in it; a version of the object's own says when that changes.
 */
export function objectHash(part: object): string {
  return fingerprint(JSON.stringify(part, (_, value) => (typeof value === 'function' ? String(value) : value)))
}

/**
 * What imports TypeScript and JavaScript of a user's. Wherever a file lies, it may import from `memscope` and `memscope/retrieval`, and gets the
 * very program that runs it, so that errors of one are known to the other.
 */
export async function ownImporter(): Promise<Jiti> {
  const [memscope, retrieval]: unknown[] = await Promise.all([import('../index.js'), import('../retrieval.js')])
  const virtualModules = { [PACKAGE_NAME]: memscope, [`${PACKAGE_NAME}/retrieval`]: retrieval }
  return createJiti(import.meta.url, { moduleCache: false, fsCache: false, virtualModules })
}

/**
 * The default export of a user's TypeScript or JavaScript file.
 *
 * @param shown the path as the user typed it
 * @param example what such a file holds, for those who have none yet
 */
export async function importOwnFile(file: string, shown: string, example: string): Promise<unknown> {
  const jiti = await ownImporter()
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
  if ('default' in module && module.default !== undefined) return module.default
  const names = Object.keys(module).filter((name) => name !== 'default')
  const found = names.length > 0 ? ` It exports ${names.join(', ')}.` : ''
  throw new UserError(`"${shown}" has no default export.${found}`, example)
}

/** A file holds another kind of part than was asked for. */
export class OtherKindError extends UserError {
  /** The kind it is, by which the error is known behind the border of a process, too. */
  readonly code: 'judge' | 'reader'

  constructor(shown: string, kind: 'judge' | 'reader', wanted: string) {
    super(`"${shown}" is a ${kind}, not a ${wanted}.`, `Name it with --${kind}.`)
    this.code = kind
  }
}

/** What a file that was made with `defineJudge` or `defineReader` says it is; memories say nothing. */
export function definedKind(exported: unknown): 'judge' | 'reader' | null {
  const { kind } = (typeof exported === 'object' && exported !== null ? exported : {}) as { kind?: unknown }
  return kind === 'judge' || kind === 'reader' ? kind : null
}

function importedFile(path: string): string | undefined {
  const bare = path.replace(/\.[cm]?js$/, '')
  const candidates = [path, ...['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'].map((end) => bare + end)]
  candidates.push(`${path}/index.ts`, `${path}/index.js`)
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile())
}
