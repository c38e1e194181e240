import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { UserError } from '../../../base/errors.js'
import { sha256 } from '../../../base/hash.js'
import { fromBare, fromFull, type Misfit, type Released } from './released.js'
import { BareEpisode, FullEpisode } from './schema.js'

/** Files of a release by the amount of filler in them. */
export const RELEASE_FILES = {
  none: 'meme_nofiller.json',
  '32k': 'meme_filler32k.json',
  '128k': 'meme_filler128k.json',
} as const
export type ReleasedFiller = keyof typeof RELEASE_FILES
export const SKELETON_FILE = 'skeletons.json'

/** A file of a release. */
export interface ReleaseFile {
  name: string
  hash: string
  episodes: Released[]
}

/** Whether a folder holds a MEME release. */
export function holdsRelease(folder: string): boolean {
  return [...Object.values(RELEASE_FILES), SKELETON_FILE].some((name) => existsSync(join(folder, name)))
}

/** Which files of a release a folder holds. */
export function filesIn(folder: string): { full: ReleasedFiller[]; skeletons: boolean } {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UserError(`There is no folder ${folder}.`, 'Give --data the folder of a MEME release.')
  const has = (name: string) => existsSync(join(folder, name))
  const full = (Object.keys(RELEASE_FILES) as ReleasedFiller[]).filter((name) => has(RELEASE_FILES[name]))
  const skeletons = has(SKELETON_FILE)
  if (!holdsRelease(folder)) {
    const known = [...Object.values(RELEASE_FILES), SKELETON_FILE]
    throw new UserError(`${folder} holds no MEME release.`, `Expected one of ${known.join(', ')} in it.`)
  }
  return { full, skeletons }
}

/** Reads a file of a release. What does not fit is named by file, episode and field. */
export function readRelease(folder: string, name: string): ReleaseFile {
  const file = join(folder, name)
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  const found = episodesIn(file, text)
  const episodes = found.map((given, i) =>
    readEpisode(given, (field, problem) => misfit(file, given, i, field, problem)),
  )
  const ids = episodes.map(({ skeleton }) => skeleton.episode_id)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined) throw new UserError(`${file}: the episode ${twice} occurs twice.`)
  return { name, hash: sha256(text), episodes }
}

function episodesIn(file: string, text: string): unknown[] {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    throw new UserError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
  const list = data !== null && typeof data === 'object' && 'episodes' in data ? data.episodes : data
  if (Array.isArray(list)) return list
  throw new UserError(`${file}: expected a list of episodes, or an object with "episodes".`)
}

function misfit(file: string, given: unknown, index: number, field: string, problem: string): UserError {
  const id = given !== null && typeof given === 'object' && 'episode_id' in given ? given.episode_id : index + 1
  return new UserError(
    `${file}: episode ${String(id)}${field === '' ? '' : `: ${field}`}: ${problem}.`,
    'Expected the layout of the MEME release.',
  )
}

function readEpisode(given: unknown, misfit: Misfit): Released {
  const keys = given !== null && typeof given === 'object' ? given : {}
  if (!('sessions' in keys) && !('fact_seeds' in keys)) throw misfit('', 'it has neither "sessions" nor "fact_seeds"')
  return 'sessions' in keys
    ? fromFull(checked(FullEpisode, given, misfit), misfit)
    : fromBare(checked(BareEpisode, given, misfit), misfit)
}

function checked<T>(schema: z.ZodType<T>, given: unknown, misfit: Misfit): T {
  const result = schema.safeParse(given)
  if (result.success) return result.data
  const [first] = result.error.issues
  throw misfit(first!.path.map(String).join('.'), first!.message.replace(/\.$/, ''))
}
