import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { wordEmbedder } from '../../../bench/story/word-embedder.js'
import { countTokens } from '../../base/tokens.js'
import type { Conversation, Rehearsal, SystemOptions } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, itemsIn, rehearse } from '../parts/index.js'
import { memobase } from './index.js'
import { partsOf } from './parts.js'
import { memobaseRehearsal } from './rehearsal.js'
import { resummarise } from './upkeep.js'

runSystemConformance({ name: 'memobase', definition: memobase })
runSystemConformance({
  name: 'memobase:as-in-memora',
  definition: memobase,
  options: memobase.variants!['as-in-memora']!.options,
})
runSystemConformance({
  name: 'memobase, cramped',
  definition: memobase,
  options: { slot: '8', summary: '4', subtopics: '1', topics: 'strict' },
})

describe('memobase in the story', () => {
  const script = readStoryScript('memobase')

  it('writes a diary, draws slots from it and merges them, three calls a conversation', async () => {
    const { asked, dumps } = await runStory('memobase', script)
    expect(asked.map(({ at, step }) => `${at} ${step}`)).toEqual(
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'].flatMap((at) => [`${at} log`, `${at} extract`, `${at} merge`]),
    )
    expect(dataIn(asked[1]!.prompt)).toMatchObject({
      slots: '(none)',
      entries: expect.stringContaining("- User's office is on Harbour Street [mentioned 2024-05-06] // info"),
    })
    expect(dataIn(asked.find(({ at, step }) => at === 's6' && step === 'merge')!.prompt).slots).toBe(
      [
        '[0] interest::movies',
        '  new: User saw a long film about lighthouses and found its music wonderful',
        '[1] interest::drinks',
        '  new: User likes rooibos tea, which lets them sleep',
        '  current: User likes oolong tea, which wakes them up gently',
      ].join('\n'),
    )
    expect(dumps.s7!.find(({ id }) => id === 'p2')).toEqual({
      id: 'p2',
      text: "work::location: User's office is on Mill Lane",
      time: '2024-05-21T09:15:00Z',
      sources: ['s1', 's7'],
    })
  })

  it('hands out slots, those changed last first, then diary entries by meaning', async () => {
    const { retrieved } = await runStory('memobase', script)
    const [first, second] = retrieved.change!
    expect([first!.id, second!.id]).toEqual(['p7', 'p2'])
    const slots = retrieved.change!.filter(({ id }) => id.startsWith('p'))
    expect(slots).toHaveLength(8)
    expect(retrieved.change!.slice(8).map(({ id }) => id)).toEqual(['e2', 'e10'])
  })

  it('keeps the old value in the diary, and in the profile only the new', async () => {
    const both = await runStory('memobase', script)
    expect(both.verdicts['office-old']!.label).toBe('correct')
    const profile = await runStory('memobase:events=off', script)
    expect(profile.verdicts['office-old']!.label).not.toBe('correct')
    expect(profile.held.every(({ id }) => id.startsWith('p'))).toBe(true)
  })

  it('lets the model pick slots as in Memora', async () => {
    const { asked, retrieved } = await runStory('memobase:as-in-memora', script)
    expect(asked.slice(24).map(({ step, role }) => `${step} ${role}`)).toEqual(Array(7).fill('pick retrieve'))
    expect(retrieved.rule!.filter(({ id }) => id.startsWith('p')).map(({ id }) => id)).toEqual(['p4'])
  })
})

