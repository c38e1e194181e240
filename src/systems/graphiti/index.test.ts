import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { wordEmbedder } from '../../../bench/story/word-embedder.js'
import type { Conversation, Rehearsal } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, itemsIn, rehearse, showData } from '../parts/index.js'
import { graphiti } from './index.js'
import { isNearlySame } from './names.js'
import { invalidate, timeIn } from './validity.js'

runSystemConformance({ name: 'graphiti', definition: graphiti })
runSystemConformance({ name: 'graphiti, short summaries', definition: graphiti, options: { summary: '50' } })
runSystemConformance({
  name: 'graphiti:exact',
  definition: graphiti,
  options: graphiti.variants!.exact!.options,
})

describe('graphiti in the story', () => {
  const script = readStoryScript('graphiti')

  it('asks for entities, then facts, then compares each fact that has anything like it', async () => {
    const { asked } = await runStory('graphiti', script)
    const steps = (at: string) => asked.filter((call) => call.at === at).map(({ step }) => step)
    expect([steps('s1'), steps('s2'), steps('s6')]).toEqual([
      ['entities', 'edges'],
      ['entities', 'edges', 'compare', 'compare'],
      ['entities', 'resolve', 'edges', 'compare', 'compare'],
    ])
    expect(asked.every(({ role }) => role === 'ingest')).toBe(true)
    const resolve = asked.find(({ step }) => step === 'resolve')!
    expect(dataIn(resolve.prompt)).toEqual({ existing: '[0] oolong tea', names: '- rooibos tea' })
    const edges = asked.find(({ at, step }) => at === 's2' && step === 'edges')!
    expect(edges.prompt).toContain('The conversation took place at 2024-05-08T12:10:00Z.')
    expect(dataIn(edges.prompt).earlier).toContain('user: I like oolong tea')
    expect(dataIn(edges.prompt).entities).toBe('- User\n- the Anchor\n- the Bakehouse\n- Harbour Street\n- Mill Lane')
  })

  it('shows facts between the same entities first, under numbers that go on', async () => {
    const { asked } = await runStory('graphiti', script)
    const { same, others, fact } = dataIn(asked.find(({ at, step }) => at === 's8' && step === 'compare')!.prompt)
    expect(same).toBe('[0] User takes a pottery class at the Kiln House on Thursdays')
    expect(others).toMatch(/^\[1\] /)
    expect(fact).toBe('- User has given up the pottery class')
  })

  it('ends what is contradicted and keeps it', async () => {
    const { dumps, retrieved } = await runStory('graphiti', script)
    const office = (at: string) => dumps[at]!.find(({ id }) => id === 'e2')
    expect(office('s6')).toMatchObject({ text: "User's office is on Harbour Street", status: 'live' })
    expect(office('s7')).toEqual({ ...office('s6'), status: 'invalidated' })
    expect(retrieved.change!.slice(0, 2).map(({ id, score, status }) => [id, score, status])).toEqual([
      ['e2', 2, 'invalidated'],
      ['e12', 1, 'live'],
    ])
    const never = await runStory('graphiti:invalidate=off', script)
    expect(never.held.every(({ status = 'live' }) => status === 'live')).toBe(true)
  })

  it('loses a string to the letter when facts are put in other words, and what has ended lives on in summaries', async () => {
    const worded = await runStory('graphiti', script)
    expect(worded.held.some(({ text }) => text.includes('QX7'))).toBe(false)
    expect(worded.outcomes.exact!.outcome).toBe('summary_error')
    const exact = await runStory('graphiti:exact', script)
    expect(exact.outcomes.exact!.outcome).toBe('answerable')
    expect(exact.held.find(({ id }) => id === 'n11')).toMatchObject({
      text: 'pottery class: User takes a pottery class at the Kiln House on Thursdays\nUser has given up the pottery class',
      sources: ['s5', 's8'],
    })
  })
})

