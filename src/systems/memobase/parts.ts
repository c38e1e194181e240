import { z } from 'zod'
import { choiceOption, countOption, numberOption, switchOption, temperatureOption } from '../options.js'
import { idCounter, type Kept, partsMaker, VectorTable } from '../parts/index.js'
import { Profile } from './profile.js'
import { PROMPTS } from './prompts.js'

export const OPTIONS = z.object({
  events: switchOption('on', 'on: diary entries are kept and found beside the profile; off'),
  topics: choiceOption(['open', 'strict'], 'open, or strict: only slots of the guide'),
  window: countOption('16384', 'tokens of a conversation that are read, the newest'),
  resummary: switchOption('on', 'on: memos that have grown too long are written anew and cut; off'),
  slot: countOption('128', 'tokens of a memo above which it is written anew'),
  summary: countOption('64', 'tokens of a memo that was written anew, at most'),
  subtopics: countOption('15', 'subtopics of a topic above which it is put in order anew'),
  tokens: countOption('1000', 'tokens of what is found'),
  ratio: numberOption('0.6', 'share of the profile in them; the rest is for events', { min: 0, max: 1 }),
  pick: switchOption('off', 'on: the model picks the slots that bear on a question, one call each'),
  threshold: numberOption('0.2', 'least cosine of an event', { min: 0, max: 1 }),
  days: countOption('180', 'greatest age of an event'),
  temperature: temperatureOption('0.2'),
})

/** What storing and finding work with. */
export type MemobaseParts = ReturnType<typeof partsOf>

export const partsOf = partsMaker({ name: 'memobase', options: OPTIONS, prompts: PROMPTS }, ({ context, journal }) => ({
  profile: new Profile(idCounter('p', journal), journal),
  /** Diary entries, found by meaning. */
  gists: new VectorTable<Kept>(context.embed.dimensions, journal),
  nextGist: idCounter('e', journal),
}))
