import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from './errors.js'

/** Names a further folder in which optional packages are installed. */
const PEERS = 'MEMSCOPE_PEERS'

/**
 * Folder of an optional package that the user asked for, by a system, a provider or a store: looked for upwards from the folder of
 * `MEMSCOPE_PEERS`, from the user's and then from our own.
 */
export function findPackage(name: string, cwd: string): string | undefined {
  return findAbove(name, [...peers(), cwd, OWN])
}

/**
 * Folder of a package that nobody asked for by name, such as a dependency of ours: never from the user's folder, which may be a repository of
 * somebody else's.
 */
export function findOwnPackage(name: string): string | undefined {
  return findAbove(name, [OWN])
}

/** Folder of an optional package that is used wherever it is found: beside our own, or where `MEMSCOPE_PEERS` says. */
export function findNearPackage(name: string): string | undefined {
  return findAbove(name, [...peers(), OWN])
}

const OWN = dirname(fileURLToPath(import.meta.url))

function peers(): string[] {
  const folder = process.env[PEERS]
  return folder ? [folder] : []
}

function findAbove(name: string, starts: readonly string[]): string | undefined {
  for (const start of starts) {
    for (let folder = start; ; folder = dirname(folder)) {
      const candidate = join(folder, 'node_modules', name)
      if (existsSync(join(candidate, 'package.json'))) return candidate
      if (dirname(folder) === folder) break
    }
  }
  return undefined
}

/**
 * Folder of an optional package in the line that is known.
 *
 * @param needs who cannot do without it, as the beginning of a sentence
 * @throws UserError that says what to install
 */
export function requirePackage(needs: string, name: string, major: string, cwd: string): string {
  const folder = findPackage(name, cwd)
  const advice = `Run: npm install ${name}@${major}`
  if (folder === undefined) throw new UserError(`${needs} need the package ${name}.`, advice)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  if (version.split('.')[0] === major) return folder
  throw new UserError(`${needs} need ${name} ${major}, found ${version}.`, advice)
}

/** Those of some packages that are not installed. */
export function missingPackages(names: readonly string[] | undefined, cwd: string): string[] {
  return (names ?? []).filter((name) => findPackage(name, cwd) === undefined)
}
