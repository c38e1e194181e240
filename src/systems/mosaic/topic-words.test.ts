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

  it('takes time in proportion to a text', () => {
    expect(namesTold(`my ${'very '.repeat(20_000)}old house is here`)).toEqual([])
  })
})

describe('a thing of a kind', () => {
  it('is known by the dictionary', () => {
    expect(speaksOfKind('Tuesdays I play lacrosse.', 'sport')).toBe(true)
    expect(speaksOfKind('We went to a carnival.', 'upcoming event')).toBe(true)
    expect(speaksOfKind('I bank at the corner.', 'sport')).toBe(false)
  })

  it('is another word than that of the kind', () => {
    expect(speaksOfKind('My sport takes time.', 'sport')).toBe(false)
  })
})
