import { runSystemConformance } from 'memscope/conformance'
import { hashEmbedder } from 'memscope/retrieval'
import { describe, expect, it } from 'vitest'
import definition, { createMosaic } from '../src/index.js'
import { Mosaic } from '../src/mosaic.js'
import { found, newFolder, said, told } from './told.js'

runSystemConformance({ name: 'mosaic', definition })

const CHAT = ['Row 3 of the knitting pattern has 4 purls.', 'How does a kiln get hot?', 'Bye for today.']

describe('what a statement hangs on', () => {
  const commute = 'My train leaves at 8:10, because my office is in Halton.'
  const chores = ['My violin does squeak a lot.', 'When I leave early, my cat does sulk.']
  const move = 'The firm moved today: Brixley has our office.'
  const question = 'When does my train leave?'

  it('brings what became of it, which shares no word with the question', async () => {
    const texts = [commute, ...chores, ...CHAT, move]
    expect(await found(await told(texts, { chains: false }), question, 2)).toEqual([commute, move])
    expect(await found(await told(texts, { links: false, chains: false }), question, 2)).not.toContain(move)
  })

  it('brings what became of what that hangs on in turn', async () => {
    const gym = 'I lift weights at Ironside, since my train leaves at 8:10.'
    const memory = await told([commute, gym, ...CHAT, move])
    expect((await found(memory, 'Where do I lift weights?', 3)).toSorted()).toEqual([commute, gym, move].toSorted())
  })

  it('brings nothing that was told before it', async () => {
    const memory = await told([move, ...chores, commute], { chains: false })
    expect(await found(memory, question, 2)).not.toContain(move)
  })
})

describe('chains', () => {
  const things = ['Toast', 'telegrams', 'spoons', 'marbles', 'lanterns', 'kites', 'whistles']
  const links = things.slice(1).map((next, i) => `${things[i]} always bring ${next} up.`)
  const chats = Array.from({ length: 6 }, (_, i) => `Row ${i} of the knitting pattern has ${i + 4} purls.`)

  it('are followed from fact to fact by what they share', async () => {
    const texts = [...links, ...chats]
    const question = 'There is toast again. What happens?'
    const lastOf = async (chains: boolean) =>
      (await found(await told(texts, { chains }), question, 12)).indexOf(links.at(-1)!)
    expect(await lastOf(true)).toBeLessThan(10)
    expect(await lastOf(false)).toBeGreaterThanOrEqual(await lastOf(true))
    const led = (await found(await told(texts), question, 11)).filter((text) => links.includes(text))
    expect(led).toEqual(links)
  })
})

describe('weights', () => {
  it('hold back questions, unless they are left out', async () => {
    const stated = 'My cello lesson is on Friday evening in Porto.'
    const asked = 'When is my cello lesson?'
    for (const [weights, first] of [
      [true, stated],
      [false, asked],
    ] as const)
      expect((await found(await told([stated, asked], { weights }), asked, 1))[0]).toBe(first)
  })
})

describe('the role of a note', () => {
  it('is that of its turn, whatever the text begins with', async () => {
    const memory = await told([])
    await memory.store(said('a', 'Assistant: my dentist is Dr Okafor, and I see her in May.'))
    await memory.store(said('b', 'My dentist is Dr Okafor, and I see her in May.', 'assistant'))
    const scores = (await memory.retrieve({ text: 'Who is my dentist?' }, 2)).map(({ id }) => id)
    expect(scores).toEqual(['a#0', 'b#0'])
    expect((await memory.dump()).map(({ text }) => text)).toEqual([
      'Assistant: my dentist is Dr Okafor, and I see her in May.',
      'Assistant: My dentist is Dr Okafor, and I see her in May.',
    ])
  })
})

describe('ids', () => {
  it('are unique when conversations have one id, or the id that a second one would get', async () => {
    const memory = await told([])
    for (const id of ['a@2', 'a', 'a', 'a']) await memory.store(said(id, 'I row.'))
    const ids = (await memory.dump()).map(({ id }) => id)
    expect(ids).toEqual(['a@2#0', 'a#0', 'a@3#0', 'a@4#0'])
  })
})

describe('a depth in tokens', () => {
  it('is filled with what fits', async () => {
    const memory = await told(['I row on the long lake near the mill every single Sunday.', 'I row.'])
    const given = await memory.retrieve({ text: 'Where do I row?' }, 10, { tokens: 5 })
    expect(given.map(({ text }) => text)).toEqual(['I row.'])
  })
})

describe('scores', () => {
  it('never rise from one note to the next', async () => {
    const memory = await told(['I row, because the lake is near.', ...CHAT, 'The lake moved today.', 'I swim and row.'])
    const scores = (await memory.retrieve({ text: 'Where do I row?' }, 10)).map(({ score }) => score!)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })
})

describe('questions without spaces', () => {
  it('take time in proportion to their length', async () => {
    const memory = await told(['I row.'])
    const started = performance.now()
    for (const letter of ['你', 'a', 's']) await memory.retrieve({ text: `What is ${letter.repeat(40_000)}?` }, 3)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('an extractor', () => {
  it('that throws leaves nothing, and the next conversation is taken in', async () => {
    const folder = newFolder()
    let calls = 0
    const memory = await told([], {
      folder,
      extract: async ({ turns }) => {
        if (calls++ === 1) throw new Error('no reply')
        return turns.map(({ role, text }) => ({ role, text: text.toUpperCase() }))
      },
    })
    const ends = await Promise.allSettled(['a', 'b', 'c'].map((id) => memory.store(said(id, `I am ${id}.`))))
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((await memory.dump()).map(({ text }) => text)).toEqual(['I AM A.', 'I AM C.'])
    await memory.close()
  })
})

describe('mosaic as a system', () => {
  it('refuses an option that is neither yes nor no', async () => {
    const context = { embed: hashEmbedder(), signal: new AbortController().signal, workdir: newFolder() }
    const create = (options: Record<string, string>) =>
      definition.create({ ...context, log: () => {} } as never, options)
    expect(() => create({ links: 'maybe' })).toThrow('Expected "links" to be yes or no, got "maybe".')
    expect(create({ links: 'no' })).toBeInstanceOf(Mosaic)
  })
})

describe('createMosaic', () => {
  it('opens a folder for a product, with an embedder of its own', async () => {
    const folder = newFolder()
    const memory = await createMosaic({ folder, embed: hashEmbedder() })
    await memory.store(said('a', 'I moved to Leeds.'))
    await memory.close()
    const again = await createMosaic({ folder, embed: hashEmbedder() })
    expect((await again.retrieve({ text: 'Where do I live?' }, 1))[0]?.text).toBe('I moved to Leeds.')
    await again.close()
  })
})
