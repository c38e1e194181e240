import { describe, expect, it } from 'vitest'
import type { Embedder } from '../../model/index.js'
import { Mosaic } from './mosaic.js'
import type { MosaicOptions } from './options.js'

/** Scores of what is found in a memory of notes, each with how near it is to every question. Nothing else is near to anything. */
async function scoresOf(
  near: Record<string, number>,
  question = 'Xyzzy?',
  options: Partial<MosaicOptions> = {},
): Promise<Record<string, number>> {
  const embed: Embedder = {
    id: 'near',
    dimensions: 1,
    embed: async (texts) => {
      if (texts.length === 0) throw new Error('Expected texts')
      return texts.map((text) => Float32Array.of(text.endsWith('?') ? 1 : (near[text] ?? 0)))
    },
  }
  const memory = new Mosaic({ embed, weights: false, chains: false, ...options })
  for (const [i, text] of Object.keys(near).entries())
    await memory.store({ id: `c${i}`, time: '2026-03-01', turns: [{ role: 'user', text }] })
  const found = await memory.retrieve({ text: question }, 100)
  return Object.fromEntries(found.map(({ text, score }) => [text, Number(score!.toFixed(4))]))
}

/** Notes about nothing that is asked, near to the question. */
const others = { 'Ants sleep.': 1, 'Owls hoot.': 0.9, 'Eels swim.': 0.8 }

/** Many that come between what chains lead to. */
const between = Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`Bees ${i} buzz.`, 0.01]))

describe('a score', () => {
  it('is twice the share of words, for as much as a note says', async () => {
    const boat = 'My boat is blue.'
    expect(await scoresOf({ [boat]: 0 }, 'Boat?')).toEqual({ [boat]: 2 })
    expect(await scoresOf({ [boat]: 0 }, 'Boat?', { weights: true })).toEqual({ [boat]: 1.16 })
  })

  it('of what tells nothing of its own accord is three tenths where several things are wanted', async () => {
    const [telling, asking] = ['My old boat has a long blue sail.', 'My old boat has a long blue sail, please look.']
    const weighed = (text: string, question: string) => scoresOf({ [text]: 0 }, question, { weights: true })
    expect((await weighed(telling, 'Which boats, all?'))[telling]).toBe(2)
    expect((await weighed(asking, 'Which boats, all?'))[asking]).toBe(0.6)
    expect((await weighed(asking, 'Which boats?'))[asking]).toBe(2)
  })

  it('of what somebody tells, short and of nobody, is full where a total is wanted', async () => {
    const entry = 'Boat fuel: 12 litres.'
    const scored = async (question: string, weights: boolean) =>
      (await scoresOf({ [entry]: 0 }, question, { weights }))[entry]!
    expect(await scored('My boat fuel, how much?', true)).toBe(await scored('My boat fuel, how much?', false))
    expect(await scored('My boat fuel?', true)).toBeLessThan(await scored('My boat fuel?', false))
  })

  it('of what is said of nobody, or only asked, is four fifths where somebody asks about themselves', async () => {
    const [own, nobodys] = ['My old boat has a long blue sail.', 'That old boat has a long blue sail.']
    const weighed = async (text: string, question: string) =>
      (await scoresOf({ [text]: 0 }, question, { weights: true }))[text]
    expect(await weighed(own, 'My boat?')).toBe(2)
    expect(await weighed(nobodys, 'Boat?')).toBe(1.7)
    expect(await weighed(nobodys, 'My boat?')).toBe(1.36)
    expect(await weighed('My old boat has a long blue sail, please look.', 'My boat?')).toBe(1.6)
    const told = 'Which boat, as you told me?'
    expect((await weighed(nobodys, told))! / (await weighed(own, told))!).toBeCloseTo(0.85, 2)
  })

  it('of a reply is half of that where somebody asks about themselves', async () => {
    const reply = 'Assistant: My old boat has a long blue sail.'
    const weighed = async (question: string) => (await scoresOf({ [reply]: 0 }, question, { weights: true }))[reply]!
    expect((await weighed('My boat?')) / (await weighed('Boat?'))).toBeCloseTo(0.5, 3)
  })

  it('is BM25 of words over that of the best', async () => {
    const [short, long] = ['Boat boat boat blue.', 'A boat with a long red sail passed slowly by the pier.']
    const bm25 = (count: number, length: number) => count / (count + 1.2 * (0.25 + (0.75 * length) / 5.5))
    const found = await scoresOf({ [short]: 0, [long]: 0 }, 'Boat?')
    expect(found[short]).toBe(2)
    expect(found[long]).toBeCloseTo((2 * bm25(1, 7)) / bm25(3, 4), 4)
  })

  it('is nearness from the farthest to the nearest', async () => {
    expect(await scoresOf({ 'Ants sleep.': 0.2, 'Owls hoot.': 0.3, 'Eels swim.': 0.6 })).toEqual({
      'Eels swim.': 1,
      'Owls hoot.': 0.25,
      'Ants sleep.': 0,
    })
  })

  it('is that of what is left where something was forgotten', async () => {
    const said = 'Monday was long. My pin is 4471.'
    const found = await scoresOf({
      [said]: 0,
      'Owls hoot.': 0.4,
      'Please forget my pin.': 0,
      'Monday was long.': 0.8,
    })
    expect(found['Monday was long.']).toBe(1)
    expect(found).not.toHaveProperty(said)
  })

  it('stays when a request to forget means nothing', async () => {
    expect(await scoresOf({ 'Ants sleep.': 1, 'Please forget my pin.': 0 })).toEqual({
      'Ants sleep.': 1,
      'Please forget my pin.': 0,
    })
  })
})

