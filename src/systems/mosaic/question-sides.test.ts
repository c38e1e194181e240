import { describe, expect, it } from 'vitest'
import { sidesOf } from './question-sides.js'

describe('the sides of a question', () => {
  it('are the two things that something is between', () => {
    expect(sidesOf('How many days were there between when I sowed the beans and when I picked the first?')).toEqual([
      'when I sowed the beans',
      'when I picked the first',
    ])
    expect(sidesOf('Between my walk to work and my ride home, which takes longer?')).toEqual([
      'my walk to work',
      'my ride home',
    ])
  })

  it('are those of which one came first or is more so', () => {
    expect(sidesOf('Which did I read first, the atlas or the almanac?')).toEqual(['the atlas', 'the almanac'])
    expect(sidesOf('Which is cheaper: the ferry or the bridge?')).toEqual(['the ferry', 'the bridge'])
  })

  it('are none where nothing stands beside anything', () => {
    expect(sidesOf('Where do I live?')).toEqual([])
    expect(sidesOf('')).toEqual([])
    expect(sidesOf('Between the soup and the fish Tom yawns. Does he leave?')).toEqual([])
    expect(sidesOf('Do I take milk or sugar?')).toEqual([])
    expect(sidesOf('What did I say before, about tea and salt?')).toEqual([])
  })
})
