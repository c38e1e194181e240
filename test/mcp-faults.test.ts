import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readOutsideSpec } from '../src/base/outside-spec.js'
import { findPackage } from '../src/base/packages.js'
import { CallWatch, MemoryGoneError, type SystemContext } from '../src/model/index.js'
import { systemTestContext } from '../src/systems/conformance/fixtures.js'
import { loadMcp } from '../src/systems/mcp/index.js'
import { root, temporaryFolder } from './cli.js'
import { hasMcp, NOTES_MAP, NOTES_SERVER, survivors } from './mcp-peers.js'

const talk = { id: 'c1', time: '2024-03-04T09:00:00Z', turns: [{ role: 'user' as const, text: 'I like figs.' }] }
const query = { id: 'q', text: 'Do I like figs?', time: '2024-03-04T09:00:00Z' }

async function open(fault: string, file: string, own: Partial<SystemContext> = {}) {
  const spec = readOutsideSpec(`mcp[map=${NOTES_MAP}]:node ${NOTES_SERVER} ${fault} ${file}`)!
  const { create } = await loadMcp(spec, root, 20_000)
  return create({ ...systemTestContext(), ...own }, {})
}

describe.skipIf(!hasMcp)('a server that breaks', () => {
  it.each<[string, RegExp]>([
    ['crashes', /^its process ended \(code 7\) during remember\. Its last words: The disk is full\.$/],
    ['floods', /^its process ended \(code 1\) during remember\. Its last words: .*the very last line$/s],
    ['garbage', /^it said what is no JSON: <html>502 Bad Gateway<\/html> during remember/],
    ['not-utf-8', /^it said what is no JSON: /],
    ['too-long', /^it said more than 64 MiB in one line during remember/],
    ['no-result', /^it said what was not asked for \(.*\) during remember/s],
    ['wrong-number', /^it said what was not asked for \(.*1002.*\) during remember/],
  ])('and %s is given up with its last words, and nothing of it stays', async (fault, words) => {
    const file = join(temporaryFolder(), 'pids')
    const system = await open(fault, file)
    const error = await system.store(talk).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MemoryGoneError)
    expect((error as Error).message).toMatch(words)
    expect((error as Error).message.length).toBeLessThan(2000)
    expect((error as MemoryGoneError).timedOut).toBe(false)
    await expect(system.retrieve(query, 5, { k: 5 })).rejects.toBe(error)
    await system.close!()
    await vi.waitFor(() => expect(survivors(file)).toEqual([]))
  })

  it('and hangs is ended when its time is over', async () => {
    const file = join(temporaryFolder(), 'pids')
    const watch = new CallWatch(1000, new AbortController().signal)
    const system = watch.system(await open('hangs', file, { signal: watch.signal }))
    await expect(system.store(talk)).rejects.toMatchObject({ message: 'store took longer than 1 s', timedOut: true })
    await vi.waitFor(() => expect(survivors(file)).toEqual([]))
  })

  it('in a reply alone goes on: errors of tools, and results of other shapes', async () => {
    const file = join(temporaryFolder(), 'pids')
    const refusing = await open('refuses', file)
    for (let i = 0; i < 2; i++)
      await expect(refusing.store(talk)).rejects.toThrow(/^remember: The notebook is locked\.$/)
    const other = await open('other-shape', file)
    await other.store(talk)
    await expect(other.retrieve(query, 5, { k: 5 })).rejects.toThrow(
      'recall gave no list where "*" says: an object with hits',
    )
    for (const system of [refusing, other]) await system.close!()
  })

  it('that greets before its first reply is heard', async () => {
    const system = await open('greets', join(temporaryFolder(), 'pids'))
    await system.store(talk)
    expect(await system.retrieve(query, 5, { k: 5 })).toMatchObject([{ text: 'I like figs.' }])
    await system.close!()
    await system.close!()
    await expect(system.store(talk)).rejects.toThrow('it was closed')
  })

  it.each(['stays', 'leaves-a-child'])('and %s when it is closed is ended with all it started', async (fault) => {
    const file = join(temporaryFolder(), 'pids')
    const system = await open(fault, file)
    await system.store(talk)
    expect(survivors(file).length).toBeGreaterThan(0)
    await system.close!()
    await vi.waitFor(() => expect(survivors(file)).toEqual([]))
  })

  it('is gone at once when the run is stopped, also half-way', async () => {
    const file = join(temporaryFolder(), 'pids')
    const stop = new AbortController()
    const system = await open('hangs', file, { signal: stop.signal })
    const stored = system.store(talk)
    stop.abort()
    await expect(stored).rejects.toThrow('it was stopped')
    await vi.waitFor(() => expect(survivors(file)).toEqual([]))
    await expect(open('none', file, { signal: stop.signal })).rejects.toThrow('it was stopped')
    await vi.waitFor(() => expect(survivors(file)).toEqual([]))
  })

  it('gets no more of the environment than it needs and was named', async () => {
    const file = join(temporaryFolder(), 'pids')
    vi.stubEnv('OPENAI_API_KEY', 'sk-secret')
    vi.stubEnv('MY_NOTES', 'yes')
    const spec = readOutsideSpec(`mcp[map=${NOTES_MAP},env=MY_NOTES]:node ${NOTES_SERVER} environment ${file}`)!
    await loadMcp(spec, root, 20_000)
    vi.unstubAllEnvs()
    const names = readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.includes('PATH'))!
    expect(names).toContain('MY_NOTES')
    expect(names).not.toMatch(/OPENAI|MEMSCOPE|VITEST|NODE_/)
  })
})

