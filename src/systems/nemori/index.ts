import { defineSystem } from '../../model/index.js'
import { optionTable } from '../options.js'
import { embedOne, isSilent, memoryOf, rowOfMemory, setAll } from '../parts/index.js'
import { keepEpisode, segmentsOf } from './episodes.js'
import { FIXED } from './fixed.js'
import { OPTIONS, partsOf } from './parts.js'
import { PROMPTS } from './prompts.js'
import { nemoriRehearsal } from './rehearsal.js'
import { learn } from './statements.js'

/** Nemori: accounts of what was said, and statements learnt where a prediction from what is known goes wrong. */
export const nemori = defineSystem({
  name: 'nemori',
  version: '2',
  class: 'processed',
  about:
    'Nemori: episodes, and statements learnt from what a prediction of each episode lacks; found by words and meaning.',
  atomic: true,
  needs: { embed: true, llm: true },
  cost: { store: '3 to 5 an episode, 1 more a conversation of 20 messages', retrieve: '0' },
  papers: ['Nan et al. 2025, Nemori, arXiv:2508.03341'],
  paperK: { memora: 50 },
  prompts: PROMPTS,
  rehearsal: nemoriRehearsal,
  options: optionTable(OPTIONS),
  variants: {
    statements: { about: 'only statements are found, episodes are kept', options: { find: 'statements' } },
  },
  create: (context, given) => {
    const parts = partsOf(context, given)
    const { episodes, statements, journal, settings } = parts
    const searched = { both: [episodes, statements], episodes: [episodes], statements: [statements] }[settings.find]
    return {
      store: (conversation) =>
        journal.atomically(async () => {
          if (isSilent(conversation)) return
          for (const segment of await segmentsOf(conversation, parts)) {
            const { episode, vector } = await keepEpisode(segment, parts)
            await learn(segment, episode, vector, parts)
          }
        }),
      retrieve: async (query, k) => {
        if (searched.every(({ size }) => size === 0)) return []
        const vector = await embedOne(context, query.text)
        return searched
          .flatMap((table) => table.search(query.text, vector, k, { constant: FIXED.rankConstant, first: 'meaning' }))
          .map(({ row, score }) => memoryOf(row, score))
          .sort((a, b) => b.score! - a.score!)
          .slice(0, k)
      },
      dump: async () => [...episodes.rows(), ...statements.rows()].map((row) => memoryOf(row)),
      insert: (memories) => setAll(context, memories.map(rowOfMemory), (row, vector) => statements.set(row, vector)),
    }
  },
})
