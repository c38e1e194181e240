import { describe, expect, it } from 'vitest'
import { correctionsOf, questionsOf, type SuiteOptions } from '../../model/index.js'
import { memora } from './index.js'
import { daysFrom, personasFrom, QUICK } from './load.js'

const options = (more: Partial<SuiteOptions> = {}): SuiteOptions => ({
  view: 'audited',
  seed: 42,
  size: 'quick',
  extra: {},
  ...more,
})

describe('loading simulated lives', () => {
  it('gives one persona a few days with few questions for a quick look, the same every time', async () => {
    const first = await memora.load(options())
    const again = await memora.load(options())
    expect(first.scenarios.map(({ id }) => id)).toEqual([`memora/academic_researcher/${QUICK.days}d`])
    expect(first.scenarios.flatMap(questionsOf)).toHaveLength(QUICK.personas * 3 * QUICK.questions)
    expect(again.datasetHash).toBe(first.datasetHash)
    expect((await memora.load(options({ seed: 43 }))).datasetHash).not.toBe(first.datasetHash)
  })

  it('gives one life for every persona and duration, tagged with it', async () => {
    const extra = { days: '7,10', personas: 'sales_manager' }
    const { scenarios } = await memora.load(options({ size: 'paper', extra, tasks: ['reasoning'] }))
    expect(scenarios.map(({ id }) => id)).toEqual(['memora/sales_manager/weekly', 'memora/sales_manager/10d'])
    const questions = scenarios.flatMap(questionsOf)
    expect(new Set(questions.map(({ task }) => task))).toEqual(new Set(['reasoning']))
    expect(questions.map(({ tags }) => tags.duration)).toEqual([...Array(5).fill('weekly'), ...Array(5).fill('10d')])
  })

  it('finds every fact said in its own conversation, and a correction for everything outdated', async () => {
    const { scenarios } = await memora.load(options({ size: 1, extra: { days: '28' } }))
    const [scenario] = scenarios
    const texts = new Map(
      scenario!.timeline.flatMap((event) =>
        event.type === 'conversation'
          ? [[event.conversation.id, event.conversation.turns.map(({ text }) => text).join('\n')]]
          : [],
      ),
    )
    for (const { id, evidence, sources } of scenario!.facts) {
      if (id.startsWith('derived:')) continue
      expect(evidence?.length, id).toBeGreaterThan(0)
      for (const sentence of evidence!) expect(texts.get(sources[0]!), id).toContain(sentence)
    }
    const corrections = correctionsOf(scenario!.facts)
    for (const { outdated } of questionsOf(scenario!))
      for (const id of outdated) expect(corrections.has(id), id).toBe(true)
  })
})

it('refuses what is no duration and nobody known', () => {
  expect(daysFrom('7,28,7')).toEqual([7, 28])
  expect(() => daysFrom('7,week')).toThrow('Expected --days to be whole numbers from 1 to 368, got "week".')
  expect(() => personasFrom('sales_manger', 'paper')).toThrow('There is no persona "sales_manger".')
  expect(personasFrom('all', 3)).toHaveLength(3)
  expect(personasFrom('sales_manager,content_writer', 'quick')).toEqual(['sales_manager', 'content_writer'])
})
