import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readOutsideSpec } from '../../base/outside-spec.js'
import type { Conversation, Rehearsal } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { askerOf, rehearse } from '../parts/index.js'
import { drivenMemory } from './driven.js'
import { loadMcp } from './index.js'
import { mappedMemory } from './mapped.js'
import { type Mapping, NO_MAPPING } from './mapping.js'
import { PROMPTS } from './prompts.js'
import { type McpServer, RefusedError } from './server.js'

const time = '2024-03-04T09:00:00Z'
const ask = (text: string) => ({ id: 'q', text, time })
const talk: Conversation = {
  id: 'c1',
  time,
  turns: [
    { role: 'user', text: 'I like figs.' },
    { role: 'assistant', text: 'I see.' },
  ],
}

/** A server of some tools, and the calls of them. */
function fakeServer(names: readonly string[], answer: (tool: string, given: Record<string, unknown>) => unknown) {
  const calls: unknown[][] = []
  const server: McpServer = {
    name: 'fake',
    version: '1',
    tools: names.map((name) => ({
      name,
      inputSchema: { type: 'object', properties: {} },
      annotations: { readOnlyHint: !name.startsWith('keep') },
    })),
    call: async (tool, given) => {
      calls.push([tool, given])
      const data = await answer(tool, given)
      return { tool, data, texts: [typeof data === 'string' ? data : JSON.stringify(data)] }
    },
    close: async () => {},
  }
  return { server, calls }
}

describe('a memory whose tools a mapping calls', () => {
  const find = { tool: 'recall', arguments: { query: '{query}' } }

  it('is asked word by word, and what more words find comes first with their number', async () => {
    const found: Record<string, string[]> = { figs: ['figs', 'figs and dates'], dates: ['figs and dates'] }
    const { server } = fakeServer(['recall'], (_, { query }) => found[String(query)])
    const mapping: Mapping = { ...NO_MAPPING, find: { ...find, each: 'word' }, memories: [{ at: '*' }] }
    const memories = await mappedMemory(server, mapping, 'n').retrieve(ask('figs dates'), 5, { k: 5 })
    expect(memories.map(({ text, score }) => [text, score])).toEqual([
      ['figs and dates', 2],
      ['figs', 1],
    ])
  })

  it('is told a conversation as a whole, or turn by turn where a call is for each', async () => {
    const { server, calls } = fakeServer(['keep'], () => [])
    const given = { text: '{text}', turns: '{turns}' }
    const told = [
      { tool: 'keep', arguments: given },
      { tool: 'keep', arguments: { ...given, role: '{role}' }, each: 'turn' as const },
    ]
    await mappedMemory(server, { ...NO_MAPPING, find, store: told }, 'n').store(talk)
    const [one, two] = ['user: I like figs.', 'assistant: I see.']
    expect(calls).toEqual([
      ['keep', { text: `${one}\n${two}`, turns: [one, two] }],
      ['keep', { text: one, turns: [one], role: 'user' }],
      ['keep', { text: two, turns: [two], role: 'assistant' }],
    ])
  })
})

describe('a memory whose tools a model calls', () => {
  function driven(server: McpServer, mapping: Mapping, rehearsal: Rehearsal) {
    const model = askerOf({ ...systemTestContext(), llm: rehearse(rehearsal) }, 'fake', PROMPTS)
    return drivenMemory(server, mapping, 'n', { name: 'fake', model, rounds: 3, temperature: 0 })
  }
  const once =
    (...names: string[]): Rehearsal =>
    ({ request }) =>
      request.messages.some(({ role }) => role === 'tool')
        ? { text: 'Done.' }
        : { calls: names.map((name) => ({ name, input: {} })) }

  it('finds what its tools show, each in the shape that the mapping says of it', async () => {
    const { server } = fakeServer(['recall', 'all'], (tool) => (tool === 'all' ? ['dates'] : { hits: [{ t: 'figs' }] }))
    const mapping: Mapping = {
      ...NO_MAPPING,
      find: { tool: 'recall', arguments: {}, memories: [{ at: 'hits.*', text: '{t}' }] },
      list: { tool: 'all', arguments: {}, memories: [{ at: '*' }] },
    }
    const found = await driven(server, mapping, once('recall', 'all')).retrieve(ask('What?'), 5, { k: 5 })
    expect(found.map(({ text }) => text)).toEqual(['figs', 'dates'])
  })

  it('shows the model tools by 64 letters of their names and results by 50,000 characters', async () => {
    const long = `recall.${'x'.repeat(70)}`
    const { server, calls } = fakeServer([long], () => 'y'.repeat(50_001))
    const seen: string[] = []
    const offered: string[] = []
    const system = driven(server, NO_MAPPING, (call) => {
      seen.push(...call.request.messages.filter(({ role }) => role === 'tool').map(({ content }) => content))
      offered.push(...call.request.tools!.map(({ name }) => name))
      return once(offered[0]!)(call)
    })
    await system.retrieve(ask('What?'), 5, { k: 5 })
    expect(offered[0]).toBe(`recall_${'x'.repeat(57)}`)
    expect(calls).toEqual([[long, {}]])
    expect(seen[0]).toContain(`${'y'.repeat(50_000)}… [1 more characters]`)
  })

  it('tells the model what the server refuses, and is an error where the server fails', async () => {
    const seen: string[] = []
    const noting: Rehearsal = (call) => {
      seen.push(...call.request.messages.filter(({ role }) => role === 'tool').map(({ content }) => content))
      return once('keep')(call)
    }
    const refusing = fakeServer(['keep'], () => Promise.reject(new RefusedError('keep: full')))
    await driven(refusing.server, NO_MAPPING, noting).store(talk)
    expect(seen).toEqual(['Error: keep: full'])
    const failing = fakeServer(['keep'], () => Promise.reject(new Error('keep: fetch failed')))
    await expect(driven(failing.server, NO_MAPPING, noting).store(talk)).rejects.toThrow('keep: fetch failed')
  })
})

