import { request as httpRequest } from 'node:http'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { afterEach, describe, expect, it } from 'vitest'
import { Harness, SPEC } from '../../../test/gateway/harness.js'
import type { Embedder } from '../../model/index.js'
import { createGateway, type Gateway } from '../gateway.js'
import type { ScriptedOptions } from '../scripted/index.js'
import { fromWire, wireReplyOf } from './from-wire.js'
import { type Loopback, startLoopback } from './index.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const embedder: Embedder = {
  id: 'fake',
  dimensions: 3,
  embed: async (texts) => texts.map((text) => Float32Array.from([text.length, 0.1, -1])),
}
const SCRIPT: ScriptedOptions = {
  rules: [
    { when: { role: 'tool' }, reply: ({ last }) => `It is ${last}.` },
    { when: { tool: 'clock' }, reply: { toolCalls: [{ id: 'call_1', name: 'clock', input: { city: 'Oslo' } }] } },
    { when: { schema: 'yes' }, reply: { json: { yes: true } } },
  ],
  otherwise: ({ last }) => `You said: ${last} — ${'and more. '.repeat(20)}`,
}

async function serve(gateway: Gateway, maxBodyBytes?: number) {
  const { signal } = new AbortController()
  const loopback = await startLoopback({
    complete: async (request, leaving) => {
      const options = { role: 'ingest', signal: leaving } as const
      return wireReplyOf(await gateway.llm(SPEC).generate(fromWire(request, undefined), options))
    },
    embedder,
    signal,
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
  })
  closing.push(loopback.close)
  return loopback
}

async function open(script = SCRIPT, maxBodyBytes?: number) {
  const harness = await Harness.start(script)
  closing.push(() => harness.close())
  const gateway = harness.open()
  const loopback = await serve(gateway, maxBodyBytes)
  const { token } = loopback
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${loopback.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { harness, gateway, loopback, token, post }
}

const chat = (content: string, rest: object = {}) => ({
  model: 'gpt-4.1-mini',
  messages: [{ role: 'user', content }],
  ...rest,
})

/** A request whose Host header can be chosen, as `fetch` does not allow. */
function rawStatus(loopback: Loopback, headers: Record<string, string>): Promise<number> {
  const { port } = new URL(loopback.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: '/v1/models', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end()
  })
}

