import { describe, expect, it } from 'vitest'
import type { Embedder } from '../../model/index.js'
import { VectorIndex } from '../dense/vector-index.js'
import { hashEmbedder } from '../hash-embedder.js'
import { MeaningIndex } from './meaning-index.js'
import { Mosaic, type MosaicOptions } from './mosaic.js'
import { noteOf } from './note.js'
import { NoteWeights } from './note-weights.js'
import { setLikeness } from './set-likeness.js'
import { wantsSet } from './set-question.js'
import { meaningsIn } from './word-meanings.js'

describe('a question wants a set', () => {
  it.each([
    'Which hats do I own?',
    'Which woollen winter hats should I pack?',
    'Which of my hats are warm?',
    'What kinds of hat are mine?',
    'What are my old hats?',
    'I sort the languages that I speak. Any idea?',
    'There is a hook for each kind of hat. How many?',
    'I like some of them. Which ones?',
    'Tell me which hats',
  ])('when it asks for a plural or for kinds: %s', (question) => {
    expect(wantsSet(question)).toBe(true)
  })

  it.each([
    'Which hat do I own?',
    'Which hat goes with it?',
    'Which train leaves at noon?',
    'What do hats cost?',
    'What is the price of hats?',
    'Which means of transport do I use?',
    'Which bus do I take?',
    'Which class do I teach?',
    'What sort of mood is he in?',
    'What was my dress like?',
    'Where are the hats?',
  ])('not when it asks for one thing: %s', (question) => {
    expect(wantsSet(question)).toBe(false)
  })
})

describe('what a text speaks of', () => {
  it('is what the dictionary says of its nouns, in one form for one and for many', () => {
    const [fedora, ...rest] = meaningsIn('I wear my fedora.')
    expect(fedora).toMatch(/^fedora \(hat\): a hat made of felt/)
    expect(rest).toEqual([])
    expect(meaningsIn("Fedoras! The fedora's brim.")[0]).toBe(fedora)
  })

  it('takes nouns of several words as one, the longest first', () => {
    expect(meaningsIn('a signet ring')).toEqual([expect.stringMatching(/^signet ring \(ring\): /)])
    expect(meaningsIn('a signet with pearls').map((meaning) => meaning.split(' ')[0])).toEqual(['signet', 'pearl'])
    expect(meaningsIn('one lily of the valley').length).toBe(2)
  })

  it('has names that no dictionary has as they are, and neither numbers nor verbs nor what is too short', () => {
    expect(meaningsIn('We went to Zorblat at 10:30 in 2024, and it gave us ox.')).toEqual(['zorblat'])
  })

  it('leaves out what is said of a thing beside what it is', () => {
    expect(meaningsIn('a waltz')[0]).not.toContain(';')
    expect(meaningsIn('Leeds')).toEqual([expect.stringMatching(/^leeds \(city\): /)])
  })
})

/** An embedder that notes what it is given. */
function listening(): { embed: Embedder; texts: string[] } {
  const texts: string[] = []
  const hash = hashEmbedder(512)
  const embed: Embedder = {
    ...hash,
    embed: (some) => {
      texts.push(...some)
      return hash.embed(some)
    },
  }
  return { embed, texts }
}

