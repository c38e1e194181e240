import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { wordEmbedder } from '../../../bench/story/word-embedder.js'
import type { Conversation, Query, Rehearsal, RehearsedReply, SystemOptions } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, rehearse } from '../parts/index.js'
import { memoryos } from './index.js'
import { updateSession } from './mid-term.js'
import { memoryosRehearsal } from './rehearsal.js'
import { pagesOf, saidIn } from './state.js'

runSystemConformance({ name: 'memoryos', definition: memoryos })
runSystemConformance({
  name: 'memoryos, cramped and hot',
  definition: memoryos,
  options: { short: '1', sessions: '3', heat: '1.5', knowledge: '3' },
})

describe('memoryos in the story', () => {
  const script = readStoryScript('memoryos')

  it('asks nothing before short-term memory is full, and holds exchanges as they were said', async () => {
    const { asked, held, retrieved } = await runStory('memoryos', script)
    expect(asked.map(({ at, step }) => `${at} ${step}`)).toEqual(['s8 overview', 's8 themes'])
    expect(held[0]).toEqual({
      id: 'p1',
      text: 'User: I like oolong tea; it wakes me up gently.\nAssistant: A fine way to start the day.\nTime: 2024-05-06 08:30\nOverview: User speaks of a tea for the morning.',
      time: '2024-05-06T08:30:00Z',
      sources: ['s1'],
    })
    expect(retrieved.likes!.map(({ id }) => id)).toEqual([...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `p${n}`)])
  })

  it('moves the oldest exchange on: continuity, overview, themes; and files it with what is like it', async () => {
    const { asked, held, retrieved } = await runStory('memoryos:short=1', script)
    expect(asked.filter(({ at }) => at === 's5').map(({ step }) => step)).toEqual([
      'continuity',
      'overview',
      'themes',
      'continuity',
      'overview',
      'themes',
    ])
    expect(dataIn(asked.find(({ at }) => at === 's3')!.prompt)).toMatchObject({
      earlier: expect.stringContaining('my office is on Harbour Street'),
      later: expect.stringContaining('Where I eat lunch'),
    })
    expect(held.filter(({ id }) => id.startsWith('s'))).toHaveLength(8)
    expect(retrieved.likes!.slice(0, 3).map(({ id }) => id)).toEqual(['p11', 'p9', 'p1'])
  })

  it('evicts the oldest of sessions that were never found, and with them what was said', async () => {
    const cramped = await runStory('memoryos:short=1:sessions=3', script)
    expect(cramped.held.map(({ id }) => id)).toEqual(['p8', 'p9', 'p10', 'p11', 's8', 's9', 's10'])
    expect(cramped.outcomes.exact!.outcome).toBe('not_stored')
    const roomy = await runStory('memoryos:short=1:sessions=0', script)
    expect(roomy.outcomes.exact!.outcome).toBe('answerable')
  })

  it('draws profile and knowledge from hot sessions, and forgets the oldest knowledge', async () => {
    const { asked, held, dumps } = await runStory('memoryos:short=1:sessions=3:heat=1.5:knowledge=4', script)
    expect(asked.filter(({ at }) => at === 's2').map(({ step }) => step)).toEqual([
      'continuity',
      'overview',
      'themes',
      'profile',
      'knowledge',
    ])
    expect(dataIn(asked.find(({ at, step }) => at === 's2' && step === 'profile')!.prompt).profile).toContain(
      'fond of tea',
    )
    expect(dumps.s4!.filter(({ id }) => id.startsWith('u')).map(({ id }) => id)).toEqual(['u1', 'u2', 'u3', 'u4'])
    expect(held.filter(({ id }) => id.startsWith('u')).map(({ id }) => id)).toEqual(['u7', 'u8', 'u9', 'u10'])
  })
})

