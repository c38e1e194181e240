import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask } from '../../../test/gateway/harness.js'
import { ProviderServer, type Refusal } from '../../../test/gateway/provider-server.js'
import { findPackage } from '../../base/packages.js'
import { createGateway } from '../gateway.js'

let server: ProviderServer
beforeAll(async () => {
  server = await ProviderServer.start()
})
afterAll(() => server.close())
beforeEach(() => {
  server.got.length = 0
  server.says = '{"yes": true}'
  server.refuse = () => null
})

type Json = Record<string, unknown>

const error = (status: number, body: unknown) => ({ status, body })
const openaiError = (status: number, message: string, param: string | null = null) =>
  error(status, { error: { message, type: 'invalid_request_error', param, code: null } })
const formatOf = (body: Json) => (body.response_format as { type?: string } | undefined)?.type

/** Azure and OpenAI with a model that reasons, behind a name that does not say so. */
const noMaxTokens: Refusal = (body) => {
  if ('max_tokens' in body)
    return openaiError(
      400,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
    )
  if ('temperature' in body)
    return openaiError(
      400,
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      'temperature',
    )
  return null
}
const noSchema =
  (status: number, words: unknown): Refusal =>
  (body) =>
    formatOf(body) === 'json_schema' ? error(status, words) : null
/** LM Studio has no JSON mode, and here no schema either. */
const noFormat: Refusal = (body) =>
  formatOf(body) === undefined ? null : error(400, { error: "'response_format.type' must be 'text'" })
const noChoice: Refusal = ({ tool_choice: choice }) =>
  choice === undefined || choice === 'auto'
    ? null
    : openaiError(400, 'tool_choice must be "auto" or "none" for this model')

interface Preset {
  spec: string
  /** Path that is asked for a chat. */
  path: string
  env: Record<string, string>
  /** Optional package it needs. */
  peer?: string
  refuse?: Refusal
  embeddings: string | null
}

const at = (name: string, path = '/v1') => ({
  [`MEMSCOPE_${name}_BASE_URL`]: `${server.url}${path}`,
  [`MEMSCOPE_${name}_API_KEY`]: 'key-1234567',
})

const PRESETS: (() => Preset)[] = [
  () => ({
    spec: 'openai:gpt-5-mini',
    path: '/v1/chat/completions',
    env: at('OPENAI'),
    embeddings: 'openai:text-embedding-3-small',
  }),
  () => ({
    spec: 'openai-responses:gpt-5-mini',
    path: '/v1/responses',
    env: at('OPENAI_RESPONSES'),
    embeddings: 'openai-responses:text-embedding-3-small',
  }),
  () => ({
    spec: 'azure:prod',
    path: '/openai/chat/completions',
    env: at('AZURE', '/openai'),
    peer: '@ai-sdk/azure',
    refuse: noMaxTokens,
    embeddings: 'azure:embed',
  }),
  () => ({
    spec: 'azure-classic:prod',
    path: '/openai/deployments/prod/chat/completions?api-version=2024-10-21',
    env: at('AZURE_CLASSIC', '/openai'),
    peer: '@ai-sdk/azure',
    embeddings: 'azure-classic:embed',
  }),
  () => ({ spec: 'anthropic:claude-haiku-4-5', path: '/v1/messages', env: at('ANTHROPIC'), embeddings: null }),
  () => ({
    spec: 'google:gemini-2.5-flash',
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    env: at('GOOGLE', '/v1beta'),
    embeddings: 'google:gemini-embedding-001',
  }),
  () => ({
    spec: 'vertex:gemini-2.5-flash',
    path: '/v1/models/gemini-2.5-flash:generateContent',
    env: at('VERTEX'),
    peer: '@ai-sdk/google-vertex',
    embeddings: 'vertex:text-embedding-005',
  }),
  () => ({
    spec: 'bedrock:anthropic.claude-haiku-4-5',
    path: '/model/anthropic.claude-haiku-4-5/converse',
    env: { ...at('BEDROCK', ''), AWS_REGION: 'eu-west-1' },
    peer: '@ai-sdk/amazon-bedrock',
    embeddings: 'bedrock:amazon.titan-embed-text-v2:0',
  }),
  () => ({
    spec: 'openrouter:z-ai/glm-5.1',
    path: '/v1/chat/completions',
    env: at('OPENROUTER'),
    refuse: noSchema(404, {
      error: { message: 'No endpoints found that can handle the requested parameters: response_format', code: 404 },
    }),
    embeddings: 'openrouter:qwen/qwen3-embedding-8b',
  }),
  () => ({
    spec: 'groq:llama-3.3-70b-versatile',
    path: '/v1/chat/completions',
    env: at('GROQ'),
    refuse: noSchema(400, {
      error: { message: 'This model does not support response format `json_schema`.', type: 'invalid_request_error' },
    }),
    embeddings: null,
  }),
  () => ({
    spec: 'mistral:mistral-small-latest',
    path: '/v1/chat/completions',
    env: at('MISTRAL'),
    embeddings: 'mistral:mistral-embed',
  }),
  () => ({
    spec: 'deepseek:deepseek-chat',
    path: '/v1/chat/completions',
    env: at('DEEPSEEK'),
    refuse: noSchema(400, {
      error: { message: 'This response_format type is unavailable now', type: 'invalid_request_error' },
    }),
    embeddings: null,
  }),
  () => ({
    spec: 'ollama:qwen3',
    path: '/v1/chat/completions',
    env: at('OLLAMA'),
    embeddings: 'ollama:nomic-embed-text',
  }),
  () => ({
    spec: 'vllm:qwen3',
    path: '/v1/chat/completions',
    env: at('VLLM'),
    refuse: noChoice,
    embeddings: 'vllm:e5',
  }),
  () => ({
    spec: 'lmstudio:qwen3',
    path: '/v1/chat/completions',
    env: at('LMSTUDIO'),
    refuse: noFormat,
    embeddings: 'lmstudio:nomic',
  }),
  () => ({
    spec: 'llamacpp:qwen3',
    path: '/v1/chat/completions',
    env: at('LLAMACPP'),
    refuse: noSchema(500, {
      error: {
        code: 500,
        message: 'response_format type must be one of "text" or "json_object", but got: json_schema',
        type: 'server_error',
      },
    }),
    embeddings: 'llamacpp:bge',
  }),
]
const NAMES = [
  'openai',
  'openai-responses',
  'azure',
  'azure-classic',
  'anthropic',
  'google',
  'vertex',
  'bedrock',
  'openrouter',
  'groq',
  'mistral',
  'deepseek',
  'ollama',
  'vllm',
  'lmstudio',
  'llamacpp',
]

