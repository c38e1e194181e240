import { describe, expect, it } from 'vitest'
import { type Attack, strikeAll, totalOf } from '../tools/attack/attack.js'
import { faultFor } from '../tools/attack/faults.js'

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
  const drawn = (seed: number) =>
    Array.from({ length: 2000 }, (_, i) => faultFor(seed, { kind: 'chat' }, `request ${i}`, 0, 0.4)?.name ?? null)

  it('are a function of the seed, of more than twenty kinds, and come to two of five requests', () => {
    const names = drawn(1)
    const faults = names.filter((name) => name !== null)
    expect(drawn(1)).toEqual(names)
    expect(drawn(2)).not.toEqual(names)
    expect(new Set(faults).size).toBeGreaterThan(20)
    expect(faults.length / names.length).toBeCloseTo(0.4, 1)
  })
})
