import { z } from 'zod'
import { type Conversation, defineSystem } from '../../model/index.js'
import { choiceOption, numberOption, optionTable, readOptions, switchOption } from '../options.js'
import {
  askerOf,
  embedAll,
  embedOne,
  idCounter,
  isSilent,
  Journal,
  type Kept,
  memoryOf,
  promptsOf,
} from '../parts/index.js'
import { keepEpisode, partsOf } from './episodes.js'
import { HybridTable } from './hybrid-table.js'
import type { NemoriEpisode, NemoriParts } from './parts.js'
import { PROMPTS } from './prompts.js'
import { nemoriRehearsal } from './rehearsal.js'
import { learn } from './statements.js'

const OPTIONS = z.object({
  find: choiceOption(
    ['both', 'episodes', 'statements'],
    'both',
    'what is found: episodes, statements, or both, sorted by score',
  ),
  lasting: switchOption('on', 'on: only what will hold in half a year becomes a statement, without dates; off'),
  predict: switchOption('on', 'on: statements are what a prediction from known ones lacks; off: from the episode'),
  merge: switchOption('on', 'on: accounts of the same event become one; off'),
  segment: numberOption('20', 'messages from which a conversation is divided into episodes', { min: 1, whole: true }),
  similar: numberOption('5', 'earlier episodes that a new one is compared with', { min: 1, whole: true }),
  known: numberOption('10', 'statements from which an episode is foretold', { min: 1, whole: true }),
  temperature: numberOption('0.2', 'of the model', { min: 0, max: 2 }),
})

/** Nemori: accounts of what was said, and statements learnt where a prediction from what is known goes wrong. */
export const nemori = defineSystem({
  name: 'nemori',
  version: '1',
  class: 'processed',
  about:
    'Nemori: episodes, and statements learnt from what a prediction of each episode lacks; found by words and meaning.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '3 to 5 an episode, 1 more a conversation of 20 messages', retrieve: '0' },
  papers: ['Nan et al. 2025, Nemori, arXiv:2508.03341'],
  prompts: PROMPTS,
  rehearsal: nemoriRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    statements: { about: 'only statements are found, episodes are kept', options: { find: 'statements' } },
  },
  create: (context, given) => {
    const options = readOptions(OPTIONS, given)
    const { find } = options
    const journal = new Journal()
    const episodes = new HybridTable<NemoriEpisode>(context.embed.dimensions, journal)
    const statements = new HybridTable<Kept>(context.embed.dimensions, journal)
    const parts: NemoriParts = {
      context,
      model: askerOf(context, 'nemori'),
      prompts: promptsOf(PROMPTS, context),
      episodes,
      statements,
      nextEpisode: idCounter('e', journal),
      nextStatement: idCounter('s', journal),
      settings: options,
    }
    const searched = find === 'both' ? [episodes, statements] : [find === 'episodes' ? episodes : statements]
    return {
      store: (conversation) => journal.atomically(() => storeConversation(conversation, parts)),
      retrieve: async (query, k) => {
        if (searched.every(({ size }) => size === 0)) return []
        const vector = await embedOne(context, query.text)
        return searched
          .flatMap((table) => table.search(query.text, vector, k).map(({ row, score }) => memoryOf(row, score)))
          .sort((a, b) => b.score! - a.score!)
          .slice(0, k)
      },
      dump: async () => [...episodes.rows(), ...statements.rows()].map((row) => memoryOf(row)),
      insert: async (memories) => {
        const vectors = await embedAll(
          context,
          memories.map(({ text }) => text),
        )
        for (const [i, { id, text, time = '', sources = [] }] of memories.entries()) {
          statements.set({ id, text, time, sources }, vectors[i]!)
        }
      },
    }
  },
})

async function storeConversation(conversation: Conversation, parts: NemoriParts): Promise<void> {
  if (isSilent(conversation)) return
  for (const part of await partsOf(conversation, parts)) {
    const { episode, vector } = await keepEpisode(part, parts)
    await learn(part, episode, vector, parts)
  }
}
