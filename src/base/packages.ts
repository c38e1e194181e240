import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Names a further folder in which optional packages are installed. */
const PEERS = 'MEMSCOPE_PEERS'

/** Folder of an installed package, looked for upwards from the folder of `MEMSCOPE_PEERS`, from the user's and then from our own. */
export function findPackage(name: string, cwd: string): string | undefined {
  const peers = process.env[PEERS]
  for (const start of [...(peers ? [peers] : []), cwd, dirname(fileURLToPath(import.meta.url))]) {
    for (let folder = start; ; folder = dirname(folder)) {
      const candidate = join(folder, 'node_modules', name)
      if (existsSync(join(candidate, 'package.json'))) return candidate
      if (dirname(folder) === folder) break
    }
  }
  return undefined
}

/** Those of some packages that are not installed. */
export function missingPackages(names: readonly string[] | undefined, cwd: string): string[] {
  return (names ?? []).filter((name) => findPackage(name, cwd) === undefined)
}
