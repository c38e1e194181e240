import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { wordEmbedder } from '../../../bench/story/word-embedder.js'
import type { Conversation, RehearsedCall, RehearsedReply, SystemOptions } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, Journal, rehearse } from '../parts/index.js'
import { Events } from './events.js'
import { structMem } from './index.js'
import { portionsOf } from './segment.js'

runSystemConformance({ name: 'structmem', definition: structMem })
runSystemConformance({
  name: 'structmem, cramped',
  definition: structMem,
  options: { threshold: '0.3', sensory: '8', 'short-term': '16' },
})
runSystemConformance({
  name: 'structmem:with-summaries',
  definition: structMem,
  options: structMem.variants!['with-summaries']!.options,
})

describe('structmem in the story', () => {
  const script = readStoryScript('structmem')

  it('asks for facts, for relations and for a summary of every conversation', async () => {
    const { asked } = await runStory('structmem', script)
    expect(asked.map(({ at, step }) => `${at} ${step}`)).toEqual(
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'].flatMap((at) =>
        ['factual', 'relational', 'summarise'].map((step) => `${at} ${step}`),
      ),
    )
    expect(dataIn(asked[0]!.prompt).dialogue!.split('\n')).toEqual([
      '--- Topic 1 ---',
      '[2024-05-06 08:30, Monday] 0.user: I like oolong tea; it wakes me up gently.',
      '--- Topic 2 ---',
      '[2024-05-06 08:30, Monday] 1.user: By the way, my office is on Harbour Street.',
    ])
    expect(dataIn(asked[1]!.prompt)).toEqual(dataIn(asked[0]!.prompt))
    const { entries, related } = dataIn(asked.find(({ at, step }) => at === 's2' && step === 'summarise')!.prompt)
    expect(entries!.split('\n')).toHaveLength(6)
    expect(related!.split('\n').map((line) => line.slice(0, 26))).toEqual([
      '[0] 2024-05-06 08:30 Monda',
      '[1] 2024-05-06 08:30 Monda',
      '[2] 2024-05-06 08:30 Monda',
      '[3] 2024-05-06 08:30 Monda',
      '[4] 2024-05-06 08:30 Monda',
    ])
  })

  it('keeps events with their time and summaries beside them, which only the flag lets it find', async () => {
    const { held, retrieved } = await runStory('structmem', script)
    expect(held[0]).toEqual({
      id: 'e1',
      text: '2024-05-06 08:30 Monday User likes oolong tea',
      time: '2024-05-06T08:30:00Z',
      sources: ['s1'],
    })
    expect(held.filter(({ id }) => id.startsWith('s'))).toHaveLength(8)
    const ids = (found: typeof retrieved) => Object.values(found).flatMap((list) => list.map(({ id }) => id[0]))
    expect(new Set(ids(retrieved))).toEqual(new Set(['e']))
    expect(ids((await runStory('structmem:with-summaries', script)).retrieved)).toContain('s')
  })

  it('fills k with what was said once, and has room when it is recorded once', async () => {
    const { retrieved, outcomes } = await runStory('structmem', script)
    expect(new Set(retrieved.cascade!.flatMap(({ sources }) => sources))).toEqual(new Set(['s2']))
    expect(outcomes.cascade!.outcome).toBe('not_retrieved')
    const once = await runStory('structmem:perspectives=facts', script)
    expect(once.asked.map(({ step }) => step)).not.toContain('relational')
    expect(once.outcomes.cascade!.outcome).toBe('answerable')
  })

  it('compares the old office with the new only at a lower threshold, and keeps it in summaries even then', async () => {
    const lower = await runStory('structmem:threshold=0.45', script)
    const events = (run: typeof lower) => run.held.filter(({ id }) => id.startsWith('e')).map(({ text }) => text)
    const old = "2024-05-06 08:30 Monday User's office is on Harbour Street"
    expect(events(await runStory('structmem', script))).toContain(old)
    expect(events(lower)).not.toContain(old)
    expect(lower.dumps.s6!.map(({ text }) => text)).toContain(old)
    expect(lower.outcomes.change!.outdated).toMatchObject([{ id: 'office-old', live: true }])
    const without = await runStory('structmem:threshold=0.45:summarise=off', script)
    expect(without.outcomes.change!.outdated).toMatchObject([{ id: 'office-old', live: false }])
  })
})

