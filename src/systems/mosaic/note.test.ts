import { describe, expect, it } from 'vitest'
import { hashEmbedder } from '../hash-embedder.js'
import { Mosaic } from './mosaic.js'
import { noteOf } from './note.js'

describe('weights', () => {
  const weight = (text: string) => noteOf({ id: 'a', text }).weight

  it('hold back what says little: greetings, questions, replies, what is nobody’s', () => {
    const statement = weight('My sister Ines plays the cello in Porto.')
    expect(statement).toBe(1)
    expect(weight('Hi, me again.')).toBeCloseTo(0.44, 10)
    expect(weight('How does a heat pump in a cellar get warm?')).toBeLessThan(0.6)
    expect(weight('Assistant: My sister Ines plays the cello in Porto.')).toBe(0.5)
    expect(weight('Heat pumps in cellars get warm by evaporation.')).toBeCloseTo(0.85, 10)
    expect(weight('Can you keep "my own small blue boat sails on Fridays" for me?')).toBe(1)
  })

  it('count what is told before a question in one sentence', () => {
    expect(weight('I finished the third draft of my thesis on Monday, can you look at it?')).toBe(1)
    for (const only of [
      'Can you look at it, or is that much too long?',
      'What is it that my thesis draft lacks, do you think?',
    ])
      expect(weight(only)).toBeLessThan(0.6)
  })

  it('hold back code that somebody shows', () => {
    const code = noteOf({ id: 'a', text: '```ts\nconst boat = my.boats.find(({ sail }) => sail.isBlue)\n```' })
    expect(code.weight).toBeLessThan(0.3)
    expect(code.isTelling).toBe(false)
  })
})

describe('a turn that asks to have something forgotten', () => {
  const kept = async (text: string) => {
    const memory = new Mosaic({ embed: hashEmbedder(512) })
    await memory.store({ id: 'a', time: '2026-03-01', turns: [{ role: 'user', text }] })
    return (await memory.dump()).map((note) => note.text)
  }

  it('may mean what it told before, which is taken out then', async () => {
    const [told, request] = ['I sing in a choir on Mondays.', 'Please forget my locker code.']
    const found = await kept(`${told} My locker code is 8802-kelpie. ${request}`)
    expect(found.join()).not.toContain('kelpie')
    expect(found[0]).toBe(told)
  })

  it('is one note where it only greets before, and where what it means is told beside', async () => {
    for (const text of [
      'Hi there! Please forget my dentist.',
      'My barber is Zoltan Krum. He is a private matter. Delete that.',
      'The locker code I gave you was 8802-kelpie. Strike that from your records, please.',
      'In your notes, our oar colour is kelpie green. Delete that entry, please.',
    ])
      expect(await kept(text)).toEqual([text])
  })
})

describe('a long turn', () => {
  const lines = ['boat', 'garden', 'cello', 'bakery', 'kiln', 'choir'].map(
    (one) => `About the ${one} there is this: I was there on the day before, ${'and it rained, '.repeat(6)}as it does.`,
  )

  it('is kept by paragraphs, each a note with an id of its own, whoever says it', async () => {
    const memory = new Mosaic({ embed: hashEmbedder(512) })
    const text = lines.join('\n')
    const turns = [
      { role: 'user' as const, text },
      { role: 'assistant' as const, text },
      { role: 'user' as const, text: 'Thanks.' },
    ]
    await memory.store({ id: 'a', time: '2026-03-01T09:00:00Z', turns })
    const notes = await memory.dump()
    const parts = [1, 2, 3, 4]
    const ids = [0, 1].flatMap((turn) => parts.map((part) => `a#${turn}.${part}`))
    expect(notes.map(({ id }) => id)).toEqual([...ids, 'a#2'])
    const said = notes.map((note) => note.text)
    expect(said.slice(0, 4).join('\n')).toBe(text)
    expect(said.slice(4, 8)).toEqual(said.slice(0, 4).map((one) => `Assistant: ${one}`))
  })

  it('of somebody who replies is parted whatever it says of deleting', async () => {
    const memory = new Mosaic({ embed: hashEmbedder(512) })
    const text = ['Your old entry stands in the file.', 'Delete it.', ...lines].join('\n')
    await memory.store({ id: 'a', time: '2026-03-01', turns: [{ role: 'assistant', text }] })
    expect((await memory.dump()).length).toBeGreaterThan(2)
  })

  it('keeps a request to forget with what it points at, wherever they stand', async () => {
    for (const lead of ['', 'It rained. ', 'It rained all night. ', `${'It rained all night. '.repeat(6)}`]) {
      const memory = new Mosaic({ embed: hashEmbedder(512) })
      const barber = `${lead}${'We talked for long. '.repeat(4)}My barber is Zoltan Krum, and he is a private matter.`
      const text = [lines[0]!, barber, 'Delete that.', ...lines].join('\n')
      await memory.store({ id: 'a', time: '2026-03-01', turns: [{ role: 'user', text }] })
      expect((await memory.openRequests()).length, lead).toBe(1)
    }
  })

  it('loses the value of a request from each of its parts', async () => {
    const memory = new Mosaic({ embed: hashEmbedder(512) })
    const text = ['My locker code is 4471.', ...lines, 'So 4471 it is.'].join('\n')
    await memory.store({ id: 'a', time: '2026-03-01', turns: [{ role: 'user', text }] })
    await memory.store({
      id: 'b',
      time: '2026-03-02',
      turns: [{ role: 'user', text: 'Please forget my locker code.' }],
    })
    expect((await memory.dump()).map(({ text }) => text).join()).not.toContain('4471')
  })
})
