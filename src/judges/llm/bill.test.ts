import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { memfail } from '../../suites/memfail/index.js'
import { createLexicalJudge } from '../lexical/index.js'
import { addSent, judgeBill, type Protocol } from './bill.js'
import type { Sent } from './rehearsal.js'
import { promptTokens } from './rehearsal.js'
import { verbatimCase } from './verbatim.js'

const release = join(import.meta.dirname, '../../../../shared/data/memfail')
const NOTHING: Sent = { calls: 0, promptTokens: 0, schemaTokens: 0 }

describe.skipIf(!existsSync(release))('the bill over the published data (skipped when ../shared is absent)', () => {
  const bills = async (protocol: Protocol, k = 5) => {
    const { scenarios } = await memfail.load({ data: release, view: 'released', seed: 42, size: 'paper', extra: {} })
    const lexical = createLexicalJudge()
    const byTask: Record<string, Sent> = {}
    let [stages, answers] = [NOTHING, NOTHING]
    for (const scenario of scenarios) {
      const bill = await judgeBill(verbatimCase(scenario, memfail, k), { protocol, lexical })
      byTask[scenario.id.split('/')[1]!] = bill.total
      stages = addSent(stages, bill.stages)
      answers = addSent(answers, bill.answers)
    }
    console.log(protocol, k, byTask, { stages, answers, total: addSent(stages, answers) })
    return { byTask, stages, answers, total: addSent(stages, answers) }
  }

  it('paper', async () => {
    await bills('paper')
  })
  it('llm', async () => {
    await bills('llm')
  })
  it('hybrid', async () => {
    await bills('hybrid')
  })
})
