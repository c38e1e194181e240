import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { UserError } from '../../base/errors.js'
import { LlmError, MemoryGoneError, type SystemContext } from '../../model/index.js'
import { systemTestContext } from '../conformance/fixtures.js'
import { Endpoints } from './endpoints.js'
import { processEnvironment } from './environment.js'
import { serverAt } from './http.js'
import { definitionFrom } from './import-file.js'
import { LastWords, PrintedLines } from './last-words.js'
import { processPool } from './lines.js'
import { loadOutside } from './load.js'
import { errorData, errorFrom, plainTool } from './messages.js'
import { type Connection, memoriesIn, quoteStart, readReply } from './protocol.js'
import { nameFor, type Remote, remoteDefinition } from './remote.js'
import { headerValues, secretRemover } from './secrets.js'

it('keeps the last 1,500 characters that a process writes', () => {
  const words = new LastWords()
  expect(String(words)).toBe('')
  words.hear('gone')
  words.hear(Buffer.from('x'.repeat(1499)))
  words.hear('!')
  expect(String(words)).toBe(` Its last words: ${'x'.repeat(1499)}!`)
})

it('passes on 200 lines of 500 characters, says so, and keeps those that nobody hears yet', () => {
  const heard: string[] = []
  const printed = new PrintedLines()
  printed.hear('first\n\n  \nbe')
  printed.hear(`gun\n${'w'.repeat(501)}\n`)
  printed.listen((line) => heard.push(line))
  expect(heard.splice(0)).toEqual(['first', 'begun', 'w'.repeat(500)])
  printed.hear('v'.repeat(600))
  printed.hear('\n')
  expect(heard.splice(0)).toEqual(['v'.repeat(500)])
  printed.listen(null)
  printed.hear('kept\n')
  expect(heard).toEqual([])
  printed.listen((line) => heard.push(line))
  expect(heard.splice(0)).toEqual(['kept'])
  printed.hear(Array.from({ length: 300 }, (_, i) => `line ${i}\n`).join(''))
  printed.hear('more\n')
  expect([heard.length, heard.at(-2), heard.at(-1)]).toEqual([196, 'line 194', 'It prints more, which is not shown.'])
})

it('hands over errors with what they carry, and nothing else', () => {
  const full = Object.assign(new Error('full'), { code: 'E1', hint: 'h', status: 5, timedOut: true })
  expect(errorData(full)).toEqual({
    ...{ name: 'Error', message: 'full', code: 'E1', hint: 'h', status: 5, timedOut: true },
  })
  const odd = Object.assign(new Error('odd'), { code: 1, hint: 2, status: '3', timedOut: 'no' })
  expect(errorData(odd)).toEqual({ name: 'Error', message: 'odd' })
  expect(errorData('text')).toEqual({ name: 'Error', message: 'text' })
  let chain: Error = new Error('innermost')
  for (let i = 0; i < 20; i++) chain = new Error(`${i}`, { cause: chain })
  const links: string[] = []
  for (let one: unknown = errorFrom(errorData(chain)); one instanceof Error; one = one.cause) links.push(one.message)
  expect(links).toEqual(['19', '18', '17', '16', '15', '14', '13', '12', '11'])
  const again = (error: Error) => errorFrom(errorData(error))
  expect(again(new UserError('m', 'do this'))).toMatchObject({ name: 'UserError', hint: 'do this' })
  expect(again(new UserError('m', 'do this'))).not.toHaveProperty('code')
  expect(again(Object.assign(new UserError('m'), { code: 'x' }))).toMatchObject({ name: 'UserError', code: 'x' })
  expect(again(new LlmError('unparsable', 'm', 'raw', 500))).toMatchObject({ code: 'unparsable', status: 500 })
  expect(again(new LlmError('unparsable', 'm', 'raw', 500))).toBeInstanceOf(LlmError)
  expect(again(new MemoryGoneError('m', true))).toMatchObject({ timedOut: true })
  expect(again(new RangeError('m'))).toMatchObject({ name: 'RangeError' })
  expect(again(new RangeError('m'))).not.toHaveProperty('code')
})

