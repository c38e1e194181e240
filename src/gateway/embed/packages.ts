import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Folder of an installed package, looked for upwards from the user's folder and then from this one. */
export function findPackage(name: string, cwd: string): string | undefined {
  for (const start of [cwd, dirname(fileURLToPath(import.meta.url))]) {
    for (let folder = start; ; folder = dirname(folder)) {
      const candidate = join(folder, 'node_modules', name)
      if (existsSync(join(candidate, 'package.json'))) return candidate
      if (dirname(folder) === folder) break
    }
  }
  return undefined
}

/** URL by which the package in a folder is imported. */
export function entryOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    main?: string
    exports?: { '.'?: { import?: unknown; node?: unknown } }
  }
  const root = manifest.exports?.['.']
  const entry = [root?.node, root?.import, manifest.main].map(pathIn).find((path) => path !== undefined)
  return pathToFileURL(join(folder, entry ?? 'index.js')).href
}

/** The first path in a nest of export conditions. */
function pathIn(condition: unknown): string | undefined {
  if (typeof condition === 'string') return condition
  if (typeof condition !== 'object' || condition === null) return undefined
  const { import: esm, default: any } = condition as { import?: unknown; default?: unknown }
  return pathIn(esm) ?? pathIn(any)
}
