import { inPercent } from '../../src/base/figures.js'
import { createEmbedder } from '../../src/gateway/embed/index.js'
import { createEntailment } from '../../src/gateway/entailment/index.js'
import { factOf, type GoldCase, memoriesOf } from '../../src/judges/gold.js'
import { createLexicalJudge } from '../../src/judges/lexical/index.js'
import type { Fact, FactVerdict, Judge } from '../../src/model/index.js'
import type { Bench } from '../bench.js'
import { withCache } from './cache.js'
import { labelledCases } from './cases.js'
import { withNearCopies } from './near-copies.js'
import { otherWords, ownWords } from './word-pools.js'

const SIZE = 100_000
/** Facts of each set of cases at most, evenly drawn: every one brings memories that nobody has embedded yet. */
const FACTS = Number(process.env.BENCH_FACTS ?? 500)

/** Whether verdicts stay what they are when a store is full of near copies. */
export const driftBench: Bench = {
  name: 'judge-drift',
  about: 'facts judged over a store, and over the same store among near copies of every memory, 100,000 in all',
  async run(progress) {
    const rows = await withCache(async (cacheDir) => {
      const embed = await createEmbedder({ model: 'minilm', cacheDir })
      const entail = createEntailment({ cacheDir })
      const judges = { 'with the model': createLexicalJudge({ embed, entail }), 'by words alone': createLexicalJudge() }
      const found: string[][] = []
      try {
        for (const [name, cases] of labelledCases()) {
          for (const [how, judge] of Object.entries(judges)) {
            progress(`${name}, ${how}`)
            for (const row of await drift(cases, judge)) found.push([name, how, ...row])
          }
        }
      } finally {
        await Promise.all([embed.close(), entail.close()])
      }
      return found
    })
    return {
      title: 'Drift of verdicts',
      note: `All memories of the cases are one store. In the other store every one has near copies as well, ${SIZE.toLocaleString('en')} memories in all, with other names, numbers and two other nouns. Those of other text are words that no fact has and none is tied to: what is true stays true. Among the store's own words a copy gets, by chance, words of a fact that was damaged or missing, and may state it: then its verdict changes rightly. A verdict changes with its label; its certainty is counted apart.`,
      columns: [
        'cases',
        'judge',
        'copies have',
        'memories',
        'facts',
        'labels changed',
        'certainty changed',
        'certain labels changed',
      ],
      rows,
    }
  },
}

/** One row for each pool that the words of copies are drawn from. */
async function drift(cases: readonly GoldCase[], judge: Judge): Promise<string[][]> {
  const all: Fact[] = cases.flatMap((one) => one.facts.map((gold) => factOf(one, gold)))
  const step = Math.ceil(all.length / FACTS)
  const facts = all.filter((_, i) => i % step === 0)
  const store = cases.flatMap(memoriesOf)
  const before = await judge.judgeFacts(facts, store)
  const pools = { 'words of other text': otherWords(store, all), "the store's own words": ownWords(store) }
  const rows: string[][] = []
  for (const [from, pool] of Object.entries(pools)) {
    const after = await judge.judgeFacts(facts, withNearCopies(store, SIZE, 'near copies', pool))
    const share = (test: (one: FactVerdict, other: FactVerdict) => boolean) => {
      const count = before.filter((one, i) => test(one, after[i]!)).length
      return `${count} (${inPercent(count / facts.length)})`
    }
    rows.push([
      from,
      store.length.toLocaleString('en'),
      facts.length.toLocaleString('en'),
      share((one, other) => one.label !== other.label),
      share((one, other) => one.label === other.label && one.uncertain !== other.uncertain),
      share((one, other) => one.label !== other.label && !one.uncertain && !other.uncertain),
    ])
  }
  return rows
}
