import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

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