describe('structmem', () => {
  const say = (id: string, time: string, ...texts: string[]): Conversation => ({
    id,
    time,
    turns: texts.map((text) => ({ role: 'user', text })),
  })
  const [MAY, JUNE] = ['2024-05-01T00:00:00Z', '2024-06-01T00:00:00Z']

  /** Every turn is one fact in its own words. */
  async function create(update: (call: RehearsedCall) => object, options: SystemOptions = {}) {
    const compared: { target: string; newer: string }[] = []
    const llm = rehearse((call): RehearsedReply => {
      const { dialogue, target, newer } = dataIn(call.prompt)
      if (call.step === 'update') {
        compared.push({ target: target!.slice(2), newer: newer! })
        return { json: update(call) }
      }
      const facts = [...(dialogue ?? '').matchAll(/(\d+)\.user: (.*)/g)]
      return { json: { data: facts.map(([, number, fact]) => ({ source_id: Number(number), fact })) } }
    })
    const context = { ...systemTestContext(), embed: wordEmbedder(), llm }
    const defaults = { perspectives: 'facts', summarise: 'off' }
    return { system: await structMem.create(context, { ...defaults, ...options }), compared }
  }
  const ignore = () => ({ action: 'ignore', new_memory: null })

  it('compares an older event with newer ones like it, and does not ask the same twice', async () => {
    const { system, compared } = await create(ignore)
    await system.store(say('a', MAY, 'I like figs.'))
    await system.store(say('b', JUNE, 'I like figs.'))
    await system.store(say('c', JUNE, 'Something else entirely.'))
    expect(compared).toEqual([
      { target: '2024-05-01 00:00 Wednesday I like figs.', newer: '[0] 2024-06-01 00:00 Saturday I like figs.' },
    ])
  })

  it('compares events of one turn with each other, those of different turns only forwards', async () => {
    const llm = rehearse((call) =>
      call.step === 'factual'
        ? { json: { data: [0, 0, 9].map((source_id) => ({ source_id, fact: 'User likes figs' })) } }
        : { json: ignore() },
    )
    const counts: number[] = []
    const counting: typeof llm = {
      ...llm,
      generate: (request, options) => {
        if (options.label === 'structmem/update') {
          const { newer } = dataIn(request.messages.map(({ content }) => content).join('\n'))
          counts.push(newer!.split('\n').length)
        }
        return llm.generate(request, options)
      },
    }
    const system = await structMem.create(
      { ...systemTestContext(), llm: counting },
      { perspectives: 'facts', summarise: 'off' },
    )
    await system.store(say('a', MAY, 'I like figs.', 'Figs it is.'))
    expect(counts).toEqual([2, 2])
  })

  it('changes the words of an event but not what it is found by, or deletes it', async () => {
    const { system } = await create(() => ({ action: 'update', new_memory: 'User keeps parrots.' }))
    await system.store(say('a', MAY, 'I like figs.'))
    await system.store(say('b', JUNE, 'I like figs.'))
    expect(await system.dump!()).toMatchObject([
      { id: 'e1', text: '2024-05-01 00:00 Wednesday User keeps parrots.', time: MAY, sources: ['a', 'b'] },
      { id: 'e2', text: '2024-06-01 00:00 Saturday I like figs.', sources: ['b'] },
    ])
    const [best] = await system.retrieve({ id: 'q', text: 'figs like', time: JUNE }, 1, { k: 1 })
    expect(best).toMatchObject({ id: 'e1' })
    const deleting = await create(() => ({ action: 'delete', new_memory: null }))
    await deleting.system.store(say('a', MAY, 'I like figs.'))
    await deleting.system.store(say('b', JUNE, 'I like figs.'))
    expect((await deleting.system.dump!()).map(({ id }) => id)).toEqual(['e2'])
  })

  it('never compares an event with older ones, and with those nearest it first', async () => {
    const { system, compared } = await create(ignore)
    await system.store(say('b', JUNE, 'I like figs.'))
    await system.store(say('a', MAY, 'I like figs.'))
    expect(compared.map(({ target }) => target)).toEqual(['2024-05-01 00:00 Wednesday I like figs.'])
    const events = new Events(2, 0.5, new Journal())
    const at = (id: string, moment: number, x: number) =>
      events.add(
        { id, text: id, memory: id, moment, time: '', sources: [] },
        new Float32Array([x, Math.sqrt(1 - x * x)]),
      )
    for (let i = 0; i < 40; i++) at(`e${i}`, i, 1 - i / 1000)
    at('far', 50, -1)
    at('new', 60, 1)
    const compares = events
      .targets()
      .flatMap(({ target, newer }) => (newer.some(({ id }) => id === 'new') ? target.id : []))
    expect(compares).toEqual(Array.from({ length: 10 }, (_, i) => `e${i}`))
    expect(
      events.targets().some(({ target, newer }) => target.id === 'far' || newer.some(({ id }) => id === 'far')),
    ).toBe(false)
  })

  it('summarises with what was recorded of the same turns as what is most like it, and with nothing else', async () => {
    const related: string[] = []
    const llm = rehearse((call): RehearsedReply => {
      if (call.step === 'summarise') {
        related.push(dataIn(call.prompt).related!)
        return { text: 'A summary.' }
      }
      const said = [...dataIn(call.prompt).dialogue!.matchAll(/(\d+)\.user: (.*)/g)]
      const data = said.flatMap(([, number, fact]) =>
        ['', ' too'].map((end) => ({ source_id: Number(number), fact: `${fact}${end}` })),
      )
      return { json: { data } }
    })
    const options = { perspectives: 'facts', update: 'off', seeds: '1' }
    const system = await structMem.create({ ...systemTestContext(), embed: wordEmbedder(), llm }, options)
    await system.store(say('a', MAY, 'figs red', 'parrots blue'))
    await system.store(say('other', MAY, 'houses green'))
    await system.store(say('b', JUNE, 'figs red'))
    expect(related[0]).toBe('(none)')
    expect(related[2]).toBe('[0] 2024-05-01 00:00 Wednesday figs red\n[1] 2024-05-01 00:00 Wednesday figs red too')
    const mute = await structMem.create(
      {
        ...systemTestContext(),
        embed: wordEmbedder(),
        llm: rehearse((call) =>
          call.step === 'summarise' ? { text: ' ' } : { json: { data: [{ source_id: 0, fact: 'x' }] } },
        ),
      },
      options,
    )
    await expect(mute.store(say('a', MAY, 'figs'))).rejects.toThrow('It is empty')
  })

  it('passes over an update without words', async () => {
    const { system } = await create(() => ({ action: 'update', new_memory: ' ' }))
    await system.store(say('a', MAY, 'I like figs.'))
    await system.store(say('b', JUNE, 'I like figs.'))
    expect((await system.dump!()).map(({ text }) => text)).toContain('2024-05-01 00:00 Wednesday I like figs.')
    const idle = await create(() => ({ action: 'ignore', new_memory: 'User keeps parrots.' }))
    await idle.system.store(say('a', MAY, 'I like figs.'))
    await idle.system.store(say('b', JUNE, 'I like figs.'))
    expect((await idle.system.dump!()).some(({ text }) => text.includes('parrots'))).toBe(false)
  })

  it('compares through the ten nearest also where they were told last, and keeps all that are alike', async () => {
    const like = (x: number) => new Float32Array([x, Math.sqrt(1 - x * x)])
    const turn = (xs: readonly number[]) => {
      const events = new Events(2, 0.9, new Journal())
      for (const [i, x] of xs.entries())
        events.add({ id: `e${i}`, text: '', memory: '', moment: 1, time: '', sources: [] }, like(x))
      return events
    }
    const withFirst = (events: Events) =>
      events.targets().flatMap(({ target, newer }) => (newer.some(({ id }) => id === 'e0') ? target.id : []))
    expect(withFirst(turn([1, 0.92, 0.97]))).toEqual(['e1', 'e2'])
    const eleven = turn([1, ...Array.from({ length: 10 }, () => 0.92), 0.97])
    expect(withFirst(eleven)).toEqual([...Array.from({ length: 9 }, (_, i) => `e${i + 1}`), 'e11'])
    // Twenty of one turn that are equal: the last is like each of them, and is compared when those between are gone.
    const equal = turn(Array.from({ length: 20 }, () => 1))
    for (let i = 0; i < 18; i++) equal.delete(`e${i}`)
    expect(equal.targets().map(({ target, newer }) => [target.id, newer.map(({ id }) => id)])).toEqual([
      ['e18', ['e19']],
      ['e19', ['e18']],
    ])
  })

  it('goes by the times of what is put in', async () => {
    const { system, compared } = await create(ignore)
    await system.insert!([
      { id: 'late', text: 'I like figs.', time: JUNE },
      { id: 'soon', text: 'I like figs.', time: MAY },
    ])
    await system.store(say('c', JUNE, 'Something else entirely.'))
    expect(compared).toEqual([{ target: 'I like figs.', newer: '[0] I like figs.' }])
  })

  it('compares an event with others at most through the ten nearest of each', async () => {
    const { system, compared } = await create(ignore)
    for (let i = 0; i < 12; i++) await system.store(say(`c${i}`, `2024-05-${i + 10}T00:00:00Z`, 'I like figs.'))
    const last = compared.filter(({ newer }) => newer.includes('2024-05-21'))
    expect(last).toHaveLength(10)
  })
})

