import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { countTokens } from '../../base/tokens.js'
import type { Conversation, Rehearsal, SystemOptions } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, rehearse, showData } from '../parts/index.js'
import { aMem } from './index.js'
import { exchangesOf, opening } from './notes.js'

const variant = (name: string) => aMem.variants![name]!.options

runSystemConformance({ name: 'a-mem', definition: aMem })
runSystemConformance({ name: 'a-mem, often rebuilt', definition: aMem, options: { rebuild: '2' } })
runSystemConformance({ name: 'a-mem:as-in-memfail', definition: aMem, options: variant('as-in-memfail') })
runSystemConformance({ name: 'a-mem:as-in-memora', definition: aMem, options: variant('as-in-memora') })

describe('a-mem in the story', () => {
  const script = readStoryScript('a-mem')
  const held = (memories: readonly { text: string }[]) => memories.reduce((sum, { text }) => sum + countTokens(text), 0)

  it('asks what each exchange is about, then what it means for its neighbours; the first has none', async () => {
    const { asked } = await runStory('a-mem', script)
    expect(asked.map(({ at, step }) => `${at} ${step}`)).toEqual([
      's1 analyse',
      's1 analyse',
      's1 evolve',
      's2 analyse',
      's2 evolve',
      's3 analyse',
      's3 evolve',
      's4 analyse',
      's4 evolve',
      's5 analyse',
      's5 analyse',
      's5 evolve',
      's5 evolve',
      's6 analyse',
      's6 analyse',
      's6 evolve',
      's6 evolve',
      's7 analyse',
      's7 evolve',
      's8 analyse',
      's8 evolve',
    ])
    const { note, neighbours } = dataIn(asked.find(({ at, step }) => at === 's7' && step === 'evolve')!.prompt)
    expect(note).toContain('- User: We have moved rooms: my office is on Mill Lane now.')
    expect(note).toContain('  keywords: office, move, Mill Lane')
    expect(neighbours!.match(/^\[\d\] User: /gm)).toHaveLength(5)
  })

  it('keeps words as they were said, and describes neighbours anew', async () => {
    const { dumps } = await runStory('a-mem', script)
    expect(dumps.s8!.map(({ id }) => id)).toEqual(Array.from({ length: 11 }, (_, i) => `n${i + 1}`))
    expect(dumps.s6!.find(({ id }) => id === 'n2')!.text).toContain('tags: work, places, personal')
    const office = dumps.s7!.find(({ id }) => id === 'n2')!
    expect(office.text.split('\n')).toEqual([
      'User: By the way, my office is on Harbour Street.',
      'Assistant: Good to know.',
      'time: 2024-05-06 08:30',
      'context: Where the office of User was before it moved in May 2024.',
      'keywords: office, Harbour Street, work',
      'tags: work, places, history',
    ])
    expect(office).toMatchObject({ time: '2024-05-06T08:30:00Z', sources: ['s1', 's7'] })
  })

  it('lets what a hit is linked to follow it, before the next hit', async () => {
    const { retrieved } = await runStory('a-mem', script)
    expect(retrieved.change!.map(({ id, score }) => [id, score !== undefined])).toEqual([
      ['n10', true],
      ['n2', false],
      ['n3', false],
      ['n1', true],
      ['n4', true],
    ])
    expect(retrieved.likes!.slice(0, 2).map(({ id }) => id)).toEqual(['n9', 'n1'])
  })

  it('never forgets, unless evolution may set notes aside', async () => {
    const kept = await runStory('a-mem', script)
    expect(kept.outcomes.change!.outdated).toMatchObject([{ id: 'office-old', live: true }])
    expect(kept.outcomes.deletion!.outdated).toMatchObject([{ id: 'pottery', live: true }])
    const dropped = await runStory('a-mem:outdated=drop', script)
    const aside = dropped.held.filter(({ status }) => status === 'invalidated').map(({ id }) => id)
    expect(aside).toEqual(['n2', 'n7'])
    expect(Object.values(dropped.retrieved).flatMap((found) => found.filter(({ id }) => aside.includes(id)))).toEqual(
      [],
    )
  })

  it('holds several times what was said, most of it about what was said', async () => {
    const bare = await runStory('a-mem:analyse=off:evolve=off:shows=content', script)
    const full = await runStory('a-mem', script)
    expect(bare.asked).toEqual([])
    expect(held(full.held)).toBeGreaterThan(2.5 * held(bare.held))
    const spent = full.asked.reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0)
    expect(spent).toBeGreaterThan(30 * held(bare.held))
  })

  it('as in MemFail: analyses nothing, and evolution reaches no other note', async () => {
    const { asked, held: notes } = await runStory('a-mem:as-in-memfail', script)
    expect(new Set(asked.map(({ step }) => step))).toEqual(new Set(['evolve']))
    expect(asked).toHaveLength(10)
    const text = (id: string) => notes.find((note) => note.id === id)!.text
    expect(text('n2')).toBe(
      'Memory: User: By the way, my office is on Harbour Street.\nAssistant: Good to know. | context: General | tags: ',
    )
    expect(text('n10')).toContain('| context: General | tags: work, change, places, office')
    expect(notes.every(({ sources }) => sources!.length === 1)).toBe(true)
  })

  it('as in Memora: one note a session, and what stands beyond the window cannot be found', async () => {
    const whole = await runStory('a-mem:as-in-memora:window=0', script)
    expect(whole.held).toHaveLength(8)
    expect(whole.held[5]!.text).toMatch(/^\[Session 6 - Date: 2024-05-17\]\nUser: Tonight I saw/)
    expect(whole.retrieved.likes!.slice(0, 2).map(({ id }) => id)).toEqual(['n6', 'n1'])
    const cut = await runStory('a-mem:as-in-memora:window=16', script)
    expect(cut.retrieved.likes!.map(({ id }) => id)).not.toContain('n6')
    expect(cut.verdicts.rooibos!.label).toBe('correct')
  })
})