describe('a link', () => {
  const cycle = 'I cycle, because of the bridge closure.'
  const opened = 'The bridge reopened today.'

  it('is the share of a clause that news take up', async () => {
    const found = await scoresOf({ [cycle]: 1, [opened]: 0, 'A closure is a function.': 0 })
    expect(found).toEqual({ [cycle]: 1, [opened]: 0.5, 'A closure is a function.': 0 })
  })

  it('is not followed to news that take up little of it', async () => {
    const stone = 'I cycle, because of the stone bridge closure.'
    expect(await scoresOf({ [stone]: 1, [opened]: 0, 'Ants sleep.': 0 })).toHaveProperty([opened], 0)
  })

  it('of the best note comes right after it, of another takes every other place', async () => {
    const [best, other] = ['Lamps glow, because kettles boil.', 'Owls hoot, because frogs croak.']
    const news = ['kettles', 'frogs'].flatMap((thing) => [`The ${thing} broke today.`, `The ${thing} moved today.`])
    const near = { [best]: 1, [other]: 0.9, 'Eels swim.': 0.8, 'Ants sleep.': 0.7, ...between }
    const order = Object.keys(await scoresOf({ ...near, ...Object.fromEntries(news.map((text) => [text, 0])) }))
    expect(order.slice(0, 8)).toEqual([best, news[0], news[1], other, news[2], 'Eels swim.', news[3], 'Ants sleep.'])
  })

  it('is followed to the two closest news', async () => {
    const news = ['This', 'That', 'Some'].map((which) => `${which} bridge closure ended.`)
    const found = await scoresOf({ [cycle]: 1, ...Object.fromEntries(news.map((text) => [text, 0])) })
    expect(news.map((text) => found[text])).toEqual([1, 1, 0])
  })

  it('is followed to what a clause rests on, and to news on that', async () => {
    const [closure, flood] = ['The bridge closure came, since a flood hit.', 'The flood began today.']
    expect(await scoresOf({ [cycle]: 1, [closure]: 0, [flood]: 0, 'A hit song.': 0 })).toEqual({
      [cycle]: 1,
      [closure]: 1,
      [flood]: 0.5,
      'A hit song.': 0,
    })
  })

  it('is not followed to what rests on something else', async () => {
    const sulk = 'If the bridge sways, my cat sulks.'
    expect(await scoresOf({ [cycle]: 1, [sulk]: 0, 'Ants sleep.': 0 })).toHaveProperty([sulk], 0)
  })

  it('is followed from what is left of a note', async () => {
    const near = { [`My pin is 4471. ${cycle}`]: 0, 'Please forget my pin.': 0, [opened]: 0 }
    expect((await scoresOf(near, 'Cycle?'))[opened]).toBeGreaterThan(0)
  })

  it('is not followed to what is no news any more', async () => {
    const near = { [cycle]: 1, 'My new pin is 4471. The bridge closure is sad.': 0, 'Please forget my pin.': 0 }
    expect(await scoresOf(near)).toHaveProperty(['The bridge closure is sad.'], 0)
  })

  it('is followed from the four best', async () => {
    const [lamp, tram] = ['I read, because of the lamp.', 'I walk, because of the tram.']
    const found = await scoresOf({
      ...others,
      [lamp]: 0.7,
      [tram]: 0.6,
      'The lamp broke today.': 0,
      'The tram broke today.': 0,
    })
    expect(found['The lamp broke today.']).toBe(0.7)
    expect(found['The tram broke today.']).toBe(0)
  })
})

