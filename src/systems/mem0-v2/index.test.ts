import { describe, expect, it } from 'vitest'
import { runStory } from '../../../bench/story/run.js'
import { readStoryScript } from '../../../bench/story/script.js'
import { wordEmbedder } from '../../../bench/story/word-embedder.js'
import type { Conversation } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { dataIn, embedAll, itemsIn, Journal, LexicalTable, rehearse } from '../parts/index.js'
import { entitiesIn } from './entities.js'
import { EntityStore } from './entity-store.js'
import { mem0V2 } from './index.js'
import { HybridMemory } from './memory.js'

runSystemConformance({ name: 'mem0-v2', definition: mem0V2 })
runSystemConformance({ name: 'mem0-v2:semantic', definition: mem0V2, options: mem0V2.variants!.semantic!.options })
runSystemConformance({ name: 'mem0-v2:links=replace', definition: mem0V2, options: { links: 'replace' } })

describe('mem0-v2 in the story', () => {
  const script = readStoryScript('mem0-v2')

  it('asks once a conversation, and shows what came before, what is known and the date', async () => {
    const { asked } = await runStory('mem0-v2', script)
    expect(asked.map(({ at, step }) => `${at} ${step}`)).toEqual(
      ['s1', 's2', 's3', 's4', 's5', 's6', 's7', 's8'].map((at) => `${at} extract`),
    )
    expect(dataIn(asked[0]!.prompt)).toMatchObject({ recent: '(none)', memories: '(none)' })
    expect(asked[6]!.prompt).toMatch(/Observation date: Tuesday, 21 May 2024\.$/)
    const { recent, memories } = dataIn(asked[6]!.prompt)
    expect(itemsIn(recent)).toHaveLength(10)
    expect(itemsIn(dataIn(asked[1]!.prompt).recent)).toHaveLength(4)
    expect(itemsIn(recent)[0]!.text).not.toBe(itemsIn(dataIn(asked[1]!.prompt).recent)[0]!.text)
    expect(itemsIn(recent).at(-1)).toEqual({ mark: 'assistant:', text: 'Sleep well then.' })
    expect(itemsIn(memories)[0]?.text).toBe("User's office is on Harbour Street.")
  })

  it('only ever adds, so that the old office stays beside the new', async () => {
    const { dumps, held, retrieved } = await runStory('mem0-v2', script)
    expect(Object.values(dumps).map((dump) => dump.length)).toEqual([2, 3, 4, 5, 7, 9, 10, 11])
    expect(held.map(({ id }) => id)).toEqual(Array.from({ length: 11 }, (_, i) => `m${i + 1}`))
    expect(retrieved.change!.slice(0, 2).map(({ text }) => text)).toEqual([
      "User's office is on Harbour Street.",
      "User's office is on Mill Lane as of 21 May 2024.",
    ])
  })

  it('takes the old one out when links replace', async () => {
    const { held } = await runStory('mem0-v2:links=replace', script)
    expect(held.map(({ id }) => id)).toEqual(['m1', 'm3', 'm4', 'm5', 'm6', 'm8', 'm9', 'm10', 'm11'])
  })
})

describe('what mem0-v2 adds', () => {
  it('leaves out what is word for word known already', async () => {
    const memory = (text: string) => ({ text, attributed_to: 'user', linked_memory_ids: [] })
    const llm = rehearse(() => ({
      json: { memory: [memory('User likes figs.'), memory('User likes figs.'), memory('')] },
    }))
    const system = await mem0V2.create({ ...systemTestContext(), llm }, {})
    const talk: Conversation = {
      id: 'c',
      time: '2024-01-01T00:00:00Z',
      turns: [{ role: 'user', text: 'I like figs.' }],
    }
    await system.store(talk)
    await system.store({ ...talk, id: 'd' })
    expect((await system.dump!()).map(({ text, sources }) => [text, sources])).toEqual([['User likes figs.', ['c']]])
  })
})

