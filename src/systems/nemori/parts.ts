import { z } from 'zod'
import { choiceOption, countOption, numberOption, switchOption } from '../options.js'
import { HybridTable, idCounter, type Kept, partsMaker } from '../parts/index.js'
import { FIXED } from './fixed.js'
import { PROMPTS } from './prompts.js'

export const OPTIONS = z.object({
  find: choiceOption(
    ['both', 'episodes', 'statements'],
    'what is found: episodes, statements, or both, sorted by score',
  ),
  lasting: switchOption('on', 'on: only what will hold in half a year becomes a statement, without dates; off'),
  predict: switchOption('on', 'on: statements are what a prediction from known ones lacks; off: from the episode'),
  merge: switchOption('on', 'on: accounts of the same event become one; off'),
  segment: countOption('20', 'messages from which a conversation is divided into episodes'),
  similar: countOption('5', 'earlier episodes that a new one is compared with'),
  known: countOption('10', 'statements from which an episode is foretold, at most'),
  near: numberOption('0.7', 'least score (2 cosine - 1) of such a statement; without any nothing is foretold', {
    min: -1,
    max: 1,
  }),
})

/** An account of a conversation or a part of it. Its text is title and content. */
export interface NemoriEpisode extends Kept {
  readonly title: string
  readonly content: string
}

/** What storing works with. */
export type NemoriParts = ReturnType<typeof partsOf>

export const partsOf = partsMaker(
  { name: 'nemori', options: OPTIONS, prompts: PROMPTS, temperatures: FIXED.temperatures, maxTokens: FIXED.maxTokens },
  ({ context, journal }) => ({
    episodes: new HybridTable<NemoriEpisode>(context.embed.dimensions, journal),
    statements: new HybridTable<Kept>(context.embed.dimensions, journal),
    nextEpisode: idCounter('e', journal),
    nextStatement: idCounter('s', journal),
  }),
)