describe('a chain', () => {
  const chains = { chains: true }

  it('has eighteen facts beside the first', async () => {
    const things =
      'toast kettle lamp rug desk pond frog reed anchor bell candle dune echo flute goat harp inkpot jug kite lemon moth'.split(
        ' ',
      )
    const facts = things.slice(1).map((next, i) => `${things[i]} ${next}.`)
    const near = { ...Object.fromEntries(facts.map((text) => [text, 0])), ...others, ...between }
    const found = await scoresOf(near, 'Toast?', chains)
    expect(facts.filter((text) => found[text]! > 0)).toEqual(facts.slice(0, 19))
  })

  it('follows what is rare as well as what is put alike', async () => {
    const [first, alike, right] = [
      'Toast brings a big craving for kettles.',
      'Rugs bring a big craving.',
      'Kettles boil.',
    ]
    const more = Object.fromEntries(['lamps', 'desks'].map((thing) => [`A craving for ${thing}.`, 0]))
    const near = { [first]: 0, [alike]: 0, [right]: 0, ...more, ...others, ...between }
    const found = await scoresOf(near, 'Toast?', chains)
    expect(found[alike]).toBeGreaterThan(0)
    expect(found[right]).toBeGreaterThan(0)
  })

  it('leads over nothing that asks, and over no reply', async () => {
    const near = { 'Toast kettle.': 0, 'Kettle pond, please.': 0, 'Pond frog.': 0, ...others }
    expect(await scoresOf(near, 'Toast?', chains)).toMatchObject({ 'Kettle pond, please.': 0, 'Pond frog.': 0 })
  })

  it('begins at the best by words, too', async () => {
    const near = { ...others, 'Toast kettle lamp rug desk.': 0, 'Desk lamp pond.': 0 }
    const found = await scoresOf(near, 'Toast marble anchor bell candle?', chains)
    expect(found['Desk lamp pond.']).toBeGreaterThan(0)
  })

  it('goes on by what is new rather than by what was asked', async () => {
    const near = { 'Toast kettle.': 1, 'Owls hoot.': 0.9, 'Eels swim.': 0.8, 'Ants sleep.': 0.7 }
    const found = await scoresOf(
      { ...near, 'Kettle frog.': 0, 'Marble pond.': 0, 'Bees buzz.': 0 },
      'Toast marble?',
      chains,
    )
    expect(found['Kettle frog.']).toBeGreaterThan(0)
  })

  it('ends where a fact takes up little of what is new', async () => {
    const [first, next] = ['Toast kettle lamp rug desk.', 'Kettle pond frog.']
    const found = await scoresOf({ [first]: 0, [next]: 0, ...others, 'Bees buzz.': 0 }, 'Toast?', chains)
    expect(found[next]).toBe(0)
  })

  it('begins at the two best that take up enough of a question', async () => {
    const near = { 'Anchors bells.': 1, 'Dunes echoes.': 0.9, 'Ants sleep.': 0.8, 'Eels swim.': 0.7, ...between }
    const found = await scoresOf({ ...near, 'Bells candles.': 0, 'Echoes flutes.': 0 }, 'Anchors, dunes?', chains)
    expect(found['Bells candles.']).toBeGreaterThan(0)
    expect(found['Echoes flutes.']).toBeGreaterThan(0)
    expect((await scoresOf({ ...near, 'Bells candles.': 0 }, 'Xyzzy?', chains))['Bells candles.']).toBe(0)
  })

  it('takes every other place', async () => {
    const near = { 'Toast kettle.': 1, ...others, 'Kettle frog.': 0, 'Frog reed.': 0, ...between }
    const order = Object.keys(await scoresOf(near, 'Toast?', chains))
    expect(order.slice(4, 8)).toEqual(['Kettle frog.', 'Bees 0 buzz.', 'Frog reed.', 'Bees 1 buzz.'])
  })

  it('is not followed where a total is wanted', async () => {
    const near = { 'Toast kettle.': 1, ...others, 'Kettle frog.': 0, 'Bees buzz.': 0 }
    expect((await scoresOf(near, 'Toast?', chains))['Kettle frog.']).toBeGreaterThan(0)
    expect((await scoresOf(near, 'Toast, how much?', chains))['Kettle frog.']).toBe(0)
  })

  it('comes behind what is nearly as near as the best, and before the rest', async () => {
    const owls = Object.fromEntries(['Owls', 'Eels', 'Ants', 'Bees', 'Cats'].map((one) => [`${one} sleep.`, 0.9]))
    const near = { 'Toast kettle.': 1, ...owls, 'Goats graze.': 0.5, 'Kettle frog.': 0 }
    const order = Object.keys(await scoresOf(near, 'Toast?', chains))
    expect(order.indexOf('Kettle frog.')).toBeLessThan(order.indexOf('Goats graze.'))
    const asked = Object.keys(await scoresOf({ ...near, 'Toast rug.': 0.9 }, 'Toast?', chains))
    expect(asked.indexOf('Toast rug.')).toBeLessThan(asked.indexOf('Kettle frog.'))
  })

  it('does not lead over what says little, unless all notes count the same', async () => {
    const near = { 'My toast needs that long copper kettle.': 1, ...others, 'Kettle, bye.': 0, 'Bees buzz.': 0 }
    expect((await scoresOf(near, 'Toast?', chains))['Kettle, bye.']).toBeGreaterThan(0)
    expect((await scoresOf(near, 'Toast?', { ...chains, weights: true }))['Kettle, bye.']).toBe(0)
  })
})

