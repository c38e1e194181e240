import { describe, expect, it } from 'vitest'
import type { Memory, MemorySystem } from '../model/index.js'
import { checkAnswer, checkedDump, checkRetrieved, MOST_CHARACTERS } from './checked.js'

/** What a system that holds this gives when it is looked into. */
const dumped = (held: unknown) =>
  checkedDump(
    { store: async () => {}, retrieve: async () => [], dump: async () => held as Memory[] } satisfies MemorySystem,
    'mine',
  )

const memory = { id: 'm1', text: 'I bake bread.' }

describe('what a memory system gives', () => {
  it('is taken with every field the contract has', async () => {
    const whole = { ...memory, score: 0.5, time: '2024-03-04T09:00:00Z', status: 'live', sources: ['c1'] }
    expect(() => checkRetrieved([whole], 5, null)).not.toThrow()
    expect(await dumped([whole])).toEqual([whole])
  })

  it.each<[found: unknown, why: RegExp]>([
    [null, /returned null, expected a list/],
    [{ memories: [] }, /returned object, expected a list/],
    [[undefined], /without a text/],
    [[{ ...memory, id: 7 }], /without an id/],
    [[{ ...memory, score: 'high' }], /"m1" with string as score, expected a number/],
    [[{ ...memory, time: 1709542800 }], /with number as time/],
    [
      [{ ...memory, time: 'Notes: I bake. / I swim.' }],
      /"m1" with "Notes: I bake. \/ I swim." as time, expected a day/,
    ],
    [[{ ...memory, time: '2024-02-30x' }], /as time, expected/],
    [[{ ...memory, time: '2024-13-01T09:00:00Z' }], /as time, expected/],
    [[{ ...memory, status: 'gone' }], /with string as status, expected live, invalidated, tombstone/],
    [[{ ...memory, sources: 'c1' }], /with string as sources, expected a list/],
  ])('is refused when it is %j', async (found, why) => {
    expect(() => checkRetrieved(found, 5, null)).toThrow(why)
    await expect(dumped(found)).rejects.toThrow(why)
  })
})

it.each(['', '2024-03-04', '2024-03-04T09:00Z', '2024-03-04T09:00:00.123456+00:00', '2024-03-04 09:00:00'])(
  'a memory may have the time "%s"',
  async (time) => expect(await dumped([{ ...memory, time }])).toEqual([{ ...memory, time }]),
)

const long = [{ id: 'a', text: 'A'.repeat(MOST_CHARACTERS + 1) }]
const longest = [{ id: 'a', text: 'A'.repeat(MOST_CHARACTERS) }]

describe('what a system gives', () => {
  it('is refused when one memory is longer than is taken, with the name of the method', async () => {
    await expect(dumped(long)).rejects.toThrow(
      'dump of mine returned a memory of 1,000,001 characters at place 1; at most 1,000,000 are taken',
    )
    expect(() => checkRetrieved(long, 5, null)).toThrow('retrieve returned a memory of 1,000,001 characters')
    expect(() => checkAnswer(long[0])).toThrow('answer returned 1,000,001 characters')
    expect(await dumped(longest)).toEqual(longest)
    checkRetrieved(longest, 5, null)
    checkAnswer(longest[0])
  })
})