it('shows the beginning of what is long, and names what has no id by its text', () => {
  expect(quoteStart(` a${'x'.repeat(119)} `)).toBe(`"a${'x'.repeat(119)}"`)
  expect(quoteStart(`a${'x'.repeat(120)}`)).toBe(`"a${'x'.repeat(119)}…"`)
  const { reply } = readReply(Buffer.from(JSON.stringify({ id: 1, error: 'e'.repeat(3000) })))
  expect(reply!.message).toBe('e'.repeat(2000))
  const ids = (memoriesIn(['same', 'same', 'same', 'other']) as { id: string }[]).map(({ id }) => id)
  expect(ids).toEqual([ids[0], `${ids[0]}-2`, `${ids[0]}-3`, ids[3]])
  expect(ids[0]).toMatch(/^text-[0-9a-f]{12}$/)
  expect(ids[0]).toBe('text-106c4202d3d0')
  const tool = { name: 't', description: '', parameters: z.object({ n: z.number() }) }
  expect(plainTool(tool).parameters).toMatchObject({ type: 'object', required: ['n'] })
  const plain = { ...tool, parameters: { type: 'object' } }
  expect(plainTool(plain)).toBe(plain)
})

/** A memory behind the protocol that declares something, and says what it is asked. */
function remote(declared: object, told: Partial<Remote> = {}, asked: string[] = []): Remote {
  let busy = 0
  const connect = (memory: string, environment?: Record<string, string>): Connection => ({
    ask: async (order) => {
      asked.push(
        `${memory.replace(/-.*/, '')} ${order.do} ${++busy} ${Object.keys({ ...order, ...environment }).join(' ')}`,
      )
      await new Promise((resume) => setTimeout(resume, 5))
      busy--
      return order.do === 'open' ? declared : null
    },
    release: () => {},
    end: () => {},
  })
  return { shown: 'cmd:x', name: 'x', options: { a: '1' }, content: ['c'], isProcess: true, connect, ...told }
}

const talk = { id: 'c', time: '', turns: [] }