describe('a-mem', () => {
  const talk = (id: string, ...texts: string[]): Conversation => ({
    id,
    time: '2024-01-01T00:00:00Z',
    turns: texts.map((text, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', text })),
  })
  const create = (evolve: object, options: SystemOptions = {}) => {
    const rehearsal: Rehearsal = ({ step }) => ({
      json: step === 'analyse' ? { keywords: ['k'], context: 'About it.', tags: ['t'] } : evolve,
    })
    return aMem.create({ ...systemTestContext(), llm: rehearse(rehearsal) }, options)
  }
  const change = {
    should_evolve: true,
    actions: ['strengthen', 'update_neighbor'],
    suggested_connections: [0, 9],
    tags_to_update: ['new'],
    neighbours: [
      { number: 7, context: 'Nobody.', tags: [] },
      { number: 0, context: 'A parrot called Quill.', tags: ['pets'] },
    ],
  }

  it('passes over neighbours that were not shown, and does nothing unless it should', async () => {
    const system = await create(change)
    await system.store(talk('a', 'Apples are red.', 'Yes.', 'Bears are brown.'))
    expect((await system.dump!()).map(({ text }) => text.split('\n').slice(-3))).toEqual([
      ['context: A parrot called Quill.', 'keywords: k', 'tags: pets'],
      ['context: About it.', 'keywords: k', 'tags: new'],
    ])
    const idle = await create({ ...change, should_evolve: false })
    await idle.store(talk('a', 'Apples are red.', 'Yes.', 'Bears are brown.'))
    expect((await idle.dump!()).every(({ text }) => text.endsWith('tags: t'))).toBe(true)
  })

  it('lets links come on top of the hits: as many as k, then one a hit', async () => {
    const link = { ...change, actions: ['strengthen'], suggested_connections: [0, 1, 2, 3, 4], neighbours: [] }
    const system = await create(link)
    for (const [i, word] of ['fig', 'fig', 'fig', 'fig', 'plum', 'plum'].entries())
      await system.store(talk(`c${i}`, `${word} ${i} ${'x'.repeat(i)}`))
    const found = async (k: number) =>
      (await system.retrieve({ id: 'q', text: 'plum', time: '' }, k, { k })).map(({ id }) => id)
    const [one, two] = [await found(1), await found(2)]
    // One hit brings two of its links, for the first beyond k still comes; no link takes the place of a hit.
    expect(one).toHaveLength(3)
    expect(two.length).toBeGreaterThan(3)
    // Two hits, three links of the first and one of the second: no store gives more.
    expect(aMem.mostFound!(2)).toBe(6)
    expect(two.length).toBeLessThanOrEqual(6)
    expect(two).toEqual(expect.arrayContaining(['n5', 'n6']))
  })

  it('keeps a session of one turn, and none in which nothing is said', async () => {
    const system = await create({ ...change, should_evolve: false }, { note: 'session', shows: 'content' })
    await system.store(talk('a', ' '))
    await system.store(talk('b', 'I like figs.'))
    expect((await system.dump!()).map(({ text }) => text.replace(/Date: \S+/, 'Date]'))).toEqual([
      '[Session 1 - Date]\nUser: I like figs.',
    ])
  })

  it('finds notes by what evolution said of them only after a rebuild', async () => {
    const best = async (rebuild: string) => {
      const system = await create(change, { rebuild })
      await system.store(talk('a', 'Apples are red.', 'Yes.', 'Bears are brown.'))
      return (await system.retrieve({ id: 'q', text: 'parrot Quill', time: '' }, 1, { k: 1 }))[0]!
    }
    const [before, after] = [await best('100'), await best('1')]
    expect((await best('2')).score).toBe(before.score)
    expect(after.id).toBe('n1')
    expect(after.score!).toBeGreaterThan(before.score! + 0.2)
  })

  it('reads only the first 256 words and signs of a note in the variants of the released package', async () => {
    expect(['canonical', 'as-in-memfail', 'as-in-memora'].map((name) => variant(name).window)).toEqual([
      undefined,
      '256',
      '256',
    ])
    const long = `${'word '.repeat(256)}parrot`
    const found = async (options: SystemOptions) => {
      const system = await create({ ...change, should_evolve: false }, options)
      await system.store(talk('a', long))
      return (await system.retrieve({ id: 'q', text: 'parrot', time: '' }, 1, { k: 1 }))[0]!.score!
    }
    expect(await found({ ...variant('as-in-memfail'), window: '0' })).toBeGreaterThan(
      await found(variant('as-in-memfail')),
    )
  })

  it('cuts a conversation into exchanges and a text at its window', () => {
    const { turns } = talk('a', 'one', 'two', 'three', ' ', 'four')
    const odd: Conversation = { id: 'b', time: '', turns: [{ role: 'assistant', text: 'Hello.' }, ...turns] }
    expect(exchangesOf(odd)).toEqual(['Assistant: Hello.', 'User: one\nAssistant: two', 'User: three', 'User: four'])
    expect(opening('[1] Two, three.', 5)).toBe('[1] Two,')
    expect(opening('Two', 5)).toBe('Two')
    expect(opening(' ', 5)).toBe('')
    expect(opening('One two', 1)).toBe('One')
    expect(exchangesOf({ id: 'c', time: '', turns: [] })).toEqual([])
  })
})

it('is rehearsed with the first six long words of a note as its keywords', async () => {
  const note = 'Lanterns above harbours before seven sailors, and also twelve gardens.'
  const { json } = (await aMem.rehearsal!({
    step: 'analyse',
    prompt: showData({ note }),
    request: { messages: [] },
  })) as {
    json: { keywords: string[] }
  }
  expect(json.keywords).toEqual(['lanterns', 'above', 'harbours', 'before', 'seven', 'sailors'])
})