describe('memobase', () => {
  const talk = (id: string, time: string, ...texts: string[]): Conversation => ({
    id,
    time,
    turns: texts.map((text) => ({ role: 'user', text })),
  })
  const create = (rehearsal: Rehearsal, options: SystemOptions = {}) =>
    memobase.create({ ...systemTestContext(), embed: wordEmbedder(), llm: rehearse(rehearsal) }, options)
  const DAY = '2024-01-01T00:00:00Z'

  it('stops after the diary when it is empty', async () => {
    const steps: string[] = []
    const system = await create(({ step }) => {
      steps.push(step)
      return { json: { entries: [] } }
    })
    await system.store(talk('c1', DAY, 'Trees have branches.'))
    expect(steps).toEqual(['log'])
    expect(await system.dump!()).toEqual([])
  })

  it('takes slots without a name or a memo for none, and an update without words for what is new', async () => {
    const facts = [
      { topic: '', subtopic: 'foods', memo: 'x' },
      { topic: 'interest', subtopic: ' ', memo: 'x' },
      { topic: 'interest', subtopic: 'foods', memo: ' ' },
      { topic: 'interest', subtopic: 'foods', memo: 'User likes figs' },
    ]
    const prompts: string[] = []
    const create1 = (options: SystemOptions) =>
      create((call) => {
        if (call.step === 'extract') prompts.push(call.prompt)
        if (call.step === 'extract') return { json: { facts } }
        return call.step === 'merge'
          ? { json: { actions: [{ number: 0, action: 'UPDATE', memo: ' ' }] } }
          : memobaseRehearsal(call)
      }, options)
    for (const topics of ['open', 'strict']) {
      const system = await create1({ topics, events: 'off' })
      await system.store(talk('c1', DAY, 'I like figs.'))
      expect((await system.dump!()).map(({ text }) => text)).toEqual(['interest::foods: User likes figs'])
    }
    expect(prompts.map((prompt) => prompt.includes('Make a new slot'))).toEqual([true, false])
  })

  it('writes anew what has grown too long, unless that is off, and puts memories in where they are found', async () => {
    const memo = 'User likes green apples, red figs and yellow plums very much indeed'
    const made = async (options: SystemOptions, shorter = 'User likes fruit') => {
      const system = await create(
        (call) => {
          if (call.step === 'extract') return { json: { facts: [{ topic: 'interest', subtopic: 'foods', memo }] } }
          return call.step === 'resummarise' ? { json: { memo: shorter } } : memobaseRehearsal(call)
        },
        { events: 'off', slot: '5', ...options },
      )
      await system.store(talk('c1', DAY, 'I like fruit.'))
      await system.insert!([{ id: 'own', text: 'User rows', time: DAY }])
      return (await system.dump!()).map(({ text }) => text)
    }
    expect(await made({})).toEqual(['interest::foods: User likes fruit', 'User rows'])
    expect((await made({}, '茶'))[0]).toBe('interest::foods: 茶')
    expect(await made({ resummary: 'off' })).toEqual([`interest::foods: ${memo}`, 'User rows'])
    expect((await made({ events: 'on' })).at(-1)).toBe('User rows')
  })

  it('puts a topic in order when it has too many subtopics', async () => {
    const facts = ['a', 'b', 'c'].map((subtopic) => ({ topic: 'interest', subtopic, memo: `User likes ${subtopic}` }))
    const organised = [{ subtopic: 'All things', memo: 'User likes a, b and c' }]
    const system = await create(
      (call) => {
        if (call.step === 'extract') return { json: { facts } }
        if (call.step !== 'organise') return memobaseRehearsal(call)
        expect(dataIn(call.prompt).slots!.split('\n')).toHaveLength(3)
        return { json: { slots: organised } }
      },
      { subtopics: '2', events: 'off' },
    )
    await system.store(talk('c1', DAY, 'I like a, b and c.'))
    expect((await system.dump!()).map(({ text }) => text)).toEqual(['interest::all_things: User likes a, b and c'])
  })

  it('tells of all that it leaves behind', async () => {
    const told: string[] = []
    const fact = (topic: string, subtopic: string, memo: string) => ({ topic, subtopic, memo })
    const food = (subtopic: string) =>
      fact('interest', subtopic, `User likes ${subtopic}, the long and the short of it`)
    let facts = [food('foods'), fact('interest', 'kites', 'User'), fact('', 'a', 'User rows'), fact('', 'b', ' ')]
    let slots = [fact('', 'foods', ' ')]
    const rehearsal: Rehearsal = (call) => {
      if (call.step === 'extract') return { json: { facts } }
      if (call.step === 'organise') return { json: { slots } }
      return call.step === 'resummarise' ? { json: { memo: 'User likes fruit' } } : memobaseRehearsal(call)
    }
    const llm = rehearse(rehearsal)
    const context = { ...systemTestContext(), embed: wordEmbedder(), llm, log: (message: string) => told.push(message) }
    const options = { window: '8', topics: 'strict', subtopics: '1', slot: '8', events: 'off' }
    const system = await memobase.create(context, { ...options, summary: '2' })
    await system.store(talk('c1', DAY, 'I like figs.', 'I like dates.'))
    expect(told.splice(0)).toEqual([
      'memobase: 1 turns of c1 are not read',
      'memobase: interest::kites is no slot: User',
      'memobase: ::a is no slot: User rows',
      'memobase: the memo of interest::foods is cut off',
    ])
    facts = [food('foods'), food('books')]
    await system.store(talk('c2', DAY, 'I like dates.'))
    expect(told.splice(0).filter((line) => line.includes('become'))).toEqual([])
    slots = [fact('', 'foods', 'User likes fruit and books')]
    await system.store(talk('c3', DAY, 'I like dates.'))
    expect(told.splice(0)).toEqual(['memobase: 2 slots of interest become 1'])
  })

  it('reads and hands out what fits to the last token', async () => {
    const shown: string[] = []
    const rehearsal: Rehearsal = (call) => {
      if (call.step === 'log') shown.push(dataIn(call.prompt).conversation!)
      if (call.step === 'extract')
        return { json: { facts: [{ topic: 'interest', subtopic: 'foods', memo: 'User likes figs' }] } }
      return memobaseRehearsal(call)
    }
    const said = ['I like figs.', 'I own a boat.']
    const window = said.reduce((sum, text) => sum + countTokens(text), 0)
    const tokens = countTokens('interest::foods: User likes figs')
    const found = async (less: number) => {
      const options = { window: String(window - less), tokens: String(tokens - less), ratio: '1', events: 'off' }
      const system = await create(rehearsal, options)
      await system.store(talk('c1', DAY, ...said))
      return (await system.retrieve({ id: 'q', text: 'What?', time: DAY }, 5, { k: 5 })).length
    }
    expect([await found(0), await found(1)]).toEqual([1, 0])
    expect(shown.map((text) => text.split('\n').length)).toEqual([2, 1])
  })

  it('hands out the newest slots that fit, and picks from one as from many', async () => {
    const facts = ['foods', 'books'].map((subtopic) => ({
      topic: 'interest',
      subtopic,
      memo: `User likes ${subtopic}`,
    }))
    const found = async (options: SystemOptions, of = facts) => {
      const system = await create(
        (call) => {
          if (call.step === 'pick') return { json: { numbers: [0] } }
          return call.step === 'extract' ? { json: { facts: of } } : memobaseRehearsal(call)
        },
        { events: 'off', ratio: '1', ...options },
      )
      await system.store(talk('c1', DAY, 'I like them.'))
      return (await system.retrieve({ id: 'q', text: 'What?', time: DAY }, 5, { k: 5 })).map(({ text }) => text)
    }
    const [foods, books] = facts.map(({ subtopic, memo }) => `interest::${subtopic}: ${memo}`)
    expect(await found({ tokens: String(countTokens(books!)) })).toEqual([books])
    expect(await found({ pick: 'on' }, facts.slice(0, 1))).toEqual([foods])
  })

  it('dates what it has put in order by the newest of what went into it', async () => {
    const said = ['a', 'b', 'c']
    const system = await create(
      (call) => {
        if (call.step === 'extract') {
          const subtopic = said.shift()!
          return { json: { facts: [{ topic: 'interest', subtopic, memo: `User likes ${subtopic}` }] } }
        }
        if (call.step !== 'organise') return memobaseRehearsal(call)
        return { json: { slots: [{ subtopic: 'all', memo: 'User likes them all' }] } }
      },
      { subtopics: '2', events: 'off' },
    )
    const days = ['2024-01-02', '2024-01-01', '2024-01-03'].map((day) => `${day}T00:00:00Z`)
    for (const [i, day] of days.entries()) await system.store(talk(`c${i}`, day, 'I like this.'))
    expect(await system.dump!()).toMatchObject([
      { text: 'interest::all: User likes them all', time: days[2], sources: ['c0', 'c1', 'c2'] },
    ])
  })

  it('leaves alone what it is told to abort, and slots that strict topics do not know; one it is not told about is an error', async () => {
    const facts = ['foods', 'books', 'music', 'kites'].map((subtopic) => ({
      topic: 'interest',
      subtopic,
      memo: 'User',
    }))
    const actions = [
      { number: 0, action: 'ABORT', memo: '' },
      { number: 1, action: 'UPDATE', memo: 'User reads' },
      { number: 2, action: 'ABORT', memo: '' },
    ]
    const system = await create(
      (call) => {
        if (call.step === 'extract') return { json: { facts } }
        return call.step === 'merge' ? { json: { actions } } : memobaseRehearsal(call)
      },
      { topics: 'strict', events: 'off' },
    )
    await system.store(talk('c1', DAY, 'I read.'))
    expect((await system.dump!()).map(({ text }) => text)).toEqual(['interest::books: User reads'])
    actions.pop()
    await expect(system.store(talk('c2', DAY, 'I read.'))).rejects.toThrow('Nothing is said of number 2')
  })

  it('finds no events of more than 180 days ago, and nothing beyond its tokens', async () => {
    const system = await create(memobaseRehearsal, { ratio: '0' })
    await system.store(talk('c1', DAY, 'I like figs.'))
    const ask = async (time: string) =>
      (await system.retrieve({ id: 'q', text: 'Do I like figs?', time }, 5, { k: 5 })).length
    expect([await ask('2024-06-28T00:00:00Z'), await ask('2024-07-01T00:00:00Z')]).toEqual([1, 0])
    const narrow = await create(memobaseRehearsal, { tokens: '12', events: 'off' })
    await narrow.store(talk('c1', DAY, 'I like figs.', 'I like green apples that are sour to the tooth.'))
    expect(await narrow.dump!()).toHaveLength(2)
    expect(await narrow.retrieve({ id: 'q', text: 'figs', time: DAY }, 5, { k: 5 })).toHaveLength(0)
  })

  it('reads the newest part of a long conversation', async () => {
    let read: string[] = []
    const system = await create(
      (call) => {
        if (call.step === 'log') read = itemsIn(dataIn(call.prompt).conversation).map(({ text }) => text)
        return memobaseRehearsal(call)
      },
      { window: '8' },
    )
    await system.store(talk('c1', DAY, 'I like figs.', 'I like dates.'))
    expect(read).toEqual(['I like dates.'])
  })

  it('cuts after so many tokens, not within words or characters', async () => {
    const cut = async (memo: string, tokens: number) => {
      const llm = rehearse(() => ({ json: { memo } }))
      const parts = partsOf({ ...systemTestContext(), llm }, { slot: '1', summary: String(tokens) })
      const slot = parts.profile.set({ topic: 'a', subtopic: 'b', memo: 'User likes tea', time: DAY, sources: [] })
      await resummarise([slot], parts)
      return parts.profile.get('a', 'b')!.memo
    }
    expect(await cut('User likes oolong tea', 3)).toBe('User likes')
    expect(await cut('User likes oolong tea', 50)).toBe('User likes oolong tea')
    expect((await cut('x'.repeat(100), 1)).length).toBeGreaterThan(0)
    expect(await cut('User likes oolong tea', 5)).toBe('User likes oolong')
    expect(await cut('短い文です', 3)).toMatch(/^短い?文?$/)
    // A sign of several tokens is kept whole or not at all.
    expect(await cut('🦜🦜', 1)).toBe('')
  })
})