describe('graphiti', () => {
  const talk = (id: string, time = '2024-01-01T00:00:00Z'): Conversation => ({
    id,
    time,
    turns: [{ role: 'user', text: `Hello from ${id}.` }],
  })
  const edge = (fact: string, over = {}) => ({
    source: 'User',
    target: 'Rome',
    relation: 'KNOWS',
    fact,
    valid_at: null,
    invalid_at: null,
    ...over,
  })
  const create = (replies: Record<string, unknown>, asked: string[] = [], options = {}) => {
    const rehearsal: Rehearsal = ({ step, prompt }) => {
      asked.push(`${step}: ${prompt}`)
      return { json: replies[step] }
    }
    return graphiti.create({ ...systemTestContext(), llm: rehearse(rehearsal) }, options)
  }
  const entities = { entities: [{ name: 'User' }, { name: 'Rome' }, { name: ' rome' }, { name: '' }] }

  it('passes over facts about unknown entities and about one alone, and takes a fact in the same words for the same', async () => {
    const asked: string[] = []
    const edges = [
      edge('User has been to Rome'),
      edge('x', { target: 'Oslo' }),
      edge('x', { target: 'User' }),
      edge(' '),
    ]
    const system = await create({ entities, edges: { edges } }, asked)
    await system.store(talk('c1'))
    await system.store(talk('c2', '2024-01-02T00:00:00Z'))
    const facts = (await system.dump!()).filter(({ id }) => id.startsWith('e'))
    expect(facts.map(({ text, sources }) => [text, sources])).toEqual([['User has been to Rome', ['c1', 'c2']]])
    expect(asked.map((call) => call.split(':')[0])).toEqual(['entities', 'edges', 'entities', 'edges'])
  })

  it('passes over numbers that were not shown, and ends nothing without a beginning', async () => {
    const compare = { duplicates: [7, -1], contradicted: [9, 0] }
    let count = 0
    const rehearsal: Rehearsal = ({ step }) => {
      if (step === 'edges') return { json: { edges: [edge(`User has been to Rome ${++count} times`)] } }
      return { json: step === 'entities' ? entities : compare }
    }
    const system = await graphiti.create({ ...systemTestContext(), llm: rehearse(rehearsal) }, {})
    await system.store(talk('c1'))
    await system.store(talk('c2'))
    const facts = (await system.dump!()).filter(({ id }) => id.startsWith('e'))
    expect(facts.map(({ status }) => status)).toEqual(['live', 'live'])
  })

  it('shows a fact once, takes the first duplicate, and asks about names only where letters leave it open', async () => {
    const asked: string[] = []
    let count = 0
    const named = [
      ['User', 'Rome'],
      ['User', 'Rome'],
      ['User', 'Rome Italy'],
      ['User', 'Rome Italy'],
    ]
    const rehearsal: Rehearsal = ({ step, prompt }) => {
      asked.push(`${step}: ${prompt}`)
      const names = named[count]!
      if (step === 'entities') return { json: { entities: names.map((name) => ({ name })) } }
      if (step === 'resolve')
        return {
          json: {
            resolutions: [
              { name: 'Rome Italy', same_as: 0 },
              { name: 'Nobody', same_as: 0 },
            ],
          },
        }
      if (step === 'compare') return { json: { duplicates: count === 3 ? [0, 1] : [], contradicted: [] } }
      return { json: { edges: [edge(`User has been to Rome ${count} times`, { target: names[1] })] } }
    }
    const system = await graphiti.create(
      { ...systemTestContext(), embed: wordEmbedder(), llm: rehearse(rehearsal) },
      { summaries: 'off' },
    )
    for (; count < 4; count++) await system.store(talk(`c${count}`))
    const facts = await system.dump!()
    // The last is the same as the nearest of those between the same entities, which go by another name in it.
    expect(facts.map(({ sources }) => sources!.length).sort()).toEqual([1, 1, 2])
    const compares = asked.filter((call) => call.startsWith('compare'))
    const shown = dataIn(compares.at(-1)!)
    expect(itemsIn(shown.same)).toHaveLength(3)
    expect(facts.find(({ sources }) => sources!.length === 2)!.text).toBe(itemsIn(shown.same)[0]!.text)
    expect(shown.others).toBe('(none)')
    expect(asked.filter((call) => call.startsWith('resolve'))).toHaveLength(2)
  })

  it('lists each name once as it was first written, joins names by their letters, and knows an entity by its own name too', async () => {
    const asked: string[] = []
    const named = [
      ['User', 'Rome', ' rome', '', 'Harbour Street'],
      ['User', 'Roma', 'Harbour Streets'],
    ]
    let count = 0
    const rehearsal: Rehearsal = ({ step, prompt }) => {
      asked.push(`${step}: ${prompt}`)
      if (step === 'entities') return { json: { entities: named[count]!.map((name) => ({ name })) } }
      if (step === 'resolve') {
        const known = itemsIn(dataIn(prompt).existing).findIndex(({ text }) => text === 'Rome')
        // What letters had decided was not asked.
        return { json: { resolutions: ['Roma', 'Harbour Streets'].map((name) => ({ name, same_as: known })) } }
      }
      if (step === 'compare') return { json: { duplicates: [], contradicted: [] } }
      return { json: { edges: [edge(`User has been to Rome ${count} times`)] } }
    }
    const embed = { ...wordEmbedder(), embed: async (all: readonly string[]) => all.map(() => same) }
    const same = Float32Array.from({ length: embed.dimensions }, (_, i) => (i === 0 ? 1 : 0))
    const system = await graphiti.create({ ...systemTestContext(), embed, llm: rehearse(rehearsal) }, {})
    for (; count < 2; count++) await system.store(talk(`c${count}`))
    const shown = asked.filter((call) => call.startsWith('edges')).map((call) => dataIn(call).entities)
    expect(shown).toEqual(['- User\n- Rome\n- Harbour Street', '- User\n- Rome\n- Harbour Street'])
    expect(asked.filter((call) => call.startsWith('resolve')).map((call) => dataIn(call).names)).toEqual(['- Roma'])
    const facts = (await system.dump!()).filter(({ id }) => id.startsWith('e'))
    expect(facts.map(({ text }) => text)).toEqual(['User has been to Rome 0 times', 'User has been to Rome 1 times'])
  })

  it('shows facts between other entities beside those between the same, and none twice', async () => {
    const asked: string[] = []
    let count = 0
    const names = ['User', 'Rome', 'Oslo'].map((name) => ({ name }))
    const rehearsal: Rehearsal = ({ step, prompt }) => {
      asked.push(`${step}: ${prompt}`)
      if (step === 'entities') return { json: { entities: names } }
      if (step === 'compare') return { json: { duplicates: [], contradicted: [] } }
      const target = count === 1 ? 'Oslo' : 'Rome'
      return { json: { edges: [edge(`User has been to ${target} ${count} times`, { target })] } }
    }
    const context = { ...systemTestContext(), embed: wordEmbedder(), llm: rehearse(rehearsal) }
    const system = await graphiti.create(context, {})
    for (; count < 3; count++) await system.store(talk(`c${count}`))
    const { same, others } = dataIn(asked.findLast((call) => call.startsWith('compare'))!)
    expect([same, others]).toEqual(['[0] User has been to Rome 0 times', '[1] User has been to Oslo 1 times'])
  })

  it('is rehearsed with summaries of 400 characters', async () => {
    const entities = `[0] User\n  known: ${'x'.repeat(401)}`
    const reply = await graphiti.rehearsal!({
      step: 'summarise',
      prompt: showData({ entities }),
      request: { messages: [] },
    })
    expect(reply).toEqual({ json: { summaries: [{ number: 0, summary: 'x'.repeat(400) }] } })
  })

  it('shows the ten conversations before one that is read', async () => {
    const asked: string[] = []
    const system = await create({ entities, edges: { edges: [] } }, asked, {})
    for (let i = 1; i <= 12; i++)
      await system.store({ ...talk(`c${i}`), turns: [{ role: 'user', text: `I say ${i}.` }] })
    const { earlier } = dataIn(asked.findLast((call) => call.startsWith('entities'))!)
    expect(earlier!.match(/I say \d+/g)).toEqual(Array.from({ length: 10 }, (_, i) => `I say ${i + 2}`))
  })

  it('has what is known of an entity written anew when it grows too long, and cuts it', async () => {
    const asked: string[] = []
    const edges = [edge('User walks in Rome every day and never tires of it'), edge('User sleeps in Rome')]
    const summaries = [
      { number: 0, summary: 'y'.repeat(80) },
      { number: 5, summary: 'nobody' },
    ]
    const system = await create({ entities, edges: { edges }, summarise: { summaries } }, asked, { summary: '50' })
    await system.store(talk('c1'))
    await system.store(talk('c2'))
    expect(asked.some((call) => call.startsWith('summarise'))).toBe(false)
    const long = await create(
      { entities, edges: { edges: [edge('z'.repeat(101))] }, summarise: { summaries } },
      asked,
      {
        summary: '50',
      },
    )
    await long.store(talk('c1'))
    expect(asked.at(-1)).toMatch(/^summarise: [\s\S]*\[0\] User\n {2}known: zzz/)
    expect((await long.dump!()).slice(1).map(({ text }) => text)).toEqual([`User: ${'y'.repeat(50)}`])
  })

  it('takes names for one by their letters only when they are telling', () => {
    expect(isNearlySame('The Old Lighthouse Cafe of Aberdeen', 'The Old Lighthouse Cafe of Aberdeen!')).toBe(true)
    expect(isNearlySame('Anna', 'anna')).toBe(false)
    expect(isNearlySame('Harbour Street', 'Market Street')).toBe(false)
    // Nine tenths of the runs of three letters, counted from the first; short and monotonous names are left to the model.
    expect(isNearlySame('Harbour Street', 'Harbour Streets')).toBe(true)
    expect(isNearlySame('Bergen', 'Dergen')).toBe(false)
    expect([isNearlySame('Bergen', 'bergen'), isNearlySame('Oslo', 'Oslo'), isNearlySame('a Bo', 'A Bo')]).toEqual([
      true,
      false,
      true,
    ])
    expect([isNearlySame('abcabc', 'abcabc'), isNearlySame('ababab', 'ababab')]).toEqual([true, false])
  })
})

