import { describe, expect, it } from 'vitest'
import type { Llm, LlmRole, Memory, MemorySystem, SystemDefinition } from '../../model/index.js'
import { runSystemConformance } from '../conformance.js'
import { none } from '../none/index.js'
import { checkSystem } from './run.js'

/** A system that keeps user turns, and one way to spoil it. */
function system(spoil: (good: MemorySystem, held: Memory[]) => Partial<MemorySystem> = () => ({})): SystemDefinition {
  return {
    name: 'sample',
    version: '1',
    class: 'raw',
    about: '',
    create: () => {
      const held: Memory[] = []
      const good: MemorySystem = {
        store: async ({ id, time, turns }) => {
          held.push({ id, text: turns[0]?.text ?? '', time, sources: [id] })
        },
        retrieve: async (_query, k) => held.slice(0, k),
        dump: async () => held.slice(),
      }
      return { ...good, ...spoil(good, held) }
    },
  }
}

async function failed(definition: SystemDefinition): Promise<string[]> {
  const results = await checkSystem({ name: 'sample', definition })
  return results.filter((result) => result.status === 'failed').map((result) => result.check)
}

const shared: Memory[] = []
let count = 0

describe('checkSystem', () => {
  it('passes a system that keeps the contract', async () => {
    expect(await failed(system())).toEqual([])
  })

  it.each<[string, SystemDefinition]>([
    ['at-most-k', system((_, held) => ({ retrieve: async () => held.slice() }))],
    [
      'best-first',
      system((_, held) => ({ retrieve: async (_q, k) => held.slice(0, k).map((m, score) => ({ ...m, score })) })),
    ],
    ['unique-ids', system((_, held) => ({ dump: async () => held.map((m) => ({ ...m, id: 'same' })) }))],
    [
      'stable-ids',
      system((_, held) => ({ dump: async () => held.map((m, i) => ({ ...m, id: `${held.length - i}` })) })),
    ],
    ['retrieved-in-dump', system(() => ({ retrieve: async () => [{ id: 'made up', text: '' }] }))],
    ['read-only', system((_, held) => ({ retrieve: async () => held.splice(0, 1) }))],
    [
      'isolated',
      system(() => ({
        store: async ({ id }) => void shared.push({ id: `${id}${shared.length}`, text: '' }),
        dump: async () => shared.slice(),
      })),
    ],
    ['time-and-order', system((_, held) => ({ dump: async () => held.toReversed() }))],
    ['empty-store', system(() => ({ dump: async () => [{ id: 'x', text: 'x' }] }))],
    [
      'odd-text',
      system((good) => ({
        store: async (c) => {
          if (c.turns.length === 0) throw new Error('no turns')
          await good.store(c)
        },
      })),
    ],
    [
      'deterministic',
      system((_, held) => {
        const number = ++count
        return { dump: async () => held.map((m) => ({ ...m, id: `${m.id}-${number}` })) }
      }),
    ],
    ['shape', system((_, held) => ({ dump: async () => held.map((m) => ({ ...m, time: 'yesterday' })) }))],
  ])('catches a system that breaks %s', async (check, definition) => {
    expect(await failed(definition)).toContain(check)
  })

  it.each<[string, SystemDefinition]>([
    ['keeps', system(() => ({ store: async () => {}, retrieve: async () => [], dump: async () => [] }))],
    ['return-types', system(() => ({ retrieve: async () => ({ memories: [] }) as never }))],
    ['return-types', system(() => ({ retrieve: async () => ['text'] as never }))],
    ['return-types', system(() => ({ dump: async () => new Map() as never }))],
    ['return-types', system(() => ({ answer: async () => 'yes' as never }))],
    ['return-types', system(() => ({ answer: async () => ({ text: ['yes'] }) as never }))],
    ['shape', system((_, held) => ({ dump: async () => held.map((m) => ({ ...m, time: 1709542800 as never })) }))],
    ['shape', system((_, held) => ({ dump: async () => held.map((m) => ({ ...m, sources: m.id as never })) }))],
  ])('catches a system that breaks %s by what it gives', async (check, definition) => {
    expect(await failed(definition)).toContain(check)
  })

  it('lets the floor keep nothing', async () => {
    expect(await failed({ ...none })).toEqual([])
  })

  it('tells a system that cannot be made once', async () => {
    const results = await checkSystem({ name: 'sample', definition: system(() => ({ retrieve: undefined as never })) })
    expect(results).toEqual([
      expect.objectContaining({
        check: 'created',
        status: 'failed',
        reason: expect.stringContaining('lacks retrieve()'),
      }),
    ])
  })

  it('lets a memory do without a dump, and says what cannot be checked then', async () => {
    const blind = ({ store, retrieve }: MemorySystem): MemorySystem => ({ store, retrieve })
    const whole = system()
    const definition: SystemDefinition = {
      ...whole,
      create: async (context, options) => blind(await whole.create(context, options)),
    }
    const results = await checkSystem({ name: 'sample', definition })
    expect(results.filter(({ status }) => status === 'failed')).toEqual([])
    const without = results.filter(({ reason }) => reason?.includes('has no dump()'))
    expect(without.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'stable-ids skipped',
      'retrieved-in-dump skipped',
      'time-and-order skipped',
    ])
  })

  it('finds what is wrong with a memory without a dump in what it retrieves', async () => {
    const all: Memory[] = []
    const store: MemorySystem['store'] = async ({ id, turns }) => void all.push({ id, text: turns[0]?.text ?? '' })
    const definition = { ...system(), create: () => ({ store, retrieve: async () => all.slice(0, 5) }) }
    expect(await failed(definition)).toEqual(expect.arrayContaining(['at-most-k', 'isolated', 'empty-store']))
  })

  it('shows where two things that should be the same differ', async () => {
    const definition = system((_, held) => {
      const number = ++count
      return { dump: async () => held.map((m) => ({ ...m, id: `${m.id}-${number}` })) }
    })
    const results = await checkSystem({ name: 'sample', definition })
    const { reason = '' } = results.find(({ check }) => check === 'deterministic')!
    expect(reason.split('\n')).toEqual([
      expect.stringMatching(/should be the same; they differ at \[0\]\.id$/),
      expect.stringMatching(/^ {2}expected "monday-\d+"$/),
      expect.stringMatching(/^ {2}got {6}"monday-\d+"$/),
    ])
  })

  it('names ids that occur twice, also those that cannot be seen', async () => {
    const definition = system((_, held) => ({ dump: async () => held.map((m) => ({ ...m, id: '' })) }))
    const results = await checkSystem({ name: 'sample', definition })
    expect(results.find(({ check }) => check === 'unique-ids')?.reason).toBe('Ids that occur more than once: ""')
  })

  it.each<[string, SystemDefinition]>([
    [
      'scenario-time',
      system((good) => ({ store: (c) => good.store({ ...c, time: new Date().toISOString().slice(0, 10) }) })),
    ],
    [
      'side-by-side',
      system((good) => ({
        store: async (c) => {
          const mine = ++count
          await new Promise((resume) => setTimeout(resume, 1))
          await good.store(mine === count ? c : { ...c, turns: [] })
        },
      })),
    ],
    ['closes', system(() => ({ close: async () => Promise.reject(new Error('already closed')) }))],
  ])('catches a life that breaks %s', async (check, definition) => {
    expect(await failed(definition)).toContain(check)
  })

  it.each<[string, (llm: Llm) => (text: string) => Promise<string>]>([
    [
      'resumed',
      (llm) => async (text) => rewritten(llm, `${text} (asked ${Math.random()})`, 'ingest', 'sample/rewrite'),
    ],
    ['no-silent-loss', (llm) => (text) => rewritten(llm, text, 'ingest', 'sample/rewrite').catch(() => '')],
    ['labelled-calls', (llm) => (text) => rewritten(llm, text, 'answer', 'sample/rewrite')],
    ['labelled-calls', (llm) => (text) => rewritten(llm, text, 'ingest', '')],
  ])('catches a system with a model that breaks %s', async (check, rewrite) => {
    expect(await failed(withModel(rewrite))).toEqual([check])
  })

  it('passes a system with a model that keeps the contract', async () => {
    expect(await failed(withModel((llm) => (text) => rewritten(llm, text, 'ingest', 'sample/rewrite')))).toEqual([])
  })

  it('skips with a reason', async () => {
    const results = await checkSystem({
      name: 'sample',
      definition: system(),
      skip: { deterministic: 'a model decides' },
    })
    expect(results.find((result) => result.check === 'deterministic')).toMatchObject({
      status: 'skipped',
      reason: 'a model decides',
    })
  })
})

/** A system that keeps what a model makes of a conversation. */
function withModel(rewrite: (llm: Llm) => (text: string) => Promise<string>): SystemDefinition {
  return {
    ...system(),
    needs: { llm: true },
    rehearsal: ({ prompt }) => ({ text: prompt.toUpperCase().replace(/ \(ASKED.*/, '') }),
    create: ({ llm }) => {
      const held: Memory[] = []
      return {
        store: async ({ id, time, turns }) => {
          held.push({ id, text: await rewrite(llm!)(turns[0]?.text ?? ''), time, sources: [id] })
        },
        retrieve: async (_query, k) => held.slice(0, k),
        dump: async () => held.slice(),
      }
    },
  }
}

async function rewritten(llm: Llm, content: string, role: LlmRole, label: string): Promise<string> {
  const reply = await llm.generate({ messages: [{ role: 'user', content }] }, { role, ...(label !== '' && { label }) })
  return reply.text
}

runSystemConformance({
  name: 'a memory that nobody can look into',
  definition: { ...system(), create: () => ({ store: async () => {}, retrieve: async () => [] }), class: 'reference' },
})
