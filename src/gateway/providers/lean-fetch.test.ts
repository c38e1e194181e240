import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { leanFetch } from './lean-fetch.js'

const MIB = 1024 * 1024
const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<{ url: string; connections(): number }> {
  const server = createServer(listener)
  servers.push(server)
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>((done) => server.listen(0, host, done))
  return { url: `http://${host}:${(server.address() as AddressInfo).port}/v1`, connections: () => connections }
}

const echo: RequestListener = async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method, headers } = request
  response.setHeader('x-one', ['a', 'b'])
  response.end(JSON.stringify({ method, key: headers.authorization, said: Buffer.concat(chunks).toString() }))
}

function post(url: string, body: string, signal?: AbortSignal): Promise<Response> {
  return leanFetch(url, { method: 'POST', headers: { authorization: 'Bearer k' }, body, ...(signal && { signal }) })
}

it('takes a connection that stood while the process was busy for one, however late it is seen', async () => {
  const { url } = await serve(echo)
  const soon = setTimeout
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const answered = post(url, 'x')
    // The socket is made before anything is heard from the system.
    for (let i = 0; i < 10; i++) await new Promise<void>((next) => process.nextTick(next))
    expect(vi.getTimerCount()).toBe(1)
    const waited = new Promise<void>((end) => {
      soon(() => {
        vi.advanceTimersByTime(60_000)
        end()
      }, 1)
    })
    // The system connects meanwhile; nobody here can see it, and timers are looked at first.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    await waited
    expect((await answered).status).toBe(200)
  } finally {
    vi.useRealTimers()
  }
})

describe('leanFetch', () => {
  it('sends any text, gives the whole reply, and keeps the connection for the next', async () => {
    const { url, connections } = await serve(echo)
    for (const said of ['plain', 'naïve 日本 🧠', 'long '.repeat(50_000)]) {
      const response = await post(url, said)
      expect([response.ok, response.status, response.headers.get('x-one')]).toEqual([true, 200, 'a, b'])
      expect(await response.json()).toEqual({ method: 'POST', key: 'Bearer k', said })
    }
    expect(connections()).toBe(1)
  })

  it('passes refusals on with their headers and words', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(429, 'Slow Down', { 'retry-after': '7' }).end('{"error":"busy"}')
    })
    const response = await post(url, 'x')
    expect([response.ok, response.status, response.statusText]).toEqual([false, 429, 'Slow Down'])
    expect([response.headers.get('retry-after'), await response.text()]).toEqual(['7', '{"error":"busy"}'])
  })

  it.each([301, 302, 307, 308])('does not follow a redirect (%s), and says where it leads', async (status) => {
    const there = await serve(echo, '127.0.0.2')
    const { url } = await serve((_, response) => {
      response.writeHead(status, { location: `${there.url}/chat?key=1` }).end()
    })
    const failed = await post(url, 'hello').catch((error: unknown) => error)
    expect(failed).toMatchObject({ message: 'fetch failed', cause: { message: expect.stringContaining(there.url) } })
    expect(there.connections()).toBe(0)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)('reads %s, and says so when it is broken', async (encoding, compress) => {
    const whole = compress('"small"')
    let body = whole
    const { url } = await serve((_, response) => void response.setHeader('content-encoding', encoding).end(body))
    expect(await (await post(url, 'x')).json()).toBe('small')
    body = whole.subarray(0, whole.length - 3)
    await expect(post(url, 'x')).rejects.toThrow('fetch failed')
  })

  it('refuses bytes that are no UTF-8, and still tells errors that are none', async () => {
    let status = 200
    const { url } = await serve((_, response) => void response.writeHead(status).end(Buffer.from([0x22, 0xff, 0x22])))
    await expect(post(url, 'x')).rejects.toThrow('no text in UTF-8')
    status = 500
    expect((await post(url, 'x')).status).toBe(500)
  })

  it('refuses what would become endless when decompressed, and goes on with other work meanwhile', async () => {
    const part = gzipSync(Buffer.alloc(16 * MIB))
    const { url } = await serve((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.on('error', () => {})
      response.end(Buffer.concat(Array.from({ length: 64 }, () => part)))
    })
    let turns = 0
    let others = setImmediate(function turn() {
      turns++
      others = setImmediate(turn)
    })
    const before = process.memoryUsage().rss
    await expect(post(url, 'x')).rejects.toThrow('longer than 16 MiB')
    clearImmediate(others)
    expect(turns).toBeGreaterThan(2)
    expect(process.memoryUsage().rss - before).toBeLessThan(320 * MIB)
  })

  it('refuses replies that are too long, whether they say so or not, before they are whole', async () => {
    for (const told of [true, false]) {
      let sent = 0
      const { url } = await serve((_, response) => {
        if (told) response.setHeader('content-length', 64 * MIB)
        const more = () => {
          if (response.destroyed || sent >= 64 * MIB) return
          sent += 65_536
          response.write('A'.repeat(65_536), more)
        }
        more()
      })
      await expect(post(url, 'x')).rejects.toThrow('longer than 16 MiB')
      expect(sent).toBeLessThan(64 * MIB)
    }
  })

  it('refuses an encoding it did not ask for and cannot read', async () => {
    const { url } = await serve((_, response) => void response.setHeader('content-encoding', 'zstd').end('?'))
    await expect(post(url, 'x')).rejects.toThrow('compressed as "zstd"')
  })

  it('fails as fetch does when nobody listens, and when a reply is cut off', async () => {
    const refused = await post('http://127.0.0.1:1/v1', 'x').catch((error: unknown) => error)
    expect(refused).toMatchObject({ name: 'TypeError', message: 'fetch failed', cause: { code: 'ECONNREFUSED' } })
    const { url } = await serve((_, response) => {
      response.setHeader('content-length', 100)
      response.write('half', () => response.socket?.destroy())
    })
    const cut = await post(url, 'x').catch((error: unknown) => error)
    expect(cut).toMatchObject({
      message: 'fetch failed',
      cause: { message: expect.stringContaining('before the whole reply') },
    })
  })

  it('ends with the reason of its signal, before and during a call', async () => {
    const { url } = await serve(() => {})
    const why = new Error('enough')
    await expect(post(url, 'x', AbortSignal.abort(why))).rejects.toBe(why)
    const controller = new AbortController()
    const hanging = post(url, 'x', controller.signal)
    setTimeout(() => controller.abort(why), 20)
    await expect(hanging).rejects.toBe(why)
  })
})
