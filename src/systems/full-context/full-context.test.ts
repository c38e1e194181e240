import { describe, expect, it } from 'vitest'
import { type MemorySystem, shownTokens } from '../../model/index.js'
import { QUERIES, systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { fullContext } from './index.js'

runSystemConformance({ name: 'full-context', definition: fullContext })

/** What one turn takes as readers are shown it, with its time. */
const TURN = shownTokens({ text: 'w w w w w', time: '2024-01-01' })

/** Conversations of two turns of one size. */
async function withConversations(budget: number, count: number): Promise<MemorySystem> {
  const system = await fullContext.create(systemTestContext(), { budget: String(budget) })
  for (let i = 0; i < count; i++) {
    const turns = Array.from({ length: 2 }, () => ({ role: 'user' as const, text: 'w w w w w' }))
    await system.store({ id: `c${i}`, time: `2024-01-0${i + 1}`, turns })
  }
  return system
}

const ids = async (system: MemorySystem) => (await system.retrieve(QUERIES[0]!, 1, { k: 1 })).map((memory) => memory.id)

describe('full-context', () => {
  it('gives everything, oldest first, whatever k is', async () => {
    expect(await ids(await withConversations(20 * TURN, 2))).toEqual(['c0#0', 'c0#1', 'c1#0', 'c1#1'])
  })

  it('drops whole conversations, oldest first, when not everything fits', async () => {
    const system = await withConversations(6 * TURN - 1, 3)
    expect(await ids(system)).toEqual(['c1#0', 'c1#1', 'c2#0', 'c2#1'])
    expect(await system.dump!()).toHaveLength(6)
    expect(await ids(await withConversations(4 * TURN, 3))).toEqual(['c1#0', 'c1#1', 'c2#0', 'c2#1'])
    expect(await ids(await withConversations(3 * TURN, 2))).toEqual(['c1#0', 'c1#1'])
  })

  it('keeps the last turns of a conversation that does not fit by itself', async () => {
    expect(await ids(await withConversations(2 * TURN - 1, 2))).toEqual(['c1#1'])
    const system = await fullContext.create(systemTestContext(), { budget: String(TURN + 1) })
    const turns = ['w w w w w w w w w', 'w w w w w'].map((text) => ({ role: 'user' as const, text }))
    await system.store({ id: 'c0', time: '2024-01-01', turns })
    expect(await ids(system)).toEqual(['c0#1'])
  })
})