const schema = z.object({ yes: z.boolean() })
const tools = [{ name: 'look', parameters: z.object({ city: z.string() }) }]

describe.each(NAMES.map((name, index) => ({ name, index })))('a server of $name', ({ index }) => {
  const open = () => {
    const preset = PRESETS[index]!()
    const logs: string[] = []
    const gateway = createGateway({
      env: preset.env,
      cacheDir: null,
      log: (message) => logs.push(message),
      deadlines: { backoffMs: 1 },
    })
    if (preset.refuse) server.refuse = preset.refuse
    return { ...preset, gateway, logs }
  }
  const isMissing = () => {
    const { peer } = PRESETS[index]!()
    return peer !== undefined && findPackage(peer, process.cwd()) === undefined
  }

  it('gives structured output, tool calls and answers, whatever of it is refused; says so once', async ({ skip }) => {
    if (isMissing()) skip('its package is not installed')
    const { spec, path, gateway, logs } = open()
    const llm = gateway.llm(spec)
    const settings = { temperature: 0, maxTokens: 50 }
    for (const question of ['Is it?', 'Is it, really?']) {
      const reply = await llm.generate({ messages: ask(question), schema, ...settings }, { role: 'ingest' })
      expect(reply.object).toEqual({ yes: true })
    }
    const called = await llm.generate(
      { messages: ask('Where?'), tools, toolChoice: 'required', ...settings },
      { role: 'ingest' },
    )
    expect(called.toolCalls).toMatchObject([{ name: 'look', input: { city: 'Oslo' } }])
    expect(server.got[0]!.url).toBe(path)
    expect(new Set(logs).size).toBe(logs.length)
  })

  it('never has its thoughts taken for content, and is told how much to think', async ({ skip }) => {
    if (isMissing()) skip('its package is not installed')
    const { spec, gateway } = open()
    server.says = 'It is Oslo.'
    for (const effort of ['', '+low', '+off']) {
      const reply = await gateway
        .llm(`${spec}${effort}`)
        .generate({ messages: ask('Where?'), maxTokens: 50 }, { role: 'answer' })
      expect(reply.text).toBe('It is Oslo.')
    }
    const [plain, low, off] = server.got.map(({ body }) => JSON.stringify(body))
    expect(new Set([plain, low, off]).size).toBeGreaterThan(1)
  })

  it('embeds, or a line says what to use instead', async ({ skip }) => {
    if (isMissing()) skip('its package is not installed')
    const { spec, gateway, embeddings } = open()
    if (embeddings === null) {
      await expect(
        gateway.embedder(`${spec.split(':')[0]}:any`, { length: 3 }).then((one) => one.embed(['a'])),
      ).rejects.toThrow(/no embedding models/)
      return
    }
    const embedder = await gateway.embedder(embeddings, { length: 3 })
    const vectors = await embedder.embed(['a', 'b'])
    expect(vectors.map((vector) => vector.length)).toEqual([3, 3])
  })
})

