import { z } from 'zod'
import { sentences, words } from '../../base/text.js'
import { defineSystem, type Turn } from '../../model/index.js'
import { BM25_OPTIONS, createBm25Store, memoriesOfHits } from '../bm25/index.js'
import { choiceOption, numberOption, optionTable, readOptions } from '../options.js'

const SEARCH_OPTIONS = BM25_OPTIONS.omit({ unit: true, format: true })

const OPTIONS = z.object({
  keep: numberOption('4', 'sentences kept of every turn', { min: 1, whole: true }),
  by: choiceOption(
    ['centre', 'lead'],
    'which are kept: centre (most words in common with the others) or lead (the first)',
  ),
  ...SEARCH_OPTIONS.shape,
})

/** Keeps the sentences of a turn that share most words with the rest of it. It fails as summaries do: what is said once, on the side, is gone. */
export const digest = defineSystem({
  name: 'digest',
  version: '1',
  class: 'processed',
  about: 'Keeps a few sentences of every turn as its summary; finds by words.',
  atomic: true,
  options: optionTable(OPTIONS),
  create: (_context, given) => {
    const { keep, by } = readOptions(OPTIONS, given)
    const { log, index, store, weigh } = createBm25Store(given)
    const summarise = (turn: Turn): Turn => ({ ...turn, text: summaryOf(turn.text, keep, by) })
    return {
      store: async (conversation) => void store({ ...conversation, turns: conversation.turns.map(summarise) }),
      retrieve: async (query, k) => memoriesOfHits(index.search(weigh(query.text), k), log.memories),
      dump: async () => log.memories.slice(),
      insert: async (memories) => {
        for (const { id, text, time = '' } of memories) store({ id, time, turns: [{ role: 'user', text }] })
      },
    }
  },
})

/** The kept sentences, in the order in which they were said. */
function summaryOf(text: string, keep: number, by: 'centre' | 'lead'): string {
  const all = sentences(text)
  if (all.length <= keep) return text
  const order = all.map((_, i) => i)
  if (by === 'centre') {
    const sets = all.map((sentence) => new Set(words(sentence).filter((word) => word.length > 3)))
    const ties = sets.map((set, i) => {
      const shared = sets.reduce(
        (sum, other, j) => (i === j ? sum : sum + [...set].filter((word) => other.has(word)).length),
        0,
      )
      return shared / Math.sqrt(set.size + 1)
    })
    order.sort((a, b) => ties[b]! - ties[a]! || a - b)
  }
  return order
    .slice(0, keep)
    .sort((a, b) => a - b)
    .map((i) => all[i])
    .join(' ')
}