const PORTIONS = [
  [
    [0, 2],
    [4, 6],
  ],
  [[8]],
]

describe('what the user says', () => {
  const context = { ...systemTestContext(), embed: wordEmbedder() }
  const topicsOf = (...texts: string[]) => {
    const turns = texts.map((text) => ({ role: 'user' as const, text }))
    return portionsOf({ id: 'a', time: '', turns }, { sensory: 512, shortTerm: 2000 }, context)
  }

  it('is cut into topics where a turn is unlike the one before', async () => {
    const [cut] = await topicsOf('red figs', 'red figs again', 'blue parrots', 'blue parrots fly')
    expect(cut!.map((segment) => segment.map(({ turn }) => turn))).toEqual([
      [0, 1],
      [2, 3],
    ])
    expect((await topicsOf('red figs', 'red figs'))[0]).toHaveLength(1)
  })

  it('is handed on in portions when buffers run over, and always at the end', async () => {
    const conversation: Conversation = {
      id: 'a',
      time: '',
      turns: ['red figs', 'red figs', 'blue parrots', 'blue parrots', 'green seas'].flatMap((text) => [
        { role: 'user' as const, text },
        { role: 'assistant' as const, text: 'Yes.' },
      ]),
    }
    const portions = await portionsOf(conversation, { sensory: 8, shortTerm: 6 }, context)
    expect(portions.flat(2).map(({ turn }) => turn)).toEqual([0, 2, 4, 6, 8])
    expect(portions.map((portion) => portion.map((segment) => segment.map(({ turn }) => turn)))).toEqual(PORTIONS)
    expect(await portionsOf(conversation, { sensory: 512, shortTerm: 2000 }, context)).toHaveLength(1)
  })
})