describe('memoryos', () => {
  const talk = (id: string, day: number, ...texts: string[]): Conversation => ({
    id,
    time: `2024-01-0${day}T00:00:00Z`,
    turns: texts.map((text) => ({ role: 'user', text })),
  })
  const create = (rehearsal: Rehearsal, options: SystemOptions = {}) =>
    memoryos.create({ ...systemTestContext(), embed: wordEmbedder(), llm: rehearse(rehearsal) }, options)
  const figs: Query = { id: 'q', text: 'Do I like figs?', time: '2024-01-02T00:00:00Z' }

  /** The rehearsal, with replies of one's own for some steps, and the steps that were asked. */
  const noting = (own: Record<string, RehearsedReply> = {}) => {
    const steps: string[] = []
    const rehearsal: Rehearsal = (call) => {
      steps.push(call.step)
      return own[call.step] ?? memoryosRehearsal(call)
    }
    return { steps, rehearsal }
  }

  it('is warmed by being asked, until what is hot is analysed, unless it is put back', async () => {
    const lives = [true, false].map(async (putBack) => {
      const { steps, rehearsal } = noting()
      const system = await create(rehearsal, { short: '1', heat: '4.5' })
      await system.store(talk('c1', 1, 'I like figs.', 'I ride a horse.'))
      for (let i = 0; i < 3; i++) {
        const before = await system.snapshot!()
        expect((await system.retrieve(figs, 5, { k: 5 })).some(({ text }) => text.includes('figs'))).toBe(true)
        if (putBack) await system.restore!(before)
      }
      await system.store(talk('c2', 2, 'I own a boat.'))
      return steps.filter((step) => step === 'profile').length
    })
    expect(await Promise.all(lives)).toEqual([0, 1])
  })

  it('cools to a third in a day', () => {
    const session = { visits: 2, length: 3, visited: '2024-01-01T00:00:00Z' } as Parameters<typeof updateSession>[0]
    expect(updateSession(session, {}, '2024-01-02T00:00:00Z').heat).toBeCloseTo(5 + Math.exp(-1), 9)
  })

  it('counts a visit and an exchange as one each, and what was just visited as one more', async () => {
    const themes = { json: { themes: [{ theme: 'figs', keywords: ['figs'], content: 'User likes figs' }] } }
    const analysed = async (heat: string, exchanges: number, visits: number) => {
      const { steps, rehearsal } = noting({ themes })
      const system = await create(rehearsal, { short: '1', heat })
      await system.store(talk('c1', 1, ...Array.from({ length: exchanges }, () => 'I like figs.'), 'I own a boat.'))
      for (let i = 0; i < visits; i++) await system.retrieve({ ...figs, time: '2024-01-01T00:00:00Z' }, 5, { k: 5 })
      steps.length = 0
      await system.store(talk('c2', 1, 'I own a horse.'))
      return steps.includes('profile')
    }
    // One exchange before the last, and the one that leaves short-term memory now: 2, and 1 for having just been changed.
    expect([await analysed('3', 1, 0), await analysed('3.5', 1, 0)]).toEqual([true, false])
    expect([await analysed('4', 1, 1), await analysed('4.5', 1, 1)]).toEqual([true, false])
    const one = await create(noting().rehearsal, { short: '1', sessions: '1' })
    await one.store(talk('c1', 1, 'I own a cat.', 'I ride a horse.', 'I row a boat.'))
    expect((await one.dump!()).filter(({ id }) => id.startsWith('s'))).toHaveLength(1)
  })

  it('keeps a profile that is replaced by too short a one', async () => {
    const profile = 'User is fond of figs and of horses, and of boats.'
    let asked = 0
    const system = await create(
      (call) => {
        if (call.step === 'profile') return { json: { profile: asked++ === 0 ? profile : 'None.' } }
        return memoryosRehearsal(call)
      },
      { short: '1', heat: '1.5' },
    )
    await system.store(talk('c1', 1, 'I like figs.', 'I ride a horse.', 'I own a boat.'))
    expect(asked).toBe(2)
    expect((await system.dump!()).find(({ id }) => id === 'profile')!.text).toBe(profile)
  })

  it('shows the overview of a chain on all its exchanges', async () => {
    for (const overview of ['They speak of animals.', '猫']) {
      const { rehearsal } = noting({ continuity: { json: { continues: true } }, overview: { json: { overview } } })
      const system = await create(rehearsal, { short: '1' })
      await system.store(talk('c1', 1, 'I own a cat.', 'I ride a horse.', 'I own a boat.'))
      const overviews = (await system.dump!()).filter(({ text }) => text.includes(`Overview: ${overview}`))
      expect(overviews.map(({ id }) => id)).toEqual(['p1', 'p2'])
    }
  })

  it('files a page under each of its themes, but holds and finds it once', async () => {
    const themes = ['User likes figs', 'User owns a horse'].map((content) => ({
      theme: content,
      keywords: [content],
      content,
    }))
    const { rehearsal } = noting({ themes: { json: { themes } } })
    const system = await create(rehearsal, { short: '1' })
    await system.store(talk('c1', 1, 'I like figs and I own a horse.', 'I own a boat.'))
    expect((await system.dump!()).map(({ id }) => id)).toEqual(['p1', 'p2', 's1', 's2'])
    const query = { ...figs, text: 'Do I like figs and own a horse?' }
    expect((await system.retrieve(query, 5, { k: 5 })).map(({ id }) => id)).toEqual(['p2', 'p1'])
  })

  it('keeps no knowledge that says there is none, and shows what either side said', async () => {
    const prompts: string[] = []
    const system = await create(
      (call) => {
        if (call.step === 'knowledge') {
          prompts.push(dataIn(call.prompt).exchanges!)
          return { json: { user: ['None.', ' ', '- none', ' User likes figs '], assistant: ['none'] } }
        }
        return memoryosRehearsal(call)
      },
      { short: '1', heat: '1.5' },
    )
    const turns = [
      { role: 'user' as const, text: 'I like figs.' },
      { role: 'assistant' as const, text: 'They are sweet.' },
      { role: 'user' as const, text: 'I own a boat.' },
    ]
    await system.store({ ...talk('c1', 1), turns })
    const known = (await system.dump!()).filter(({ id }) => /^[ua]\d/.test(id))
    expect(known.map(({ text }) => text)).toEqual(['User likes figs'])
    expect(prompts).toEqual(['[2024-01-01 00:00]\nuser: I like figs.\nassistant: They are sweet.'])
  })

  it('files what has no theme together', async () => {
    const { rehearsal } = noting({ themes: { json: { themes: [] } } })
    const system = await create(rehearsal, { short: '1' })
    await system.store(talk('c1', 1, 'I own a cat.', 'I ride a horse.', 'I own a boat.'))
    expect((await system.dump!()).filter(({ id }) => id.startsWith('s'))).toHaveLength(1)
  })

  it('makes a page of every exchange, also of one side alone', () => {
    const turns = [
      { role: 'assistant', text: 'Hello.' },
      { role: 'user', text: 'One.' },
      { role: 'user', text: 'Two.' },
      { role: 'assistant', text: 'Three.' },
      { role: 'assistant', text: ' ' },
    ] as const
    const pages = pagesOf({ id: 'c', time: '2024-01-01', turns: [...turns] }, () => 'p')
    expect(pages.map(saidIn)).toEqual(['Assistant: Hello.', 'User: One.', 'User: Two.\nAssistant: Three.'])
  })
})
