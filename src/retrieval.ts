/**
 * What memories are built of, for authors elsewhere: text taken apart, words and vectors indexed, texts embedded, WordNet looked up. The
 * memories that come with Memscope are built of the same.
 *
 * @example
 * import { Bm25Index, englishAnalyzer } from 'memscope/retrieval'
 * const analyze = englishAnalyzer({ stem: true })
 * const index = new Bm25Index({ k1: 1.2, b: 0.75, idf: 'lucene' })
 * index.add(analyze('I moved to Leeds.'))
 * const hits = index.search(new Map(analyze('Where did I move?').map((term) => [term, 1])), 5)
 *
 * @module
 */
export { fold, sentences, words } from './base/text.js'
export { countTokens } from './base/tokens.js'
export { createEmbedder, type EmbedderOptions, type LocalEmbedder } from './gateway/embed/index.js'
export { withVectorPacks, writeVectorPack } from './gateway/embed/packed-embedder.js'
export { FUNCTION_WORDS } from './language/function-words.js'
export { type Lemma, lemmas } from './language/morphology.js'
export {
  definition,
  follow,
  isWord,
  type PartOfSpeech,
  type Pointer,
  type Synset,
  senseCount,
  synsets,
} from './language/wordnet.js'
export { type Analyzer, englishAnalyzer } from './systems/bm25/analyze.js'
export { Bm25Index, type Bm25Settings } from './systems/bm25/bm25-index.js'
export { overlap } from './systems/bm25/overlap.js'
export { EmbeddedLog } from './systems/dense/embedded-log.js'
export { VectorIndex } from './systems/dense/vector-index.js'
export { hashEmbedder } from './systems/hash-embedder.js'
export { type Hit, TopK } from './systems/top-k.js'
export { type StorageUnit, splitUnits, type UnitFormat } from './systems/units.js'
