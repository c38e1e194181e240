import { describe, expect, it } from 'vitest'
import type { Memory } from '../../model/index.js'
import { Bm25Index } from '../bm25/bm25-index.js'
import { forgotten } from './forget.js'
import { noteOf } from './note.js'

/** What was said, with how near it is to the request; null where something was forgotten before. */
type Said = readonly [text: string, near: number, status?: Memory['status']] | null

/** What is left of all that was said, and of the request behind it; null for what is gone. */
function left(said: readonly Said[], request: string): (string | null)[] {
  const memories = [...said, [request, 1] as const].map((one, i): Memory | null =>
    one ? { id: String(i), text: one[0], ...(one[2] && { status: one[2] }) } : null,
  )
  const notes = memories.map((memory) => memory && noteOf(memory))
  const index = new Bm25Index({ k1: 1.2, b: 0.75, idf: 'lucene' })
  for (const note of notes) index.add(note?.terms ?? [])
  const near = Float64Array.from([...said, null], (one) => one?.[1] ?? 0)
  const changes = forgotten(notes, said.length, near, index)
  return memories.map((memory, i) => (changes.has(i) ? changes.get(i) : memory)?.text ?? null)
}

const tombstone = (about: string) => `The user asked to forget this: ${about}. It was taken out.`
const choir = 'I sing in a choir.'
const card = 'I keep Zorblax 77 on a card.'
const cardWithout = 'I keep [forgotten] on a card.'

describe('what a request means', () => {
  it('is what has all that it names, however far it is', () => {
    expect(left([['My diet is fruitarian.', 0], null, [choir, 0]], 'Please forget my diet.')).toEqual([
      null,
      null,
      choir,
      tombstone('diet'),
    ])
  })

  it.each([
    ['near, and nearer than any other', 0.3, 0.2, null],
    ['not near', 0.29, 0, 'My locker is blue.'],
    ['hardly nearer than another', 0.3, 0.72, 'My locker is blue.'],
  ])('is what has a part of it where that is %s', (_, near, other, expected) => {
    const said: Said[] = [
      ['My locker is blue.', near],
      [choir, other],
    ]
    expect(left(said, 'Please forget my locker code.')[0]).toBe(expected)
  })

  it('is what is nearest where nothing has a word of it, and the first statement of it', () => {
    const said: Said[] = [
      ['I sing in a choir. It is cold.', 0.5],
      [card, 0.39],
    ]
    expect(left(said, 'Please forget my hobby.')).toEqual(['It is cold.', card, tombstone('hobby')])
  })

  it('is the only statement there is, where that is near, and none of two that are alike', () => {
    expect(left([[choir, 0.5]], 'Please forget my hobby.')[0]).toBe(null)
    const said: Said[] = [
      [choir, 0.5],
      [card, 0.42],
    ]
    expect(left(said, 'Please forget my hobby.')[0]).toBe(choir)
  })

  it('is nothing that an assistant said', () => {
    const reply = 'Assistant: Your hobby is singing.'
    expect(left([[reply, 0.9]], 'Please forget my hobby.')).toEqual([reply, 'Please forget my hobby.'])
  })

  it('is nothing where it names nothing', () => {
    expect(left([[choir, 1]], 'Please forget it.')).toEqual([choir, 'Please forget it.'])
  })

  it('is all that answers nearly as well as the best, and nothing else', () => {
    const said: Said[] = [
      ['My locker code is Zorblax 77.', 0.5],
      ['My locker code is hard to learn.', 0.45],
      ['My code of honour is old.', 0.3],
    ]
    expect(left(said, 'Please forget my locker code.')).toEqual([
      null,
      null,
      'My code of honour is old.',
      tombstone('locker code'),
    ])
  })

  it('is what has a value that it names before what has its topic', () => {
    const said: Said[] = [
      ['It opens with Zorblax 77.', 0.5],
      ['My locker code has five signs.', 0.9],
      [card, 0],
    ]
    expect(left(said, 'Please forget my locker code Zorblax 77.')).toEqual([
      null,
      'My locker code has five signs.',
      cardWithout,
      tombstone('locker code'),
    ])
  })

  it('is no request before it, and nothing that tells of one', () => {
    const [before, told] = ['Please forget my diet plan.', tombstone('diet')]
    expect(
      left(
        [
          [before, 0.9],
          [told, 0.9, 'tombstone'],
          [choir, 0],
        ],
        'Please forget my diet.',
      ),
    ).toEqual([before, told, choir, 'Please forget my diet.'])
  })
})

describe('a value', () => {
  it('is taken out everywhere when it has four signs', () => {
    const request = 'Please forget my pin.'
    expect(
      left(
        [
          ['My pin is 4471.', 0],
          ['I typed 4471 twice.', 0],
        ],
        request,
      )[1],
    ).toBe('I typed [forgotten] twice.')
    expect(
      left(
        [
          ['My pin is 447.', 0],
          ['I typed 447 twice.', 0],
        ],
        request,
      )[1],
    ).toBe('I typed 447 twice.')
  })

  it('stands behind the topic where nothing says that it is one', () => {
    expect(
      left(
        [
          ['Locker code: Zorblax 77.', 0.5],
          [card, 0],
        ],
        'Please forget my locker code.',
      )[1],
    ).toBe(cardWithout)
  })

  it.each([
    ['has names and numbers', 'Codeword Zorblax 77 opens it.', 'Please forget Zorblax 77.', card, cardWithout],
    [
      'is a name',
      'My parrot answers to Zorblax.',
      'Please forget Zorblax.',
      'I fed Zorblax at noon.',
      'I fed [forgotten] at noon.',
    ],
    [
      'is words that end a statement',
      'Nobody guesses purple turtle.',
      'Please forget purple turtle.',
      'I drew a purple turtle once.',
      'I drew a [forgotten] once.',
    ],
  ])('is known from the request where it %s', (_, statement, request, elsewhere, without) => {
    expect(
      left(
        [
          [statement, 0.5],
          [elsewhere, 0],
        ],
        request,
      ).slice(0, 2),
    ).toEqual([null, without])
  })

  it('is the same in another case, in other quotes and with other dashes', () => {
    const said: Said[] = [
      ['Nobody guesses “Purple Turtle”.', 0.5],
      ["I sang 'purple-turtle' twice.", 0],
      ['PURPLE  TURTLE, I said.', 0],
      ['Two purple turtles swam by.', 0],
    ]
    expect(left(said, 'Please forget "purple turtle".')).toEqual([
      null,
      "I sang '[forgotten]' twice.",
      '[forgotten], I said.',
      'Two purple turtles swam by.',
      tombstone('something'),
    ])
  })

  it('goes with the whole statement where the request names a part of it, and with that part elsewhere', () => {
    const said: Said[] = [
      ['My door word is Zorblax Quint.', 0.5],
      ['I wrote Zorblax Quint down.', 0],
    ]
    expect(left(said, 'Please forget Zorblax.').slice(0, 2)).toEqual([null, 'I wrote [forgotten] Quint down.'])
  })
})
