import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { wordEmbedder } from '../../../bench/story/word-embedder.js'
import { countTokens } from '../../base/tokens.js'
import type { Conversation, Rehearsal, SystemOptions } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, itemsIn, rehearse } from '../parts/index.js'
import { memos } from './index.js'
import { memosRehearsal } from './rehearsal.js'
import { saidIn, windowsOf } from './windows.js'

runSystemConformance({ name: 'memos', definition: memos })
for (const [name, { options }] of Object.entries(memos.variants!)) {
  runSystemConformance({ name: `memos:${name}`, definition: memos, options: { ...options, near: '0' } })
}
runSystemConformance({
  name: 'memos:search=fine',
  definition: memos,
  options: { search: 'fine', long: '2', user: '2' },
})

describe('memos in the story', () => {
  const script = readStoryScript('memos')

  it('reads each conversation once, and keeps all it reads', async () => {
    const { asked, held } = await runStory('memos', script)
    expect(asked.map(({ at, step }) => `${at} ${step}`)).toEqual(
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'].map((at) => `${at} read`),
    )
    expect(asked[6]!.prompt).toContain('It took place on Tuesday, 21 May 2024.')
    expect(held).toHaveLength(11)
    expect(held.every(({ status }) => status === undefined)).toBe(true)
  })

  it('finds the old value before the new', async () => {
    const { retrieved } = await runStory('memos', script)
    expect(retrieved.change!.slice(0, 2).map(({ id }) => id)).toEqual(['m2', 'm10'])
  })

  it('reorganises: what contradicts is fused, and both are archived and found no more', async () => {
    const { asked, dumps, retrieved } = await runStory('memos:reorganised:near=0.625', script)
    expect(asked.filter(({ at }) => at === 's7').map(({ step }) => step)).toEqual([
      'read',
      'relate',
      'relate',
      'relate',
      'fuse',
    ])
    const fuse = dataIn(asked.find(({ at, step }) => at === 's7' && step === 'fuse')!.prompt)
    expect(fuse).toMatchObject({
      relation: '- contradictory',
      statements: expect.stringContaining('  time: 2024-05-06 08:30'),
    })
    const status = new Map(dumps.s7!.map(({ id, status: held }) => [id, held]))
    expect([status.get('m2'), status.get('m10'), status.get('m11')]).toEqual(['invalidated', 'invalidated', undefined])
    expect(dumps.s7!.find(({ id }) => id === 'm11')).toMatchObject({
      time: '2024-05-21T09:15:00Z',
      sources: ['s1', 's7'],
    })
    expect(retrieved.change!.map(({ id }) => id)).not.toContain('m2')
  })

  it('looks for preferences as in Memora, and gives them half of the places', async () => {
    const { asked, retrieved } = await runStory('memos:as-in-memora', script, 4)
    expect(asked.filter(({ at }) => at === 's6').map(({ step }) => step)).toEqual([
      'read',
      'explicit',
      'same',
      'implicit',
    ])
    expect(dataIn(asked.find(({ step }) => step === 'same')!.prompt)).toEqual({
      earlier: '- User likes oolong tea (User told which tea wakes them up gently)',
      later: '- User likes rooibos tea (User told which tea lets them sleep)',
    })
    expect(retrieved.likes!.map(({ id }) => id[0]).sort()).toEqual(['f', 'f', 'm', 'm'])
    const six = (await runStory('memos:as-in-memora', script, 6)).retrieved.likes!
    expect(six.filter(({ id }) => id.startsWith('m'))).toHaveLength(3)
  })
})