describe('what mem0-v2 finds', () => {
  const texts = [
    'The garden has three old pear trees',
    'Bram waters the garden',
    'Bram plays the cello',
    'The cello is old',
  ]

  async function found(hybrid: boolean, question: string, k = 4, threshold = 0.1) {
    const context = { ...systemTestContext(), embed: wordEmbedder() }
    const memory = new HybridMemory(context, hybrid)
    const rows = texts.map((text, i) => ({ id: `m${i}`, text, time: '', sources: [] }))
    await memory.add(rows, await embedAll(context, texts))
    return (await memory.search(question, k, threshold)).map(({ row, score }) => ({ id: row.id, score }))
  }

  it('adds squashed word scores and the lift of shared names to likeness, over the most they could be', async () => {
    const words = new LexicalTable()
    for (const [i, text] of texts.entries()) words.set(`m${i}`, text)
    const [word] = words.search('Bram', 4)
    const squashed = 1 / (1 + Math.exp(-0.7 * (word!.score - 5)))
    const lift = 0.5 / (1 + 0.001)
    const likeness = 1 / Math.sqrt(3)
    expect(await found(true, 'Bram')).toEqual([
      { id: 'm1', score: expect.closeTo((likeness + squashed + lift) / 2.5, 5) },
      { id: 'm2', score: expect.closeTo((likeness + squashed + lift) / 2.5, 5) },
    ])
    expect(await found(false, 'Bram')).toEqual([
      { id: 'm1', score: expect.closeTo(likeness, 5) },
      { id: 'm2', score: expect.closeTo(likeness, 5) },
    ])
  })

  it('divides by what any memory was found by, and gives each only its own', async () => {
    const context = {
      ...systemTestContext(),
      embed: {
        id: 'one',
        dimensions: 2,
        embed: async (all: readonly string[]) => all.map(() => new Float32Array([1, 0])),
      },
    }
    const memory = new HybridMemory(context, true)
    await memory.add(
      ['alpha', 'gamma'].map((text) => ({ id: text, text, time: '', sources: [] })),
      [new Float32Array([1, 0]), new Float32Array([1, 0])],
    )
    expect((await memory.search('beta', 2, 0)).map(({ score }) => score)).toEqual([1, 1])
    const [first, second] = await memory.search('alpha', 2, 0)
    expect([first!.row.id, second!.row.id, second!.score]).toEqual(['alpha', 'gamma', 0.5])
    expect(first!.score).toBeGreaterThan(0.5)
    // A name that one memory alone has counts in the scale of all.
    await memory.add([{ id: 'zoe', text: 'Zoe', time: '', sources: [] }], [new Float32Array([1, 0])])
    const named = await memory.search('Zoe', 3, 0)
    expect([named[0]!.row.id, ...named.slice(1).map(({ score }) => score)]).toEqual(['zoe', 0.4, 0.4])
  })

  it('takes names of one likeness for one, lifts less what more memories share, and forgets them with their memories', async () => {
    const context = { ...systemTestContext(), embed: wordEmbedder() }
    const entities = new EntityStore(context)
    const row = (id: string, text: string) => ({ id, text })
    await entities.add([
      row('a', 'Bram sings'),
      row('b', 'Bram rows'),
      row('c', 'Bram dives'),
      row('d', 'Mill Lane is long'),
      row('e', 'Mill Lanes are long'),
    ])
    const lifts = async (question: string) => Object.fromEntries(await entities.boosts(question))
    const three = expect.closeTo(0.5 / 1.004, 6)
    expect(await lifts('Where is Bram?')).toEqual({ a: three, b: three, c: three })
    const two = expect.closeTo(0.5 / 1.001, 6)
    expect(await lifts('Mill Lane')).toEqual({ d: two, e: two })
    entities.delete('a')
    entities.delete('a')
    entities.delete('nothing')
    expect(await lifts('Bram')).toEqual({ b: two, c: two })
    entities.delete('b')
    expect(await lifts('Bram')).toEqual({ c: 0.5 })
    entities.delete('c')
    expect(await lifts('Bram')).toEqual({})
    await entities.add([row('f', 'Bram is back, and Bram again')])
    expect(await lifts('Bram')).toEqual({ f: 0.5 })
  })

  it('has the names of a memory again when deleting it is taken back', async () => {
    const journal = new Journal()
    const entities = new EntityStore({ ...systemTestContext(), embed: wordEmbedder() }, journal)
    await entities.add([{ id: 'a', text: 'Bram sings' }])
    const failing = journal.atomically(async () => {
      entities.delete('a')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(Object.fromEntries(await entities.boosts('Bram'))).toEqual({ a: 0.5 })
  })

  it('keeps names apart that share a word, looks at eight names of a question, and scores sixty memories however few are asked for', async () => {
    const context = { ...systemTestContext(), embed: wordEmbedder() }
    const entities = new EntityStore(context)
    const names = ['Bram', 'Tamsin', 'Odalys', 'Gideon', 'Hannah', 'Selene', 'Jonas', 'Petra', 'Quentin']
    await entities.add(
      [...names, 'Old Mill Lane', 'Old Mill Road'].map((name) => ({ id: name, text: `${name} sings` })),
    )
    const lifts = Object.fromEntries(await entities.boosts('Old Mill Lane'))
    expect(lifts).toEqual({ 'Old Mill Lane': expect.closeTo(0.5, 5), 'Old Mill Road': expect.closeTo(0.33, 1) })
    expect([...(await entities.boosts(names.join(', '))).keys()]).toEqual(names.slice(0, 8))
    const memory = new HybridMemory(context, true)
    const rows = Array.from({ length: 61 }, (_, i) => {
      const text = i < 60 ? 'lake swim' : 'lake swim with Bram, a word or two more'
      return { id: `m${i}`, text, time: '', sources: [] }
    })
    const found = async (count: number) => {
      const those = rows.slice(-count)
      await memory.add(
        those,
        await embedAll(
          context,
          those.map(({ text }) => text),
        ),
      )
      return (await memory.search('lake swim Bram', 1, 0))[0]!.row.id
    }
    expect(await found(50)).toBe('m60')
  })

  it('finds by meaning alone where that is asked', async () => {
    const scores = async (scoring: string) => {
      const system = await mem0V2.create(
        { ...systemTestContext(), embed: wordEmbedder(), llm: rehearse(() => ({ json: { memory: [] } })) },
        { scoring },
      )
      await system.insert!(texts.map((text, i) => ({ id: `m${i}`, text })))
      return (await system.retrieve({ id: 'q', text: 'Bram', time: '' }, 1, { k: 1 }))[0]!.score
    }
    expect(await scores('meaning')).toBeCloseTo(1 / Math.sqrt(3), 5)
    expect(await scores('hybrid')).not.toBeCloseTo(1 / Math.sqrt(3), 2)
  })

  it('drops what is below the threshold', async () => {
    expect(await found(true, 'What does Bram play?', 4, 0.99)).toEqual([])
  })
})

describe('entitiesIn', () => {
  it.each([
    ['User eats at the Anchor on Mill Lane', ['anchor', 'mill lane']],
    ['When Tamsin\'s cat left, she said "never again"', ['never again', 'tamsin']],
    ['The code of the door is QX7-4418-LIME', ['qx7-4418-lime']],
    ['She sails the Duke of York in v2.4.6', ['v2.4.6', 'duke of york']],
    ['it rained', []],
    ['Bo sings', ['bo']],
    ['When They All left', []],
    ['They', []],
  ])('of "%s" are %j', (text, expected) => {
    expect(entitiesIn(text)).toEqual(expected)
  })
})
