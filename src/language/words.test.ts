import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasExclusivity, isNegated } from './markers.js'
import { coverage } from './match.js'
import { lemmas } from './morphology.js'
import { digitsOf, numbersInDigits } from './numbers.js'
import { relatedWords } from './relations.js'
import { plainWords } from './tokens.js'
import { synsets } from './wordnet.js'

const bases = (word: string) => lemmas(word).map(({ lemma }) => lemma)

describe('base forms', () => {
  it.each([
    ['studies', 'study'],
    ['running', 'run'],
    ['wrote', 'write'],
    ['knives', 'knife'],
    ['colours', 'color'],
    ['organised', 'organize'],
    ['slower', 'slow'],
  ])('takes %s to %s', (word, base) => expect(bases(word)).toContain(base))

  it('leaves a word alone that the dictionary does not have', () => {
    expect(bases('zzyx')).toEqual(['zzyx'])
  })
})

describe('the dictionary', () => {
  it('finds the first and the last entry as well as those between', () => {
    expect(synsets('sofa', 'n')[0]!.words).toContain('couch')
    expect(synsets('zymurgy', 'n')).toHaveLength(1)
    expect(synsets("'hood", 'n')).toHaveLength(1)
    expect(synsets('zzzzzz', 'n')).toEqual([])
    expect(synsets('', 'n')).toEqual([])
  })

  it.each([
    ['lunar', 'moon', 'derived'],
    ['phone', 'call', 'synonym'],
    ['japan', 'asia', 'general'],
    ['drink', 'sip', 'specific'],
    ['proud', 'pride', 'derived'],
  ])('ties %s to %s as %s', (a, b, relation) => expect(relatedWords(a).get(b)?.relation).toBe(relation))
})

describe('finding words', () => {
  it('finds inflections, derivations, synonyms, compounds and fixed expressions', () => {
    expect(
      coverage('late-night snacking gives restless sleep', 'Eating snacks late at night makes one sleep restlessly')
        .core,
    ).toBeGreaterThan(0.9)
    expect(coverage('weightlifting', 'lifts weights').core).toBeGreaterThan(0.9)
    expect(coverage('wears a cloak', 'puts on her cloak').core).toBeGreaterThan(0.85)
  })

  it('does not count a wider word as exact', () => {
    const { score, exact } = coverage('Japan', 'a trip to Asia')
    expect(score).toBeGreaterThan(0.4)
    expect(exact).toBe(0)
  })

  it('finds every text whole in itself', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('red', 'kite', 'flies', 'on', 'Monday', 'mornings', '12', 'with', 'Tamsin'), {
          minLength: 1,
        }),
        (words) => {
          const text = words.join(' ')
          expect(coverage(text, text)).toMatchObject({ score: 1, exact: 1, core: 1 })
        },
      ),
    )
  })

  it('keeps no accents, hyphens or possessives in words', () => {
    expect(plainWords("The café’s late-night crêpes, 1,200 of 'em")).toEqual([
      'the',
      'cafe',
      'late',
      'night',
      'crepes',
      '1,200',
      'of',
      'em',
    ])
  })
})

describe('numbers in words', () => {
  it.each([
    ['forty-seven minutes', '47 minutes'],
    ['one hundred twenty', '120'],
    ['twice a day', '2 times a day'],
    ['half a dozen', '6'],
  ])('reads %s as %s', (text, digits) => expect(numbersInDigits(text)).toBe(digits))

  it('knows digits and words for the same', () => {
    expect(digitsOf('seven')).toBe(digitsOf('7'))
    expect(digitsOf('05')).toBe('5')
    expect(digitsOf('kite')).toBeUndefined()
  })
})

describe('markers', () => {
  it.each([
    'only when it rains',
    'exclusively at home',
    'nowhere else',
    'not until noon',
    'the one place where she sings',
    'never unless asked',
  ])('hears exclusivity in "%s"', (text) => expect(hasExclusivity(text)).toBe(true))

  it('hears none in a plain habit', () => expect(hasExclusivity('She sings at the coffee shop.')).toBe(false))

  it('tells denials from expressions that only look negative', () => {
    expect(isNegated('He does not eat fish.')).toBe(true)
    expect(isNegated('He never eats fish unless asked.')).toBe(false)
    expect(isNegated('He eats no more than two.')).toBe(false)
  })
})
