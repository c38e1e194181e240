import { z } from 'zod'
import { type Conversation, defineSystem, type Memory, type SystemOptions } from '../../model/index.js'
import { choiceOption, numberOption, optionTable, readOptions } from '../options.js'
import type { Hit } from '../top-k.js'
import { UNIT_OPTION, UnitLog } from '../units.js'
import { type Analyzer, bm25sAnalyzer, englishAnalyzer } from './analyze.js'
import { Bm25Index } from './bm25-index.js'

/** Options that every system built on BM25 takes. */
export const BM25_OPTIONS = z.object({
  unit: UNIT_OPTION,
  k1: numberOption('1.2', 'how soon repeating a word stops helping', { min: 0 }),
  b: numberOption('0.75', 'how much long memories are held back, 0 to 1', { min: 0, max: 1 }),
  idf: choiceOption(['lucene', 'robertson', 'atire'], 'how rarity is weighed: lucene, robertson or atire'),
  stem: choiceOption(['yes', 'no'], 'yes or no: take plural, -ing and -ed endings off'),
  words: choiceOption(['english', 'bm25s'], 'english, or bm25s for the tokens and stop words of that library'),
  format: choiceOption(['plain', 'session'], 'plain, or session: a time header and a name before every line'),
})

/** Raw memories with their BM25 index, as shared by the systems built on it; empty, for the given options. */
export function createBm25Store(given: SystemOptions) {
  const { words, stem, unit, format, k1, b, idf } = readOptions(BM25_OPTIONS, given)
  const analyze: Analyzer = words === 'bm25s' ? bm25sAnalyzer : englishAnalyzer({ stem: stem === 'yes' })
  const log = new UnitLog(unit, format)
  const index = new Bm25Index({ k1, b, idf })
  return {
    log,
    index,
    /** Adds a conversation and returns its memories. */
    store: (conversation: Conversation): Memory[] => {
      const added = log.add(conversation)
      for (const memory of added) index.add(analyze(memory.text))
      return added
    },
    /** Terms of a query with their weights. */
    weigh: (query: string): Map<string, number> => {
      const weights = new Map<string, number>()
      // A word that is asked twice counts once, but twice in bm25s.
      for (const term of analyze(query)) weights.set(term, words === 'bm25s' ? (weights.get(term) ?? 0) + 1 : 1)
      return weights
    },
  }
}

/** Options of `bm25` alone: those that fuse or follow hits have no use for memories without a score. */
const OPTIONS = z.object({
  ...BM25_OPTIONS.shape,
  pad: choiceOption(
    ['no', 'yes'],
    'yes: filled up to k with memories that share no word with the question, newest first',
  ),
})

/** Memories of hits, with their scores. */
export function memoriesOfHits(hits: readonly Hit[], memories: readonly Memory[]): Memory[] {
  return hits.map(({ index, score }) => ({ ...memories[index]!, score }))
}

/**
 * Hits filled up to k with what shares no word, as bm25s gives k documents whatever they score. Which of equal scores numpy takes first
 * depends on the processor; in stores of a few chunks it is the newest, so that is the order here, on every machine.
 */
function padded(hits: readonly Hit[], k: number, size: number): Hit[] {
  const found = new Set(hits.map(({ index }) => index))
  const all = [...hits]
  for (let index = size - 1; index >= 0 && all.length < k; index--) if (!found.has(index)) all.push({ index, score: 0 })
  return all
}

/** Keeps what was said and finds it again by its words. */
export const bm25 = defineSystem({
  name: 'bm25',
  version: '2',
  class: 'raw',
  about: 'Keeps every turn as said; finds by words (BM25).',
  atomic: true,
  variants: {
    meme: {
      about: "MEME's settings: 4,096-token chunks with a session header, tokens, stop words and padding of bm25s",
      options: { unit: 'chunk=4096', format: 'session', words: 'bm25s', stem: 'no', k1: '1.5', pad: 'yes' },
    },
  },
  paperK: { meme: 5 },
  options: optionTable(OPTIONS),
  create: (_context, given) => {
    const pad = readOptions(OPTIONS, given).pad === 'yes'
    const { log, index, store, weigh } = createBm25Store(given)
    return {
      store: async (conversation) => void store(conversation),
      retrieve: async (query, k) => {
        const hits = index.search(weigh(query.text), k)
        return memoriesOfHits(pad ? padded(hits, k, log.memories.length) : hits, log.memories)
      },
      dump: async () => log.memories.slice(),
    }
  },
})
