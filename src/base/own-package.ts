import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { UserError } from './errors.js'
import { findPackage } from './packages.js'

const NAME = '[a-z0-9~-][a-z0-9._~-]*'
const SPEC = new RegExp(`^(?:npm:(?=[@a-z0-9~-])|(?=@))((?:@${NAME}/)?${NAME})(?::(.*))?$`, 's')

/**
 * A package of npm as a user names it, and what follows the colon behind it: a name with a scope, or any behind `npm:`. Null for what is
 * something else.
 *
 * @example readPackageSpec('@acme/memory:depth=2') // { name: '@acme/memory', rest: 'depth=2' }
 * @example readPackageSpec('npm:acme-memory') // { name: 'acme-memory', rest: undefined }
 */
export function readPackageSpec(typed: string): { name: string; rest: string | undefined } | null {
  const [, name, rest] = SPEC.exec(typed.trim()) ?? []
  return name === undefined ? null : { name, rest }
}

/** An installed package: the file that importing it loads, and its version. */
export interface InstalledPackage {
  file: string
  version: string
}

/** Finds a package in `node_modules` of the current folder or of one above it, and else beside Memscope. */
export function findInstalledPackage(name: string, cwd: string): InstalledPackage {
  const folder = findPackage(name, cwd)
  if (folder === undefined)
    throw new UserError(
      `The package "${name}" is not installed (looked for from ${cwd} upwards).`,
      `Run: npm install ${name}`,
    )
  const { version = '0.0.0' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string }
  // What holds its node_modules; a file there need not exist to be resolved from.
  const from = join(folder, ...name.split('/').map(() => '..'), '..', 'index.js')
  const url = createJiti(from).esmResolve(name, { try: true, parentURL: pathToFileURL(from) })
  if (url === undefined)
    throw new UserError(
      `The package "${name}" cannot be imported: its package.json names no file that does.`,
      'A memory is the default export of its "exports" or "main".',
    )
  return { file: fileURLToPath(url), version }
}
