import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A file of the release: which of the three it is. */
interface ReleasedFile {
  path: string
  size: 's' | 'm' | 'oracle'
  /** As its authors cleaned it in September 2025. */
  cleaned: boolean
}

/** The files of the release that a folder holds: `longmemeval_s.json`, `longmemeval_s_cleaned.json` and the like; the smallest first. */
export function filesIn(folder: string): ReleasedFile[] {
  const order = ['oracle', 's', 'm']
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .flatMap((name): ReleasedFile[] => {
      const size = /^longmemeval_(s|m|oracle)(?:_cleaned)?(?:\.json)?$/.exec(name)?.[1] as
        | ReleasedFile['size']
        | undefined
      return size === undefined ? [] : [{ path: join(folder, name), size, cleaned: name.includes('_cleaned') }]
    })
    .sort((a, b) => order.indexOf(a.size) - order.indexOf(b.size) || (a.path < b.path ? -1 : 1))
}
