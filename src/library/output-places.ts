import { realpathSync, statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { UserError } from '../base/errors.js'
import { fileIdentity } from '../base/same-file.js'
import { homeAt } from './compose.js'

/** Refuses files that would take the place of each other, or of what the home keeps: runs, caches, labels. */
export function requireApart(places: readonly (readonly [flag: string, path: string])[], home?: string): void {
  const taken = new Map<string, string>()
  for (const [flag, path] of places) {
    const identity = fileIdentity(path)
    if (identity === null) continue
    const other = taken.get(identity)
    if (other !== undefined)
      throw new UserError(`--${other} and --${flag} are the same file: ${path}.`, 'Name a file for each.')
    taken.set(identity, flag)
    if (isKept(path, home))
      throw new UserError(
        `--${flag} ${path} lies among what Memscope keeps in its home: runs, caches, labels.`,
        'Choose another place.',
      )
  }
}

function isKept(path: string, folder?: string): boolean {
  const home = homeAt(folder)
  const [target, root] = [realPlace(path), realPlace(dirname(home.database))]
  const [first = '', ...rest] = relative(root, target).split(sep)
  const kept = [home.cache, home.work, home.labels, home.baselines].map((place) =>
    relative(dirname(home.database), place),
  )
  return rest.length === 0
    ? /^memscope\.db/.test(first) || first === 'prices.json'
    : [...kept, 'locks', 'optimise'].includes(first)
}

/** Where a path leads, links followed as far as there is something. */
function realPlace(path: string): string {
  const whole = resolve(path)
  if (statSync(whole, { throwIfNoEntry: false })) return realpathSync(whole)
  const parent = dirname(whole)
  return parent === whole ? whole : resolve(realPlace(parent), relative(parent, whole))
}
