import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { gradeAnswer } from '../../judges/lexical/answer.js'
import { lintData } from '../../library.js'
import { conversationsOf, questionsOf } from '../../model/index.js'
import { beam } from './index.js'

const data = fileURLToPath(new URL('../../../../shared/data/beam', import.meta.url))
const load = () => beam.load({ data, view: 'audited', seed: 1, size: 'paper', extra: {} })

describe.skipIf(!existsSync(data))('chats of BEAM as released (skipped without ../shared)', () => {
  it('have sources that are all messages, and one duration that is wrong', async () => {
    const { corpora } = await lintData({ suite: 'beam', data })
    const broken = corpora[0]!.rules.filter(({ broken: n }) => n > 0).map(({ name, broken: n }) => `${name} ${n}`)
    expect(broken).toEqual(['durations 1'])
  })

  it('say what an update replaces, and nothing of the generator', async () => {
    const { scenarios } = await load()
    const updates = scenarios.flatMap((scenario) =>
      questionsOf(scenario)
        .filter(({ task }) => task === 'knowledge-update')
        .map(({ needs, outdated }) => {
          const fact = scenario.facts.find(({ id }) => id === needs[0]?.[0])
          return fact?.replaces !== undefined && outdated.includes(fact.replaces)
        }),
    )
    expect(updates).toEqual(Array(10).fill(true))
    const said = scenarios.flatMap(conversationsOf).flatMap(({ turns }) => turns)
    expect(said.filter(({ text }) => text.includes('->->'))).toEqual([])
  })

  it('have orders of events whose ideal answers nobody calls wrong with certainty', async () => {
    const { scenarios } = await load()
    const orders = scenarios.flatMap(questionsOf).filter(({ gold }) => gold.kind === 'sequence')
    const verdicts = orders.map((question) => gradeAnswer(question, question.gold.text))
    expect(verdicts).toHaveLength(10)
    expect(verdicts.filter((verdict) => verdict.grade === 'right').length).toBeGreaterThanOrEqual(8)
    expect(verdicts.filter((verdict) => verdict.grade === 'wrong' && !verdict.uncertain)).toEqual([])
  })
})
