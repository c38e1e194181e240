import type { Embedder } from 'memscope'
import { hashEmbedder } from 'memscope/retrieval'
import { describe, expect, it } from 'vitest'
import { inventoryTexts, kindTexts } from '../src/kind-texts.js'
import { KindInventory } from '../src/kinds.js'
import { linearFit } from '../src/linear-fit.js'
import { Mosaic, type MosaicOptions } from '../src/mosaic.js'
import { setLikeness } from '../src/set-likeness.js'
import { setClassifier } from '../src/set-question.js'
import { ThingIndex } from '../src/thing-index.js'
import { nameKey, thingsIn } from '../src/things.js'

const unnamed = () => false
const meaningsIn = (text: string) => thingsIn(text, unnamed).map(({ meaning }) => meaning)

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

  it('takes names of several words as one, and verbs that are names', () => {
    const names = new Set(['lily of the valley', 'run'])
    const told = thingsIn('I run to lilies, and one lily of the valley.', (key) => names.has(key))
    expect(told.map(({ name }) => name)).toEqual(['run', 'lily', 'lily of the valley'])
    expect(thingsIn('I run.', unnamed)).toEqual([])
  })

  it('has names that no dictionary has as they are, and neither numbers nor verbs nor what is too short', () => {
    expect(meaningsIn('We went to Zorblat at 10:30 in 2024, and it gave us ox.')).toEqual(['zorblat'])
  })

  it('leaves out what is said of a thing beside what it is', () => {
    expect(meaningsIn('a waltz')[0]).not.toContain(';')
    expect(meaningsIn('Leeds')).toEqual([expect.stringMatching(/^leeds \(city\): /)])
  })

  it('goes by one form of a name', () => {
    expect(['Cassette Tapes', 'cassette tape', "the cook's knives"].map(nameKey)).toEqual([
      'cassette tape',
      'cassette tape',
      'the cook knife',
    ])
    expect(nameKey('?')).toBe('')
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

const KINDS = [
  {
    kind: 'hats',
    names: ['fedora', 'beret', 'sun hat'],
    ask: ['The hooks by the door are free for my head. Fill them?'],
  },
  {
    kind: 'instruments',
    names: ['violin', 'lute'],
    ask: ['The band has room for all I play. Tell them?', 'What does the bandleader tell me to bring?'],
  },
  { kind: 'dogs', names: ['spaniel', 'poodle'], ask: ['The kennel has one place for every breed of mine. Name them?'] },
  { kind: 'dances', names: ['waltz', 'tango'], ask: ['The floor is polished and my shoes are on. Begin with?'] },
  { kind: 'cheeses', names: ['brie', 'feta'], ask: ['The board waits for all I eat with figs. Cut them?'] },
]
const vectorOf = async (text: string) => (await hashEmbedder(512).embed([text]))[0]!

describe('an inventory of kinds', () => {
  const open = () => KindInventory.of(KINDS, hashEmbedder(512))
  const most = (shares: ArrayLike<number>) => Array.from(shares).indexOf(Math.max(...Array.from(shares)))

  it('says what kind a thing is of by its name, and by what it is', async () => {
    const inventory = await open()
    const unknown = inventory.sharesOf({ name: 'bowler', meaning: '' }, await vectorOf('bowler beret fedora'))
    expect([unknown.kinds[0], unknown.shares.length]).toEqual([0, 5])
    const named = inventory.sharesOf({ name: 'lute', meaning: '' }, await vectorOf('beret fedora'))
    expect(named.kinds[0]).toBe(1)
    expect(named.shares[0]).toBeGreaterThan(0.8)
    expect(named.shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 5)
    expect([inventory.isNamed('sun hat'), inventory.isNamed('hat')]).toEqual([true, false])
  })

  it('says what kinds a question asks for, by how such things are asked for, and by their names', async () => {
    const inventory = await open()
    expect(most(inventory.askedKinds(await vectorOf('the band has room for what I play')))).toBe(1)
    expect(most(inventory.askedKinds(await vectorOf('which cheeses')))).toBe(4)
    expect(most(inventory.askedKinds(await vectorOf('what do I tell the bandleader')))).toBe(1)
    const shares = inventory.askedKinds(await vectorOf('which cheeses'))
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 5)
  })

  it('is made once for an embedder, and again after a failure', async () => {
    const { embed, texts } = listening()
    const own = { ...embed, id: 'made-once' }
    const broken = { ...own, embed: () => Promise.reject(new Error('no vectors')) }
    await expect(KindInventory.open(broken)).rejects.toThrow('no vectors')
    expect(await KindInventory.open(own)).toBe(await KindInventory.open(own))
    const { kind, names, ask } = inventoryTexts(kindTexts())
    expect(texts.length).toBe([kind, names, ask].flat().length)
  })

  it('of the package has names and a question for every kind', () => {
    const { kinds, single } = kindTexts()
    expect([kinds.length > 2000, single.length > 1000]).toEqual([true, true])
    expect(kinds.filter(({ kind, names, ask }) => !kind || names.length < 2 || !ask[0])).toEqual([])
  })
})

describe('a classifier of questions', () => {
  it('knows questions for several things by what they are like', async () => {
    const wantsSeveral = await setClassifier(hashEmbedder(512))
    expect(wantsSeveral(await vectorOf('What are all the hats that I wear?'))).toBe(true)
    expect(wantsSeveral(await vectorOf('When does my train leave?'))).toBe(false)
  })
})

describe('a linear fit', () => {
  it('tells one sort of vectors from another, however many there are of each', () => {
    const near = (x: number, y: number, count: number) =>
      Array.from({ length: count }, (_, i) => Float32Array.of(x + i / 1e4, y, 0.5))
    const value = linearFit([
      { vectors: near(0.9, 0.1, 40), value: 1 },
      { vectors: near(0.1, 0.9, 3), value: -1 },
    ])
    expect(value(Float32Array.of(0.9, 0.1, 0.5))).toBeCloseTo(1, 1)
    expect(value(Float32Array.of(0.1, 0.9, 0.5))).toBeCloseTo(-1, 1)
    expect(value(Float32Array.of(0.5, 0.5, 0.5))).toBeCloseTo(0, 1)
  })
})

describe('an index of things', () => {
  const open = (embed: Embedder = hashEmbedder(512)) => new ThingIndex({ embed, signal: new AbortController().signal })
  const hats = async (index: ThingIndex) => {
    const inventory = await index.settle()
    return [...index.fit(inventory.askedKinds(await vectorOf('hats')))]
  }

  it('keeps a thing once for all notes that have it, and looks it up when somebody asks', async () => {
    const { embed, texts } = listening()
    const things = open(embed)
    for (const text of ['my fedora', 'fedoras', 'a beret', 'a violin']) things.add(text)
    expect([things.size, texts.length]).toEqual([0, 0])
    things.set(3, '')
    await things.settle()
    expect(things.size).toBe(2)
    expect(texts.filter((text) => /^(?:fedora|beret|violin) \(/.test(text)).length).toBe(2)
  })

  it('says how well the best thing of each note fits, and 0 where there is none', async () => {
    const things = open()
    for (const text of ['my fedora beside the violin', 'the violin', '']) things.add(text)
    const [first, second, none] = await hats(things)
    expect(first).toBeGreaterThan(10 * second!)
    expect(none).toBe(0)
  })

  it('lets go of what no note speaks of any more', async () => {
    const things = open()
    for (const text of ['my fedora and a violin', 'a violin', 'a beret']) things.add(text)
    const before = await hats(things)
    things.set(0, 'the violin')
    const after = await hats(things)
    expect(things.size).toBe(2)
    expect(after[0]).toBe(after[1])
    expect(after[2]).toBe(before[2])
    things.set(0, '')
    things.set(1, '')
    await things.settle()
    expect(things.size).toBe(1)
    things.add('my fedora')
    expect((await hats(things))[3]).toBe(before[0])
  })
})

describe('likeness to a set', () => {
  const order = (scores: Float64Array) => [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!)

  it('goes by what notes say and what kinds their things are of together', () => {
    const similarities = Float64Array.of(0.5, 0.4, 0.1, 0.1)
    const fits = Float64Array.of(0.001, 0.2, 0.2, 0.001)
    const likeness = setLikeness(similarities, fits)
    expect(order(likeness)).toEqual([1, 2, 0, 3])
    expect(likeness.reduce((sum, one) => sum + one)).toBeCloseTo(0, 10)
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
  const QUESTION = 'Which hats do I wear?'

  async function told(options: Partial<MosaicOptions> = {}, embed: Embedder = hashEmbedder(512)): Promise<Mosaic> {
    const memory = new Mosaic({ embed, ...options })
    for (const [i, text] of [...OTHER.slice(0, 2), ...HATS, ...OTHER.slice(2)].entries())
      await memory.store({ id: `c${i}`, time: '2026-03-01T09:00:00Z', turns: [{ role: 'user', text }] })
    return memory
  }

  const found = async (memory: Mosaic, k = 3) => (await memory.retrieve({ text: QUESTION }, k)).map(({ text }) => text)

  it('is found by what kind its things are of, where the question says only the kind', async () => {
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
})
