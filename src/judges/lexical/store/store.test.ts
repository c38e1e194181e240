import { describe, expect, it } from 'vitest'
import { StoreIndex } from './store-index.js'
import { passages, viewOf } from './view.js'

const memory = (text: string) => ({ id: 'm', text })

describe('reading memories', () => {
  it('reads triples as statements', () => {
    expect(viewOf(memory('Mei -[works_as]-> sound tech')).statements).toEqual(['Mei works as sound tech'])
  })

  it('leaves keywords, speakers and time stamps aside', () => {
    const note = 'User: I sing. I dance.\nKeywords: singing; Tags: fun; Context: A hobby.'
    expect(viewOf(memory(note)).statements).toEqual(['I sing.', 'I dance.'])
    expect(viewOf(memory('At 2026-02-18T19:05:47, User sings.')).statements).toEqual(['User sings.'])
  })

  it('reads neighbouring statements together', () => {
    const found = passages(viewOf(memory('Mei sings. She dances. She paints.')), 2)
    expect(found.map(({ text }) => text)).toEqual([
      'Mei sings.',
      'She dances.',
      'She paints.',
      'Mei sings. She dances.',
      'She dances. She paints.',
    ])
  })
})

describe('the index', () => {
  const index = new StoreIndex([
    { id: 'a', text: 'User phones their mother on Sundays.' },
    { id: 'b', text: 'User bakes bread.' },
    { id: 'c', text: 'User: “I call my mother, on Sundays!”' },
  ])

  it('finds texts word for word, whatever the punctuation', () => {
    expect(index.containing('i call my mother on sundays')).toEqual(['c'])
    expect(index.containing('call my moth')).toEqual([])
    expect(index.containing('...')).toEqual([])
  })

  it('offers memories that share words or their synonyms, best first', () => {
    expect(index.candidates(['calling my mother'], 5).map(({ view }) => view.id)).toEqual(['c', 'a'])
    expect(index.candidates(['violin'], 5)).toEqual([])
    expect(index.candidates(['mother'], 1)).toHaveLength(1)
  })
})
