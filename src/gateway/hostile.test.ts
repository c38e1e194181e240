import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ask } from '../../test/gateway/harness.js'
import type { LlmError } from '../model/index.js'
import { createGateway, type GatewayOptions } from './gateway.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

interface Taken {
  headers: IncomingHttpHeaders
  body: string
}

/** A server that does as it likes; what it took is kept. */
async function serve(reply: (response: ServerResponse, nth: number, body: string) => void, host = '127.0.0.1') {
  const taken: Taken[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    taken.push({ headers: request.headers, body })
    reply(response, taken.length, body)
  })
  await new Promise<void>((done) => server.listen(0, host, done))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, taken }
}

function open(url: string, options: Partial<GatewayOptions> = {}) {
  const logs: string[] = []
  const gateway = createGateway({
    env: {
      ANTHROPIC_API_KEY: 'anthropic-key-1',
      MEMSCOPE_ANTHROPIC_BASE_URL: `${url}/v1`,
      GOOGLE_GENERATIVE_AI_API_KEY: 'google-key-1',
      MEMSCOPE_GOOGLE_BASE_URL: `${url}/v1beta`,
      OPENAI_API_KEY: 'openai-key-1',
      MEMSCOPE_OPENAI_BASE_URL: `${url}/v1`,
      MEMSCOPE_LAB_BASE_URL: `${url}/v1`,
      MEMSCOPE_LAB_API_KEY: 'lab-key-0001',
    },
    cacheDir: null,
    log: (message) => logs.push(message),
    deadlines: { backoffMs: 1, maxBackoffMs: 2 },
    ...options,
  })
  closing.push(() => gateway.close())
  const said = (spec: string, maxTokens = 99) =>
    gateway.llm(spec).generate({ messages: ask('What is it?'), maxTokens }, { role: 'answer' })
  const failed = (spec: string) =>
    said(spec).then(
      () => expect.fail('There is a reply.'),
      (error: LlmError) => error,
    )
  return { gateway, logs, said, failed }
}

const json = (response: ServerResponse, body: object) =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

const chat = (usage: unknown, content = 'fine') => ({
  id: 'c1',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  ...(usage !== undefined && { usage }),
})
const USED = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }

const CLAUDE = 'anthropic:claude-haiku-4-5'
const GEMINI = 'google:gemini-2.5-flash'
const GPT = 'openai:gpt-5-mini'
const LAB = 'lab:m'
const PRICES = { m: { input: 100, output: 100, maxOutput: 100 } }

describe('a redirect', () => {
  it.each([CLAUDE, GEMINI, GPT, LAB])('of %s takes neither key nor prompt along, and ends the run', async (spec) => {
    const there = await serve((response) => json(response, chat(USED)), '127.0.0.2')
    const here = await serve((response) => void response.writeHead(307, { location: `${there.url}/v1/x` }).end())
    const error = await open(here.url).failed(spec)
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(`${there.url}/v1/x`) })
    expect(there.taken).toEqual([])
    expect(here.taken.length).toBeLessThanOrEqual(3)
  })
})

describe('usage', () => {
  it.each([
    ['negative', { prompt_tokens: -5000, completion_tokens: -5000 }],
    ['half negative', { prompt_tokens: 12, completion_tokens: -1 }],
    ['absurd', { prompt_tokens: 1e9, completion_tokens: 3 }],
    ['no whole number', { prompt_tokens: 12.5, completion_tokens: 3 }],
    ['more from a cache than there was', { ...USED, prompt_tokens_details: { cached_tokens: 999_999 } }],
  ])('that is %s is an error of its call, and never makes room in a budget', async (_, usage) => {
    const server = await serve((response) => json(response, chat(usage)))
    const { gateway, failed, said } = open(server.url, { prices: PRICES, budgetUsd: 0.1 })
    expect(await failed(LAB)).toMatchObject({
      code: 'provider',
      message: expect.stringContaining('the usage cannot be'),
    })
    expect(server.taken).toHaveLength(3)
    const [line] = gateway.usage().lines
    expect(line!.unconfirmed).toBeGreaterThan(0.03)
    expect(line!.paid).toMatchObject({ calls: 0, cost: 0 })
    const stops = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => said(LAB, 80 + i)))
    expect(stops.every(({ status }) => status === 'rejected')).toBe(true)
    expect(server.taken.length).toBeLessThan(14)
  })

  it.each([LAB, GPT])(
    'of %s that is more than any number of ours is counted here, and asked for once',
    async (spec) => {
      const body = JSON.stringify(chat({ ...USED, prompt_tokens: 'PLACE' })).replace('"PLACE"', '1e400')
      const server = await serve((response) => void response.setHeader('content-type', 'application/json').end(body))
      const { text, usage } = await open(server.url).said(spec)
      expect([text, server.taken.length]).toEqual(['fine', 1])
      expect(usage).toMatchObject({ input: 11, output: 1 })
    },
  )

  it('that is wrong once is asked for again', async () => {
    const server = await serve((response, nth) =>
      json(response, chat(nth === 1 ? { ...USED, prompt_tokens: -1 } : USED)),
    )
    expect((await open(server.url).said(LAB)).usage).toMatchObject({ input: 12, output: 3 })
    expect(server.taken).toHaveLength(2)
  })

  it.each([
    [LAB, chat({ prompt_tokens: 'many', completion_tokens: 3 })],
    [LAB, chat('a lot')],
    [LAB, chat({ ...USED, prompt_tokens_details: { cached_tokens: 'none' } })],
    [LAB, chat({ prompt_tokens: 0, completion_tokens: 0 })],
    [LAB, chat(undefined)],
    [GPT, chat({ prompt_tokens: '12', completion_tokens: '3' })],
    [CLAUDE, { ...claude({ input_tokens: '12', output_tokens: 3 }) }],
    [GEMINI, { ...gemini({ promptTokenCount: 'twelve', candidatesTokenCount: 3 }) }],
  ])('of %s that cannot be read is counted here, and the reply is not paid for again', async (spec, body) => {
    const server = await serve((response) => json(response, body))
    const { said, logs } = open(server.url)
    const { text, usage } = await said(spec)
    expect([text, server.taken.length]).toEqual(['fine', 1])
    expect(usage).toMatchObject({ input: 11, output: 1, cachedInput: 0 })
    expect(logs.join()).toContain('counted here')
  })
})

