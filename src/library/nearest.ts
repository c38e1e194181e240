import type { Embedder } from '../model/index.js'
import { englishAnalyzer } from '../systems/bm25/analyze.js'
import { Bm25Index } from '../systems/bm25/bm25-index.js'
import { TopK } from '../systems/top-k.js'

/** Letters by which a longer word is known, too: a name is found by one that is spelled almost like it. */
const BEGINNING = 5

/** Finds the texts nearest to a query, as places in a list: in turn by words (BM25) and by meaning, so that the first of both are among them. */
export async function nearestOf(
  texts: readonly string[],
  embedder: Embedder,
): Promise<(query: string, count: number) => Promise<number[]>> {
  const analyze = englishAnalyzer({ stem: true })
  const termsOf = (text: string) =>
    analyze(text).flatMap((term) => (term.length > BEGINNING ? [term, `${term.slice(0, BEGINNING)}*`] : term))
  const index = new Bm25Index({ k1: 1.2, b: 0.75, idf: 'lucene' })
  for (const text of texts) index.add(termsOf(text))
  const vectors = await embedder.embed(texts)
  return async (query, count) => {
    const [wanted] = await embedder.embed([query], 'query')
    const byMeaning = new TopK(Math.min(count, texts.length))
    for (const [at, vector] of vectors.entries())
      byMeaning.offer(
        at,
        vector.reduce((sum, x, i) => sum + x * wanted![i]!, 0),
      )
    const byWords = index.search(new Map(termsOf(query).map((term) => [term, 1])), count)
    const lists = [byWords, byMeaning.hits()]
    const found = Array.from({ length: count }, (_, at) => lists.flatMap((list) => list[at]?.index ?? [])).flat()
    return [...new Set(found)].slice(0, count)
  }
}
