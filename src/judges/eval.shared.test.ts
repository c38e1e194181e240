import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEmbedder } from '../gateway/embed/index.js'
import { createEntailment } from '../gateway/entailment/index.js'
import { evaluateJudge, parseGold } from './eval.js'
import { createLexicalJudge } from './lexical/index.js'

const GOLD = '../shared/gold/judge-dev.jsonl'
const MODEL = new URL('../gateway/entailment/model.bin', import.meta.url)

describe.skipIf(!existsSync(GOLD))(`the lexical judge over ${GOLD} (skipped where the labelled data is absent)`, () => {
  const cases = existsSync(GOLD) ? parseGold(readFileSync(GOLD, 'utf8'), GOLD) : []

  it('agrees with the labels by words alone', async () => {
    const { supported } = await evaluateJudge(createLexicalJudge(), cases)
    expect(supported.accuracy).toBeGreaterThanOrEqual(0.84)
    expect(supported.kappa).toBeGreaterThanOrEqual(0.65)
    // By words alone hardly anything but what stands there word for word is certain.
    expect(supported.certain.accuracy).toBe(1)
  })

  it('agrees on either half of the rows', async () => {
    for (const half of [0, 1]) {
      const { supported } = await evaluateJudge(
        createLexicalJudge(),
        cases.filter((_, row) => row % 2 === half),
      )
      expect(supported.accuracy).toBeGreaterThanOrEqual(0.83)
    }
  })

  it.skipIf(!process.env.MEMSCOPE_SLOW_TESTS || !existsSync(MODEL))(
    'agrees with the entailment model (set MEMSCOPE_SLOW_TESTS=1: takes minutes; skipped where its weights are absent)',
    async () => {
      const cacheDir = process.env.MEMSCOPE_TEST_CACHE ?? mkdtempSync(join(tmpdir(), 'judge-dev-'))
      const embed = await createEmbedder({ model: 'minilm', cacheDir })
      const entail = createEntailment({ cacheDir })
      const { supported } = await evaluateJudge(createLexicalJudge({ embed, entail }), cases)
      await Promise.all([embed.close(), entail.close()])
      expect(supported.accuracy).toBeGreaterThanOrEqual(0.89)
      expect(supported.certain.n / supported.n).toBeGreaterThanOrEqual(0.5)
      expect(supported.certain.accuracy).toBeGreaterThanOrEqual(0.97)
    },
    600_000,
  )
})
