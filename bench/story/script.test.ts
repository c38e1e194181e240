import { describe, expect, it } from 'vitest'
import { followScript, Script } from './script.js'

const FAILURES = [{ question: 'likes', shows: 'summary_error', by: 'merging', off: 'merge=off' }]

function say(rules: unknown[], prompt: string, at = 's1') {
  const script = Script.parse({ failures: FAILURES, steps: { look: rules } })
  return followScript(script, () => at)({ step: 'look', prompt, request: { messages: [] } })
}

describe('a script', () => {
  it('gives the first reply that fits where we are and what is asked', () => {
    const rules = [
      { at: 's2', text: 'elsewhere' },
      { when: ['tea', 'figs'], text: 'both' },
      { when: 'tea', unless: 'figs', text: 'tea alone' },
      { at: ['s1', 's3'], json: { any: true } },
    ]
    expect(say(rules, 'tea and figs')).toEqual({ text: 'both' })
    expect(say(rules, 'tea')).toEqual({ text: 'tea alone' })
    expect(say(rules, 'rain')).toEqual({ json: { any: true } })
    expect(say(rules, 'rain', 's2')).toEqual({ text: 'elsewhere' })
  })

  it('reads numbers where the prompt shows them', () => {
    const prompt = 'Look.\n[0] User likes figs\n[12] Likes\n  | User likes tea\n- User likes rain'
    const reply = { json: { ids: ['@User likes tea', 'plain'], first: { '@': 'User likes figs' } } }
    expect(say([reply], prompt)).toEqual({ json: { ids: ['12', 'plain'], first: 0 } })
    expect(() => say([{ json: '@User likes rain' }], prompt)).toThrow('shows no numbered item')
  })

  it('says what was asked when no rule fits, and refuses rules with two replies', () => {
    expect(() => say([{ when: 'figs', text: 'x' }], 'tea')).toThrow(/No rule of the step "look" fits at s1:\ntea/)
    expect(() => say([{ text: 'x', json: 1 }], 'tea')).toThrow('expected one of json, text and calls')
  })
})
