import { expect, it } from 'vitest'
import { lifeWith, like, load, newFolder, patch } from '../../../../test/memora/lives.js'
import { questionsFor } from '../../../../test/memora/questions.js'
import { writeRelease } from '../../../../test/memora/release.js'
import { createLexicalJudge } from '../../../judges/lexical/index.js'
import { correctionsOf, type Question, questionsOf, type Scenario } from '../../../model/index.js'
import { simulate } from '../simulate/index.js'
import type { Operation } from '../trace.js'

/** What is wrong with a memory that holds what a question needs, as it is told in the facts, and nothing else. */
async function lackingIn({ facts }: Scenario, { id, needs, outdated }: Question): Promise<string[]> {
  const byId = new Map(facts.map((fact) => [fact.id, fact]))
  const corrections = correctionsOf(facts)
  const asked = [...new Set([...needs[0]!, ...outdated, ...outdated.flatMap((one) => corrections.get(one) ?? [])])]
  const store = needs[0]!.map((one) => ({ id: one, text: byId.get(one)!.text }))
  const verdicts = await createLexicalJudge().judgeFacts(
    asked.map((one) => byId.get(one)!),
    store,
  )
  const kept = new Set(verdicts.flatMap(({ fact, label }) => (label === 'correct' ? [fact] : [])))
  const stands = (one: string) => kept.has(one) && !(corrections.get(one) ?? []).some((other) => kept.has(other))
  return [
    ...needs[0]!.filter((one) => !kept.has(one)).map((one) => `${id} lacks ${one}`),
    ...outdated.filter(stands).map((one) => `${id} still has ${one}`),
  ]
}

const say = (root: string, session: number, said: readonly (readonly [shared: boolean, message: string])[]): void =>
  patch(root, session, (file) => {
    file.conversation = said.map(([share_memory, message], at) => ({
      turn: at + 1,
      speaker: 'user_agent',
      message,
      share_memory,
    }))
  })

it('needs nothing beside what it needs, whatever is asked about a quarter', async () => {
  const root = newFolder()
  const trace = simulate({ persona: 'startup_founder', days: 92, seed: 11 })
  writeRelease(root, 'quarterly', trace, questionsFor(trace, 'month'))
  for (const view of ['audited', 'released'] as const) {
    const { scenarios } = await load(root, { view })
    const asked = questionsOf(scenarios[0]!).filter(({ task }) => task !== 'reasoning')
    expect(asked.length).toBeGreaterThan(40)
    expect((await Promise.all(asked.map((question) => lackingIn(scenarios[0]!, question)))).flat()).toEqual([])
  }
})

it('tells elements that one sentence brings apart, and a document by the sentence that names it', async () => {
  const document = { of: 'document', kind: 'proposal', document: 'p', title: 'Harbour Light Survey' } as const
  const brings = (...values: string[]): Operation => ({
    ...document,
    act: 'update',
    revisions: values.map((value) => ({ field: 'risks', change: 'added' as const, value })),
    completes: false,
  })
  const trace = lifeWith(
    [
      ['2025-06-01', { ...document, act: 'add', fields: { objectives: ['Count the lamps'], budget: 20000 } }],
      ['2025-06-02', brings('Fog at dawn', 'Survey boats may be late')],
      ['2025-06-03', brings('Light from the ferry', 'Gulls on the masts')],
      [
        '2025-06-04',
        {
          ...document,
          act: 'delete',
          revisions: ['Survey boats may be late', 'Gulls on the masts'].map((value) => ({
            field: 'risks',
            change: 'removed' as const,
            value,
          })),
          completes: true,
        },
      ],
    ],
    '2025-06-07',
  )
  const root = newFolder()
  writeRelease(root, 'weekly', trace, questionsFor(trace, 'week'))
  const opening = [false, 'I want to go on with the proposal "Harbour Light Survey".'] as const
  const late = "Please add 'Survey boats may be late' to the risks."
  say(root, 2, [opening, [true, "Please add 'Fog at dawn' to the risks."], [true, late]])
  say(root, 3, [opening, [true, "Add 'Light from the ferry' and 'Gulls on the masts' to the risks."]])
  const { scenarios } = await load(root)
  const of = (name: string) => scenarios[0]!.facts.find(({ id }) => id.includes(name))!
  expect(of('Fog at dawn').text).toBe(`2025-06-02: ${opening[1]} Please add 'Fog at dawn' to the risks.`)
  expect(of('Fog at dawn').evidence).not.toContain(late)
  expect(of('Light from the ferry').text).not.toContain('Gulls')
  const [asked] = questionsOf(scenarios[0]!).filter(({ id }) => id.startsWith('content_'))
  expect(asked!.outdated).toHaveLength(2)
  expect(await lackingIn(scenarios[0]!, asked!)).toEqual([])
})

it('tells a liking apart from another that the same sentence names', async () => {
  const trace = lifeWith(
    [
      ['2025-06-01', like('Nick Drake')],
      ['2025-06-02', like('Vashti Bunyan')],
      ['2025-06-03', { ...like('Nick Drake'), act: 'delete' }],
    ],
    '2025-06-07',
  )
  const root = newFolder()
  writeRelease(root, 'weekly', trace, questionsFor(trace, 'week'))
  say(root, 2, [[true, 'I like Nick Drake, and Vashti Bunyan as well.']])
  const { scenarios } = await load(root)
  const [asked] = questionsOf(scenarios[0]!).filter(({ task }) => task === 'recommending')
  expect(asked!.outdated).toHaveLength(1)
  expect(await lackingIn(scenarios[0]!, asked!)).toEqual([])
})
