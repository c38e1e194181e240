import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ScriptedServer, startScriptedServer } from '../../../bench/scripted-server.js'
import { ask } from '../../../test/gateway/harness.js'
import { UserError } from '../../base/errors.js'
import { createGateway } from '../gateway.js'
import { countTokens } from '../price/prompt-tokens.js'
import { readScript, ScriptedModel, type ScriptedOptions } from './index.js'
import { FaultPlan } from './scripted-faults.js'

const servers: ScriptedServer[] = []
const serve = async (options: ScriptedOptions, key?: string) => {
  const model = new ScriptedModel(options)
  const server = await startScriptedServer(model, key)
  servers.push(server)
  const post = (path: string, body: object) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify(body),
    })
  return { model, server, post }
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

const chat = (content: string, rest: object = {}) => ({ model: 'm', messages: [{ role: 'user', content }], ...rest })

/** Text and tool arguments of a stream, put together. */
function collected(stream: string) {
  const events = stream.split('\n\n').filter(Boolean)
  expect(events.at(-1)).toBe('data: [DONE]')
  let text = ''
  let args = ''
  let finish: string | null = null
  let usage: unknown = null
  for (const event of events.slice(0, -1)) {
    const chunk = JSON.parse(event.slice('data: '.length))
    const [choice] = chunk.choices
    text += choice?.delta.content ?? ''
    args += choice?.delta.tool_calls?.[0].function.arguments ?? ''
    finish = choice?.finish_reason ?? finish
    usage = chunk.usage ?? usage
  }
  return { text, args, finish, usage }
}

