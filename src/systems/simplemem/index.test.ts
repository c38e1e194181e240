import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import type { Conversation, RehearsedCall, SystemOptions } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, itemsIn, rehearse } from '../parts/index.js'
import { simpleMem } from './index.js'

runSystemConformance({ name: 'simplemem', definition: simpleMem })
runSystemConformance({ name: 'simplemem, small windows', definition: simpleMem, options: { window: '4' } })
runSystemConformance({ name: 'simplemem:merge=fuse', definition: simpleMem, options: { merge: 'fuse' } })
runSystemConformance({ name: 'simplemem:plain', definition: simpleMem, options: simpleMem.variants!.plain!.options })

describe('simplemem in the story', () => {
  const script = readStoryScript('simplemem')
  const texts = (memories: readonly { text: string }[] | undefined) => memories?.map(({ text }) => text)

  it('asks once a conversation, and four times a question', async () => {
    const { asked } = await runStory('simplemem', script)
    const stored = asked.filter(({ role }) => role === 'ingest')
    expect(stored.map(({ at, step }) => `${at} ${step}`)).toEqual(
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'].map((at) => `${at} compress`),
    )
    expect(dataIn(stored[2]!.prompt)).toEqual({
      previous: '(none)',
      dialogue:
        '[2024-05-10 07:45] User: I only cycle to work when the wind is below 20 km/h.\n[2024-05-10 07:45] Assistant: Sensible.',
    })
    const searched = asked.filter(({ at }) => at === 'cascade')
    expect(searched.map(({ step, role }) => `${role} ${step}`)).toEqual(
      ['plan', 'queries', 'analyse', 'check'].map((step) => `retrieve ${step}`),
    )
    expect(searched[0]!.prompt).toContain('It is Tuesday, 28 May 2024.')
    expect(dataIn(searched[1]!.prompt).plan).toContain('- where User eats lunch, by street (fact, high)')
  })

  it('only ever adds entries', async () => {
    const { dumps, held } = await runStory('simplemem', script)
    expect(texts(dumps.s1)).toEqual([
      'User likes oolong tea, which wakes User up gently.',
      "User's office is on Harbour Street.",
    ])
    for (const dump of Object.values(dumps)) expect(held.slice(0, dump.length)).toEqual(dump)
    expect(held.at(-1)).toMatchObject({ id: 'e17', time: '2024-05-24T16:00:00Z', sources: ['s8'] })
  })

  it('loses the condition of a rule by restating it', async () => {
    const restated = await runStory('simplemem', script)
    expect(restated.verdicts.cycle).toMatchObject({ label: 'summary_error' })
    const said = await runStory('simplemem:restate=off', script)
    expect(texts(said.dumps.s3)).toContain('I only cycle to work when the wind is below 20 km/h.')
    expect(said.outcomes.rule!.outcome).toBe('answerable')
  })

  it('finds the new office, calls its finds complete, and cuts it off', async () => {
    const { asked, retrieved, outcomes } = await runStory('simplemem', script)
    const seen = dataIn(asked.find(({ at, step }) => at === 'cascade' && step === 'check')!.prompt).entries
    expect(seen).toContain("as of 2024-05-21 User's office is on Mill Lane")
    expect(outcomes.cascade!.outcome).toBe('not_retrieved')
    const plain = await runStory('simplemem:plain', script)
    expect(plain.asked.every(({ role }) => role === 'ingest')).toBe(true)
    expect(plain.retrieved).toEqual(retrieved)
    const fused = await runStory('simplemem:merge=fuse', script)
    expect(fused.outcomes.cascade!.outcome).toBe('answerable')
    expect(fused.retrieved.cascade!.every(({ score }) => score! > 0)).toBe(true)
  })
})