describe('a reply', () => {
  it.each([
    ['50 MB', 50_000_000, 'longer than 16 MiB'],
    ['2 MB', 2_000_000, 'has 2,000,000 characters; at most 1,000,000 are taken'],
  ])('of %s is an error of its call', async (_, length, why) => {
    const body = JSON.stringify(chat(undefined, 'A'.repeat(length)))
    const server = await serve((response) => {
      response.on('error', () => {})
      response.setHeader('content-type', 'application/json').end(body)
    })
    const error = await open(server.url).failed(LAB)
    expect(error).toMatchObject({ code: 'provider', message: expect.stringContaining(why) })
    expect(server.taken).toHaveLength(3)
  })

  it.each([204, 205])('of %i, without a body, is an error of its call, whoever is asked', async (status) => {
    const server = await serve((response) => response.writeHead(status).end())
    for (const spec of [LAB, GPT, CLAUDE, GEMINI])
      expect(await open(server.url).failed(spec)).toMatchObject({ code: 'provider' })
  })

  it('that cannot be used goes back to the model only in part when it is endless', async () => {
    const server = await serve((response) => json(response, chat(undefined, '<tool_call>'.repeat(60_000))))
    const parameters = { type: 'object', properties: {} }
    const error = await open(server.url)
      .gateway.llm(LAB)
      .generate({ messages: ask('Call it.'), tools: [{ name: 'insert', parameters }] }, { role: 'ingest' })
      .then(
        () => expect.fail('There is a reply.'),
        (caught: LlmError) => caught,
      )
    expect(error.code).toBe('unparsable')
    expect(error.message.length).toBeLessThan(3000)
    expect(Math.max(...server.taken.map(({ body }) => body.length))).toBeLessThan(60_000)
    expect(server.taken[1]!.body).toContain('more characters]')
  })
})

describe('what a server says', () => {
  it('reaches neither errors nor logs with anything that a terminal obeys', async () => {
    const server = await serve((response) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'bad \x1b]0;OWNED\x07\x1b[2J\x9b31m day\r\u202e' } }))
    })
    const { failed, logs } = open(server.url, { deadlines: { attempts: 2, backoffMs: 1 } })
    const { message } = await failed(LAB)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    for (const text of [message, ...logs]) expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]|OWNED/)
    expect(message).toContain('bad  day')
    expect(logs).toHaveLength(1)
  })
})

describe('embeddings', () => {
  const vectors = (body: string, order: (n: number) => number) => {
    const { input } = JSON.parse(body) as { input: string[] }
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 1, 0, 0] }))
    return { object: 'list', model: 'm', data: data.map((_, i) => data[order(i)]!), usage: { prompt_tokens: 9 } }
  }
  const TEXTS = ['aaa', 'zzzzzzzzzzzz', 'mmmmmm']
  const firstOf = ([x, y]: Float32Array) => Math.round(x! / y!)

  it.each(['lab:m', 'openai:text-embedding-3-small'])(
    'of %s belong to the texts that their index names',
    async (spec) => {
      const server = await serve((response, _, body) =>
        json(
          response,
          vectors(body, (i) => 2 - i),
        ),
      )
      const embedder = await open(server.url).gateway.embedder(spec, { dimensions: 4 })
      expect((await embedder.embed(TEXTS)).map(firstOf)).toEqual([3, 12, 6])
    },
  )

  it.each([
    [
      'the same index twice',
      (body: ReturnType<typeof vectors>) => ({ ...body, data: body.data.map((one) => ({ ...one, index: 0 })) }),
    ],
    [
      'a vector of another length',
      (body: ReturnType<typeof vectors>) => ({
        ...body,
        data: body.data.map((one) => ({ ...one, embedding: [1, 2] })),
      }),
    ],
    ['one vector only', (body: ReturnType<typeof vectors>) => ({ ...body, data: body.data.slice(1) })],
    ['negative usage', (body: ReturnType<typeof vectors>) => ({ ...body, usage: { prompt_tokens: -9 } })],
  ])('with %s are asked for again, and in the end an error of that call', async (_, spoil) => {
    const server = await serve((response, nth, body) => {
      const good = vectors(body, (i) => i)
      json(response, nth === 1 || nth > 2 ? spoil(good) : good)
    })
    const { gateway } = open(server.url)
    const embedder = await gateway.embedder('lab:m', { dimensions: 4 })
    expect((await embedder.embed(TEXTS)).map(firstOf)).toEqual([3, 12, 6])
    expect(server.taken).toHaveLength(2)
    await expect(embedder.embed(['other', 'words'])).rejects.toMatchObject({ name: 'LlmError', code: 'provider' })
    expect(server.taken).toHaveLength(5)
  })
})

function claude(usage: object) {
  const content = [{ type: 'text', text: 'fine' }]
  return { id: 'm1', type: 'message', role: 'assistant', model: 'c', content, stop_reason: 'end_turn', usage }
}

function gemini(usageMetadata: object) {
  const content = { role: 'model', parts: [{ text: 'fine' }] }
  return { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata }
}