describe('the loopback endpoint', () => {
  it('answers through the gateway: metered to its role, and cached', async () => {
    const { harness, gateway, post } = await open()
    const body = (await (await post('/chat/completions', chat('hi'))).json()) as {
      choices: { message: { content: string } }[]
    }
    expect(body).toMatchObject({ object: 'chat.completion', model: 'gpt-4.1-mini' })
    expect(body.choices[0]!.message.content).toContain('You said: hi')
    await post('/chat/completions', chat('hi'))
    expect(harness.model.stats.calls).toBe(1)
    const lines = gateway.usage().lines.map(({ role, calls, paid }) => ({ role, calls, paid: paid.calls }))
    expect(lines).toEqual([{ role: 'ingest', calls: 2, paid: 1 }])
  })

  it('refuses requests without the token, or with that of another', async () => {
    const { gateway, token, post } = await open()
    for (const authorization of ['', 'Bearer ', 'Bearer nonsense', `Basic ${token}`, `Bearer ${token}x`, token]) {
      expect((await post('/chat/completions', chat('hi'), { authorization })).status, authorization).toBe(401)
    }
    expect((await post('/chat/completions', chat('hi'))).status).toBe(200)
    const second = await serve(gateway)
    expect(second.token).not.toBe(token)
    const authorization = `Bearer ${second.token}`
    expect((await post('/chat/completions', chat('hi'), { authorization })).status).toBe(401)
  })

  it('refuses other hosts, and everything that comes from a web page', async () => {
    const { harness, loopback, token, post } = await open()
    const authorization = `Bearer ${token}`
    expect(await rawStatus(loopback, { authorization })).toBe(200)
    expect(await rawStatus(loopback, { authorization, host: 'localhost:1234' })).toBe(200)
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1']) {
      expect(await rawStatus(loopback, { authorization, host }), host).toBe(403)
    }
    for (const origin of ['http://evil.example', 'http://127.0.0.1', 'null']) {
      const response = await post('/chat/completions', chat('hi'), { origin })
      expect(response.status, origin).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
    const preflight = await fetch(`${loopback.url}/chat/completions`, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([401, null])
    expect(new URL(loopback.url).hostname).toBe('127.0.0.1')
    expect(harness.model.stats.calls).toBe(0)
  })

  it('refuses bodies that are too large, not JSON, or not of the protocol', async () => {
    const { post } = await open(SCRIPT, 2000)
    expect((await post('/chat/completions', chat('x'.repeat(3000)))).status).toBe(413)
    expect((await post('/chat/completions', '{"model":')).status).toBe(400)
    const image = [{ type: 'image_url', image_url: { url: 'x' } }]
    for (const body of [
      {},
      chat('x', { n: 3 }),
      chat('x', { logprobs: true }),
      { model: 'm', messages: [{ role: 'user', content: image }] },
    ]) {
      expect((await post('/chat/completions', body)).status).toBe(400)
    }
    expect((await post('/completions', {})).status).toBe(404)
  })

  it('says in a stream what it says at once', async () => {
    const { post } = await open()
    const plain = (await (await post('/chat/completions', chat('hi'))).json()) as {
      choices: { message: { content: string }; finish_reason: string }[]
      usage: object
    }
    const response = await post(
      '/chat/completions',
      chat('hi', { stream: true, stream_options: { include_usage: true } }),
    )
    const events = (await response.text()).split('\n\n').filter(Boolean)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(events.pop()).toBe('data: [DONE]')
    const chunks = events.map((event) => JSON.parse(event.replace(/^data: /, '')))
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(
      plain.choices[0]!.message.content,
    )
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual([plain.choices[0]!.finish_reason])
    expect(chunks.at(-1).usage).toEqual(plain.usage)
  })

  it('serves a client of the AI SDK: streams, tools and their results, schemas', async () => {
    const { loopback, token } = await open()
    const model = createOpenAICompatible({
      name: 'loop',
      baseURL: loopback.url,
      apiKey: token,
      supportsStructuredOutputs: true,
    })('m')
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'What time is it?' }] }]
    const tools = [
      { type: 'function' as const, name: 'clock', inputSchema: { type: 'object' as const, properties: {} } },
    ]
    const first = await model.doGenerate({ prompt, tools })
    const call = first.content.find((part) => part.type === 'tool-call')
    expect(call).toMatchObject({ toolCallId: 'call_1', toolName: 'clock', input: '{"city":"Oslo"}' })
    const { stream } = await model.doStream({
      prompt: [
        ...prompt,
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'clock', input: { city: 'Oslo' } }],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call_1', toolName: 'clock', output: { type: 'text', value: 'noon' } },
          ],
        },
      ],
      tools,
    })
    let text = ''
    for await (const part of stream) if (part.type === 'text-delta') text += part.delta
    expect(text).toBe('It is noon.')
    const schema = { type: 'object' as const, properties: { yes: { type: 'boolean' as const } } }
    const formatted = await model.doGenerate({ prompt, responseFormat: { type: 'json', schema } })
    expect(formatted.content).toEqual([{ type: 'text', text: '{"yes":true}' }])
  })

  it('embeds, as numbers and as base64', async () => {
    const { post } = await open()
    const floats = (await (await post('/embeddings', { model: 'e', input: 'four' })).json()) as {
      data: { embedding: number[] }[]
    }
    const coded = (await (
      await post('/embeddings', { model: 'e', input: ['four', 'three'], encoding_format: 'base64' })
    ).json()) as {
      data: { embedding: string; index: number }[]
    }
    const bytes = Buffer.from(coded.data[0]!.embedding, 'base64')
    const decoded = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    expect([...decoded]).toEqual(floats.data[0]!.embedding)
    expect([...decoded]).toEqual([...Float32Array.from([4, 0.1, -1])])
    expect(coded.data.map(({ index }) => index)).toEqual([0, 1])
    expect((await post('/embeddings', { model: 'e', input: 'x', dimensions: 5 })).status).toBe(400)
    expect((await post('/embeddings', { model: 'e', input: [[1, 2, 3]] })).status).toBe(400)
  })

  it('lists its embedder, and answers to whatever model is asked for', async () => {
    const { loopback, token, post } = await open()
    const headers = { authorization: `Bearer ${token}` }
    const { data } = (await (await fetch(`${loopback.url}/models`, { headers })).json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(['fake'])
    expect((await post('/chat/completions', { ...chat('hi'), model: 'something else' })).status).toBe(200)
  })

  it('passes on why there is no reply, with a status that clients do not insist on', async () => {
    const { harness, post } = await open({ rules: [] })
    const refused = await post('/chat/completions', chat('hi'))
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([400, 'false'])
    const replaying = createGateway({ env: {}, cacheDir: null, mode: 'record', cassette: `${harness.folder}/t.jsonl` })
    await replaying.close()
    const strict = createGateway({ env: {}, cacheDir: null, mode: 'replay', cassette: `${harness.folder}/t.jsonl` })
    const loopback = await serve(strict)
    const response = await fetch(`${loopback.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${loopback.token}` },
      body: JSON.stringify(chat('hi')),
    })
    expect(response.status).toBe(424)
    expect(await response.json()).toMatchObject({ error: { code: 'not_recorded' } })
  })
})
