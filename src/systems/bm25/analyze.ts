import { fold } from '../../base/text.js'
import { inflectionStem } from '../../language/stems.js'

/** Turns text into the terms by which it is indexed and searched. */
export type Analyzer = (text: string) => string[]

/** Words that say nothing about what a sentence is about; contractions come apart at the apostrophe. */
const STOP_WORDS = new Set(
  `a about after again all also am an and any are aren as at be because been before being between both but by can cannot could couldn d
  did didn do does doesn doing don down during each few for from further had hadn has hasn have haven having he her here hers herself him
  himself his how i if in into is isn it its itself just ll m me might more most must my myself no nor not now of off on once only or
  other our ours ourselves out over own re s same shall she should shouldn so some such t than that the their theirs them themselves then
  there these they this those through to too under until up us ve very was wasn we were weren what when where which while who whom whose
  why will with won would wouldn y you your yours yourself yourselves`.split(/\s+/),
)

/** The English list of bm25s, which is Lucene's. */
const BM25S_STOP_WORDS = new Set(
  `a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will
  with`.split(/\s+/),
)

/** English words without stop words, stemmed if asked. Numbers stay whole: `7:30`, `3.5`. */
export function englishAnalyzer(options: { stem: boolean }): Analyzer {
  const stems = new Map<string, string>()
  const stemOf = (word: string): string => {
    const known = stems.get(word)
    if (known !== undefined) return known
    const stemmed = inflectionStem(word)
    if (stems.size < 100_000) stems.set(word, stemmed)
    return stemmed
  }
  return (text) => {
    const found = fold(text).match(/\d+(?:[.,:]\d+)+|[\p{L}\p{N}]+/gu) ?? []
    const terms = found.filter((word) => !STOP_WORDS.has(word))
    return options.stem ? terms.map(stemOf) : terms
  }
}

/** What bm25s does by default: lower case, `\b\w\w+\b`, its stop words, no stemming. */
export const bm25sAnalyzer: Analyzer = (text) =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []).filter((word) => !BM25S_STOP_WORDS.has(word))
