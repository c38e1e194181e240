import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Budget } from './budget.js'
import { Ledger } from './ledger.js'

const book = () => join(mkdtempSync(join(tmpdir(), 'memscope-ledger-')), 'spending.db')

describe('a budget that two share by one book', () => {
  it('never grants more than the cap to both together', async () => {
    const file = book()
    const two = [new Budget(1, new Ledger(file, 'run')), new Budget(1, new Ledger(file, 'run'))]
    let granted = 0
    for (let i = 0; i < 20; i++) {
      const reservation = await two[i % 2]!.reserve(0.11, 'x').catch(() => null)
      if (!reservation) continue
      granted += 0.11
      reservation.settle(0.11)
    }
    expect(granted).toBeLessThanOrEqual(1)
    expect(granted).toBeGreaterThan(0.98)
    expect(two.map(({ spent }) => Math.round(spent * 100))).toEqual([99, 99])
  })

  it('counts what the other has set aside, and gives it back when it was not needed', async () => {
    const file = book()
    const [one, other] = [new Budget(1, new Ledger(file, 'run')), new Budget(1, new Ledger(file, 'run'))]
    const held = await one.reserve(0.8, 'x')
    expect(other.fits(0.3)).toBe(false)
    await expect(other.reserve(0.3, 'y')).rejects.toThrow('$0.8000 is spent')
    held.settle(0.1)
    ;(await other.reserve(0.3, 'y')).release()
    expect(one.spent).toBeCloseTo(0.1)
  })

  it('keeps accounts apart', async () => {
    const file = book()
    await new Budget(1, new Ledger(file, 'one')).reserve(0.9, 'x')
    expect(new Budget(1, new Ledger(file, 'other')).fits(0.9)).toBe(true)
  })

  it('lets who waits for money of its own have it when it is back', async () => {
    const budget = new Budget(1, new Ledger(book(), 'run'))
    const first = await budget.reserve(0.7, 'x')
    const second = budget.reserve(0.6, 'y')
    first.settle(0.2)
    ;(await second).settle(0.5)
    expect(budget.spent).toBeCloseTo(0.7)
  })
})