describe('what is known of a server when it is opened', () => {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-mcp-client-'))
  const load = (spec: string) => loadMcp(readOutsideSpec(spec)!, folder, 1000)

  beforeAll(() => {
    const place = join(folder, 'node_modules/@modelcontextprotocol/client')
    mkdirSync(join(place, 'dist'), { recursive: true })
    writeFileSync(join(place, 'package.json'), '{"version":"2.0.0"}')
    // A client that opens nothing: the address says which tools there are.
    writeFileSync(
      join(place, 'dist/index.mjs'),
      `export class Client {
        async connect({ url }) { this.names = (url?.searchParams.get('tools') ?? 'keep,look').split(',') }
        getServerVersion() { return { name: 'fake', version: '1' } }
        async listTools() {
          return { tools: this.names.map((name) => ({ name, inputSchema: {}, annotations: { readOnlyHint: name === 'look' } })) }
        }
        async close() {}
      }
      export class StreamableHTTPClientTransport { constructor(url) { this.url = url } async terminateSession() {} }`,
    )
    const keep = { tool: 'keep', arguments: { text: '{text}' } }
    const write = (name: string, mapping: object) => writeFileSync(join(folder, name), JSON.stringify(mapping))
    write('finds.json', { find: { tool: 'look' } })
    write('whole.json', { store: [keep], find: { tool: 'look' } })
    write('atomic.json', { store: [keep], find: { tool: 'look' }, atomic: true, idempotent: true })
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  beforeEach(() => vi.stubEnv('MEMSCOPE_PEERS', folder))
  afterEach(() => vi.unstubAllEnvs())

  it('is refused where nothing says how to store, or which tools only read', async () => {
    await expect(load('mcp[map=finds.json]:http://a/')).rejects.toThrow('does not say how to store and how to find')
    await expect(load('mcp[driven]:http://a/?tools=keep')).rejects.toThrow(
      'No tool of the MCP server "fake" says that it only reads.',
    )
    await expect(load('mcp[driven]:http://a/?tools=keep,look')).resolves.toMatchObject({ name: 'fake-driven' })
  })

  it('is atomic and idempotent where its mapping says so, and never where a model drives it', async () => {
    const told = async (spec: string) => {
      const { atomic, idempotent, version } = await load(spec)
      return { atomic, idempotent, isNamed: version.includes('notes@1.2.3') }
    }
    const no = { atomic: false, idempotent: false, isNamed: false }
    expect(await told('mcp[map=whole.json]:http://a/')).toEqual(no)
    expect(await told('mcp[map=atomic.json]:http://a/')).toEqual({ ...no, atomic: true, idempotent: true })
    expect(await told('mcp[driven,map=atomic.json]:http://a/')).toEqual(no)
    expect(await told('mcp[map=whole.json]:npx -y notes@1.2.3')).toEqual({ ...no, isNamed: true })
  })

  it('is driven in 1 to 50 rounds at a temperature up to 2', async () => {
    const { create } = await load('mcp[driven]:http://a/')
    const made = async (options: Record<string, string>) =>
      create({ ...systemTestContext(), llm: rehearse(() => ({ text: 'Done.' })) }, options)
    await expect(made({ rounds: '1', temperature: '2' })).resolves.toBeDefined()
    await expect(made({ rounds: '50', temperature: '0' })).resolves.toBeDefined()
    await expect(made({ rounds: '51' })).rejects.toThrow('from 1 to 50')
    await expect(made({ rounds: '0' })).rejects.toThrow('from 1 to 50')
    await expect(made({ temperature: '2.5' })).rejects.toThrow('from 0 to 2')
  })
})
