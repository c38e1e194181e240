import { readdirSync } from 'node:fs'
import { sep } from 'node:path'

/** What no file may be called on Windows, whatever its ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** Paths, with `/` between their parts, that some operating system cannot hold, or holds as one with another. */
export function unportable(paths: readonly string[]): string[] {
  const bad = paths.filter((path) =>
    path
      .split('/')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
      .some((name) => /[<>:"\\|?*\u0000-\u001f]/.test(name) || /[. ]$/.test(name) || RESERVED.test(name)),
  )
  const seen = new Set<string>()
  const twice = paths.filter((path) => seen.size === seen.add(path.toLowerCase().normalize('NFC')).size)
  return [...bad, ...twice]
}

/** Everything under a folder, as paths from there. */
export function pathsUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.split(sep).join('/'))
}
