import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idCounter, Journal } from './journal.js'
import { LexicalTable } from './lexical-table.js'
import { VectorTable } from './vector-table.js'

const unit = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle))
const WORDS = ['red', 'blue', 'green', 'round', 'square']

/** All kinds of state that a journal looks after, and every change they know. */
function memory() {
  const journal = new Journal()
  const vectors = new VectorTable<{ id: string; text: string }>(2, journal)
  const words = new LexicalTable(journal)
  const map = new Map<string, number>()
  const nextId = idCounter('m', journal)
  const last = { step: '' }
  return {
    journal,
    change: ({ id, number, remove }: { id: string; number: number; remove: boolean }) => {
      journal.keep(last, 'step')
      last.step = `${id} ${number} ${nextId()}`
      if (remove) {
        vectors.delete(id)
        words.delete(id)
        journal.delete(map, id)
      } else {
        // Some are replaced without a vector, and keep the one they had.
        vectors.set({ id, text: `${number}` }, number % 3 > 0 || !vectors.has(id) ? unit(number) : undefined)
        words.set(id, `${WORDS[number % 5]} ${WORDS[(number * 7) % 5]}`)
        journal.set(map, id, number)
      }
    },
    look: () => ({
      rows: vectors.rows(),
      size: vectors.size,
      near: vectors.nearest(unit(1), 50),
      found: words.search('red round', 50),
      map: [...map],
      last: { ...last },
    }),
    nextId,
  }
}

const steps = (most: number) =>
  fc.array(
    fc.record({
      id: fc.integer({ min: 0, max: 30 }).map(String),
      number: fc.integer({ min: 0, max: 20 }),
      remove: fc.boolean(),
    }),
    { maxLength: most },
  )

it('takes out what is there, and says whether it was', async () => {
  const journal = new Journal()
  const map = new Map([['a', 1]])
  expect([journal.delete(map, 'b'), journal.delete(map, 'a'), journal.delete(map, 'a')]).toEqual([false, true, false])
})

describe('Journal', () => {
  it('takes back all that was changed by work that failed, so that a life goes on as if it had not been', async () => {
    await fc.assert(
      fc.asyncProperty(steps(60), steps(900), steps(60), async (first, failing, then) => {
        const [system, whole] = [memory(), memory()]
        for (const each of [system, whole]) await each.journal.atomically(async () => first.forEach(each.change))
        const before = system.look()
        const broken = system.journal.atomically(async () => {
          failing.forEach(system.change)
          throw new Error('no reply')
        })
        await expect(broken).rejects.toThrow('no reply')
        expect(system.look()).toEqual(before)
        for (const each of [system, whole]) await each.journal.atomically(async () => then.forEach(each.change))
        expect(system.look()).toEqual(whole.look())
        expect(system.nextId()).toBe(whole.nextId())
      }),
      { numRuns: 60 },
    )
  })

  it('leaves alone what was changed outside of the work', async () => {
    const { journal, change, look } = memory()
    change({ id: 'a', number: 1, remove: false })
    const before = look()
    await expect(journal.atomically(() => Promise.reject(new Error('no reply')))).rejects.toThrow('no reply')
    expect(look()).toEqual(before)
  })

  it('does one piece of work after the other, also when the one before failed', async () => {
    const { journal, change, look } = memory()
    const slow = journal.atomically(async () => {
      change({ id: 'a', number: 1, remove: false })
      await new Promise((resume) => setTimeout(resume, 5))
      throw new Error('no reply')
    })
    const next = journal.atomically(async () => {
      change({ id: 'b', number: 2, remove: false })
      return 'done'
    })
    await expect(slow).rejects.toThrow('no reply')
    expect(await next).toBe('done')
    expect(look().rows.map(({ id }) => id)).toEqual(['b'])
  })
})
