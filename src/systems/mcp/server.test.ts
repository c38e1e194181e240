import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { MemoryGoneError } from '../../model/index.js'
import type { Sdk, SdkClient, Transport } from './client.js'
import { openServer, RefusedError, type ServerPlace } from './server.js'
import { ServerProcess } from './server-process.js'

/** A client whose server says what it is told to, and the means that it was given. */
function fakeSdk(said: () => unknown, server = { name: 'fake', version: '1' }) {
  const seen: { timeouts: number[]; clients: SdkClient[]; fetch?: typeof fetch } = { timeouts: [], clients: [] }
  class Client implements SdkClient {
    onerror?: (error: Error) => void
    constructor() {
      seen.clients.push(this)
    }
    async connect(_: Transport, { timeout }: { timeout: number }) {
      seen.timeouts.push(timeout)
    }
    getServerVersion = () => server
    listTools = async () => ({ tools: [] })
    callTool = async () => said()
    close = async () => {}
  }
  class StreamableHTTPClientTransport {
    constructor(_: URL, { fetch }: { fetch: typeof globalThis.fetch }) {
      seen.fetch = fetch
    }
    start = async () => {}
    send = async () => {}
    close = async () => {}
    terminateSession = async () => {}
  }
  return { sdk: { Client, StreamableHTTPClientTransport } as Sdk, seen }
}

const WEB: ServerPlace = { url: new URL('http://127.0.0.1:9/mcp'), headers: {} }
const never = () => new AbortController().signal

describe('a server', () => {
  it('is waited for as long as timers go where somebody else watches, and many lives may share what stops them', async () => {
    const { sdk, seen } = fakeSdk(() => ({}))
    const signal = never()
    await openServer(sdk, WEB, signal)
    const warned: string[] = []
    const onWarning = ({ message }: Error) => void warned.push(message)
    process.on('warning', onWarning)
    for (let i = 0; i < 12; i++) await openServer(sdk, WEB, signal, 5000)
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', onWarning)
    expect([...new Set(seen.timeouts)]).toEqual([2_147_483_647, 5000])
    expect(warned).toEqual([])
  })

  it('is known by no more than 100 characters of its name and its version', async () => {
    const { sdk } = fakeSdk(() => ({}), { name: 'n'.repeat(101), version: 'v'.repeat(101) })
    expect(await openServer(sdk, WEB, never())).toMatchObject({
      name: `${'n'.repeat(100)}… [1 more characters]`,
      version: `${'v'.repeat(100)}… [1 more characters]`,
    })
  })

  it('gives data, lists and objects in its texts, and else the texts', async () => {
    const given = async (...texts: string[]) => {
      const { sdk } = fakeSdk(() => ({ content: texts.map((text) => ({ type: 'text', text })) }))
      return (await (await openServer(sdk, WEB, never())).call('recall', {})).data
    }
    expect(await given('["a"]')).toEqual(['a'])
    expect(await given('5')).toEqual(['5'])
    expect(await given('null')).toEqual(['null'])
    const { sdk } = fakeSdk(() => ({ structuredContent: { b: 1 }, content: [{ type: 'text', text: '["a"]' }] }))
    expect((await (await openServer(sdk, WEB, never())).call('recall', {})).data).toEqual({ b: 1 })
  })

  it('refuses in up to 1000 characters, and whatever else is thrown is told in words', async () => {
    const call = async (said: () => unknown) => {
      const { sdk } = fakeSdk(said)
      const server = await openServer(sdk, WEB, never())
      return server.call('keep', {}).catch((error: unknown) => error)
    }
    const refused = await call(() => ({ isError: true, content: [{ type: 'text', text: 'x'.repeat(1001) }] }))
    expect(refused).toBeInstanceOf(RefusedError)
    expect((refused as Error).message).toBe(`keep: ${'x'.repeat(1000)}… [1 more characters]`)
    expect(await call(() => Promise.reject('gone fishing'))).toMatchObject({ message: 'keep: gone fishing' })
    expect(await call(() => Promise.reject(Object.assign(new Error('No.'), { code: -3 })))).toBeInstanceOf(RefusedError)
  })

  it('in a process that says what was not asked for is gone, with the beginning of that', async () => {
    const { sdk, seen } = fakeSdk(() => Promise.reject(new Error('Not connected')))
    const server = await openServer(sdk, { words: ['nobody'], cwd: tmpdir(), env: {} }, never())
    seen.clients[0]!.onerror!(new Error('y'.repeat(201)))
    const error = await server.call('keep', {}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MemoryGoneError)
    expect((error as Error).message).toBe(
      `it said what was not asked for (${'y'.repeat(200)}… [1 more characters]) during keep.`,
    )
  })

  it('over HTTP may say 64 MiB and no byte more', async () => {
    const { sdk, seen } = fakeSdk(() => ({}))
    await openServer(sdk, WEB, never())
    const most = Buffer.alloc(64 * 1024 * 1024)
    const http = createServer(({ url }, response) => {
      if (url === '/none') return void response.writeHead(204).end()
      response.write(most)
      response.end(url === '/more' ? 'x' : '')
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const at = (path: string) => seen.fetch!(`http://127.0.0.1:${(http.address() as AddressInfo).port}/${path}`)
    expect((await (await at('most')).arrayBuffer()).byteLength).toBe(most.length)
    await expect((await at('more')).arrayBuffer()).rejects.toThrow('it said more than 64 MiB')
    expect(await at('none')).toMatchObject({ status: 204, body: null })
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
})

describe('a process of a server', () => {
  async function run(script: string): Promise<{ server: ServerProcess; heard: unknown[] }> {
    const server = new ServerProcess({ words: [process.execPath, '-e', script], cwd: tmpdir(), env: {} })
    const heard: unknown[] = []
    server.onmessage = (message) => void heard.push(message)
    await server.start()
    await vi.waitFor(() => expect(server.gone).not.toBeNull(), { timeout: 10_000 })
    return { server, heard }
  }

  it('has 1500 characters of last words, drawn from four times as many that it wrote', async () => {
    const { server } = await run(`process.stderr.write('x' + 'y'.repeat(1500))`)
    expect(server.lastWords).toBe(` Its last words: ${'y'.repeat(1500)}`)
    const colours = await run(`process.stderr.write('A'.repeat(1000) + '\\u001b[0m'.repeat(1700) + 'done')`)
    expect(colours.server.lastWords).toBe(' Its last words: done')
  })

  it('may begin with an empty line, and is ended by what is no JSON, of which a little is shown', async () => {
    const { server, heard } = await run(
      `process.stdout.write('\\n{"a":1}\\n' + 'x'.repeat(500) + '\\n'); setInterval(() => {}, 1000)`,
    )
    expect(heard).toEqual([{ a: 1 }])
    expect(server.gone).toBe(`it said what is no JSON: ${'x'.repeat(100)}… [300 more characters]`)
  })
})