const servers: { close(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Notes over streamable HTTP, by the real server library, which comes with the reference server. */
async function serve(token: string): Promise<{ url: string; sessions: Set<string> }> {
  const folder = findPackage('@modelcontextprotocol/sdk', root)!
  const found = createRequire(join(folder, 'package.json'))
  const load = (name: string) => import(pathToFileURL(found.resolve(`@modelcontextprotocol/sdk/${name}`)).href)
  const [{ Server }, { StreamableHTTPServerTransport }, types] = await Promise.all(
    ['server/index.js', 'server/streamableHttp.js', 'types.js'].map(load),
  )
  const notes = new Map<string, string[]>()
  const sessions = new Set<string>()
  const transports = new Map<string, InstanceType<typeof StreamableHTTPServerTransport>>()
  const schema = (...names: string[]) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  })
  const openSession = async () => {
    const server = new Server({ name: 'web-notes', version: '2' }, { capabilities: { tools: {} } })
    server.setRequestHandler(types.ListToolsRequestSchema, () => ({
      tools: ['remember', 'recall'].map((name) => ({ name, inputSchema: schema('user', 'text') })),
    }))
    server.setRequestHandler(
      types.CallToolRequestSchema,
      ({ params }: { params: { name: string; arguments: { user: string; text: string } } }) => {
        const { user, text } = params.arguments
        const own = notes.get(user) ?? []
        notes.set(user, own)
        if (params.name === 'remember') own.push(text)
        return { content: params.name === 'remember' ? [] : own.map((one) => ({ type: 'text', text: one })) }
      },
    )
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id: string) => {
        sessions.add(id)
        transports.set(id, transport)
      },
      onsessionclosed: (id: string) => void sessions.delete(id),
    })
    await server.connect(transport)
    return transport
  }
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== token) {
      response.writeHead(401).end(`Who is ${request.headers.authorization?.replace('Bearer ', '')}?`)
      return
    }
    const id = request.headers['mcp-session-id']
    const transport = transports.get(String(id)) ?? (await openSession())
    await transport.handleRequest(request, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, sessions }
}

describe.skipIf(!hasMcp)('a server over HTTP', () => {
  const map = join(root, 'test/fixtures/mcp/web-notes.json')
  const load = (url: string, headers = ',header.Authorization=NOTES_TOKEN') =>
    loadMcp(readOutsideSpec(`mcp[map=${map}${headers}]:${url}`)!, root, 10_000)

  it('is asked with headers from variables, in sessions of its own, and keeps lives apart by their names', async () => {
    vi.stubEnv('NOTES_TOKEN', 'Bearer of-good-news')
    const { url, sessions } = await serve('Bearer of-good-news')
    const definition = await load(url)
    expect(definition).toMatchObject({ name: 'web-notes', remarks: ['does not go by scenario time'] })
    expect(sessions.size).toBe(0)
    const [one, other] = [
      await definition.create(systemTestContext(), {}),
      await definition.create(systemTestContext(), {}),
    ]
    await one!.store(talk)
    expect(await one!.retrieve(query, 5, { k: 5 })).toMatchObject([{ text: 'user: I like figs.' }])
    expect(await other!.retrieve(query, 5, { k: 5 })).toEqual([])
    expect([sessions.size, one!.dump]).toEqual([2, undefined])
    await one!.store({ ...talk, turns: [{ role: 'user', text: 'Its token is of-good-news.' }] })
    expect((await one!.retrieve(query, 5, { k: 5 }))[1]!.text).toBe('user: Its token is [redacted].')
    for (const system of [one!, other!]) await system.close!()
    expect(sessions.size).toBe(0)
    vi.unstubAllEnvs()
  })

  it('that refuses says so without the value of any header', async () => {
    vi.stubEnv('NOTES_TOKEN', 'Bearer of-bad-news')
    const { url } = await serve('Bearer of-good-news')
    const error = await load(url).catch((thrown: Error) => thrown)
    expect(String(error)).toMatch(/cannot be opened/)
    expect(String(error)).toContain('[redacted]')
    expect(JSON.stringify([error, String(error)])).not.toContain('of-bad-news')
    vi.unstubAllEnvs()
    await expect(load(url)).rejects.toThrow('The variable NOTES_TOKEN, for the header Authorization, is not set.')
  })

  it('that is gone tells a store that nobody heard it', async () => {
    const { url } = await serve('x')
    vi.stubEnv('NOTES_TOKEN', 'x')
    const system = await (await load(url)).create(systemTestContext(), {})
    const [server] = servers.splice(0) as [ReturnType<typeof createServer>]
    await new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
    vi.unstubAllEnvs()
    // The first may still go out on the connection that was open.
    await expect(system.store(talk)).rejects.toThrow(/^remember: fetch failed/)
    await expect(system.store(talk)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    await system.close!()
  })
})
