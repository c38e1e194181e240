import { describe, expect, it } from 'vitest'
import type { Turn } from '../../../model/index.js'
import type { LifeTrace, Operation } from '../trace.js'
import { findGroundingErrors } from './grounded.js'

const director = { of: 'taste', domain: 'movies', subcategory: 'directors' } as const
const woo: Operation = { ...director, act: 'add', item: 'John Woo', liking: 'like' }
const noWoo: Operation = { ...director, act: 'delete', item: 'John Woo', liking: 'like' }
const swap: Operation = { ...director, act: 'replace', item: 'Michael Mann', old: 'John Woo', liking: 'like' }
const flip: Operation = { ...director, act: 'flip', item: 'John Woo', from: 'like', to: 'dislike' }
const coffee: Operation = { of: 'food', act: 'add', meal: 'coffee', amount: 4.5 }
const moved: Operation = {
  of: 'calendar',
  act: 'update',
  kind: 'work',
  event: 'Pipeline forecast call',
  day: '2025-06-13',
  old: '2025-06-11',
}

/** Rules that a conversation breaks; it is the last session after those that did `before`. */
function rules(operation: Operation | null, said: string, before: Operation[] = [], answer = 'Noted.'): string[] {
  const sessions = [...before, operation].map((one, at) => ({ number: at + 1, day: '2025-06-05', operation: one }))
  const trace: LifeTrace = { persona: 'sales_manager', start: '2025-06-05', end: '2025-06-05', sessions }
  const turns: Turn[] = [
    { role: 'user', text: said },
    { role: 'assistant', text: answer },
  ]
  return findGroundingErrors(trace, sessions.at(-1)!, turns).map(({ rule }) => rule)
}

describe('the grounding check', () => {
  it('accepts what is said as it is', () => {
    expect(rules(woo, 'I really like the director John Woo.')).toEqual([])
    expect(rules(coffee, 'I spent $4.50 on coffee today.')).toEqual([])
    expect(rules(swap, 'I used to like John Woo, but now I like Michael Mann instead.')).toEqual([])
    expect(rules(moved, 'Move the Pipeline forecast call from June 11 to Friday, June 13.')).toEqual([])
    expect(rules(null, 'Why is the sky blue?')).toEqual([])
  })

  it('misses an operation, an entity or a value', () => {
    expect(rules(woo, 'There is a director I like.')).toContain('missing')
    expect(rules(coffee, 'I spent $4.05 on coffee today.')).toEqual(expect.arrayContaining(['missing', 'foreign']))
    expect(rules(coffee, 'I spent $14.50 on coffee today.')).toContain('missing')
    expect(rules(moved, 'The Pipeline forecast call moved from June 11 to next week.')).toContain('missing')
    expect(rules(coffee, 'I spent $4.50 on coffee.')).toContain('period')
  })

  it('hears a liking turned round', () => {
    expect(rules(woo, "I don't like the director John Woo.")).toContain('liking')
    expect(rules(flip, 'I used to dislike John Woo, but now I like that.')).toContain('liking')
    expect(rules(flip, 'I used to like John Woo, but now I dislike that.')).toEqual([])
  })

  it('hears what is over spoken of as current, and the other way round', () => {
    expect(rules(noWoo, 'I like the director John Woo.')).toContain('stance')
    expect(rules(noWoo, 'Please remove John Woo from my likes.')).toEqual([])
    expect(rules(swap, 'I used to like Michael Mann, but now I like John Woo instead.')).toContain('stance')
    expect(rules(moved, 'Move the Pipeline forecast call from June 13 to June 11.')).toContain('stance')
  })

  it('notices anything else that could be remembered', () => {
    expect(rules(woo, 'I like John Woo, as I like Michael Mann.')).toContain('foreign')
    expect(rules(woo, 'I like John Woo and walked 8,000 paces.')).toContain('foreign')
    expect(rules(null, 'That will cost $20.')).toContain('foreign')
    expect(rules(null, 'Which film is the longest?')).toContain('foreign')
  })

  it('notices something deleted before', () => {
    expect(rules(coffee, 'With John Woo on, coffee cost me $4.50 today.', [woo, noWoo])).toContain('deleted')
    expect(rules(coffee, 'With John Woo on, coffee cost me $4.50 today.', [woo, noWoo, woo])).toEqual(['foreign'])
  })

  it('does not let the assistant say it', () => {
    expect(rules(coffee, 'I spent $4.50 on coffee today.', [], 'So $4.50 it is.')).toEqual(['assistant'])
  })
})