describe('a scripted model', () => {
  it('answers by the first rule that fits: text, expression, role, schema, tool, or a function', async () => {
    const model = new ScriptedModel({
      rules: [
        { when: { schema: 'yes' }, reply: { json: { yes: true } } },
        { when: { tool: 'look' }, reply: { toolCalls: [{ name: 'look', input: {} }] } },
        { when: { role: 'system', text: 'pirate' }, reply: 'Arr.' },
        { when: { text: /(\d+) plus (\d+)/ }, reply: ({ groups }) => String(Number(groups[1]) + Number(groups[2])) },
        { when: { text: 'hello' }, reply: 'Hi.' },
      ],
    })
    const say = async (request: object) => (await model.reply({ messages: ask('?') as never, ...request }, 1)).text
    expect(await say({ messages: ask('hello there') })).toBe('Hi.')
    expect(await say({ messages: ask('What is 2 plus 40?') })).toBe('42')
    expect(await say({ messages: [{ role: 'system', content: 'Be a pirate.' }, ...ask('hello')] })).toBe('Arr.')
    expect(await say({ messages: ask('pirate hello') })).toBe('Hi.')
    expect(await say({ format: { schema: { properties: { yes: {} } } } })).toBe('{"yes":true}')
    expect((await model.reply({ messages: [], tools: [{ name: 'look', parameters: {} }] }, 1)).toolCalls).toHaveLength(
      1,
    )
    await expect(say({ messages: ask('bye') })).rejects.toThrow(
      'No rule of the script fits the request that ends in "bye"',
    )
  })

  it('comes from a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'memscope-script-')), 'script.json')
    const script = {
      rules: [{ when: { regex: 'my (\\w+)' }, reply: 'Your $1!' }],
      otherwise: { json: [1] },
      latencyMs: 1,
    }
    writeFileSync(file, JSON.stringify(script))
    const gateway = createGateway({ env: {}, cacheDir: null })
    const llm = gateway.llm(`scripted:${file}`)
    expect((await llm.generate({ messages: ask('my dog') }, { role: 'answer' })).text).toBe('Your dog!')
    expect((await llm.generate({ messages: ask('?') }, { role: 'answer' })).text).toBe('[1]')
    writeFileSync(file, '{"rules": [{"when": {"regx": "a"}, "reply": "b"}]}')
    expect(() => readScript(file)).toThrow(UserError)
    writeFileSync(file, '{"rules": [{"when": {"regex": "("}, "reply": "b"}]}')
    expect(() => readScript(file)).toThrow('Invalid regular expression')
    expect(() => gateway.llm('scripted:unknown')).toThrow(UserError)
  })

  it('speaks the protocol of OpenAI, and counts tokens, calls and calls at a time', async () => {
    const allCame: () => Promise<boolean> = () => vi.waitUntil(() => model.stats.calls === 3, { timeout: 60_000 })
    const otherwise = () => allCame().then(() => 'Hello, world.')
    const { model, server, post } = await serve({ rules: [], otherwise }, 'the-key-123')
    const bodies = await Promise.all(
      [1, 2, 3].map(async (n) => (await post('/chat/completions', chat(`n ${n}`))).json()),
    )
    expect(bodies[0]).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'Hello, world.' }, finish_reason: 'stop' }],
      usage: { completion_tokens: countTokens('Hello, world.') },
    })
    expect(model.stats).toMatchObject({ calls: 3, peak: 3 })
    expect(model.requests.map(({ kind }) => kind)).toEqual(['chat', 'chat', 'chat'])
    expect((await fetch(`${server.url}/models`)).status).toBe(401)
    expect((await post('/nothing', {})).status).toBe(404)
    expect((await post('/chat/completions', { model: 'm', messages: [{ role: 'cat', content: 'x' }] })).status).toBe(
      400,
    )
  })

  it('says the same in a stream', async () => {
    const long = 'Streams are made of pieces, some of them 🧩 long. '.repeat(5)
    const { post } = await serve({
      rules: [{ when: { tool: true }, reply: { toolCalls: [{ name: 't', input: { long } }] } }],
      otherwise: long,
    })
    const text = await post('/chat/completions', chat('x', { stream: true, stream_options: { include_usage: true } }))
    expect(text.headers.get('content-type')).toContain('text/event-stream')
    expect(collected(await text.text())).toMatchObject({
      text: long,
      finish: 'stop',
      usage: { completion_tokens: countTokens(long) },
    })
    const tools = [{ type: 'function', function: { name: 't', parameters: { type: 'object' } } }]
    const called = await post('/chat/completions', chat('x', { stream: true, tools }))
    expect(collected(await called.text())).toMatchObject({ args: JSON.stringify({ long }), finish: 'tool_calls' })
  })

  it('embeds texts near each other when they share words', async () => {
    const { post } = await serve({ rules: [], dimensions: 64 })
    const body = await (await post('/embeddings', { model: 'e', input: ['red wine', 'red vine', 'old car'] })).json()
    const [a, b, c] = (body as { data: { embedding: number[] }[] }).data.map(({ embedding }) => embedding)
    const dot = (x: number[], y: number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0)
    expect(dot(a!, a!)).toBeCloseTo(1)
    expect(dot(a!, b!)).toBeGreaterThan(dot(a!, c!))
  })

  it('fails in the ways it is told to, for real', async () => {
    const at = {
      1: 'rate-limit',
      2: 'server-error',
      3: 'reset',
      4: 'truncated-stream',
      5: 'truncated-stream',
      6: 'malformed-json',
    } as const
    const { post } = await serve({
      rules: [],
      otherwise: 'Quite a long reply, so that there is a half.',
      faults: { at, retryAfter: '3' },
    })
    const limited = await post('/chat/completions', chat('1'))
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3'])
    expect((await post('/chat/completions', chat('2'))).status).toBe(500)
    await expect(post('/chat/completions', chat('3'))).rejects.toThrow('fetch failed')
    await expect((await post('/chat/completions', chat('4'))).json()).rejects.toThrow()
    const stream = await post('/chat/completions', chat('5', { stream: true }))
    await expect(stream.text()).rejects.toThrow()
    await expect((await post('/chat/completions', chat('6'))).json()).rejects.toThrow(SyntaxError)
    expect((await post('/chat/completions', chat('7'))).status).toBe(200)
  })

  it('draws faults from seed, request and repetition alone', () => {
    const draw = (seed: number, order: number[]) => {
      const plan = new FaultPlan({ rate: 0.5, seed })
      return new Map(order.map((n) => [n, [plan.next(0, { n }), plan.next(0, { n })]]))
    }
    const order = Array.from({ length: 50 }, (_, i) => i)
    const forward = draw(1, order)
    expect(draw(1, order.toReversed())).toEqual(forward)
    expect([...draw(2, order)]).not.toEqual([...forward])
    const failed = [...forward.values()].flat().filter(Boolean).length
    expect(failed).toBeGreaterThan(30)
    expect(failed).toBeLessThan(70)
  })
})
