import { type Conversation, defineSystem, type Memory, type SystemOptions } from '../../model/index.js'
import { choiceOption, numberOption, withDefaults } from '../options.js'
import type { Hit } from '../top-k.js'
import { parseUnit, UNIT_OPTION, UnitLog } from '../units.js'
import { type Analyzer, bm25sAnalyzer, englishAnalyzer } from './analyze.js'
import { Bm25Index } from './bm25-index.js'

/** Options that every system built on BM25 takes. */
export const BM25_OPTIONS = {
  unit: UNIT_OPTION,
  k1: { default: '1.2', about: 'how soon repeating a word stops helping' },
  b: { default: '0.75', about: 'how much long memories are held back, 0 to 1' },
  idf: { default: 'lucene', about: 'how rarity is weighed: lucene, robertson or atire' },
  stem: { default: 'yes', about: 'yes or no: take plural, -ing and -ed endings off' },
  words: { default: 'english', about: 'english, or bm25s for the tokens and stop words of that library' },
  format: { default: 'plain', about: 'plain, or session: a time header and a name before every line' },
} as const

/** Raw memories with their BM25 index, as shared by the systems built on it. */
export interface Bm25Store {
  log: UnitLog
  index: Bm25Index
  /** Adds a conversation and returns its memories. */
  store(conversation: Conversation): Memory[]
  /** Terms of a query with their weights. */
  weigh(query: string): Map<string, number>
}

/** An empty store for the given options, defaults filled in. */
export function createBm25Store(given: SystemOptions): Bm25Store {
  const options = withDefaults(BM25_OPTIONS, given)
  const stemmed = choiceOption(options, 'stem', ['yes', 'no']) === 'yes'
  const words = choiceOption(options, 'words', ['english', 'bm25s'])
  const analyze: Analyzer = words === 'bm25s' ? bm25sAnalyzer : englishAnalyzer({ stem: stemmed })
  const log = new UnitLog(parseUnit(options.unit!), choiceOption(options, 'format', ['plain', 'session']))
  const index = new Bm25Index({
    k1: numberOption(options, 'k1', { min: 0 }),
    b: numberOption(options, 'b', { min: 0, max: 1 }),
    idf: choiceOption(options, 'idf', ['lucene', 'robertson', 'atire']),
  })
  return {
    log,
    index,
    store: (conversation) => {
      const added = log.add(conversation)
      for (const memory of added) index.add(analyze(memory.text))
      return added
    },
    weigh: (query) => {
      const weights = new Map<string, number>()
      // A word that is asked twice counts once, but twice in bm25s.
      for (const term of analyze(query)) weights.set(term, words === 'bm25s' ? (weights.get(term) ?? 0) + 1 : 1)
      return weights
    },
  }
}

/** Options of `bm25` alone: those that fuse or follow hits have no use for memories without a score. */
const OPTIONS = {
  ...BM25_OPTIONS,
  pad: { default: 'no', about: 'yes: filled up to k with memories that share no word with the question, newest first' },
} as const

/** Memories of hits, with their scores. */
export function memoriesOf(hits: readonly Hit[], memories: readonly Memory[]): Memory[] {
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
  options: OPTIONS,
  create: (_context, given) => {
    const options = withDefaults(OPTIONS, given)
    const pad = choiceOption(options, 'pad', ['yes', 'no']) === 'yes'
    const { log, index, store, weigh } = createBm25Store(options)
    return {
      store: async (conversation) => void store(conversation),
      retrieve: async (query, k) => {
        const hits = index.search(weigh(query.text), k)
        return memoriesOf(pad ? padded(hits, k, log.memories.length) : hits, log.memories)
      },
      dump: async () => log.memories.slice(),
    }
  },
})
