import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createEmbedder } from '../src/gateway/embed/index.js'
import { createEntailment } from '../src/gateway/entailment/index.js'
import { createLexicalJudge } from '../src/judges/lexical/index.js'
import { linkCues, preferenceCues, profileCues, ruleCues } from '../src/language/derive-cues.js'
import type { Cues, Fact, Memory } from '../src/model/index.js'

/** A fact, and memories that have its words and not its sense: denied, made up, taken back, of somebody else, with other values. */
interface Attack {
  id: string
  kind: Cues['kind']
  facts: [
    Record<'text' | 'entity' | 'behavior' | 'condition' | 'preference' | 'subject' | 'attribute' | 'value', string>,
  ]
  memories: string[]
}

const attacks = readFileSync(new URL('./judge-attacks/attacks.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Attack)

function cuesOf({ kind, facts: [fact] }: Attack): Cues {
  switch (kind) {
    case 'rule':
      return ruleCues(fact.entity, fact.behavior, fact.condition, fact.text)
    case 'preference':
      return preferenceCues(fact.preference, fact.text)
    case 'link':
      return linkCues(fact.text)
    case 'profile':
      return profileCues(fact.entity, fact.text)
    case 'statement':
      return { kind, parts: [], explicit: false }
    case 'state': {
      const parts = [
        { role: 'who' as const, forms: [fact.subject] },
        { role: 'relation' as const, forms: [fact.attribute] },
        { role: 'value' as const, forms: [fact.value] },
      ]
      return { kind, stance: 'held', parts, explicit: true }
    }
  }
}

function caseOf(attack: Attack): [Fact, Memory[]] {
  const fact = { id: attack.id, text: attack.facts[0].text, sources: [attack.id], cues: cuesOf(attack) }
  return [fact, attack.memories.map((text, i) => ({ id: `${attack.id}#${i}`, text }))]
}

/** All of them with ATTACKS=all (`npm run judge:attacks`), otherwise every sixth. */
const tried = attacks.filter((_, i) => process.env.ATTACKS === 'all' || i % 6 === 0)

describe('with the entailment model', () => {
  it('is never certain of a fact whose words stand there in another sense', async () => {
    const cacheDir = process.env.MEMSCOPE_CACHE!
    const embed = await createEmbedder({ model: 'minilm', cacheDir })
    const entail = createEntailment({ cacheDir })
    const judge = createLexicalJudge({ embed, entail })
    const fooled: string[] = []
    for (const attack of tried) {
      const [fact, memories] = caseOf(attack)
      const [verdict] = await judge.judgeFacts([fact], memories)
      if (verdict!.label === 'correct' && !verdict!.uncertain) fooled.push(attack.id)
    }
    await Promise.all([embed.close(), entail.close()])
    expect(attacks.length).toBeGreaterThanOrEqual(300)
    expect(fooled).toEqual([])
  }, 600_000)
})