describe('validity', () => {
  const known = (validAt: string | null, invalidAt: string | null = null) => ({
    id: 'e',
    text: 'x',
    time: '',
    sources: [],
    source: 'a',
    target: 'b',
    relation: 'R',
    validAt,
    invalidAt,
    expiredAt: null,
  })
  const [early, late, now] = ['2024-01-01T00:00:00.000Z', '2024-02-01T00:00:00.000Z', '2024-03-01T00:00:00Z']

  it('ends the older fact where the newer begins, whichever of them is learnt last', () => {
    expect(invalidate(known(late), [known(early)], now).ended).toEqual([
      { ...known(early), invalidAt: late, expiredAt: now },
    ])
    expect(invalidate(known(early), [known(late)], now)).toEqual({
      edge: { ...known(early), invalidAt: late, expiredAt: now },
      ended: [],
    })
  })

  it('leaves facts that never held together, and those without a beginning', () => {
    expect(invalidate(known(late), [known(early, early), known(null), known(late)], now).ended).toEqual([])
    expect(invalidate(known(null), [known(early)], now)).toEqual({ edge: known(null), ended: [] })
    const after = '2025-01-01T00:00:00.000Z'
    for (const end of [
      invalidate(known(late), [known(early, after)], now),
      invalidate(known(late, after), [known(early)], now),
    ])
      expect(end.ended).toMatchObject([{ validAt: early, invalidAt: late }])
    expect(invalidate(known(late, '2023-01-01T00:00:00.000Z'), [known(early)], now).ended).toEqual([])
    // What ended by its own word stays as it was told, and what was learnt before is not learnt again.
    const told = { ...known(early, '2024-01-15T00:00:00.000Z'), expiredAt: null }
    expect(invalidate(told, [known(late)], now).edge).toEqual({ ...told, expiredAt: now })
    expect(invalidate({ ...told, expiredAt: early }, [], now).edge.expiredAt).toBe(early)
  })

  it('reads times as UTC, and nothing else', () => {
    const zone = process.env.TZ
    process.env.TZ = 'America/New_York'
    try {
      expect(['2024-02-01', '2024-02-01T00:00', '2024-02-01T01:00:00+01:00'].map(timeIn)).toEqual([late, late, late])
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
    expect([timeIn('last spring'), timeIn(null), timeIn('2024-99-01')]).toEqual([null, null, null])
  })
})
