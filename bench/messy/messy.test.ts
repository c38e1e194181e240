import { describe, expect, it } from 'vitest'
import { MESSY_WAYS } from '../../src/gateway/index.js'
import { messySystems, messyTable, outcomeOf } from './messy.js'

describe('models that are messy', () => {
  it('never cost a fact unseen: it is stored, or its conversation is an error', { timeout: 240_000 }, async () => {
    expect(MESSY_WAYS.length).toBeGreaterThanOrEqual(27)
    for (const system of await messySystems())
      expect([system.name, await outcomeOf(system, null, false)]).toEqual([system.name, 'stored'])
    const table = await messyTable(false)
    const lost = [...table].flatMap(([way, row]) =>
      [...row].flatMap(([system, one]) => (one === 'lost' ? [`${system}: ${way}`] : [])),
    )
    expect(lost).toEqual([])
    const mended = [
      'fence',
      'prose-brackets',
      'think-brackets',
      'trailing-comma',
      'comment',
      'python',
      'enum-case',
      'numbers-as-text',

      'wrapped',
    ]
    for (const way of mended) expect([way, ...new Set(table.get(way)!.values())]).toEqual([way, 'stored'])
  })
})