describe('what cannot be helped', () => {
  it.each([
    ['azure:prod', {}, 'AZURE_API_KEY'],
    ['azure:prod', { AZURE_API_KEY: 'k' }, 'AZURE_RESOURCE_NAME'],
    ['bedrock:m', { AWS_REGION: 'x' }, 'AWS_BEARER_TOKEN_BEDROCK'],
    ['vertex:m', {}, 'GOOGLE_VERTEX_PROJECT'],
    ['lab:m', { MEMSCOPE_LAB_KIND: 'azur', MEMSCOPE_LAB_BASE_URL: 'http://x' }, 'MEMSCOPE_LAB_KIND'],
    ['lab:m', { MEMSCOPE_LAB_BASE_URL: 'http://x', MEMSCOPE_LAB_HEADERS: '{"a": 1}' }, 'MEMSCOPE_LAB_HEADERS'],
  ])('%s with %o says to set %s', (spec, env, wanted) => {
    const message = (() => {
      try {
        createGateway({ env, cacheDir: null }).llm(spec)
        return 'nothing'
      } catch (error) {
        const { message, hint } = error as { message: string; hint: string }
        return `${message} ${hint}`
      }
    })()
    expect(message).toContain(wanted)
  })

  it.each([
    [
      'vllm',
      openaiError(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    ],
    [
      'llamacpp',
      error(500, { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } }),
    ],
    ['ollama', openaiError(400, 'registry.ollama.ai/library/gemma does not support tools')],
  ])('a server of %s without tools: one try, and a line that says what to start', async (name, refusal) => {
    server.refuse = () => refusal
    const env = { [`MEMSCOPE_${name.toUpperCase()}_BASE_URL`]: `${server.url}/v1` }
    const call = createGateway({ env, cacheDir: null })
      .llm(`${name}:m`)
      .generate({ messages: ask('Where?'), tools }, { role: 'ingest' })
    await expect(call).rejects.toMatchObject({ hint: expect.stringContaining('--jinja') })
    expect(server.got).toHaveLength(1)
  })
})

describe("a provider of one's own", () => {
  it('has the headers, parameters, kind and form that the environment or a configuration gives it', async () => {
    const env = {
      MEMSCOPE_LAB_BASE_URL: `${server.url}/v1`,
      MEMSCOPE_LAB_HEADERS: 'api-key=secret-abc-123&x-team=memory',
      MEMSCOPE_LAB_QUERY: 'api-version=2024-10-21',
      MEMSCOPE_LAB_STRUCTURED: 'prompt',
      TEAM: 'blue-team',
    }
    const providers = {
      own: { kind: 'anthropic' as const, baseUrl: `${server.url}/v1`, headers: { 'x-team': '$TEAM' } },
    }
    const gateway = createGateway({ env, cacheDir: null, providers })
    for (const spec of ['lab:m', 'own:m'])
      await gateway.llm(spec).generate({ messages: ask('Is it?'), schema }, { role: 'judge' })
    expect(server.got[0]).toMatchObject({
      url: '/v1/chat/completions?api-version=2024-10-21',
      headers: { 'api-key': 'secret-abc-123', 'x-team': 'memory' },
    })
    expect(server.got[0]!.body).not.toHaveProperty('response_format')
    expect(server.got[1]).toMatchObject({ url: '/v1/messages', headers: { 'x-team': 'blue-team' } })
    server.refuse = () => openaiError(400, 'You sent the key secret-abc-123, which is wrong')
    const wrong = gateway.llm('lab:m').generate({ messages: ask('Again?') }, { role: 'judge' })
    await expect(wrong).rejects.toThrow(/\[redacted\]/)
  })

  it('has room for thoughts where its model thinks, and gets it when a reply was nothing but thoughts', async () => {
    const env = { MEMSCOPE_LAB_BASE_URL: `${server.url}/v1` }
    const gateway = createGateway({ env, cacheDir: null })
    const most = () => server.got.map(({ body }) => body.max_tokens)
    await gateway.llm('lab:qwen3-32b').generate({ messages: ask('a'), maxTokens: 50 }, { role: 'ingest' })
    await gateway.llm('lab:llama-3.1-8b-instruct').generate({ messages: ask('a'), maxTokens: 50 }, { role: 'ingest' })
    expect(most()).toEqual([8242, 50])
    server.got.length = 0
    server.refuse = (body) =>
      body.max_tokens === 50
        ? error(200, {
            choices: [{ message: { role: 'assistant', content: '' }, finish_reason: 'length' }],
            usage: { prompt_tokens: 5, completion_tokens: 50 },
          })
        : null
    const reply = await gateway.llm('lab:thinker').generate({ messages: ask('b'), maxTokens: 50 }, { role: 'ingest' })
    expect([reply.text, ...most()]).toEqual(['{"yes": true}', 50, 8242])
  })

  it('is told where prompts begin alike only from the second time on', async () => {
    const env = {
      MEMSCOPE_CLAUDE_BASE_URL: `${server.url}/v1`,
      MEMSCOPE_CLAUDE_KIND: 'anthropic',
      MEMSCOPE_CLAUDE_API_KEY: 'k',
    }
    const llm = createGateway({ env, cacheDir: null }).llm('claude:m')
    const memories = 'A memory of figs. '.repeat(400)
    for (const question of ['one', 'two', 'three']) {
      const messages = [{ role: 'user' as const, content: `${memories}${question}`, shared: memories.length }]
      await llm.generate({ messages }, { role: 'answer' })
    }
    const marks = server.got.map(({ body }) => JSON.stringify(body).includes('"cache_control":{"type":"ephemeral"}'))
    expect(marks).toEqual([false, true, true])
  })
})
