import { describe, expect, it } from 'vitest'
import { type Attack, strikeAll, totalOf } from '../tools/attack/attack.js'
import { faultsOf, isSpoilt } from '../tools/attack/faults.js'

const attack = (kind: string, strike: Attack['strike']): Attack => ({ kind, name: `one of ${kind}`, strike })

describe('the count of attacks', () => {
  it('is of what was attempted and what held, by kind', async () => {
    const { counts, broken } = await strikeAll([
      attack('pipes', async () => {}),
      attack('pipes', async () => {
        throw new Error('it broke')
      }),
      attack('disks', async () => {}),
    ])
    expect(Object.fromEntries(counts)).toEqual({
      pipes: { attempted: 2, held: 1 },
      disks: { attempted: 1, held: 1 },
    })
    expect(broken).toEqual([{ kind: 'pipes', name: 'one of pipes', why: 'it broke' }])
    expect(totalOf(counts.values())).toEqual({ attempted: 3, held: 2 })
  })

  it('is of what an attack says it served, of which nothing holds when it does not', async () => {
    const serving = (fails: boolean) =>
      attack('a run', async (served) => {
        served('resets', 3)
        served('bombs')
        if (fails) throw new Error('it broke')
      })
    const { counts } = await strikeAll([serving(false), serving(true)])
    expect(Object.fromEntries(counts)).toEqual({
      resets: { attempted: 6, held: 3 },
      bombs: { attempted: 2, held: 1 },
    })
  })
})

describe('faults of the hostile provider', () => {
  const spoilt = (seed: number) => Array.from({ length: 2000 }, (_, i) => isSpoilt(seed, `request ${i}`, 0, 0.4))

  it('come to two of five requests, which follow from the seed', () => {
    expect(spoilt(1)).toEqual(spoilt(1))
    expect(spoilt(1)).not.toEqual(spoilt(2))
    expect(spoilt(1).filter(Boolean).length / 2000).toBeCloseTo(0.4, 1)
  })

  it('are of more than twenty kinds each for replies and for vectors, none twice', () => {
    const names = (kind: 'chat' | 'embedding') => faultsOf(kind, 1).map(([name]) => name)
    const [replies, vectors] = [names('chat'), names('embedding')]
    for (const list of [replies, vectors]) expect(list.length).toBeGreaterThan(20)
    expect(new Set([...replies, ...vectors]).size).toBe(replies.length + vectors.length)
    expect(names('chat')).toEqual(replies)
    expect(replies).not.toEqual(faultsOf('chat', 2).map(([name]) => name))
  })
})