describe('a question with two sides', () => {
  it('has what answers either count as if that was asked for alone', async () => {
    const [walk, ride] = ['My walk to work in town took ages.', 'My ride home with Ada was quick.']
    const near = { [walk]: 0, [ride]: 0, 'A walk to work is healthy.': 0 }
    const sides = await scoresOf(near, 'Between my walk to work in town and my ride home, which is longer?')
    expect(sides).toMatchObject({ [walk]: 2, [ride]: 2 })
    const whole = await scoresOf(near, 'My walk to work in town, my ride home: longer?')
    expect(whole[ride]).toBeLessThan(1)
  })
})

describe('a question that counts', () => {
  it('is not led by what its notes hang on to what became of that', async () => {
    const near = { 'I row on 12 days, because my office is in Halton.': 1, ...others, 'Our office moved today.': 0 }
    const places = async (question: string) =>
      Object.keys(await scoresOf(near, question, { weights: false })).indexOf('Our office moved today.')
    expect(await places('When do I row?')).toBe(1)
    expect(await places('On how many days do I row?')).toBe(4)
  })
})

describe('what takes news back', () => {
  const news = 'We booked the van today: our new home is Brixley.'
  const back = 'The van and the new home in Brixley were called off.'

  it('comes right behind it, wherever that is found', async () => {
    const near = { ...others, [news]: 0.7, [back]: 0.1, 'Moths flutter.': 0.6 }
    const found = Object.keys(await scoresOf(near))
    expect(found.slice(3, 5)).toEqual([news, back])
    expect(Object.keys(await scoresOf(near, 'Xyzzy?', { links: false })).at(-1)).toBe(back)
  })

  it('is not what only says that something stays, nor what is linked to nothing of it', async () => {
    for (const other of ['We stay in Brixley, our home.', 'The concert was called off.']) {
      const found = Object.keys(await scoresOf({ ...others, [news]: 0.7, [other]: 0.1, 'Moths flutter.': 0.6 }))
      expect(found.at(-1)).toBe(other)
    }
  })
})
