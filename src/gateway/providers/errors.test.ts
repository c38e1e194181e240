import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ask } from '../../../test/gateway/harness.js'
import type { LlmError } from '../../model/index.js'
import { createGateway } from '../gateway.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Said = [status: number, body: object, headers?: Record<string, string>]

const ANTHROPIC_REPLY: Said = [
  200,
  {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [{ type: 'text', text: 'fine' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 7,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 100,
      output_tokens: 5,
      service_tier: 'standard',
    },
  },
]
const GOOGLE_REPLY: Said = [
  200,
  {
    candidates: [{ content: { role: 'model', parts: [{ text: 'fine' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: 127,
      cachedContentTokenCount: 100,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 40,
      totalTokenCount: 172,
    },
    modelVersion: 'gemini-2.5-flash',
  },
]
const anthropicError = (status: number, type: string, message: string, headers = {}): Said => [
  status,
  { type: 'error', error: { type, message }, request_id: 'req_1' },
  headers,
]
const googleError = (code: number, status: string, message: string, details: object[] = []): Said => [
  code,
  { error: { code, status, message, details } },
]
const quotaOf = (id: string, retryDelay: string) => [
  { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId: id }] },
  { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
]
const NO_QUOTA = 'You exceeded your current quota, please check your plan and billing details.'

const unexpected = (): never => expect.fail('There is a reply.')

/** A model behind a server that says one thing after the other, the last for ever; time passes only in sleep. */
async function behind(spec: string, ...replies: Said[]) {
  let calls = 0
  const server = createServer((request, response) => {
    request.resume()
    const [status, body, headers] = replies[Math.min(calls++, replies.length - 1)]!
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const slept: number[] = []
  let time = 0
  const sleep = async (ms: number) => {
    slept.push(ms)
    time += ms
  }
  const gateway = createGateway({
    env: {
      ANTHROPIC_API_KEY: 'anthropic-key-1',
      MEMSCOPE_ANTHROPIC_BASE_URL: `${url}/v1`,
      GOOGLE_GENERATIVE_AI_API_KEY: 'google-key-1',
      MEMSCOPE_GOOGLE_BASE_URL: `${url}/v1beta`,
      OPENAI_API_KEY: 'openai-key-1',
      MEMSCOPE_OPENAI_BASE_URL: `${url}/v1`,
    },
    cacheDir: null,
    clock: { now: () => time, sleep, random: () => 0 },
  })
  const said = () => gateway.llm(spec).generate({ messages: ask('hi'), maxTokens: 99 }, { role: 'answer' })
  const failed = () => said().then(unexpected, (error: LlmError) => error)
  return { said, failed, slept, calls: () => calls }
}

const CLAUDE = 'anthropic:claude-haiku-4-5'
const GEMINI = 'google:gemini-2.5-flash'
const GPT = 'openai:gpt-5-mini'

describe('usage', () => {
  it.each([
    [CLAUDE, ANTHROPIC_REPLY, { input: 127, cachedInput: 100, output: 5 }],
    [GEMINI, GOOGLE_REPLY, { input: 127, cachedInput: 100, output: 45, reasoning: 40 }],
  ])('of %s counts all input, and tells what was cached and what was thought', async (spec, reply, usage) => {
    const { said } = await behind(spec, reply)
    expect(await said()).toMatchObject({ text: 'fine', finish: 'stop', usage })
  })
})

describe('what cannot get better ends the run at once, with advice', () => {
  it.each<[string, string, Said, LlmError['code'], RegExp]>([
    ['a wrong key', CLAUDE, anthropicError(401, 'authentication_error', 'invalid x-api-key'), 'auth', /key in the/],
    [
      'a wrong key, called a bad request',
      GEMINI,
      googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
      ]),
      'auth',
      /key in the/,
    ],
    ['no such model', CLAUDE, anthropicError(404, 'not_found_error', 'model: x'), 'unavailable', /name of the model/],
    ['no such model', GEMINI, googleError(404, 'NOT_FOUND', 'models/x is not found'), 'unavailable', /name of the/],
    [
      'no such model',
      GPT,
      [404, { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }],
      'unavailable',
      /name of the model/,
    ],
    [
      'no credit, called a bad request',
      CLAUDE,
      anthropicError(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      'unavailable',
      /no credit/,
    ],
    [
      'no credit, called a rate limit',
      GPT,
      [429, { error: { message: NO_QUOTA, type: 'insufficient_quota', code: 'insufficient_quota' } }],
      'unavailable',
      /no credit/,
    ],
    [
      'no quota until tomorrow',
      GEMINI,
      googleError(429, 'RESOURCE_EXHAUSTED', NO_QUOTA, quotaOf('GenerateRequestsPerDayPerProject', '30s')),
      'unavailable',
      /no credit or quota/,
    ],
  ])('%s (%s)', async (_, spec, reply, code, hint) => {
    const { failed, calls } = await behind(spec, reply)
    const error = await failed()
    expect(error).toMatchObject({ code, status: reply[0] })
    expect(error.hint).toMatch(hint)
    expect(calls()).toBe(1)
  })

  it('a server that is not there, after three tries', async () => {
    const gateway = createGateway({
      env: { MEMSCOPE_LAB_BASE_URL: 'http://127.0.0.1:1/v1' },
      cacheDir: null,
      deadlines: { backoffMs: 1 },
    })
    const error = await gateway
      .llm('lab:m')
      .generate({ messages: ask('hi') }, { role: 'answer' })
      .then(unexpected, (failure: LlmError) => failure)
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/after 3 tries.*ECONNREFUSED/) })
    expect(error.hint).toContain('base URL')
  })
})

describe('what may get better is tried again', () => {
  it.each<[string, string, Said, Said, number]>([
    ['overloaded', CLAUDE, anthropicError(529, 'overloaded_error', 'Overloaded'), ANTHROPIC_REPLY, 250],
    [
      'a rate limit that says how long',
      CLAUDE,
      anthropicError(429, 'rate_limit_error', 'Too many tokens a minute', { 'retry-after': '9' }),
      ANTHROPIC_REPLY,
      9000,
    ],
    [
      'a quota of the minute, which says how long in its body and speaks of billing',
      GEMINI,
      googleError(429, 'RESOURCE_EXHAUSTED', NO_QUOTA, quotaOf('GenerateRequestsPerMinutePerProject', '34.5s')),
      GOOGLE_REPLY,
      34_500,
    ],
    ['unavailable', GEMINI, googleError(503, 'UNAVAILABLE', 'The model is overloaded.'), GOOGLE_REPLY, 250],
  ])('%s (%s)', async (_, spec, first, then, wait) => {
    const { said, slept, calls } = await behind(spec, first, then)
    expect((await said()).text).toBe('fine')
    expect(Math.max(...slept)).toBe(wait)
    expect(calls()).toBe(2)
  })
})

it.each<[string, Said]>([
  [
    'prompt that Gemini blocks',
    [200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 9 } }],
  ],
  [
    'reply that is all thought',
    [
      200,
      {
        candidates: [{ content: { role: 'model' }, finishReason: 'MAX_TOKENS' }],
        usageMetadata: { promptTokenCount: 9, thoughtsTokenCount: 99 },
      },
    ],
  ],
])('a %s is an error, never an empty answer', async (_, reply) => {
  const { failed, calls } = await behind(GEMINI, reply)
  expect(await failed()).toMatchObject({ code: 'unparsable', message: expect.stringMatching(/It is empty: /) })
  expect(calls()).toBe(2)
})
