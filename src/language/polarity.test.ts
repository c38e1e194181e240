import { describe, expect, it } from 'vitest'
import { isHedged, isInverted } from './condition.js'
import { opposes } from './opposites.js'
import { endorses, rejects } from './polarity.js'

describe('rejection', () => {
  it.each([
    ['The user gave up juggling.', 'I practise juggling after lunch.'],
    ['The user finds juggling dreary.', 'I practise juggling after lunch.'],
    ['I would do anything but juggling after lunch.', 'I practise juggling after lunch.'],
    ['The user stays away from juggling.', 'I practise juggling after lunch.'],
    ['Juggling makes me dizzy.', 'Juggling clears my head.'],
    ['The user is too shy for charades.', 'I am shameless at charades.'],
    ['The user ditched juggling.', 'I practise juggling after lunch.'],
  ])('is heard in "%s"', (text, said) => expect(rejects(text, said)).toBe(true))

  it.each([
    ['The user practises juggling after lunch.', 'I practise juggling after lunch.'],
    ['The user loves juggling, although it hurts.', 'I practise juggling after lunch.'],
    ['User meditates to avoid stress.', 'Meditation keeps me calm.'],
    ['User never misses a juggling evening.', 'I practise juggling after lunch.'],
    ['The user hates being cold, so films of ice comfort them.', 'Ice films are my comfort, since I hate being cold.'],
  ])('is not heard in "%s"', (text, said) => expect(rejects(text, said)).toBe(false))

  it('is no endorsement, and liking is', () => {
    expect(endorses('The user does not like juggling.')).toBe(false)
    expect(endorses('The user likes juggling.')).toBe(true)
  })
})

describe('a condition', () => {
  it.each([
    ['Osku sings at any hour apart from noon.', 'at noon'],
    ['Osku sings in every season but winter.', 'in winter'],
    ['Osku sings before the bell has rung.', 'after the bell has rung'],
    ['Osku sings when he is fresh enough to run.', 'when he is too tired to run'],
    ['Osku sings when the jug is empty.', 'when the jug is full'],
  ])('is turned round in "%s"', (text, condition) => expect(isInverted(text, condition, condition)).toBe(true))

  it.each([
    ['Osku sings only at noon.', 'at noon'],
    ['Osku never sings except at noon.', 'at noon'],
    ['Osku sings at no time other than noon.', 'at noon'],
    ['Osku sings only after the bell.', 'once the bell has rung'],
  ])('is kept in "%s"', (text, condition) => expect(isInverted(text, condition, condition)).toBe(false))

  it('is weakened by a hedge that the source does not have', () => {
    expect(isHedged('Osku sometimes sings at noon.', 'Osku sings at noon.')).toBe(true)
    expect(isHedged('Osku often sings at noon.', 'Osku usually sings at noon.')).toBe(false)
  })

  it('is changed by an antonym in the place of a word', () => {
    expect(opposes('the white piano', 'the black piano')).toBe(true)
    expect(opposes('the white and black piano', 'the black piano')).toBe(false)
  })
})
