import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conversationsOf, type Question, questionsOf, type Scenario, type SuiteOptions } from '../../../model/index.js'
import { conflicts, fillerPool } from '../filler/index.js'
import { episodeOf, loadPublished } from './index.js'
import { readRelease } from './read.js'

const load = (data: string, more: Partial<SuiteOptions> = {}) =>
  loadPublished({ data, view: 'audited', seed: 42, size: 'paper', extra: { filler: 'none' }, ...more })
const question = (scenario: Scenario, id: string): Question | undefined =>
  questionsOf(scenario).find((one) => one.id === id)
const said = (scenario: Scenario): string[] =>
  conversationsOf(scenario).map(({ turns }) => turns.map(({ text }) => text).join('\n'))

const shared = join(import.meta.dirname, '../../../../../shared/data/meme')

describe.skipIf(!existsSync(shared))('the published skeletons (skipped when ../shared is absent)', () => {
  const count = (scenarios: Scenario[]) => {
    const counts: Record<string, number> = {}
    for (const { task } of scenarios.flatMap(questionsOf)) counts[task] = (counts[task] ?? 0) + 1
    return counts
  }

  it('are told as they are: 100 episodes, 694 questions after the change and 494 before', async () => {
    const { scenarios, audit } = await load(shared, { view: 'released' })
    expect(scenarios).toHaveLength(100)
    expect(count(scenarios)).toEqual({
      'exact-recall': 100,
      aggregation: 100,
      tracking: 100,
      deletion: 100,
      cascade: 164,
      absence: 130,
      before: 494,
    })
    expect(new Set(audit.map(({ action }) => action))).toEqual(new Set(['flagged']))
    for (const scenario of scenarios) {
      const texts = said(scenario)
      const ids = conversationsOf(scenario).map(({ id }) => id)
      const known = new Set(scenario.facts.map(({ id }) => id))
      for (const { sources, text, unsupported } of scenario.facts)
        for (const source of unsupported ? [] : sources) expect(texts[ids.indexOf(source)]).toContain(text)
      for (const { needs } of questionsOf(scenario)) expect(needs.flat().filter((id) => !known.has(id))).toEqual([])
    }
  })

  it('have eleven golds repaired and six questions dropped when audited', async () => {
    const { scenarios, audit } = await load(shared)
    expect(count(scenarios)).toEqual({
      'exact-recall': 100,
      aggregation: 100,
      tracking: 98,
      deletion: 100,
      cascade: 164 - 1 - 3 + 9,
      absence: 130 - 10 - 1,
      'control-unchanged': 2,
      before: 494 - 3,
    })
    const rows = (action: string, before: boolean) =>
      audit.filter((note) => note.action === action && (note.task === 'before') === before).map(({ row }) => row)
    expect(rows('repaired', false)).toHaveLength(11)
    expect(rows('dropped', false).sort()).toEqual([
      'pl_010 partner',
      'pl_011 fitness_facility',
      'pl_015 partner',
      'pl_030 commute_duration',
      'pl_030 commute_method',
      'pl_040 fitness_facility',
    ])
    expect(rows('dropped', true)).toHaveLength(3)
    const gym = scenarios.find(({ id }) => id === 'meme/pl_041')!
    expect(question(gym, 'control-unchanged/fitness_facility')).toMatchObject({
      gold: { kind: 'current', value: 'Zorathel Peak Gym' },
      needs: [['dep:fitness_facility']],
      outdated: [],
    })
  })

  it('lose rules that give the new value of the root away, when audited', () => {
    const released = readRelease(shared, 'skeletons.json').episodes[0]!
    const { root, root_change } = released.skeleton
    const seed = 'Whatever happens, it will come to this.'
    const rule = { ...released.facts[0]!, entity: root, value: root_change.after, seed, kind: 'rule' as const }
    const request = { domain: 'personal-life' as const, seed: 42, index: 0, filler: 0, fillerName: 'none' }
    const told = (view: 'audited' | 'released') => {
      const { episode, audit } = episodeOf({ ...released, facts: [...released.facts, rule] }, request, view)
      return [JSON.stringify(episode.sessions).includes(seed), audit.map(({ action }) => action)]
    }
    expect(told('audited')).toEqual([false, ['dropped']])
    expect(told('released')).toEqual([true, ['flagged']])
  })

  it('take fillers of ours, none of which says a value of the episode', () => {
    const released = readRelease(shared, 'skeletons.json').episodes[0]!
    const all = fillerPool('personal-life')
    const pool = { size: 80, at: (index: number) => all.at(index) }
    const { episode } = episodeOf(
      released,
      { domain: 'personal-life', seed: 42, index: 0, filler: 32_000, fillerName: '32k', pool },
      'audited',
    )
    expect(episode.id).toBe('pl_001@32k')
    const fillers = episode.sessions.filter(({ evidence }) => !evidence)
    expect(fillers.length).toBeGreaterThan(5)
    const values = episode.statements.map(({ value }) => value)
    expect(fillers.flatMap(({ turns }) => conflicts(turns, values))).toEqual([])
  })
})
