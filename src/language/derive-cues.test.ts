import { describe, expect, it } from 'vitest'
import { linkCues, preferenceCues, profileCues, ruleCues } from './derive-cues.js'

const forms = (cues: ReturnType<typeof linkCues>) =>
  Object.fromEntries(cues.parts.map((part) => [part.role, part.forms[0]]))

describe('links', () => {
  it.each([
    ['When I unwind I start reading blogs.', 'I unwind', 'I start reading blogs'],
    ['After rainy walks I crave soup.', 'rainy walks', 'I crave soup'],
    ['Cold rain makes me hum.', 'Cold rain', 'me hum'],
    ['I wear my old coat because I feel wistful.', 'I feel wistful', 'I wear my old coat'],
    ['I brew tea because it makes me calm.', 'I brew tea', 'it makes me calm'],
    ['I knit a hat to relax.', 'I knit a hat', 'relax'],
    ['I paint until I forget lunch.', 'I paint', 'I forget lunch'],
    ['Broth warms me enough to nap.', 'Broth', 'warms enough to nap'],
    ['To put on slow records helps me breathe.', 'To put on slow records', 'me breathe'],
    ['When I finish a poem I post it online.', 'I finish a poem', 'I post it online'],
  ])('reads cause and effect of "%s"', (text, what, value) => {
    expect(forms(linkCues(text))).toMatchObject({ what, value })
  })

  it('knows who it is about, and that some sentences link nothing', () => {
    expect(forms(linkCues('Una craves pickled plums.'))).toEqual({
      who: 'Una',
      value: 'pickled plums',
      relation: 'craves',
    })
    expect(forms(linkCues('Pickled plums make Una sneeze.'))).toMatchObject({ who: 'Una', what: 'Pickled plums' })
    expect(forms(linkCues('Early alarms make me groggy.'))).not.toHaveProperty('who')
  })

  it('adds published anchors to the side they belong to, whatever their order', () => {
    const cues = linkCues('I wear my old coat because I feel wistful.', 'wear my old coat', 'feel wistful')
    expect(cues.parts.map((part) => part.forms)).toEqual([
      ['I feel wistful', 'feel wistful'],
      ['I wear my old coat', 'wear my old coat'],
      ['because'],
    ])
  })
})

describe('rules', () => {
  const essay = 'Odo keeps herons. He whittles spoons only when the wind is high. On Mondays he mends nets.'

  it('take the sentences of the essay as further forms', () => {
    const cues = ruleCues('Odo', 'whittles spoons', 'when the wind is high', essay)
    expect(cues).toMatchObject({ kind: 'rule', explicit: false, exclusive: true })
    expect(cues.parts.map((part) => part.forms.length)).toEqual([1, 2, 2])
    expect(cues.parts[1]!.forms[1]).toBe('He whittles spoons only when the wind is high.')
  })

  it('are exclusive only when the essay says so', () => {
    expect(ruleCues('Odo', 'mends nets', 'on Mondays', essay).exclusive).toBe(false)
  })
})

describe('preferences and profiles', () => {
  it('name the thing, and a detail for every sentence', () => {
    expect(preferenceCues('fencing', 'I like fencing.').parts[0]).toEqual({ role: 'value', forms: ['fencing'] })
    const cues = profileCues('Wilma Kaspar', 'Wilma Kaspar tunes pianos. She bakes.')
    expect(cues.parts.map(({ role }) => role)).toEqual(['who', 'detail', 'detail'])
  })
})
