import { describe, expect, it } from 'vitest'
import { countTokens } from '../../../base/tokens.js'
import { DOMAINS } from '../graph.js'
import { conflicts, type FillerSession, fillerPool, fillSessions, LEAST, MOST } from './index.js'

const request = { gaps: 6, seed: 5, blocked: [] as string[] }
const total = (gaps: FillerSession[][]) => gaps.flat().reduce((sum, session) => sum + session.tokens, 0)

describe.each(DOMAINS)('fillers of %s', (domain) => {
  it('come to the budget, spread over the gaps, none twice', () => {
    for (const tokens of [700, 2_000, 32_000, 128_000]) {
      const gaps = fillSessions({ ...request, domain, tokens })
      expect(gaps).toHaveLength(6)
      expect(Math.abs(total(gaps) - tokens) / tokens).toBeLessThanOrEqual(0.03)
      expect(new Set(gaps.flat().map(({ id }) => id)).size).toBe(gaps.flat().length)
      if (tokens < 32_000) continue
      for (const gap of gaps) expect(total([gap])).toBeGreaterThan(tokens / 6 / 2)
    }
  })

  it('are none when none are wanted, and refuse a budget below one session', () => {
    expect(fillSessions({ ...request, domain, tokens: 0 })).toEqual([[], [], [], [], [], []])
    expect(() => fillSessions({ ...request, domain, tokens: 100 })).toThrow(/at least 500/)
  })

  it('are the same for the same seed and others for another', () => {
    const ids = (seed: number) =>
      fillSessions({ ...request, domain, tokens: 32_000, seed })
        .flat()
        .map(({ id }) => id)
    expect(ids(1)).toEqual(ids(1))
    expect(ids(1)).not.toEqual(ids(2))
  })

  it('contain no blocked value, whoever says it', () => {
    const blocked = ['Thermos', 'for example', 'SHELL', 'a single pass', 'the library']
    const open = fillSessions({ ...request, domain, tokens: 64_000 }).flat()
    expect(open.some((session) => conflicts(session.turns, blocked).length > 0)).toBe(true)
    const gaps = fillSessions({ ...request, domain, tokens: 64_000, blocked })
    for (const session of gaps.flat()) expect(conflicts(session.turns, blocked)).toEqual([])
  })

  it('are made of turns by user and assistant in alternation, of the stated length', () => {
    const pool = fillerPool(domain)
    for (let index = 0; index < fillerPool(domain).size; index += 29) {
      const { turns, tokens } = pool.at(index)
      expect(tokens).toBe(turns.reduce((sum, turn) => sum + countTokens(turn.text), 0))
      expect(tokens).toBeGreaterThanOrEqual(LEAST)
      expect(tokens).toBeLessThanOrEqual(MOST)
      expect(turns.every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'))).toBe(true)
    }
  })
})

describe('conflicts', () => {
  const turns = [
    { role: 'user' as const, text: 'Is the “Red  Kite” open?' },
    { role: 'assistant' as const, text: 'It costs 15 min of work, see C++ and #dev-room.' },
  ]

  it('finds values as whole words, whatever their case, quotes and spaces', () => {
    expect(conflicts(turns, ['red kite', 'kit', '5 min', '15 min', 'c++', '#dev-room', 'dev'])).toEqual([
      'red kite',
      '15 min',
      'c++',
      '#dev-room',
      'dev',
    ])
  })
})