describe('simplemem', () => {
  const talk = (id: string, turns: number): Conversation => ({
    id,
    time: '2024-01-01T00:00:00Z',
    turns: Array.from({ length: turns }, (_, i) => ({
      role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
      text: `Turn ${i + 1} of ${id}.`,
    })),
  })

  async function create(options: SystemOptions, replies: Record<string, (call: RehearsedCall) => object> = {}) {
    const calls: RehearsedCall[] = []
    const llm = rehearse((call) => {
      calls.push(call)
      const own = replies[call.step]
      return own ? { json: own(call) } : simpleMem.rehearsal!(call)
    })
    return { system: await simpleMem.create({ ...systemTestContext(), llm }, options), calls }
  }

  it('restates full windows, which overlap, and the rest of every conversation', async () => {
    const { system, calls } = await create({ window: '4', overlap: '1' })
    await system.store(talk('a', 6))
    await system.store(talk('b', 1))
    const shown = calls.map(({ prompt }) => dataIn(prompt))
    expect(shown.map(({ dialogue }) => itemsIn(dialogue).map(({ text }) => text.replace(/^\w+: /, '')))).toEqual([
      ['Turn 1 of a.', 'Turn 2 of a.', 'Turn 3 of a.', 'Turn 4 of a.'],
      ['Turn 4 of a.', 'Turn 5 of a.', 'Turn 6 of a.'],
      ['Turn 1 of b.'],
    ])
    expect(shown[0]!.previous).toBe('(none)')
    const first = '[0] User said: Turn 1 of a.\n[1] Assistant said: Turn 2 of a.\n[2] User said: Turn 3 of a.'
    expect(shown.slice(1).map(({ previous }) => previous)).toEqual([first, first])
  })

  it('refuses windows that say all of themselves again', async () => {
    await expect(create({ window: '4', overlap: '4' })).rejects.toThrow('a whole number from 0 to 3')
  })

  it('looks again for what is missing, twice at most', async () => {
    const { system, calls } = await create(
      {},
      {
        check: () => ({ assessment: 'incomplete', missing: ['the colour'] }),
        more: () => ({ queries: ['a', 'b', 'c', 'd', 'e'] }),
      },
    )
    await system.store(talk('a', 2))
    calls.length = 0
    await system.retrieve({ id: 'q', text: 'Which turn?', time: '2024-01-02T00:00:00Z' }, 5, { k: 5 })
    expect(calls.map(({ step }) => step)).toEqual(['plan', 'queries', 'analyse', 'check', 'more', 'check', 'more'])
    expect(dataIn(calls[4]!.prompt).missing).toBe('- the colour')
  })

  it('brings in by words and by fields what no search by meaning finds', async () => {
    const plain = { keywords: [], persons: [], time_expression: null, location: null, entities: [] }
    const entry = (text: string, over: object) => ({
      lossless_restatement: text,
      keywords: [],
      timestamp: null,
      location: null,
      persons: [],
      entities: [],
      topic: '',
      ...over,
    })
    const compress = () => ({
      entries: [
        entry('Alpha.', {}),
        entry('Bravo.', {}),
        entry('Cedar walnut.', {}),
        entry('Delta.', { persons: ['Tamsin'] }),
      ],
    })
    const found = async (analysis: object) => {
      const context = systemTestContext()
      // Nothing is told apart by meaning: the first entries come first.
      const embed = {
        ...context.embed,
        embed: async (all: readonly string[]) =>
          all.map(() => Float32Array.from({ length: context.embed.dimensions }, (_, i) => (i === 0 ? 1 : 0))),
      }
      const queries = { reasoning: '', queries: [] }
      const own: Record<string, object> = { compress: compress(), queries, analyse: { ...plain, ...analysis } }
      const llm = rehearse((call) => (own[call.step] ? { json: own[call.step] } : simpleMem.rehearsal!(call)))
      const system = await simpleMem.create({ ...context, embed, llm }, { reflect: '0', merge: 'fuse' })
      await system.store(talk('a', 2))
      const list = await system.retrieve({ id: 'q', text: 'Which?', time: '2024-01-02T00:00:00Z' }, 2, { k: 2 })
      return list.map(({ text }) => text)
    }
    expect(await found({})).toEqual(['Alpha.', 'Bravo.'])
    expect(await found({ keywords: ['walnut'] })).toContain('Cedar walnut.')
    expect(await found({ persons: ['Tamsin'] })).toContain('Delta.')
  })

  it('has no plan to show where it does not plan, and looks for what it is told first', async () => {
    const { system, calls } = await create(
      { plan: 'off', reflect: '1' },
      { check: () => ({ assessment: 'incomplete', missing: [] }), more: () => ({ queries: ['Turn 2 of a.'] }) },
    )
    await system.store(talk('a', 2))
    calls.length = 0
    const found = await system.retrieve({ id: 'q', text: 'Turn 1 of a.', time: '2024-01-02T00:00:00Z' }, 5, { k: 1 })
    expect(dataIn(calls[0]!.prompt).plan).toBe('(none)')
    expect(calls.map(({ step }) => step)).toEqual(['check', 'more'])
    expect(found).toHaveLength(2)
  })

  it('searches for the question first, for three queries more at most, and for four where something is missing', async () => {
    const asked: string[][] = []
    const context = systemTestContext()
    const embed = {
      ...context.embed,
      embed: (given: readonly string[]) => {
        asked.push([...given])
        return context.embed.embed(given)
      },
    }
    const own: Record<string, object> = {
      queries: { reasoning: '', queries: ['one', 'two', 'three', 'four'] },
      check: { assessment: 'incomplete', missing: [] },
      more: { queries: ['five', 'six', 'seven', 'eight', 'nine'] },
    }
    const llm = rehearse((call) => (own[call.step] ? { json: own[call.step] } : simpleMem.rehearsal!(call)))
    const system = await simpleMem.create({ ...context, embed, llm }, { reflect: '1' })
    await system.store(talk('a', 2))
    await system.retrieve({ id: 'q', text: 'Which turn?', time: '2024-01-02T00:00:00Z' }, 5, { k: 5 })
    expect(asked.slice(-2)).toEqual([
      ['Which turn?', 'one', 'two', 'three'],
      ['five', 'six', 'seven', 'eight'],
    ])
  })
})
