import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { escapeRegExp } from '../src/base/text.js'

/** What a module imports, forks or reads beside itself. Places in `${…}` may hold anything. */
const REFERENCE = /(?:from|import\(|import|new URL\()\s*(['"`])(\.{1,2}\/.*?)\1/g

/**
 * The files of a package that nobody can reach: no module that an entry leads to imports, forks or reads them. Types count as well as
 * code: a module that is imported for its types alone is reached.
 *
 * @param files paths within the folder, with `/`
 * @example unreached(folder, ['dist/index.js', 'dist/stray.js'], ['dist/index.js']) // ['dist/stray.js']
 */
export function unreached(folder: string, files: readonly string[], entries: readonly string[]): string[] {
  const reached = new Set<string>()
  const todo = [...entries]
  const listed = new Set(files)
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    if (reached.has(file) || !listed.has(file)) continue
    reached.add(file)
    if (!/\.(?:[cm]?js|d\.ts)$/.test(file) || !existsSync(`${folder}/${file}`)) continue
    if (file.endsWith('.js')) todo.push(file.replace(/\.js$/, '.d.ts'))
    if (file.endsWith('.d.ts')) todo.push(file.replace(/\.d\.ts$/, '.js'))
    for (const [, , path] of readFileSync(`${folder}/${file}`, 'utf8').matchAll(REFERENCE)) {
      const target = posix.join(posix.dirname(file), path!)
      if (listed.has(target)) todo.push(target)
      else todo.push(...files.filter((other) => patternOf(target).test(other)))
    }
  }
  return files.filter((file) => !reached.has(file))
}

/** A folder stands for the files in it, a template for all that it may become. */
function patternOf(target: string): RegExp {
  const parts = target.split(/\$\{[^}]*\}/).map(escapeRegExp)
  return new RegExp(`^${parts.join('.+')}${target.endsWith('/') ? '[^/]+' : ''}$`)
}
