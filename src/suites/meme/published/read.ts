import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { UserError } from '../../../base/errors.js'
import { sha256 } from '../../../base/hash.js'
import { parsedJson } from '../../read-files.js'
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

/** A file of a release, or the files its authors' tool unpacks it into. */
export interface ReleaseFile {
  name: string
  hash: string
  episodes: Released[]
}

/** Whether a folder holds a MEME release. */
export function holdsRelease(folder: string): boolean {
  return [...Object.values(RELEASE_FILES), SKELETON_FILE].some((name) => partsOf(folder, name).length > 0)
}

/**
 * The files that hold what a file of the release holds: itself, or one an episode, by domain, as unpacked by the authors' tool.
 *
 * @example partsOf(folder, 'meme_filler32k.json') // ['filler32k_pl/episode_001.json', …]
 */
function partsOf(folder: string, name: string): string[] {
  if (existsSync(join(folder, name))) return [name]
  const [, condition] = /^meme_(.+)\.json$/.exec(name) ?? []
  if (condition === undefined) return []
  return ['pl', 'sw'].flatMap((domain) => {
    const unpacked = `${condition}_${domain}`
    if (!existsSync(join(folder, unpacked))) return []
    const files = readdirSync(join(folder, unpacked)).filter((file) => /^episode_\d+\.json$/.test(file))
    return files.sort().map((file) => join(unpacked, file))
  })
}

/** Which files of a release a folder holds. */
export function filesIn(folder: string): { full: ReleasedFiller[]; skeletons: boolean } {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new UserError(`There is no folder ${folder}.`, 'Give --data the folder of a MEME release.')
  const has = (name: string) => partsOf(folder, name).length > 0
  const full = (Object.keys(RELEASE_FILES) as ReleasedFiller[]).filter((name) => has(RELEASE_FILES[name]))
  const skeletons = has(SKELETON_FILE)
  if (!holdsRelease(folder)) {
    const known = [...Object.values(RELEASE_FILES), SKELETON_FILE]
    throw new UserError(
      `${folder} holds no MEME release.`,
      `Expected one of ${known.join(', ')} in it, or one unpacked, such as filler32k_pl/episode_001.json.`,
    )
  }
  return { full, skeletons }
}

/** Reads a file of a release. What does not fit is named by file, episode and field. */
export function readRelease(folder: string, name: string): ReleaseFile {
  const parts = partsOf(folder, name)
  const texts = parts.map((part) => readFileSync(join(folder, part), 'utf8').replace(/^\uFEFF/, ''))
  const episodes = parts.flatMap((part, at) => {
    const file = join(folder, part)
    return episodesIn(file, texts[at]!).map((given, i) =>
      readEpisode(given, (field, problem) => misfit(file, given, i, field, problem)),
    )
  })
  const ids = episodes.map(({ skeleton }) => skeleton.episode_id)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined) throw new UserError(`${join(folder, name)}: the episode ${twice} occurs twice.`)
  return { name, hash: sha256(texts.join('\n')), episodes }
}

function episodesIn(file: string, text: string): unknown[] {
  const data = parsedJson(text, file)
  const list = data !== null && typeof data === 'object' && 'episodes' in data ? data.episodes : data
  if (Array.isArray(list)) return list
  if (data !== null && typeof data === 'object' && 'episode_id' in data) return [data]
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
