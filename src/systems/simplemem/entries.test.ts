import { describe, expect, it } from 'vitest'
import { Entries, type Entry } from './entries.js'
import { spanOf } from './when.js'

const NOW = '2024-05-28T10:00:00Z'

describe('spanOf', () => {
  it.each([
    ['2024-05-06', '2024-05-06', '2024-05-06'],
    ['on 6 May 2024', '2024-05-06', '2024-05-06'],
    ['May 6th', '2024-05-06', '2024-05-06'],
    ['6 Jan 2023', '2023-01-06', '2023-01-06'],
    ['March 7, 2022', '2022-03-07', '2022-03-07'],
    ['a day ago', '2024-05-27', '2024-05-27'],
    ['2 weeks ago', '2024-05-07', '2024-05-21'],
    ['last Sunday', '2024-05-26', '2024-05-26'],
    ['tomorrow', '2024-05-29', '2024-05-29'],
    ['tonight', '2024-05-28', '2024-05-28'],
    ['next week', '2024-05-28', '2024-06-11'],
    ['yesterday', '2024-05-27', '2024-05-27'],
    ['3 days ago', '2024-05-25', '2024-05-25'],
    ['last Tuesday', '2024-05-21', '2024-05-21'],
    ['last week', '2024-05-14', '2024-05-28'],
    ['the week of 6 May 2024', '2024-04-29', '2024-05-13'],
  ])('reads "%s"', (expression, from, to) => {
    expect(spanOf(expression, NOW)).toEqual({ from, to })
  })

  it('makes nothing of what names no day', () => {
    for (const expression of ['in my childhood', '', 'now and then']) expect(spanOf(expression, NOW)).toBeNull()
  })
})

describe('Entries', () => {
  const none = { persons: [], entities: [], location: null, span: null }
  const entries = new Entries(2)
  const add = (id: string, fields: Partial<Entry>) =>
    entries.set(
      {
        id,
        text: id,
        time: NOW,
        sources: [],
        keywords: [],
        timestamp: null,
        location: null,
        persons: [],
        entities: [],
        topic: '',
        ...fields,
      },
      new Float32Array([1, 0]),
    )
  add('visit', { persons: ['Tamsin', 'User'], timestamp: '2024-05-19T15:00:00' })
  add('class', { persons: ['User'], location: 'the Kiln House', entities: ['Kiln House'] })
  add('gift', { persons: ['Tamsin'], entities: ['vase'], timestamp: '2024-05-26' })

  it('finds by fields what has all that is asked, and nothing when nothing is asked', () => {
    expect(entries.byFields(none, 5)).toEqual([])
    expect(entries.byFields({ ...none, persons: ['tamsin'] }, 5)).toEqual(['visit', 'gift'])
    expect(entries.byFields({ ...none, persons: ['Tamsin'], entities: ['vase'] }, 5)).toEqual(['gift'])
    expect(entries.byFields({ ...none, location: 'kiln' }, 5)).toEqual(['class'])
    expect(entries.byFields({ ...none, span: spanOf('two Sundays, 19 May 2024', NOW) }, 5)).toEqual(['visit'])
    expect(entries.byFields({ ...none, persons: ['User'] }, 1)).toEqual(['visit'])
  })
})
