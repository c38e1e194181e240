import { describe, expect, it } from 'vitest'
import { changesGender, otherActor } from './actor.js'
import { isBeing, mayBeBeing } from './beings.js'
import { openingStranger, ownedStranger } from './strangers.js'
import { plainWords } from './tokens.js'

describe('beings', () => {
  it.each(['gardener', 'nurses', 'twin', 'boss', 'tomcat', 'deskmate', 'fireman'])('has %s for one', (word) =>
    expect(isBeing(word)).toBe(true),
  )

  it.each(['user', 'table', 'hands', 'mood', 'old', 'back', 'longer'])('does not have %s for one', (word) =>
    expect(isBeing(word)).toBe(false),
  )

  it('takes a word that only sometimes means people, or that the dictionary does not know, for a possible one', () => {
    expect([mayBeBeing('club'), mayBeBeing('greenkeeper'), mayBeBeing('hands')]).toEqual([true, true, false])
  })
})

describe('strangers', () => {
  const said = 'Cold elbows send me straight to the pickle jar.'

  it.each([
    ["Cold elbows send the user's boss to the pickle jar.", 'boss'],
    ['Cold elbows send my book club to the pickle jar.', 'club'],
    ['Cold elbows send my best man to the pickle jar.', 'best man'],
    ['Cold elbows send my in-laws to the pickle jar.', 'in-laws'],
  ])('finds in "%s" whom it belongs to', (text, stranger) => expect(ownedStranger(text, ['user'], said)).toBe(stranger))

  it('lets the user own other things, and people the source speaks of', () => {
    expect(ownedStranger("Cold hands turn the user's thoughts to pickles.", ['user'], said)).toBeUndefined()
    expect(ownedStranger('My aunt brings me pickles.', ['user'], 'My aunt sends me pickles.')).toBeUndefined()
  })

  it('finds another subject, also one the source speaks of when the user is left out', () => {
    expect(openingStranger('A workmate of the user took up chess.', 'I took up chess.')).toBe('workmate')
    expect(openingStranger("The user's uncle loves chess.", 'My uncle taught me chess.')).toBe('uncle')
    expect(openingStranger("The user's uncle taught them chess.", 'My uncle taught me chess.')).toBeUndefined()
    expect(openingStranger('The user took up chess.', 'I took up chess.')).toBeUndefined()
  })
})

describe('who does it', () => {
  const actor = (text: string) => otherActor(text, ['Ada'], plainWords(text).indexOf('shelves'))

  it.each([
    "Ada's clerk shelves scrolls.",
    'A clerk who lodges with Ada shelves scrolls.',
    'Ada watches while the clerk shelves scrolls.',
    'Ada has a clerk who shelves scrolls.',
    'Ada has a clerk for a neighbour, and he shelves scrolls.',
  ])('is somebody else in "%s"', (text) => expect(actor(text)).toBe('clerk'))

  it.each([
    'Ada shelves scrolls.',
    'Ada the librarian shelves scrolls.',
    'Ada, an old clerk, shelves scrolls.',
    'Ada is a clerk who shelves scrolls.',
    'When a child asks, Ada shelves scrolls.',
    'She shelves scrolls.',
  ])('is the named one in "%s"', (text) => expect(actor(text)).toBeUndefined())

  it('shows in the gender of pronouns', () => {
    expect(changesGender('steps out of her frame', 'steps out of his frame')).toBe(true)
    expect(changesGender('steps out of her frame', 'steps out of her frame for him')).toBe(false)
    expect(changesGender('steps out of a frame', 'steps out of his frame')).toBe(false)
  })
})
