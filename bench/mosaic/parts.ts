import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { unknownName } from '../../src/base/errors.js'
import { fingerprint } from '../../src/base/hash.js'
import type { RunOptions } from '../../src/library.js'
import { REWORDED, writeRewordedEpisodes } from './reworded-episodes.js'

/** Where runs are kept. */
export const HOME = process.env.MEMSCOPE_HOME ?? '.memscope'

/** A seed that nothing was made with; take another once somebody has looked at its episodes. */
export const SEED = 90217
/** Budgets of tokens at which mosaic is held against others. */
export const TOKENS = [250, 500, 1000]
const EPISODES = 40
/** Where published data is, when it is there. */
const PUBLISHED = '../shared/data'

/** A run that tables are made of. */
export interface Part {
  /** Word by which it is chosen: `PARTS=meme,locomo`. */
  word: string
  /** What it is called in tables. */
  name: string
  options: RunOptions
  /** Writes its data, where that is made of something else. */
  write?: (folder: string) => void
}

/** Parts that are run, and for each of the others why it is not. */
export interface ChosenParts {
  parts: Part[]
  leftOut: string[]
}

/**
 * What mosaic is measured on, as the environment asks for it: `PARTS` names some, `EPISODES` says how many of MEME, and `LIVES` how many
 * lives or chats of the text that mosaic was not made for; all unless given.
 *
 * @throws UserError for a part that there is not
 * @example chosenParts({ EPISODES: '12', PARTS: 'meme,locomo' })
 */
export function chosenParts(env: Readonly<Record<string, string | undefined>>): ChosenParts {
  const wanted = env.PARTS?.split(',')
  const all = everyPart(env)
  const words = all.map(({ word }) => word)
  const stranger = wanted?.find((word) => !words.includes(word))
  if (stranger !== undefined) throw unknownName('part', stranger, words)
  const parts = wanted ? all.filter(({ word }) => wanted.includes(word)) : all
  const isThere = ({ options: { data }, write }: Part) => write || data === undefined || existsSync(data)
  return {
    parts: parts.filter(isThere),
    leftOut: [
      ...all.filter((part) => !parts.includes(part)).map(({ name }) => `${name} (not among PARTS)`),
      ...parts.filter((part) => !isThere(part)).map(({ name, options }) => `${name} (there is no ${options.data})`),
    ],
  }
}

function everyPart(env: Readonly<Record<string, string | undefined>>): Part[] {
  const episodes = Number(env.EPISODES ?? EPISODES)
  const lives = env.LIVES === undefined ? undefined : Number(env.LIVES)
  const common: RunOptions = { tokenBudget: TOKENS }
  const foreign = (word: string, name: string, options: RunOptions): Part => ({
    word,
    name: lives === undefined ? name : `${name}, ${lives} lives`,
    options: { ...common, ...(lives !== undefined && { size: lives }), ...options },
  })
  return [
    {
      word: 'meme',
      name: `meme, ${episodes} episodes of ${SEED}`,
      options: { ...common, suite: 'meme', size: episodes, seed: SEED, settings: { filler: '32k' } },
    },
    {
      word: 'memfail-published',
      name: 'memfail, published',
      options: { ...common, suite: 'memfail', size: 'paper', data: `${PUBLISHED}/memfail` },
    },
    { word: 'memfail', name: 'memfail, bundled', options: { ...common, suite: 'memfail', size: 'paper' } },
    foreign('locomo', 'locomo', { suite: 'locomo', data: `${PUBLISHED}/locomo` }),
    foreign('memora-published', 'memora, published', { suite: 'memora', data: `${PUBLISHED}/memora` }),
    foreign('memora', 'memora, a week', { suite: 'memora', settings: { days: '7' } }),
    foreign('beam', 'beam', { suite: 'beam', data: `${PUBLISHED}/beam` }),
    {
      word: 'reworded',
      name: `meme, ${REWORDED.locked} in other words`,
      options: { ...common, suite: 'meme', data: join(HOME, `mosaic-reworded-${REWORDED.locked}`) },
      write: (folder) => writeRewordedEpisodes(folder, '32k', REWORDED.locked),
    },
    {
      word: 'chats',
      name: 'long working chats',
      options: { ...common, suite: 'own', data: join(HOME, `mosaic-chats-${fingerprint(chats()).slice(0, 8)}`) },
      write: writeChats,
    },
  ]
}

/** Six chats of forty to fifty long turns and three of sixty in which people tell while they ask, with questions, by six writers. */
function chats(): string {
  return gunzipSync(readFileSync(new URL('chats.jsonl.gz', import.meta.url))).toString()
}

function writeChats(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'own.jsonl'), chats())
}
