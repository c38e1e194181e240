import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { load } from '../../../../test/memora/lives.js'
import { conversationsOf, questionsOf } from '../../../model/index.js'
import { criteriaOf, nullFloor } from '../fama.js'

const sample = fileURLToPath(new URL('../../../../../shared/data/memora', import.meta.url))

describe.skipIf(!existsSync(sample))('the published sample (skipped without ../shared)', () => {
  it.each([
    ['released', [0, 0, 35.27], [0, 0, 5]],
    ['audited', [0, 0, 0], [0, 0, 0]],
  ] as const)('gives an empty answer in the %s view what the data gives it', async (view, weekly, monthly) => {
    const { scenarios, audit } = await load(sample, { view })
    const questions = scenarios.flatMap(questionsOf)
    const floors = (duration: string) =>
      ['remembering', 'reasoning', 'recommending'].map((task) => {
        const own = questions.filter((one) => one.task === task && one.tags.duration === duration)
        return Number((100 * nullFloor(own)!).toFixed(2))
      })
    expect(floors('weekly')).toEqual(weekly)
    expect(floors('monthly')).toEqual(monthly)
    const dropped = audit.filter(({ action, row }) => action === 'dropped' && !row.includes('_eval_'))
    expect(questions).toHaveLength(90 - dropped.length)
  })

  it('keeps both speakers, and facts whose sentences stand in their conversations', async () => {
    const { scenarios } = await load(sample, { view: 'released', extra: { days: '7' } })
    expect(scenarios).toHaveLength(5)
    for (const scenario of scenarios) {
      const texts = new Map(
        conversationsOf(scenario).map(({ id, turns }) => [id, turns.map(({ text }) => text).join('\n')]),
      )
      const roles = new Set(conversationsOf(scenario).flatMap(({ turns }) => turns.map(({ role }) => role)))
      expect([...roles].sort()).toEqual(['assistant', 'user'])
      const ids = new Set(scenario.facts.map(({ id }) => id))
      expect(ids.size).toBe(scenario.facts.length)
      for (const { evidence, sources } of scenario.facts)
        for (const sentence of evidence ?? []) expect(texts.get(sources[0]!)).toContain(sentence)
      for (const question of questionsOf(scenario)) {
        expect(question.needs[0]!.length).toBeGreaterThan(0)
        const named = criteriaOf(question).flatMap(({ facts }) => facts)
        expect([...question.needs.flat(), ...question.outdated, ...named].filter((id) => !ids.has(id))).toEqual([])
      }
    }
  })
})
