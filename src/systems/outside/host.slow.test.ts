import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { EndpointOptions, Llm, LlmReply, MemorySystem, SystemContext } from '../../model/index.js'
import { NO_USAGE } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { rehearse } from '../parts/rehearse.js'
import { describeFile } from './host.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-host-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A memory that says on demand what goes on in its process: a question names what is asked. */
const FILE = `
import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
let held = 0
const tools = [
  { name: 'counts', description: '', parameters: z.object({ n: z.number().default(7) }) },
  { name: 'plain', description: '', parameters: { type: 'object', properties: { n: { type: 'number' } } } },
]
export default {
  needs: { llm: true, endpoint: true },
  rehearsal: ({ step }) => ({ text: step + ' ' + process.pid }),
  create: ({ llm, prompts, endpoint }) => {
    const generate = (more = {}, request = {}) =>
      llm.generate({ messages: [{ role: 'user', content: 'x' }], ...request }, { role: 'retrieve', label: 'mine/look', ...more })
    const asked = {
      pid: () => process.pid,
      prompts: () => prompts ?? null,
      endpoint: async () => (await endpoint(), await endpoint({ replies: z.object({ n: z.number() }) })).url,
      model: async () => [(await generate()).text, process.pid],
      objection: () => generate({ objection: ({ text }) => 'not ' + text }).then(() => 'none', ({ message }) => message),
      calls: async () => (await generate({ wrongCalls: 'return' }, { tools })).toolCalls,
      strict: () => generate({}, { tools }).then(() => 'fine', ({ name, message }) => name + ' ' + message),
    }
    return {
      store: async () => { held++ },
      retrieve: async ({ text }) => [{ id: 'x', text: JSON.stringify(await asked[text]()) }],
      dump: async () => [{ id: 'held', text: String(held) }],
      snapshot: async () => held,
      restore: async (before) => { held = before },
    }
  },
}
`
const file = join(folder, 'mine.mjs')
writeFileSync(file, FILE)

async function ask(system: MemorySystem, what: string): Promise<unknown> {
  const [memory] = await system.retrieve({ id: 'q', text: what, time: '' }, 1, { k: 1 })
  return JSON.parse(memory!.text)
}

/** A model that calls tools. */
function calling(toolCalls: LlmReply['toolCalls']): Llm {
  const reply = { text: '', object: undefined, toolCalls, finish: 'tool-calls' as const, usage: NO_USAGE }
  return { model: 'own:model', generate: async () => ({ ...reply, cost: 0, cached: false, repairs: 0 }) as never }
}

describe('memories of one file', () => {
  const described = describeFile(file, 'mine.mjs', 60_000)
  const create = async (own: Partial<SystemContext> = {}) => {
    const { create, rehearsal } = await described
    return create({ ...systemTestContext(), llm: rehearse(rehearsal!), ...own }, {})
  }
  const isThere = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  it('live one after the other in a process, side by side in several, of which four wait, and never in one that ended', async () => {
    const first = await create()
    const pid = await ask(first, 'pid')
    await first.close!()
    const all = await Promise.all(Array.from({ length: 6 }, () => create()))
    const pids = (await Promise.all(all.map((one) => ask(one, 'pid')))) as number[]
    expect(new Set(pids).size).toBe(6)
    expect(pids).toContain(pid)
    for (const one of all) await one.close!()
    await vi.waitFor(() => expect(pids.filter(isThere)).toEqual(pids.slice(0, 4)), { timeout: 5000 })
    process.kill(pids[3]!, 'SIGKILL')
    await vi.waitFor(() => expect(isThere(pids[3]!)).toBe(false), { timeout: 5000 })
    await new Promise((resume) => setTimeout(resume, 100))
    const next = await create()
    expect(await ask(next, 'pid')).toBe(pids[2])
    await next.close!()
  })

  it('are rehearsed where they live, at the step that their label ends with', async () => {
    const system = await create()
    const [said, pid] = (await ask(system, 'model')) as [string, number]
    expect(said).toBe(`look ${pid}`)
    expect(await ask(system, 'objection')).toContain(`not look ${pid}`)
    await system.close!()
  })

  it('get prompts where there are any', async () => {
    const [bare, told] = [await create(), await create({ prompts: { store: 'Keep it.' } })]
    expect([await ask(bare, 'prompts'), await ask(told, 'prompts')]).toEqual([null, { store: 'Keep it.' }])
    for (const one of [bare, told]) await one.close!()
  })

  it('get endpoints, with what replies must be where they say so', async () => {
    const asked: EndpointOptions[] = []
    const endpoint = async (options: EndpointOptions = {}) => {
      asked.push(options)
      return {
        url: 'u',
        token: 't',
        during: async <T>(_: string, work: () => Promise<T>) => work(),
        close: async () => {},
      }
    }
    const system = await create({ endpoint })
    expect(await ask(system, 'endpoint')).toBe('u')
    expect(asked[0]).toEqual({})
    expect((await asked[1]!.replies!.safeParseAsync({ n: 1 })).success).toBe(true)
    expect((await asked[1]!.replies!.safeParseAsync({ n: 'one' })).success).toBe(false)
    await system.close!()
  })

  it('keep sixteen snapshots', async () => {
    const fresh = await describeFile(file, 'mine.mjs', 60_000)
    const system = await fresh.create(systemTestContext(), {})
    const taken: unknown[] = []
    for (let i = 0; i < 17; i++) {
      taken.push(await system.snapshot!())
      await system.store({ id: `c${i}`, time: '', turns: [] })
    }
    await expect(system.restore!(taken[0])).rejects.toThrow('that snapshot is no longer there')
    await system.restore!(taken[1])
    const before = await system.dump!()
    await system.restore!(taken[16])
    const later = await system.dump!()
    expect(Number(later[0]!.text) - Number(before[0]!.text)).toBe(15)
    await system.close!()
  })

  it('look at the arguments of calls by their own schemas', async () => {
    const call = (id: string, name: string, input: unknown, more = {}) => ({ id, name, input, ...more })
    const llm = calling([
      call('1', 'counts', {}),
      call('2', 'counts', { n: 'many' }),
      call('3', 'counts', {}, { wrong: 'cut off' }),
      call('4', 'plain', { n: 'many' }),
      call('5', 'unknown', { n: 'many' }),
    ])
    const system = await create({ llm })
    expect(await ask(system, 'calls')).toEqual([
      call('1', 'counts', { n: 7 }),
      call('2', 'counts', { n: 'many' }, { wrong: expect.stringContaining('expected number, received string') }),
      call('3', 'counts', {}, { wrong: 'cut off' }),
      call('4', 'plain', { n: 'many' }),
      call('5', 'unknown', { n: 'many' }),
    ])
    expect(await ask(system, 'strict')).toMatch(/^LlmError The call of the tool "counts" for "mine\/look": .*number/)
    await system.close!()
  })
})
