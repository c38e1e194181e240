import { describe, expect, it } from 'vitest'
import { linkCues, preferenceCues, ruleCues } from '../../../language/derive-cues.js'
import type { Fact } from '../../../model/index.js'
import { bringsStranger, names, ofRelative, ofSomebodyElse, ofThirdPerson } from './guards.js'
import { naming } from './naming.js'

const passage = (text: string) => ({ memory: 'm', text, context: text, span: 1 })
const fact = (text: string, cues: Fact['cues']): Fact => ({ id: 'f', text, sources: [], cues })
const welsh = fact('I want to learn Welsh.', preferenceCues('Welsh', 'I want to learn Welsh.'))
const odo = fact(
  'Odo whittles spoons in spring.',
  ruleCues('Odo', 'whittles spoons', 'in spring', 'Odo whittles spoons in spring.'),
)
const jealous = fact('Seed lists make me jealous.', linkCues('Seed lists make me jealous.'))

describe('whose a memory is', () => {
  it('is told from a name that neither fact nor dictionary knows', () => {
    expect(ofSomebodyElse(welsh, passage('Branwenna wants to learn Welsh.'))).toBe(true)
    expect(ofSomebodyElse(welsh, passage('User wants to learn Welsh.'))).toBe(false)
  })

  it('is told from a relative as subject, but not from any possession', () => {
    expect(ofRelative(welsh, passage("The user's mother wants to learn Welsh."))).toBe(true)
    expect(ofRelative(welsh, passage("The user's favourite language is Welsh."))).toBe(false)
    expect(ofRelative(odo, passage("Odo's sister whittles spoons in spring."))).toBe(true)
    expect(ofRelative(odo, passage("Odo's habit is whittling spoons in spring."))).toBe(false)
  })

  it('is told from strangers', () => {
    expect(ofThirdPerson(welsh, passage('The nurses on the ward want to learn Welsh.'))).toBe(true)
    expect(ofThirdPerson(welsh, passage('The user wants to learn Welsh.'))).toBe(false)
    expect(bringsStranger(jealous, passage('Seed lists make the gardener jealous.'))).toBe(true)
    expect(bringsStranger(jealous, passage('Seed lists make the user jealous.'))).toBe(false)
  })

  it('is known by the name or part of it, but not by a title', () => {
    expect(names('Rell hums.', ['Captain Rell'])).toBe('part')
    expect(names('Captain Rell hums.', ['Captain Rell'])).toBe('full')
    expect(names('Captain Mira hums.', ['Captain Rell'])).toBeUndefined()
  })
})

describe('naming', () => {
  it.each([
    ['weightlifting', 'lifts weights', 0.9],
    ['artificial intelligence', 'fascinated by AI', 1],
    ['lunar phases', 'phases of the moon', 0.9],
    ['visiting museums', 'among museum exhibits', 0.6],
    ['real estate', 'puts money into realty', 0.9],
  ])('takes "%s" to be named in "%s"', (name, text, least) =>
    expect(naming([name], text)).toBeGreaterThanOrEqual(least),
  )

  it.each([
    ['Japan', 'dreams of Asia'],
    ['rock garden', 'gardens that need little upkeep'],
    ['dark humor', 'humour that makes one think'],
    ['herbal tea', 'green tea'],
    ['garden patio', 'a rooftop terrace'],
  ])('does not take "%s" to be named in "%s"', (name, text) => expect(naming([name], text)).toBeLessThan(0.55))
})
