import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask, Harness } from '../../../test/gateway/harness.js'
import { createGateway } from '../gateway.js'
import { isStrict } from './convert.js'
import { providerOptions } from './reasoning.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A server that notes what it gets and always says the same. */
async function fixed(reply: object) {
  const got: { url: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = []
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    got.push({ url: request.url ?? '', headers: request.headers, body: JSON.parse(body) })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const schema = z.object({ yes: z.boolean() })
const request = {
  messages: [{ role: 'system' as const, content: 'Be brief.' }, ...ask('Is it?')],
  schema,
  maxTokens: 50,
}

describe('providers', () => {
  it('openai: chat completions with a strict schema, reasoning turned down, and its own key', async () => {
    const harness = await Harness.start({ rules: [], otherwise: { json: { yes: true } } }, 'openai-key-123')
    closing.push(() => harness.close())
    const env = { OPENAI_API_KEY: 'openai-key-123', MEMSCOPE_OPENAI_BASE_URL: harness.server.url }
    const llm = harness.open({ env }).llm('openai:gpt-5-mini')
    const reply = await llm.generate({ ...request, reasoning: 'off' }, { role: 'judge' })
    expect(reply.object).toEqual({ yes: true })
    expect(reply.cost).toBeCloseTo((reply.usage.input * 0.25 + reply.usage.output * 2) / 1e6, 12)
    expect(harness.chat(0)).toMatchObject({
      reasoning: 'off',
      maxTokens: 50,
      format: { strict: true, schema: { type: 'object' } },
    })
  })

  it('anthropic: messages, with cached tokens told apart', async () => {
    const { got, url } = await fixed({
      type: 'message',
      id: 'm',
      role: 'assistant',
      model: 'claude-haiku-4-5',
      content: [{ type: 'text', text: '{"yes": true}' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 90 },
    })
    const env = { ANTHROPIC_API_KEY: 'anthropic-key-1', MEMSCOPE_ANTHROPIC_BASE_URL: `${url}/v1` }
    const llm = createGateway({ env, cacheDir: null }).llm('anthropic:claude-haiku-4-5')
    const reply = await llm.generate({ ...request, reasoning: 'off' }, { role: 'judge' })
    expect(reply).toMatchObject({
      object: { yes: true },
      finish: 'stop',
      usage: { input: 100, cachedInput: 90, output: 5 },
    })
    expect(reply.cost).toBeCloseTo((10 * 1 + 90 * 0.1 + 5 * 5) / 1e6, 12)
    expect(got[0]).toMatchObject({
      url: '/v1/messages',
      headers: { 'x-api-key': 'anthropic-key-1' },
      body: { max_tokens: 50 },
    })
  })

  it('google: generateContent, with the schema in its own form', async () => {
    const { got, url } = await fixed({
      candidates: [{ content: { role: 'model', parts: [{ text: '{"yes": true}' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 4, thoughtsTokenCount: 3, totalTokenCount: 19 },
    })
    const env = { GOOGLE_GENERATIVE_AI_API_KEY: 'google-key-1', MEMSCOPE_GOOGLE_BASE_URL: `${url}/v1beta` }
    const llm = createGateway({ env, cacheDir: null }).llm('google:gemini-3.1-pro-preview')
    const reply = await llm.generate({ ...request, reasoning: 'off' }, { role: 'judge' })
    expect(reply).toMatchObject({ object: { yes: true }, usage: { input: 12, output: 7, reasoning: 3 } })
    expect(got[0]!.url).toBe('/v1beta/models/gemini-3.1-pro-preview:generateContent')
    expect(got[0]!.headers['x-goog-api-key']).toBe('google-key-1')
    expect(got[0]!.body.generationConfig).toMatchObject({
      responseMimeType: 'application/json',
      thinkingConfig: { thinkingLevel: 'low' },
    })
  })

  it("of one's own: base URL and name of the key from the configuration; tokens counted here when the server does not", async () => {
    const { got, url } = await fixed({
      choices: [{ message: { role: 'assistant', content: '{"yes": false}' }, finish_reason: 'stop' }],
    })
    const logs: string[] = []
    const gateway = createGateway({
      env: { LAB_KEY: 'lab-key-12345' },
      cacheDir: null,
      providers: { lab: { baseUrl: `${url}/v1/`, keyEnv: 'LAB_KEY', reasoningOff: { think: false } } },
      log: (message) => logs.push(message),
    })
    const reply = await gateway.llm('lab:llama:8b').generate({ ...request, reasoning: 'off' }, { role: 'judge' })
    expect(reply.object).toEqual({ yes: false })
    expect(reply.usage.input).toBeGreaterThan(10)
    expect(logs.join()).toContain('does not report token usage')
    expect(got[0]).toMatchObject({ url: '/v1/chat/completions', headers: { authorization: 'Bearer lab-key-12345' } })
    expect(got[0]!.body).toMatchObject({ model: 'llama:8b', think: false, response_format: { type: 'json_schema' } })
  })

  it('of any name exist by a base URL in the environment', async () => {
    const { got, url } = await fixed({
      choices: [{ message: { role: 'assistant', content: '{"yes": true}' }, finish_reason: 'stop' }],
    })
    const env = { MEMSCOPE_MY_LAB_BASE_URL: `${url}/v1`, MEMSCOPE_MY_LAB_API_KEY: 'lab-key-12345' }
    const gateway = createGateway({ env, cacheDir: null })
    expect((await gateway.llm('my-lab:llama').generate(request, { role: 'judge' })).object).toEqual({ yes: true })
    expect(got[0]).toMatchObject({ url: '/v1/chat/completions', headers: { authorization: 'Bearer lab-key-12345' } })
    expect(() => gateway.llm('other-lab:llama')).toThrow('There is no provider "other-lab"')
  })

  it('are told to reason as little as each model allows', () => {
    const off = (kind: 'openai' | 'google', model: string) =>
      Object.values(
        providerOptions({ provider: kind, kind, structured: 'schema' }, model, { messages: [], reasoning: 'off' }),
      )[0]
    expect(off('openai', 'gpt-5-mini')).toMatchObject({ reasoningEffort: 'minimal' })
    expect(off('openai', 'gpt-5.4-mini')).toMatchObject({ reasoningEffort: 'none' })
    expect(off('openai', 'o4-mini')).toMatchObject({ reasoningEffort: 'low' })
    expect(off('openai', 'gpt-4.1-mini')).not.toHaveProperty('reasoningEffort')
    expect(off('google', 'gemini-2.5-flash')).toMatchObject({ thinkingConfig: { thinkingBudget: 0 } })
  })

  it('get a schema as strict only when it is', () => {
    const strict = (type: z.ZodType) => isStrict(z.toJSONSchema(type))
    expect(strict(z.object({ a: z.array(z.object({ b: z.string().nullable() })) }))).toBe(true)
    expect(strict(z.object({ a: z.string().optional() }))).toBe(false)
    expect(strict(z.object({ a: z.array(z.looseObject({ b: z.string() })) }))).toBe(false)
  })
})
