import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectFree, isInventable, nameKinds } from '../../../../test/memfail/invented.js'
import { Random } from '../../../base/random.js'
import { numberWords } from '../../../language/number-words.js'
import { articles, finish, gerund, pastParticiple, plurals, thirdPerson } from './english.js'
import { capacity, Digits, expand, type Lexicon } from './expand.js'
import { lexiconOf } from './grammar.js'
import { inventedName, nameCount } from './names.js'
import { permute, placeInBlock } from './permutation.js'

describe('the seeded numbering', () => {
  it('gives every number of its range once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (size, key) => {
        const all = Array.from({ length: size }, (_, i) => permute(i, size, key))
        expect(new Set(all).size).toBe(size)
        expect(Math.max(...all)).toBe(size - 1)
      }),
    )
  })

  it('works for ranges beyond 32 bits', () => {
    const size = 2 ** 44 - 17
    const some = Array.from({ length: 5000 }, (_, i) => permute(i, size, 9))
    expect(new Set(some).size).toBe(5000)
    expect(some.every((value) => Number.isSafeInteger(value) && value >= 0 && value < size)).toBe(true)
  })

  it('fills each block with each place once', () => {
    for (const block of [0, 1, 77]) {
      const places = Array.from({ length: 10 }, (_, i) => placeInBlock(block * 10 + i, 10, 3))
      expect(places.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    }
  })
})

describe('templates', () => {
  const lexicon: Lexicon = {
    fruit: ['apple', 'pear', 'ripe {fruit2}'],
    fruit2: ['plum', 'fig'],
    verb: ['carry', 'tug'],
  }
  const write = (template: string, scope = {}) => expand(template, lexicon, scope, new Random(1))

  it('bind what they choose and inflect it', () => {
    const scope: Record<string, string> = {}
    expect(write('{fruit2:f}, two <f.s>, <f.cap>', scope)).toBe(`${scope.f}, two ${scope.f}s, ${finish(scope.f!)}`)
    expect(write('<v.third>, <v.ing>, <v.pp>', { v: 'carry it' })).toBe('carries it, carrying it, carried it')
  })

  it('pass over what is bound', () => {
    for (let i = 0; i < 20; i++) expect(expand('{fruit2!f}', lexicon, { f: 'fig' }, new Random(i))).toBe('plum')
    for (let i = 0; i < 20; i++) expect(expand('{#4-5!n.d}', lexicon, { n: 'four', nd: '4' }, new Random(i))).toBe('5')
  })

  it('tell as many numbers apart as they have texts', () => {
    const template = '[very ]{fruit} (and|or) {verb} {#3-8}'
    const size = capacity(template, lexicon)
    const texts = Array.from({ length: size }, (_, i) =>
      expand(template, lexicon, {}, new Digits(i, size, new Random(i))),
    )
    expect(size).toBe(2 * 3 * 2 * 2 * 6)
    expect(new Set(texts).size).toBe(size)
  })

  it('name what is wrong with them', () => {
    expect(() => write('{fruit')).toThrow(/Expected "}"/)
    expect(() => write('(a|b')).toThrow(/Expected "\)"/)
    expect(() => write('{nothing}')).toThrow(/no lexicon "nothing"/)
    expect(() => write('<nobody>')).toThrow(/bound to <nobody>/)
    expect(() => write('{fruit2.wrong}')).toThrow(/no form "wrong"/)
  })
})

describe('English', () => {
  it('has the right article', () => {
    expect(articles('a apple, a hour, a unicorn, a umbrella, A eel, a ewe, a one-off, a Ostrel, a 8, a 80')).toBe(
      'an apple, an hour, a unicorn, an umbrella, An eel, a ewe, a one-off, an Ostrel, an 8, an 80',
    )
  })

  it('inflects', () => {
    expect(['leaf', 'tin box', 'puppy', 'passer-by', 'wristwatch'].map(plurals)).toEqual([
      'leaves',
      'tin boxes',
      'puppies',
      'passers-by',
      'wristwatches',
    ])
    expect(['carry it', 'push', 'go to', 'have it', 'play'].map(thirdPerson)).toEqual([
      'carries it',
      'pushes',
      'goes to',
      'has it',
      'plays',
    ])
    expect(['hide it', 'tug', 'sit on', 'lie', 'juggle', 'feed', 'drum on'].map(gerund)).toEqual([
      'hiding it',
      'tugging',
      'sitting on',
      'lying',
      'juggling',
      'feeding',
      'drumming on',
    ])
    expect(['hide it', 'tug', 'bury', 'sweep'].map(pastParticiple)).toEqual(['hidden it', 'tugged', 'buried', 'swept'])
    expect([0, 21, 40, 100, 345, 1000].map(numberWords)).toEqual([
      'zero',
      'twenty-one',
      'forty',
      'one hundred',
      'three hundred and forty-five',
      '1000',
    ])
  })
})

describe('invented names', () => {
  it('are all different within a kind', () => {
    for (const kind of nameKinds) {
      const count = nameCount(kind)
      const step = Math.max(1, Math.floor(count / 20_000))
      const numbers = Array.from({ length: Math.floor(count / step) }, (_, i) => i * step)
      expect(new Set(numbers.map((number) => inventedName(kind, number))).size, kind).toBe(numbers.length)
    }
  })

  it('cannot come out as a name of the written corpora or one of the audited view', () => {
    const corpora = ['conditional', 'coexisting', 'persona', 'long-hop'].map((name) =>
      readFileSync(new URL(`../../../corpora/memfail/${name}.jsonl`, import.meta.url), 'utf8'),
    )
    expectFree([readFileSync(new URL('../names.json', import.meta.url), 'utf8'), ...corpora], 500)
  })

  it('do not stand for two kinds of people', () => {
    const people = [
      'woman',
      'man',
      'strangerwoman',
      'strangerman',
      'family',
      'strangerfamily',
      'minor',
      'pet',
      'character',
    ]
    for (const kind of people) {
      for (let i = 0; i < 400; i++) {
        const name = inventedName(kind, permute(i, nameCount(kind), 5))
        expect(
          people.filter((other) => isInventable(other, name)),
          name,
        ).toEqual([kind])
      }
    }
  })
})

describe('word lists of anchors', () => {
  const lexicon = lexiconOf('long-hop')

  it('hold no entry that ends or begins as another, so that no anchor stands within another', () => {
    for (const list of ['quality', 'feeling', 'flavour', 'chore', 'event', 'building']) {
      const entries = lexicon[list]!
      const within = entries.filter((one) => entries.some((other) => other !== one && other.endsWith(one)))
      expect(within, list).toEqual([])
    }
    for (const list of ['thing', 'animal', 'stew', 'job']) {
      const entries = lexicon[list]!
      const within = entries.filter((one) => entries.some((other) => other !== one && other.startsWith(one)))
      expect(within, list).toEqual([])
    }
  })
})
