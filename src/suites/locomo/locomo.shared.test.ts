import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { lintData } from '../../library.js'
import { asTold, conversationsOf, questionsOf } from '../../model/index.js'
import { createBm25Store } from '../../systems/bm25/index.js'
import { citedIn } from '../cited/chat.js'
import { locomo } from './index.js'

const data = fileURLToPath(new URL('../../../../shared/data/locomo', import.meta.url))
const load = (extra: Record<string, string>, view: 'audited' | 'released' = 'audited') =>
  locomo.load({ data, view, seed: 1, size: 'paper', extra })

describe.skipIf(!existsSync(data))('the release of LoCoMo (skipped without ../shared)', () => {
  it('has the counts that its paper tells, and nine references that lead nowhere', async () => {
    const { corpora } = await lintData({ suite: 'locomo', data })
    const broken = Object.fromEntries(corpora[0]!.rules.map(({ name, broken: n }) => [name, n]))
    expect(broken).toMatchObject({ references: 9, sessions: 16, observations: 5, evidence: 4, ids: 0, order: 0 })
    const { scenarios } = await load({}, 'released')
    const sessions = scenarios.flatMap(conversationsOf)
    const counts = [
      scenarios.length,
      sessions.length,
      sessions.flatMap(({ turns }) => turns).length,
      scenarios.flatMap(questionsOf).length,
    ]
    expect(counts).toEqual([10, 272, 5882, 1986])
  })

  it('lines up with all 156 entries of the public audit', async () => {
    const [{ audit: without }, { audit }] = [await load({}), await load({ audit: join(data, 'audit-errors.json') })]
    const entries = audit.filter(({ why }) =>
      /^(?:wrong citation|hallucination|temporal error|attribution error|ambiguous|incomplete): /.test(why),
    )
    expect([without.length < audit.length, entries.length]).toEqual([true, 156])
    expect(entries.filter(({ why }) => why.startsWith('wrong citation'))).toHaveLength(57)
    const kinds = { replaced: /^wrong/, regraded: /: regraded/, dropped: /: dropped/ }
    for (const { why } of entries) expect(Object.values(kinds).filter((kind) => kind.test(why))).toHaveLength(1)
    const counts = Object.values(kinds).map((kind) => entries.filter(({ why }) => kind.test(why)).length)
    expect(counts).toEqual([57, 47, 52])
  })

  it('is searched by words as others measured: all cited turns among 5 and 20', async () => {
    const { scenarios } = await load({}, 'released')
    const found = { 5: 0, 20: 0 }
    let asked = 0
    for (const scenario of scenarios) {
      const { index, store, weigh } = createBm25Store({})
      const ids: string[] = []
      for (const conversation of conversationsOf(scenario)) {
        store(asTold(conversation))
        for (const turn of conversation.turns) ids.push(turn.id!)
      }
      for (const { needs, text } of questionsOf(scenario)) {
        if (needs.length === 0) continue
        asked++
        for (const k of [5, 20] as const) {
          const hits = new Set(index.search(weigh(text), k).map((hit) => ids[hit.index]))
          if (citedIn(needs[0]!).every((id) => hits.has(id))) found[k]++
        }
      }
    }
    expect(Math.abs(found[5] / asked - 0.47)).toBeLessThanOrEqual(0.02)
    expect(Math.abs(found[20] / asked - 0.597)).toBeLessThanOrEqual(0.02)
  })
})
