import { describe, expect, it } from 'vitest'
import type { Memory } from '../../../model/index.js'
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

describe('candidates', () => {
  const copies = Array.from({ length: 60 }, (_, i) => ({ id: `copy${i}`, text: `Mei keeps two ferrets in room ${i}.` }))
  const others = [
    { id: 'other', text: 'What Mei feeds her ferrets is fish.' },
    { id: 'third', text: 'A room was let.' },
  ]

  it('are not all near copies of one memory', () => {
    const found = new StoreIndex([...copies, ...others]).candidates(['Mei keeps two ferrets in a room'], 8)
    const ids = found.map(({ view }) => view.id)
    expect(ids).toHaveLength(8)
    expect(ids).toEqual(expect.arrayContaining(['other', 'third']))
    expect(ids.slice(0, 4).every((id) => id.startsWith('copy'))).toBe(true)
  })

  it('are the best there are where all have one shape', () => {
    const found = new StoreIndex(copies).candidates(['Mei keeps two ferrets in room 17'], 8)
    expect(found).toHaveLength(8)
    expect(found[0]!.view.id).toBe('copy17')
  })

  const filler = Array.from({ length: 600 }, (_, i) => ({
    id: `c${i}`,
    text: `${'A boat came by. '.repeat(1 + (i % 30))}At ${i + 1000}.`,
  }))
  const idsOf = (store: Memory[], text: string, most: number) =>
    new StoreIndex(store).candidates([text], most).map(({ view }) => view.id)

  it('are, in a large store, the same with near copies as without', () => {
    const store = [...filler, ...others, { id: 'first', text: 'Mei keeps two ferrets in the loft.' }]
    const many = Array.from({ length: 400 }, (_, i) => ({ id: `m${i}`, text: `Ada keeps two ferrets in the n${i}x.` }))
    const fact = 'Mei keeps two ferrets in the loft, and feeds them fish'
    expect(idsOf(store, fact, 3)).toEqual(['first', 'other'])
    expect(idsOf([...store, ...many], fact, 2)).toEqual(['first', 'other'])
  })

  it('begin, in a large store, with the memory most like the others where near copies share as much', () => {
    const names = Array.from({ length: 20 }, (_, i) => `n${i}x`)
    const many = names.map((name) => ({ id: name, text: `Mei keeps ferrets in the ${name} for the winter.` }))
    const typical = { id: 'typical', text: 'Mei keeps ferrets in the n7x for the winter.' }
    const rare = { id: 'rare', text: 'Mei keeps ferrets in the attic for the siege.' }
    const [first] = new StoreIndex([rare, ...many, typical, ...filler]).candidates(['ferrets'], 3)
    expect(first!.view.id).toBe('n0x')
    expect(first!.alike).toHaveLength(20)
    expect(first!.alike).not.toContain('rare')
  })

  it('are found, in a large store, by numbers however they are written', () => {
    const written = [
      { id: 'nine', text: 'Ferrets sleep till nine.' },
      { id: 'sum', text: 'A cage went for 6,400.' },
    ]
    expect(idsOf([...filler, ...written], 'up at 9', 2)).toEqual(['nine'])
    expect(idsOf([...filler, ...written], 'paid 6400', 2)).toEqual(['sum'])
  })
})
