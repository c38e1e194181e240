import { describe, expect, it } from 'vitest'
import { namesTold, speaksOfKind } from './topic-words.js'

describe('what a statement says that it is about', () => {
  it.each([
    ['My gym is Harbour Street Hall.', ['gym']],
    ['One more thing: The instrument I play is the oboe.', ['instrument']],
    ['As for my love life, I am seeing Ilse.', ['love life']],
    ['Our release notes are written by Tom.', ['release notes']],
    ['My car: a grey Lada.', ['car']],
  ])('is read from %j', (text, names) => {
    expect(namesTold(text)).toEqual(names)
  })

  it('is not what it hangs on, and nothing where it names none', () => {
    expect(namesTold('My train is the 8:10, because my office is in Leeds.')).toEqual(['train'])
    expect(namesTold('Tuesdays I am at the rink.')).toEqual([])
  })

  it.each([
    'I have lived in Leeds for the last two years.',
    'I train for the marathon on Sundays.',
    'To my surprise the train was late.',
    'I told my boss I was ill.',
    'My brother says my car is slow.',
  ])('is not what it speaks of besides: %s', (text) => {
    expect(namesTold(text).filter((name) => name !== 'car')).toEqual([])
  })

  it('takes time in proportion to a text', () => {
    expect(namesTold(`my ${'very '.repeat(20_000)}old house is here`)).toEqual([])
    expect(namesTold(`for my ${'a'.repeat(20_000)}!`)).toEqual([])
  })
})

describe('a thing of a kind', () => {
  it('is known by the dictionary', () => {
    expect(speaksOfKind('Tuesdays I play lacrosse.', 'sport')).toBe(true)
    expect(speaksOfKind('We went to a carnival.', 'upcoming event')).toBe(true)
    expect(speaksOfKind('I bank at the corner.', 'sport')).toBe(false)
  })

  it('is of the whole that a topic names, and of nothing that nearly everything is', () => {
    expect(speaksOfKind('My team is called the Otters.', 'blood group')).toBe(false)
    expect(speaksOfKind('I like to read novels.', 'place of work')).toBe(false)
    expect(speaksOfKind('Tuesdays I play lacrosse.', 'sport of my sister')).toBe(true)
  })

  it('is another word than that of the kind', () => {
    expect(speaksOfKind('My sport takes time.', 'sport')).toBe(false)
  })
})