describe('an index of meanings', () => {
  const open = () => new MeaningIndex({ embed: hashEmbedder(512), signal: new AbortController().signal })
  const ask = async (text: string) => (await hashEmbedder(512).embed([text]))[0]!

  it('keeps a meaning once for all notes that have it, and embeds it when it is asked for', async () => {
    const { embed, texts } = listening()
    const meanings = new MeaningIndex({ embed, signal: new AbortController().signal })
    for (const text of ['my fedora', 'fedoras', 'a beret', 'a violin']) meanings.add(text)
    expect([meanings.size, texts.length]).toEqual([3, 0])
    meanings.set(3, '')
    await meanings.settle()
    expect(texts.filter((text) => /^(?:fedora|beret|violin) \(/.test(text)).length).toBe(2)
  })

  it('says how near the nearest thing of each note is, and the mean where there is none', async () => {
    const meanings = open()
    for (const text of ['my fedora beside the violin', 'the violin', '']) meanings.add(text)
    await meanings.settle()
    const [first, second, none] = meanings.nearest(await ask('hat felt'))
    expect(first).toBeGreaterThan(second! + 0.1)
    expect(none).toBeCloseTo((first! + second!) / 2, 10)
    const empty = open()
    empty.add('')
    expect([...empty.nearest(await ask('hat'))]).toEqual([0])
  })

  it('lets go of what no note speaks of any more', async () => {
    const meanings = open()
    meanings.add('my fedora and a violin')
    meanings.add('a violin')
    meanings.add('a beret')
    await meanings.settle()
    const before = meanings.nearest(await ask('hat felt'))
    meanings.set(0, 'the violin')
    expect(meanings.size).toBe(2)
    const after = meanings.nearest(await ask('hat felt'))
    expect(after[0]).toBeLessThan(before[0]!)
    expect(after[0]).toBe(after[1])
    expect(after[2]).toBe(before[2])
    meanings.set(0, '')
    expect(meanings.size).toBe(2)
    meanings.set(1, '')
    expect(meanings.size).toBe(1)
    meanings.add('my fedora')
    await meanings.settle()
    expect(meanings.nearest(await ask('hat felt'))[3]).toBe(before[0])
  })

  it('holds very many notes', async () => {
    const meanings = open()
    for (let i = 0; i < 3000; i++) meanings.add(i % 2 ? 'my fedora beside the violin' : 'a violin')
    await meanings.settle()
    const near = meanings.nearest(await ask('hat felt'))
    expect([near.length, near[2999] === near[1], near[2998] === near[0], near[1]! > near[0]!]).toEqual([
      3000,
      true,
      true,
      true,
    ])
  })
})

describe('likeness to a set', () => {
  /** Vectors of a few notes. */
  const vectorsOf = (...rows: number[][]) => {
    const index = new VectorIndex(rows[0]!.length)
    for (const row of rows) {
      const length = Math.hypot(...row)
      index.add(Float32Array.from(row, (value) => value / length))
    }
    return index
  }
  const order = (scores: Float64Array) => [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!)

  it('goes by what notes say and what their things are together', () => {
    const vectors = vectorsOf([1, 0], [1, 0], [1, 0], [1, 0])
    const similarities = Float64Array.of(0.5, 0.4, 0.1, 0.1)
    const meanings = Float64Array.of(0.1, 0.9, 0.9, 0.1)
    const likeness = setLikeness({ similarities, meanings, vectors, isFact: () => false })
    expect(order(likeness)).toEqual([1, 0, 2, 3])
    expect(likeness.reduce((sum, one) => sum + one)).toBeCloseTo(0, 10)
  })

  it('counts what notes have in common with the best facts and not with all', () => {
    const vectors = vectorsOf([5, 1, 0], [5, 0.9, 0.1], [5, 0, 1], [5, -0.1, 0.9], [5, 0, -1], [5, -1, 0])
    const similarities = Float64Array.of(1, 0, 0, 0, 0, 0)
    const flat = new Float64Array(6)
    const only = (fact: number) =>
      setLikeness({ similarities, meanings: flat, vectors, isFact: (note) => note === fact })
    const likeFirst = only(0)
    expect(likeFirst[1]).toBeGreaterThan(likeFirst[2]! + 0.1)
    const likeThird = only(2)
    expect(likeThird[3]).toBeGreaterThan(likeThird[1]! + 0.1)
  })

  it('leaves those that are not compared behind those that are', () => {
    const rows = Array.from({ length: 1500 }, (_, i) => [1, Math.sin(i), Math.cos(i)])
    const similarities = Float64Array.from(rows, (_, i) => (i < 1000 ? 1 - i / 1e6 : 1 - i / 1e6 - 1e-9))
    const likeness = setLikeness({
      similarities,
      meanings: new Float64Array(1500),
      vectors: vectorsOf(...rows),
      isFact: () => true,
    })
    const last = Math.max(...likeness.slice(1000))
    expect([...likeness.slice(0, 1000)].filter((one) => one < last - 1).length).toBe(0)
    expect(
      order(likeness)
        .slice(0, 1000)
        .every((note) => note < 1000),
    ).toBe(true)
  })
})

describe('weights of notes', () => {
  const said = (text: string) => noteOf({ id: text, text })
  const notes = [
    said('Hats.'),
    said('Is a hat in fashion?'),
    said('Assistant: I own a hat for my head and yours.'),
    null,
  ]
  const weighed = (question: string, isSet: boolean, isWeighed = true) => {
    const weights = new NoteWeights()
    for (const [at, note] of notes.entries()) weights.set(at, note)
    const scores = new Float64Array(4).fill(1)
    weights.weigh(scores, question, { isWeighed, isSet })
    return [...scores]
  }

  it('hold back what says little, but for a set nothing that is told', () => {
    const [short, asked, reply, forgotten] = weighed('Which hat fits?', false)
    expect(short).toBeCloseTo(notes[0]!.weight, 10)
    expect(asked).toBeCloseTo(notes[1]!.weight, 10)
    expect(reply).toBeCloseTo(notes[2]!.weight, 10)
    expect(forgotten).toBe(Number.NEGATIVE_INFINITY)
    expect(weighed('Which hats fit?', true)).toEqual([1, asked, reply, Number.NEGATIVE_INFINITY])
    expect(weighed('Which hats fit?', false, false)).toEqual([1, 1, 1, Number.NEGATIVE_INFINITY])
  })

  it('count for a question about oneself, and about several things, by who said what', () => {
    const [short, asked, reply] = weighed('Which hat do I own?', false)
    expect(short).toBeCloseTo(0.8 * notes[0]!.weight, 10)
    expect(reply).toBeCloseTo(0.5 * notes[2]!.weight, 10)
    expect(weighed('List all hats.', false)[1]).toBeCloseTo((0.3 * asked!) / 0.8, 10)
  })

  it('are kept of very many notes', () => {
    const weights = new NoteWeights()
    for (let at = 0; at < 5000; at++) weights.set(at, notes[at % 4]!)
    const scores = new Float64Array(5000).fill(1)
    weights.weigh(scores, 'Which hat fits?', { isWeighed: true, isSet: false })
    expect([...scores.slice(0, 4)]).toEqual([...scores.slice(4996)])
    expect(new Set(scores).size).toBe(4)
  })
})

describe('a set in memory', () => {
  const HATS = ['My fedora cheers me up.', 'Rain ruined no beret of mine yet.', 'I proudly own one sombrero.']
  const OTHER = [
    'My violin lives under my bed, because my flat is tiny.',
    'Each spaniel barks at me.',
    'Waltzes tire me, since my knees ache.',
    'Lately my flat got a balcony.',
  ]
  const QUESTION = 'Which kinds of hat do I wear?'

  async function told(options: Partial<MosaicOptions> = {}, embed: Embedder = hashEmbedder(512)): Promise<Mosaic> {
    const memory = new Mosaic({ embed, ...options })
    for (const [i, text] of [...OTHER.slice(0, 2), ...HATS, ...OTHER.slice(2)].entries())
      await memory.store({ id: `c${i}`, time: '2026-03-01T09:00:00Z', turns: [{ role: 'user', text }] })
    return memory
  }

  const found = async (memory: Mosaic, k = 3) => (await memory.retrieve({ text: QUESTION }, k)).map(({ text }) => text)

  it('is found by what its things are, of which the question says only the kind', async () => {
    expect((await found(await told())).toSorted()).toEqual(HATS.toSorted())
    expect((await found(await told({ sets: false }))).toSorted()).not.toEqual(HATS.toSorted())
  })

  it('takes no dictionary, and no vectors for it, where it is switched off', async () => {
    const { embed, texts } = listening()
    await found(await told({ sets: false }, embed))
    expect(texts.filter((text) => text.startsWith('fedora ('))).toEqual([])
    await found(await told({}, embed))
    expect(texts.filter((text) => text.startsWith('fedora (')).length).toBe(1)
  })

  it('is made of what somebody tells, and not of what is replied or asked', async () => {
    const { embed, texts } = listening()
    const memory = await told({}, embed)
    const turns = [
      { role: 'user' as const, text: 'Is a bonnet in fashion?' },
      { role: 'assistant' as const, text: 'A turban is.' },
    ]
    await memory.store({ id: 'chat', time: '2026-03-02T09:00:00Z', turns })
    await found(memory)
    expect(texts.filter((text) => /^(?:bonnet|turban|fedora) \(/.test(text)).length).toBe(1)
  })

  it('holds back nothing that is told in few words or of nobody', async () => {
    const short = 'Bonnets: yes!'
    const memory = await told()
    await memory.store({ id: 'short', time: '2026-03-02T09:00:00Z', turns: [{ role: 'user', text: short }] })
    expect(await found(memory, 4)).toContain(short)
  })

  it('does not tell of a thing that was to be forgotten', async () => {
    const memory = await told()
    const turns = [{ role: 'user' as const, text: 'Please forget that my fedora cheers me up.' }]
    await memory.store({ id: 'forget', time: '2026-03-02T09:00:00Z', turns })
    expect((await found(memory, 50)).join(' ')).not.toContain('cheers')
  })
})