/** Whether a process is there, and no zombie. */
function isThere(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

it('is defined by what it declares', async () => {
  const plain = await remoteDefinition(remote({}), 1000)
  const { create: _create, ...rest } = plain
  expect(rest).toEqual({
    ...{ name: 'x', version: 'f77d0dd5ca37f105', class: 'processed', about: 'a memory of your own: cmd:x' },
    ...{ atomic: false, idempotent: false },
    remarks: ['does not go by scenario time', 'model calls of its own, if it makes any, are not metered'],
  })
  const declared = { depth: 'fixed', answers: true, model: true, time: true, version: '2', name: 'n', atomic: true }
  const full = await remoteDefinition(remote(declared, { given: 'mine' }), 1000)
  expect(full).toMatchObject({
    ...{ name: 'mine', version: `2+${rest.version}`, depth: 'fixed', answers: true, atomic: true, remarks: [] },
    needs: { llm: true, endpoint: true },
  })
  expect(() => full.create(systemTestContext(), {})).toThrow('none is there to be asked')
  await expect(remoteDefinition(remote({ concurrency: 0 }), 1000)).rejects.toThrow('What it declares')
})

it.each([
  ['a process, one call at a time', {}, { isProcess: true }, 2],
  ['a process, several at once', { concurrency: 2 }, { isProcess: true }, 4],
  ['a server, one call at a time', {}, { isProcess: false }, 1],
  ['a server, several at once', { concurrency: 2 }, { isProcess: false }, 2],
])('%s', async (_what, declared, told, busy) => {
  const asked: string[] = []
  const { create } = await remoteDefinition(remote(declared, told, asked), 1000)
  const memories = [await create(systemTestContext(), {}), await create(systemTestContext(), {})]
  expect(asked.filter((line) => line.includes('open')).map((line) => line.includes('workdir'))).toEqual(
    Array(3).fill(told.isProcess),
  )
  asked.length = 0
  await Promise.all(memories.flatMap((memory) => [memory.store(talk), memory.store(talk)]))
  expect(Math.max(...asked.map((line) => Number(line.split(' ')[2])))).toBe(busy)
})

it('gives a process its model in its environment, and a server in what it is told', async () => {
  const asked: string[] = []
  const endpoint = {
    url: 'u',
    token: 't',
    during: async <T>(_role: string, work: () => Promise<T>) => work(),
    close: async () => {},
  }
  const context = {
    ...systemTestContext(),
    llm: { model: 'm' },
    endpoint: async () => endpoint,
  } as unknown as SystemContext
  for (const isProcess of [true, false]) {
    const { create } = await remoteDefinition(remote({ model: true }, { isProcess }, asked), 1000)
    await create(context, {})
  }
  const opened = asked.filter((line) => line.includes(' open '))
  expect(opened.map((line) => line.includes('OPENAI_BASE_URL'))).toEqual([false, true, false, false])
  expect(opened.map((line) => / model/.test(line))).toEqual([false, true, false, true])
})

const ECHO = `process.stdin.on('data', (all) => { for (const line of String(all).trim().split('\\n')) {
  const { id, do: what } = JSON.parse(line)
  if (what === 'insert') process.exit(4)
  process.stdout.write(JSON.stringify({ id, value: process.pid + ' ' + process.env.MINE }) + '\\n') } })`

it('lets a process serve one memory after the other, four at most wait, and ends those that were given something', async () => {
  const connect = processPool({ words: [process.execPath, '-e', ECHO], cwd: '/', env: [] })
  const pid = async (one: Connection) => String(await one.ask({ do: 'dump' }, '')).split(' ')[0]!
  const first = connect('a')
  const number = await pid(first)
  first.release()
  const again = connect('b')
  expect(await pid(again)).toBe(number)
  const own = connect('c', { MINE: 'yes' })
  expect(await own.ask({ do: 'dump' }, '')).toMatch(/ yes$/)
  own.release()
  await expect(own.ask({ do: 'dump' }, '')).rejects.toThrow('it was closed')
  const all = [again, connect('d'), connect('e'), connect('f'), connect('g')]
  const pids = await Promise.all(all.map(pid))
  for (const one of all) one.release()
  await expect(all[4]!.ask({ do: 'dump' }, '')).rejects.toThrow('it was closed')
  all[3]!.end('it was ended')
  all[3]!.release()
  const next = connect('h')
  expect(await pid(next)).toBe(pids[2])
  await expect(next.ask({ do: 'insert', memories: [] }, '')).rejects.toThrow(
    'its process ended (code 4) during insert.',
  )
  for (const one of all) one.end('it was ended')
})

it('takes secrets out of texts, but not words, and has headers from variables that are set', () => {
  const safe = secretRemover(['Bearer abcdefgh', 'short', 'with"quote'])
  expect(safe('Bearer abcdefgh, abcdefgh, Bearer, short, with"quote, {"a":"with\\"quote"}')).toBe(
    '[redacted], [redacted], Bearer, short, [redacted], {"a":"[redacted]"}',
  )
  expect(headerValues({ 'x-path': 'PATH' })).toEqual({ 'x-path': process.env.PATH })
  expect(() => headerValues({ auth: 'NOT_SET_ANYWHERE' })).toThrow('The variable NOT_SET_ANYWHERE, for the header auth')
})

it('takes an answer as a text, or with the memories it used', async () => {
  const answers: unknown[] = ['yes', { text: 'yes', used: ['a'] }, { text: 'yes' }]
  const connect = (): Connection => ({
    ask: async ({ do: what }) =>
      what === 'open' ? { offers: ['answer', 'dump'] } : what === 'answer' ? answers.shift() : [],
    release: () => {},
    end: () => {},
  })
  const { create } = await remoteDefinition(remote({}, { connect, name: '' }), 1000)
  const system = await create(systemTestContext(), {})
  const query = { id: 'q', text: '', time: '' }
  expect(await system.answer!(query)).toEqual({ text: 'yes' })
  expect(await system.answer!(query)).toMatchObject({ text: 'yes', used: [{ text: 'a' }] })
  expect(await system.answer!(query)).toEqual({ text: 'yes' })
  expect([nameFor('/a/b c.ts'), nameFor('host-80.'), nameFor('')]).toEqual(['b-c', 'host-80', 'memory'])
})

it('says what a server refused, and that none is there', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/ok' ? 200 : 503
    response.end(
      request.url === '/empty' ? '' : request.url === '/ok' ? '{"id":2,"value":"v"}' : `full${'x'.repeat(3000)}`,
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = (path: string) => serverAt({ url: `${url}${path}`, headers: {} })('m').ask({ do: 'dump' }, '')
  await expect(ask('/empty')).rejects.toThrow(/^its server said 503$/)
  await expect(ask('/full')).rejects.toThrow(`its server said 503: "full${'x'.repeat(116)}…"`)
  await expect(ask('/ok')).rejects.toThrow('its reply to dump is not to what was asked')
  server.close()
  await expect(serverAt({ url: 'http://127.0.0.1:9', headers: {} })('m').ask({ do: 'dump' }, '')).rejects.toThrow(
    /^dump: the server cannot be reached: (?:connect ECONNREFUSED|bad port)/,
  )
})

it('reads 64 MiB of what a server says, and no byte more', async () => {
  const most = Buffer.alloc(64 * 1024 * 1024, 'x')
  const server = createServer((request, response) => {
    response.write(most)
    response.end(request.url === '/more' ? 'x' : '')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = (path: string) => serverAt({ url: `${url}${path}`, headers: {} })('m').ask({ do: 'dump' }, '')
  await expect(ask('/most')).rejects.toThrow('it wrote what is no JSON')
  await expect(ask('/more')).rejects.toThrow('its reply to dump is longer than 64 MiB')
  server.closeAllConnections()
  server.close()
})

it('ends a process with all that it started', async () => {
  const stays = `const { spawn } = require('node:child_process')
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    process.stdin.on('data', (line) => {
      const { id } = JSON.parse(line)
      process.stdout.write(JSON.stringify({ id, value: [process.pid, child.pid] }) + '\\n')
    })
    setInterval(() => {}, 1000)`
  const connection = processPool({ words: [process.execPath, '-e', stays], cwd: '/', env: [] })('a')
  const pids = (await connection.ask({ do: 'dump' }, '')) as number[]
  expect(pids.filter(isThere)).toEqual(pids)
  connection.end('it was ended')
  await vi.waitFor(() => expect(pids.filter(isThere)).toEqual([]), { timeout: 5000 })
})

it('lets a process begin its reply with an empty line', async () => {
  const script = `process.stdin.on('data', (line) => {
    process.stdout.write('\\n' + JSON.stringify({ id: JSON.parse(line).id, value: 'here' }) + '\\n')
  })`
  const connection = processPool({ words: [process.execPath, '-e', script], cwd: '/', env: [] })('a')
  expect(await connection.ask({ do: 'dump' }, '')).toBe('here')
  connection.end('it was ended')
})

it('is called by the file that a command names, or by its program, which may lie beside one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'memscope-command-'))
  const serve = `process.stdin.on('data', (all) => {
    for (const line of String(all).trim().split('\\n'))
      process.stdout.write(JSON.stringify({ id: JSON.parse(line).id, value: {} }) + '\\n')
  })`
  writeFileSync(join(folder, 'server.cjs'), serve)
  writeFileSync(join(folder, 'start'), `#!/bin/sh\nexec "${process.execPath}" "${join(folder, 'server.cjs')}"\n`, {
    mode: 0o755,
  })
  const nameOf = async (target: string) =>
    (await loadOutside({ scheme: 'cmd', target, options: {} }, folder, 20_000)).name
  expect(await nameOf(`"${process.execPath}" server.cjs`)).toBe('node')
  expect(await nameOf('node server.cjs')).toBe('server')
  expect(await nameOf('./start server.cjs')).toBe('start')
  expect(await nameOf(`sh -c "exec node ${join(folder, 'server.cjs')}"`)).toBe('sh')
  rmSync(folder, { recursive: true })
})

it('hands back what served it when it was closed, and ends it where that failed', async () => {
  const ends: string[] = []
  let fails = false
  const connect = (): Connection => ({
    ask: async ({ do: what }) => {
      if (what === 'close' && fails) throw new Error('stuck')
      return {}
    },
    release: () => void ends.push('released'),
    end: (why) => void ends.push(why),
  })
  const { create } = await remoteDefinition(remote({}, { connect }), 1000)
  ends.length = 0
  // A model without an endpoint is nothing that can be handed on.
  const context = { ...systemTestContext(), llm: { model: 'm' } } as unknown as SystemContext
  await (await create(context, {})).close!()
  fails = true
  await expect((await create(context, {})).close!()).rejects.toThrow('stuck')
  expect(ends).toEqual(['released', 'it could not be closed'])
})

it('has of the environment what programs need and what was named', () => {
  vi.stubEnv('MINE', 'yes')
  vi.stubEnv('A_SECRET', 'no')
  const environment = processEnvironment(['MINE'], { GIVEN: 'too' })
  vi.unstubAllEnvs()
  expect(environment).toMatchObject({ PATH: process.env.PATH, MINE: 'yes', GIVEN: 'too' })
  expect(environment).not.toHaveProperty('A_SECRET')
})

it('makes up to eight remarks, of 1 to 300 characters', () => {
  const read = (...remarks: string[]) => definitionFrom({ create: () => ({}), remarks }, 'x').remarks
  expect(read('x', 'y'.repeat(300))).toEqual(['x', 'y'.repeat(300)])
  expect(read(...Array<string>(8).fill('x'))).toHaveLength(8)
  for (const wrong of [[''], ['y'.repeat(301)], Array<string>(9).fill('x')])
    expect(() => read(...wrong)).toThrow('does not define a memory system')
})

it('lets work during which an endpoint answers end over there, as it ended', async () => {
  const ends: string[] = []
  const endpoints = new Endpoints(async () => ({
    url: 'u',
    token: 't',
    during: async (role, work) => {
      // Its turn comes later.
      await null
      return work().then(
        (value) => {
          ends.push(`${role} done`)
          return value
        },
        (error) => {
          ends.push(`${role} failed`)
          throw error
        },
      )
    },
    close: async () => void ends.push('closed'),
  }))
  expect(await endpoints.obey({ what: 'open' }, {})).toEqual({ endpoint: 0, url: 'u', token: 't' })
  const visits = [
    await endpoints.obey({ what: 'begin', endpoint: 0, role: 'ingest' }, {}),
    await endpoints.obey({ what: 'begin', endpoint: 0, role: 'retrieve' }, {}),
  ]
  expect(visits).toEqual([0, 1])
  await endpoints.obey({ what: 'end', visit: 0, failed: false }, {})
  await endpoints.obey({ what: 'end', visit: 1, failed: true }, {})
  await endpoints.close()
  expect(ends).toEqual(['ingest done', 'retrieve failed', 'closed'])
})

it('reads options behind a class, with colons in their values', async () => {
  const load = (target: string) => loadOutside({ scheme: 'py', target, options: {} }, '/')
  await expect(load('one:two:python=/nowhere')).rejects.toThrow('There is no interpreter "/nowhere".')
  await expect(load('one:two:size=a:b:python=/nowhere:3')).rejects.toThrow('There is no interpreter "/nowhere:3".')
})

it.each(['one', 'one:', ':two', 'one:two:three', 'one:two:a=1:'])(
  'asks for a module and a class, not py:%s',
  async (target) => {
    const spec = { scheme: 'py' as const, target, options: { python: '/nowhere' } }
    await expect(loadOutside(spec, '/')).rejects.toThrow(
      target.endsWith('a=1:') ? 'no interpreter' : 'Expected a module',
    )
  },
)
