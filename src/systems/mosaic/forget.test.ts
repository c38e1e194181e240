import { describe, expect, it } from 'vitest'
import { fold } from '../../base/text.js'
import type { Memory } from '../../model/index.js'
import { Bm25Index } from '../bm25/bm25-index.js'
import { forgotten } from './forget.js'
import { readForgetRequest } from './forget-request.js'
import { readForgetWishes } from './forget-wish.js'
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
  // As a logarithm of odds; where nothing is near, nothing is meant.
  const near = Float64Array.from([...said, null], (one) => 20 * (one?.[1] ?? 0))
  const nearness = readForgetRequest(request).topics.map(() => ({ near, nothing: 5 }))
  const changes = forgotten(notes, said.length, nearness, index)
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
    ['near, and nearer than any other', 0.5, 0.2, null],
    ['not near', 0.1, 0, 'My locker is blue.'],
    ['no nearer than another', 0.5, 0.6, 'My locker is blue.'],
  ])('is what has a part of it where that is %s', (_, near, other, expected) => {
    const said: Said[] = [
      ['My locker is blue.', near],
      [choir, other],
    ]
    expect(left(said, 'Please forget my locker code.')[0]).toBe(expected)
  })

  it('is what is nearest where nothing has a word of it, and the first statement of it where nothing says which', () => {
    const said: Said[] = [
      ['I sing in a choir. It is cold.', 0.5],
      [card, 0.39],
    ]
    expect(left(said, 'Please forget my hobby.')).toEqual(['It is cold.', card, tombstone('hobby')])
  })

  it('is the only statement there is, where that is near, and none of two that are alike', () => {
    expect(left([[choir, 0.5]], 'Please forget my hobby.')[0]).toBe(null)
    const rowing = 'I row in a club.'
    const two = left(Object.entries({ [choir]: 0.5, [rowing]: 0.5 }), 'Please forget my hobby.')
    expect(two.slice(0, 2)).toEqual([choir, rowing])
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

  it('is what has a value that it names, also where words of time end it', () => {
    const said: Said[] = [['I row at the glass harbour regatta soon.', 0]]
    const request = 'You have the glass harbour regatta down as my next outing. Strike that, please.'
    expect(left(said, request)).toEqual([null, tombstone('next outing')])
  })

  it('is no other that has the one word beside a value by chance', () => {
    const said: Said[] = [
      ['I play Zorblax rugby.', 0.5],
      ['When I move I will train at the Mill Street sports hall.', 0.4],
    ]
    expect(left(said, 'Please forget my sport, the Zorblax rugby entry.')).toEqual([
      null,
      'When I move I will train at the Mill Street sports hall.',
      tombstone('sport'),
    ])
  })

  it('is all that has the one word, where that is the value', () => {
    const said: Said[] = [
      ['On my list there is Zorblax.', 0.5],
      ['My friends rave of Zorblax all day.', 0.4],
    ]
    expect(left(said, 'Please take out Zorblax, my friends changed it.').slice(0, 2).join()).not.toMatch(/zorblax/i)
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

describe('a thing in quotation marks', () => {
  const list = 'My bag has "a red lamp", "two maps" and "an old rope".'

  it.each([
    ['first', 'a red lamp', 'My bag has "[forgotten]", "two maps" and "an old rope".'],
    ['in the middle', 'two maps', 'My bag has "a red lamp", "[forgotten]" and "an old rope".'],
    ['last', 'an old rope', 'My bag has "a red lamp", "two maps" and "[forgotten]".'],
  ])('goes alone where it is one of several, %s', (_, item, rest) => {
    expect(left([[list, 0]], `Please remove "${item}" from my bag.`)[0]).toBe(rest)
    expect(left([[list, 0]], `Please remove '${item}.' from my bag.`)[0]).toBe(rest)
  })

  it('goes alone in other words, too, with what led to it', () => {
    const said = 'The aims are to raise the roof of the barn by spring, and painting the long east fence.'
    expect(left([[said, 0]], 'Please remove "Paint long east fence" from the aims.')[0]).toBe(
      'The aims are to raise the roof of the barn by spring, and [forgotten].',
    )
  })

  it('goes with its statement where it is alone, and from everything else', () => {
    const said: Said[] = [
      ['I bought a red lamp for the hall on Monday.', 0.5],
      ['Nan liked a red lamp best.', 0],
    ]
    expect(left(said, 'Please forget "a red lamp".')).toEqual([
      null,
      'Nan liked [forgotten] best.',
      tombstone('something'),
    ])
  })

  it('is a topic where it is said what it is', () => {
    const said: Said[] = [
      ['My locker code is Zorblax 77.', 0.5],
      [card, 0],
    ]
    expect(left(said, 'Please forget my "locker code".')).toEqual([null, cardWithout, tombstone('locker code')])
  })

  it('is looked for by itself where there are several', () => {
    const said: Said[] = [
      ['I packed "a red lamp" and "two maps".', 0.2],
      ['Nan packed "an old rope" and "a blue tent".', 0.9],
    ]
    expect(left(said, 'Please remove "two maps" and "a blue tent".').slice(0, 2)).toEqual([
      'I packed "a red lamp" and "[forgotten]".',
      'Nan packed "an old rope" and "[forgotten]".',
    ])
  })

  it('is not what merely has some of its words', () => {
    const said: Said[] = [['I like maps and lamps.', 0.9]]
    expect(left(said, 'Please remove "two maps of the northern moors" from my bag.')[0]).toBe('I like maps and lamps.')
  })

  it('means nothing where it says from where, and not what', () => {
    const said: Said[] = [['My letter is called "Dear moon".', 0.9]]
    const request = 'Please remove that from my letter called "Dear moon".'
    expect(left(said, request)).toEqual(['My letter is called "Dear moon".', request])
  })

  it('may stand in the sentence before the request', () => {
    const said: Said[] = [['I bought a red lamp for the hall on Monday.', 0.5]]
    expect(left(said, 'I sold "a red lamp". Please remove it from my list.')[0]).toBe(null)
  })
})

describe('what ends a statement', () => {
  it.each([
    ['passing words', 'I need to mend the kayak today.', 'I sang today.'],
    ['any words behind a topic', 'I mended the kayak with great care.', 'I sing with great care.'],
    ['words that stand for nothing', 'The kayak is what I like.', 'Songs are what I like.'],
  ])('is no value that goes from everything where it is %s', (_, statement, elsewhere) => {
    const said: Said[] = [
      [statement, 0.5],
      [elsewhere, 0],
    ]
    expect(left(said, 'Please forget my kayak.').slice(0, 2)).toEqual([null, elsewhere])
  })

  it('is one where it is set off', () => {
    const said: Said[] = [
      ['Diet: no lentils.', 0.5],
      ['The cook said no lentils again.', 0],
    ]
    expect(left(said, 'Please forget my diet.').slice(0, 2)).toEqual([null, 'The cook said [forgotten] again.'])
  })
})

describe('where something is to be taken from', () => {
  it('does not say what is meant', () => {
    const said: Said[] = [
      ['Put figs on the list of what I eat.', 0.1],
      ['I eat okapi cheese.', 0.1],
    ]
    expect(left(said, 'Delete plums from the list of what I eat, please.').slice(0, 2)).toEqual(
      said.map((one) => one![0]),
    )
  })

  it('may be said of one who is one of several', () => {
    const said: Said[] = [['Zofia Kral and Bo Lind should come on the trip.', 0.5]]
    expect(left(said, "I'd like Zofia Kral removed from the trip.")[0]).toBe(
      '[forgotten] and Bo Lind should come on the trip.',
    )
  })
})

describe('what a request means where nothing has all of its words', () => {
  const swim = 'I swim in the sea.'

  it('has some of them, of statements as near', () => {
    const said: Said[] = [
      ['I row across lakes.', 0.5],
      [swim, 0.5],
    ]
    const request = 'Please forget my sea hobby.'
    expect(left(said, request).slice(0, 2)).toEqual(['I row across lakes.', null])
  })

  it('is not what somebody else does, but where they are named', () => {
    const sister = 'My sister rows on lakes.'
    const said: Said[] = [
      [sister, 0.5],
      [swim, 0.45],
    ]
    expect(left(said, 'Please forget my sport.').slice(0, 2)).toEqual([sister, null])
    expect(left(said, "Please forget my sister's sport.").slice(0, 2)).toEqual([null, swim])
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

describe('a quoted thing', () => {
  it('that is one word of a list goes from lists, and from nothing else that has the word', () => {
    const said: Said[] = [
      ['My list has milk, eggs and rye.', 0.5],
      ['I am allergic to milk.', 0.5],
    ]
    expect(left(said, 'Please remove "milk" from my list.').slice(0, 2)).toEqual([
      'My list has [forgotten], eggs and rye.',
      'I am allergic to milk.',
    ])
  })

  it('may stand beside a number, and beside signs of any kind', () => {
    for (const request of ['Please forget "Alpha"2"Beta".', 'Please forget \ue000 7 \ue000 "Alpha".'])
      expect(left([['My code is Alpha.', 0.5]], request)[0]).toBe(null)
  })

  it('that is said twice is gone twice', () => {
    expect(left([['I own Zorblax. I own Zorblax.', 0.5]], 'Please forget "Zorblax".')[0]).toBe(null)
  })
})

describe('who announces that something is to go', () => {
  it.each([
    ['and says what', 'Please remove certain things: my diet.', null],
    ['and names it', 'Please delete a few things, namely my diet.', null],
    ['and does not say what', 'I want to delete a few things, please.', 'My diet is fruitarian.'],
  ])('%s', (_, request, expected) => {
    expect(readForgetWishes([fold(request)]).length > 0).toBe(expected === null)
    if (expected === null) expect(left([['My diet is fruitarian.', 0.5]], request)[0]).toBe(null)
  })
})
