import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Harness, SPEC } from '../../../test/gateway/harness.js'
import { billedTo, metered, newBill } from '../../engine/bill.js'
import { type Embedder, type Endpoint, type EndpointParts, type Llm, LlmError } from '../../model/index.js'
import { openEndpoint } from './endpoint.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const embed: Embedder = {
  id: 'fake',
  dimensions: 2,
  embed: async (texts) => texts.map(() => Float32Array.from([1, 0])),
}

async function open(llm: Llm, own: Partial<EndpointParts> = {}): Promise<Endpoint> {
  const endpoint = await openEndpoint({ name: 'sut', llm, embed, signal: new AbortController().signal, ...own })
  closing.push(endpoint.close)
  return endpoint
}

/** A client that takes every answer, errors too. */
function post({ url, token }: Endpoint, path: string, body: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
}

const chat = (content: string, rest: object = {}) => ({ model: 'any', messages: [{ role: 'user', content }], ...rest })

async function said(response: Response): Promise<string> {
  return ((await response.json()) as { choices: { message: { content: string } }[] }).choices[0]!.message.content
}

describe('the endpoint of a life', () => {
  it('answers while something is under way, one after the other, each on its own bill', async () => {
    const harness = await Harness.start({ rules: [], otherwise: ({ last }) => `You said: ${last}` })
    closing.push(() => harness.close())
    const endpoint = await open(metered(harness.open().llm(SPEC), 0))
    expect((await post(endpoint, '/chat/completions', chat('too early'))).status).toBe(400)
    const bills = [newBill(), newBill()] as const
    const [first, second] = await Promise.all([
      billedTo(bills[0], () =>
        endpoint.during('ingest', () => post(endpoint, '/chat/completions', chat('one')).then(said)),
      ),
      billedTo(bills[1], () =>
        endpoint.during('retrieve', () => post(endpoint, '/chat/completions', chat('two, and more')).then(said)),
      ),
    ])
    expect([first, second]).toEqual(['You said: one', 'You said: two, and more'])
    expect(bills.map(({ tokens }) => Object.keys(tokens))).toEqual([['ingest'], ['retrieve']])
    expect((await post(endpoint, '/chat/completions', chat('too late'))).status).toBe(400)
    expect(harness.model.stats.calls).toBe(2)
  })

  it('fails where a call failed, also when the client took no notice', async () => {
    const broken: Llm = {
      model: 'm',
      generate: async () => {
        throw new LlmError('budget', 'All is spent.', '')
      },
    }
    const endpoint = await open(metered(broken, 0))
    const swallowing = () => post(endpoint, '/chat/completions', chat('x')).then(({ status }) => status)
    await expect(endpoint.during('ingest', swallowing)).rejects.toMatchObject({ code: 'budget' })
    const vectors = await open(broken, { embed: { ...embed, embed: () => Promise.reject(new Error('no engine')) } })
    const asked = () => vectors.during('ingest', () => post(vectors, '/embeddings', { model: 'any', input: 'x' }))
    await expect(asked()).rejects.toThrow('no engine')
  })

  it('sees to it that JSON is JSON, of the shape that was agreed on, without telling the model', async () => {
    const replies = ['{"facts": []}', 'Here you are:\n```json\n{"memory": ["figs"]}\n```']
    const harness = await Harness.start({ rules: [], otherwise: () => replies.shift()! })
    closing.push(() => harness.close())
    const endpoint = await open(harness.open().llm(SPEC), { replies: z.object({ memory: z.array(z.string()) }) })
    const body = chat('What do I like?', { response_format: { type: 'json_object' } })
    expect(await endpoint.during('ingest', () => post(endpoint, '/chat/completions', body).then(said))).toBe(
      '{"memory":["figs"]}',
    )
    expect(harness.chat(0)).toEqual({ messages: body.messages, format: {} })
    expect(harness.chat(1).messages).toHaveLength(3)
  })

  it('passes on schemas, tools and what they gave, and embeds', async () => {
    const harness = await Harness.start({
      rules: [
        { when: { role: 'tool' }, reply: ({ last }) => `It is ${last}.` },
        { when: { tool: 'clock' }, reply: { toolCalls: [{ id: 'call_1', name: 'clock', input: { city: 'Oslo' } }] } },
        { when: { schema: 'yes' }, reply: { json: { yes: true } } },
      ],
    })
    closing.push(() => harness.close())
    const endpoint = await open(harness.open().llm(SPEC))
    const schema = { type: 'object', properties: { yes: { type: 'boolean' } }, required: ['yes'] }
    const tools = [{ type: 'function', function: { name: 'clock', parameters: { type: 'object', properties: {} } } }]
    await endpoint.during('retrieve', async () => {
      const format = { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } }
      expect(await post(endpoint, '/chat/completions', chat('Blue?', format)).then(said)).toBe('{"yes":true}')
      const called = (await (await post(endpoint, '/chat/completions', chat('When?', { tools }))).json()) as {
        choices: { message: object }[]
      }
      const { message } = called.choices[0]!
      expect(message).toMatchObject({ tool_calls: [{ id: 'call_1', function: { arguments: '{"city":"Oslo"}' } }] })
      const results = [
        { role: 'user', content: 'When?' },
        message,
        { role: 'tool', tool_call_id: 'call_1', content: 'noon' },
      ]
      const last = await post(endpoint, '/chat/completions', { model: 'any', messages: results, tools })
      expect(await said(last)).toBe('It is noon.')
      const vectors = await post(endpoint, '/embeddings', { model: 'any', input: ['x'], encoding_format: 'float' })
      expect(await vectors.json()).toMatchObject({ data: [{ embedding: [1, 0] }] })
    })
    expect(harness.chat(0).format?.schema).toMatchObject({ properties: { yes: { type: 'boolean' } } })
  })
})