describe('memos', () => {
  const talk = (id: string, time: string, ...texts: string[]): Conversation => ({
    id,
    time,
    turns: texts.map((text) => ({ role: 'user', text })),
  })
  const create = (rehearsal: Rehearsal, options: SystemOptions = {}) =>
    memos.create({ ...systemTestContext(), embed: wordEmbedder(), llm: rehearse(rehearsal) }, options)
  const textsOf = async (system: Awaited<ReturnType<typeof create>>) => (await system.dump!()).map(({ text }) => text)

  it('reads in pieces that overlap, by turns and by tokens', () => {
    const turns = saidIn(talk('c1', '', ...Array.from({ length: 15 }, (_, i) => `turn ${i}`)))
    const pieces = (window: number, overlap: number) =>
      windowsOf(turns, { window, overlap }).map((piece) => `${piece[0]!.text} to ${piece.at(-1)!.text}`)
    expect(pieces(1024, 200)).toEqual(['turn 0 to turn 9', 'turn 8 to turn 14'])
    expect(pieces(1024, 0)).toEqual(['turn 0 to turn 9', 'turn 10 to turn 14'])
    expect(pieces(1, 200)).toHaveLength(15)
  })

  it('fills a piece to the last token, and what is read again makes way turn by turn', () => {
    const read = (window: number, ...texts: string[]) =>
      windowsOf(saidIn(talk('c1', '', ...texts)), { window, overlap: 200 }).map((piece) =>
        piece.map(({ text }) => text),
      )
    const [three, two, six, eight] = ['one two three', 'one two', 'a b c d e f', 'a b c d e f g h'].map((text) => {
      expect(countTokens(text)).toBe(text.split(' ').length)
      return text
    }) as [string, string, string, string]
    expect(read(5, three, two)).toEqual([[three, two]])
    expect(read(4, three, two)).toEqual([[three], [two]])
    expect(read(8, three, two, eight)).toEqual([[three, two], [eight]])
    expect(read(8, three, two, six)).toEqual([
      [three, two],
      [two, six],
    ])
  })

  it('reads sessions of one day as one conversation when told to', async () => {
    const read: string[][] = []
    const rehearsal: Rehearsal = (call) => {
      if (call.step === 'read') read.push(itemsIn(dataIn(call.prompt).conversation).map(({ text }) => text))
      return memosRehearsal(call)
    }
    const system = await create(rehearsal, { conversation: 'date' })
    await system.store(talk('c1', '2024-01-01T09:00:00Z', 'I like figs.'))
    await system.store(talk('c2', '2024-01-01T19:00:00Z', 'I own a boat.'))
    await system.store(talk('c3', '2024-01-02T09:00:00Z', 'I ride a horse.'))
    expect(read).toEqual([['I like figs.'], ['I like figs.', 'I own a boat.'], ['I ride a horse.']])
    expect((await system.dump!()).at(-1)!.sources).toEqual(['c3'])
  })

  it('lets the newer win when two cannot be fused', async () => {
    const system = await create(
      (call) => (call.step === 'relate' ? { json: { relation: 'contradictory' } } : memosRehearsal(call)),
      { reorganise: 'on', near: '0.1' },
    )
    await system.store(talk('c1', '2024-01-01T09:00:00Z', 'I like green figs.'))
    await system.store(talk('c2', '2024-01-02T09:00:00Z', 'I like blue figs.'))
    expect(await textsOf(system)).toEqual(['I like blue figs.'])
  })

  it('replaces a preference by a later one that is the same', async () => {
    const system = await create(
      (call) => {
        if (call.step === 'read') return { json: { memories: [], summary: '' } }
        return call.step === 'same' ? { json: { same: true } } : memosRehearsal(call)
      },
      { preferences: 'on' },
    )
    await system.store(talk('c1', '2024-01-01T09:00:00Z', 'I like green figs.'))
    await system.store(talk('c2', '2024-01-02T09:00:00Z', 'I like blue figs.'))
    expect(await system.dump!()).toMatchObject([
      { id: 'f1', text: expect.stringContaining('blue'), sources: ['c1', 'c2'] },
    ])
  })

  it('finds a preference by its context, and by itself where it has none', async () => {
    const said = { reasoning: '', topic: '' }
    const preferences = [
      { preference: 'User likes figs', context: 'breakfast', ...said },
      { preference: 'User likes boats', context: ' ', ...said },
    ]
    const system = await create(
      ({ step }) => {
        if (step === 'read') return { json: { memories: [], summary: '' } }
        return { json: { preferences: step === 'explicit' ? preferences : [], same: false } }
      },
      { preferences: 'on' },
    )
    await system.store(talk('c1', '2024-01-01T09:00:00Z', 'I say much.'))
    const best = async (text: string) => (await system.retrieve({ id: 'q', text, time: '' }, 2, { k: 2 }))[0]!.text
    expect([await best('breakfast'), await best('boats')]).toEqual(['User likes figs (breakfast)', 'User likes boats'])
  })

  it('settles the first of two clashes, and not what that has put away', async () => {
    const steps: string[] = []
    const system = await create(
      (call) => {
        steps.push(call.step)
        if (call.step === 'relate')
          return { json: { relation: call.prompt.includes('blue') ? 'contradictory' : 'independent' } }
        return call.step === 'fuse' ? { json: { statement: 'User likes figs of many colours' } } : memosRehearsal(call)
      },
      { reorganise: 'on', near: '0.1' },
    )
    for (const [i, colour] of ['green', 'red', 'blue'].entries())
      await system.store(talk(`c${i}`, `2024-01-0${i + 1}T09:00:00Z`, `I like ${colour} figs.`))
    expect(steps.filter((step) => step === 'fuse')).toHaveLength(1)
    const live = (await system.dump!()).filter(({ status = 'live' }) => status === 'live')
    expect(live.map(({ text }) => text)).toContain('User likes figs of many colours')
  })

  it('makes room in a type that is full, and in no other', async () => {
    const system = await create(memosRehearsal, { long: '1', user: '5' })
    for (const [i, text] of ['I like figs.', 'I own boats.'].entries())
      await system.store(talk(`c${i}`, `2024-01-0${i + 1}T09:00:00Z`, text))
    expect(await textsOf(system)).toEqual(['I like figs.', 'I own boats.'])
  })

  it('drops the oldest of a type that is full, and finds each text once', async () => {
    const system = await create(memosRehearsal, { user: '2' })
    for (const [i, text] of ['I like figs.', 'I own boats.', 'I own boats.'].entries()) {
      await system.store(talk(`c${i}`, `2024-01-0${i + 1}T09:00:00Z`, text))
    }
    expect(await textsOf(system)).toEqual(['I own boats.', 'I own boats.'])
    expect(await system.retrieve({ id: 'q', text: 'What do I own?', time: '' }, 5, { k: 5 })).toHaveLength(1)
  })

  it('brings in memories by key or two tags in fine search', async () => {
    const memory = (key: string, value: string, ...tags: string[]) => ({ key, type: 'UserMemory', value, tags })
    const memories = [
      memory('Fruit', 'User likes figs', 'taste', 'fruit'),
      memory('Boat', 'User owns a boat', 'sea', 'things'),
      memory('Horse', 'User rides a horse', 'sea', 'sport'),
    ]
    const system = await create(
      (call) => {
        if (call.step === 'read') return { json: { memories, summary: '' } }
        return call.step === 'parse'
          ? { json: { keys: ['boat'], tags: ['Fruit', 'Taste', 'sport'] } }
          : memosRehearsal(call)
      },
      { search: 'fine' },
    )
    await system.store(talk('c1', '2024-01-01T09:00:00Z', 'I say much.'))
    const found = await system.retrieve({ id: 'q', text: 'horse', time: '' }, 3, { k: 3 })
    expect(found.map(({ id }) => id)).toEqual(['m3', 'm1', 'm2'])
  })

  it('counts two tags for a match, not one, where what is nearest says the same', async () => {
    const memory = (value: string, ...tags: string[]) => ({ key: value, type: 'UserMemory', value, tags })
    const same = Array.from({ length: 4 }, () => memory('User rides a horse'))
    const one = memory('User rides a boat and a bicycle', 'sea')
    const two = memory('User rides a train to work and back on most days', 'rails', 'work')
    const system = await create(
      (call) => {
        if (call.step === 'read') return { json: { memories: [...same, one, two], summary: '' } }
        return call.step === 'parse' ? { json: { keys: [], tags: ['sea', 'rails', 'work'] } } : memosRehearsal(call)
      },
      { search: 'fine' },
    )
    await system.store(talk('c1', '2024-01-01T09:00:00Z', 'I say much.'))
    const found = await system.retrieve({ id: 'q', text: 'User rides a horse', time: '' }, 2, { k: 2 })
    expect(found.map(({ text }) => text)).toEqual([same[0]!.value, two.value])
  })
})
