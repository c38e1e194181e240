import { describe, expect, it } from 'vitest'
import { plainText } from '../store/units.js'
import { noteOf } from './note.js'
import { findPhrase, heldIn } from './phrase.js'

const held = (value: string, text: string) => heldIn([value], [], text, plainText(text))

describe('a value with a note in parentheses', () => {
  it.each([
    ['dentist (every 6 months)', 'whole', 'dentist, every six months'],
    ['dentist (every 6 months)', 'altered', 'goes to the dentist every 3 months'],
    ['dentist (every 6 months)', 'altered', 'dentist (every 3 months)'],
    ['dentist (every 6 months)', 'unlike', 'dentist visits every 3 months'],
    ['dentist (every 6 months)', 'part', 'sees a dentist'],
    ['dentist (every 6 months)', 'part', 'dentist, therapy every 3 months'],
    ['therapy (weekly)', 'whole', 'weekly therapy'],
    ['therapy (weekly)', 'altered', 'therapy every 2 weeks'],
    ['therapy (weekly)', 'unlike', 'monthly therapy'],
    ['therapy (weekly)', 'bare', 'therapy'],
    ['physical therapy (2x/week)', 'whole', 'physical therapy twice a week'],
    ['physical therapy (2x/week)', 'altered', 'physical therapy 3x/week'],
    ['hybrid (3 office + 2 remote)', 'whole', 'hybrid, 3 in the office and 2 remote'],
    ['hybrid (3 office + 2 remote)', 'altered', 'hybrid (2 office + 3 remote)'],
    ['Salt Road (book)', 'bare', 'Salt Road, Mill Lane (book)'],
    ['Salt Road (book)', 'unlike', 'Salt Road (TV)'],
    ['shift work (day)', 'unlike', 'night shift work'],
  ])('%s is %s in "%s"', (value, expected, text) => {
    expect(held(value, text)).toBe(expected)
  })

  it('is none where the parentheses are those of a call', () => {
    expect(noteOf("Mendel.define('Model', {fields})")).toBeUndefined()
    expect(held("Mendel.define('Model', {fields})", 'We write Mendel.define.')).toBe('part')
  })
})

describe('a compound', () => {
  const written = ['our oncall rotation', 'our on-call rotation', 'our on call rotation']

  it.each(['oncall', 'on-call', 'on call', 'oncall rotation', 'on-call rotation', 'on call rotation'])(
    '%s is found however it is written',
    (phrase) => {
      for (const text of written)
        for (const inflect of [true, false]) expect(findPhrase(phrase, text, inflect)).toBeDefined()
    },
  )

  it('is not made of words that mean something else when joined', () => {
    expect(findPhrase('in form', 'please inform them', false)).toBeUndefined()
    expect(findPhrase('inform', 'she is in form', false)).toBeUndefined()
  })
})
