import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask, Harness, SPEC } from '../../test/gateway/harness.js'
import type { LlmError } from '../model/index.js'
import type { ScriptedOptions } from './scripted/index.js'

const running: Harness[] = []
const start = async (options: ScriptedOptions) => {
  const harness = await Harness.start(options)
  running.push(harness)
  return harness
}
afterEach(async () => {
  for (const harness of running.splice(0)) await harness.close()
})

const schema = z.object({ verdict: z.enum(['right', 'wrong']), reason: z.string() })
const good = { json: { verdict: 'right', reason: 'because' } }
const request = { messages: ask('Judge this.'), schema }
const messagesOf = (harness: Harness, at: number) => harness.chat(at).messages

describe('structured output', () => {
  it('is sent back with what is wrong with it, and then accepted; what that took is told apart', async () => {
    const harness = await start({
      rules: [
        { when: { text: 'cannot be used', role: 'user' }, reply: good },
        { when: {}, reply: '{"verdict": "perhaps", "reason": "because"}' },
      ],
    })
    const gateway = harness.open()
    const clean = (await start({ rules: [], otherwise: good })).open()
    const reply = await gateway.llm(SPEC).generate(request, { role: 'judge' })
    expect(reply).toMatchObject({ object: { verdict: 'right', reason: 'because' }, repairs: 1, cached: false })
    const [, said, complaint] = messagesOf(harness, 1)
    expect(said).toEqual({ role: 'assistant', content: '{"verdict": "perhaps", "reason": "because"}' })
    expect(complaint?.content).toContain('verdict')
    expect(complaint?.content).toMatch(/expected one of "right"\|"wrong"/)
    expect(gateway.usage().lines[0]).toMatchObject({ calls: 2, repairs: 1, errors: 0 })
    const { usage, cost } = gateway.usage().total
    expect(reply.usage).toEqual((await clean.llm(SPEC).generate(request, { role: 'judge' })).usage)
    expect(reply.usage.input + reply.usage.output + reply.repairsTook!.tokens).toBe(usage.input + usage.output)
    expect(reply.cost === null ? cost : reply.cost + reply.repairsTook!.cost!).toBe(cost)
  })

  it('is accepted in a fence or a sentence when it parses to the letter', async () => {
    const harness = await start({
      rules: [
        { when: { text: 'fenced' }, reply: 'Sure!\n```json\n{"verdict": "right", "reason": "r"}\n```' },
        { when: { text: 'told' }, reply: 'I say {"verdict": "wrong", "reason": "r"}.' },
      ],
    })
    const llm = harness.open().llm(SPEC)
    const fenced = await llm.generate({ messages: ask('fenced'), schema }, { role: 'judge' })
    const told = await llm.generate({ messages: ask('told'), schema }, { role: 'judge' })
    expect([fenced.object.verdict, told.object.verdict]).toEqual(['right', 'wrong'])
    expect(harness.model.stats.calls).toBe(2)
  })

  it('fails as unparsable after two repairs and one fresh ask, and is not kept', async () => {
    const harness = await start({ rules: [], otherwise: 'I would rather not.' })
    const gateway = harness.open()
    const failing = () => gateway.llm(SPEC).generate(request, { role: 'judge', label: 'case 7' })
    const error = await failing().catch((caught: LlmError) => caught)
    expect(error).toMatchObject({ code: 'unparsable' })
    const { usage } = gateway.usage().total
    expect((error as LlmError).took?.tokens).toBe(usage.input + usage.output)
    expect((error as LlmError).message).toContain('"case 7" cannot be used, after 6 calls: The reply is not JSON')
    expect(messagesOf(harness, 2)).toHaveLength(5)
    expect(messagesOf(harness, 3)).toHaveLength(1)
    await failing().catch(() => {})
    expect(harness.model.stats.calls).toBe(12)
  })

  it('keeps to the given numbers of repairs and fresh asks', async () => {
    const harness = await start({ rules: [], otherwise: '{}' })
    const llm = harness.open({ repair: { repairs: 1, restarts: 0 } }).llm(SPEC)
    await expect(llm.generate(request, { role: 'judge' })).rejects.toMatchObject({ code: 'unparsable' })
    expect(harness.model.stats.calls).toBe(2)
  })

  it('never takes a default for an answer', async () => {
    const harness = await start({ rules: [], otherwise: '' })
    const lenient = z.object({ verdict: z.string().default('right') })
    const call = harness
      .open()
      .llm(SPEC)
      .generate({ messages: ask('?'), schema: lenient }, { role: 'judge' })
    await expect(call).rejects.toMatchObject({ code: 'unparsable' })
  })

  it('asks anew when there is nothing in it; said twice, silence is the answer', async () => {
    let times = 0
    const harness = await start({ rules: [], otherwise: () => (++times === 1 ? ' \n' : 'figs') })
    const llm = harness.open().llm(SPEC)
    const answer = (question: string) => llm.generate({ messages: ask(question) }, { role: 'answer' })
    expect(await answer('What do I like?')).toMatchObject({ text: 'figs', repairs: 1 })
    const silent = await start({ rules: [], otherwise: () => '' })
    const reply = silent
      .open()
      .llm(SPEC)
      .generate({ messages: ask('And now?') }, { role: 'answer' })
    expect(await reply).toMatchObject({ text: '', repairs: 1 })
    expect(silent.model.stats.calls).toBe(2)
  })

  it('keeps the silence of a memory, and asks for an empty answer anew later', async () => {
    const harness = await start({ rules: [], otherwise: () => '' })
    for (const [role, calls] of [
      ['ingest', 2],
      ['answer', 4],
    ] as const) {
      const before = harness.model.stats.calls
      for (let run = 0; run < 2; run++)
        await harness
          .open()
          .llm(SPEC)
          .generate({ messages: ask(role) }, { role })
      expect(harness.model.stats.calls - before).toBe(calls)
    }
  })

  it('says when a reply was cut off at the most tokens', async () => {
    const harness = await start({ rules: [], otherwise: { text: '{"verdict": "ri', finish: 'length' } })
    const llm = harness.open({ repair: { repairs: 0, restarts: 0 } }).llm(SPEC)
    await expect(llm.generate(request, { role: 'judge' })).rejects.toThrow('cut off at the most tokens')
  })

  it('asks anew when a model calls a tool that is not there, or calls one badly', async () => {
    let calls = 0
    const harness = await start({
      rules: [],
      otherwise: () => {
        calls++
        if (calls === 1) return { toolCalls: [{ name: 'clok', input: {} }] }
        return { toolCalls: [{ name: 'clock', input: { city: calls === 2 ? ['Oslo', 'Rome'] : 'Oslo' } }] }
      },
    })
    const tools = [{ name: 'clock', parameters: z.object({ city: z.string() }) }]
    const llm = harness.open({ repair: { restarts: 2 } }).llm(SPEC)
    const reply = await llm.generate({ messages: ask('Time?'), tools }, { role: 'answer' })
    expect(reply.toolCalls[0]?.input).toEqual({ city: 'Oslo' })
    expect(reply.repairs).toBe(2)
  })

  it('puts the schema into words for servers that take none', async () => {
    const harness = await start({ rules: [{ when: { role: 'system', text: 'JSON Schema' }, reply: good }] })
    const gateway = harness.open({ providers: { 'openai-compatible': { structured: 'prompt' } } })
    const reply = await gateway.llm(SPEC).generate(request, { role: 'judge' })
    expect(reply.object.verdict).toBe('right')
    expect(harness.chat(0).format).toBeUndefined()
  })
})

describe('tool calls', () => {
  const tools = [
    { name: 'insert', parameters: z.object({ content: z.string() }) },
    { name: 'done', parameters: z.object({}) },
  ]
  const messages = ask('Remember: I like figs.')
  const figs = { content: 'User likes figs' }
  const asText = JSON.stringify({ name: 'insert', parameters: figs })

  it('may come as text: they are read, and are nothing that was said', async () => {
    const harness = await start({ rules: [], otherwise: `<think>insert?</think>I will. ${asText}` })
    const reply = await harness.open().llm(SPEC).generate({ messages, tools }, { role: 'ingest' })
    expect(reply).toMatchObject({ text: '', finish: 'tool-calls', repairs: 0 })
    expect(reply.toolCalls).toEqual([{ id: expect.stringMatching(/^[a-z0-9]{9}$/), name: 'insert', input: figs }])
    expect(harness.model.stats.calls).toBe(1)
  })

  it('are text where no tool is offered, or JSON is asked for', async () => {
    const harness = await start({ rules: [], otherwise: asText })
    const llm = harness.open().llm(SPEC)
    expect((await llm.generate({ messages }, { role: 'ingest' })).text).toBe(asText)
    const any = await llm.generate({ messages, tools, schema: z.object({ name: z.string() }) }, { role: 'ingest' })
    expect([any.object, any.toolCalls]).toEqual([{ name: 'insert' }, []])
  })

  it('are asked for again as calls when they cannot be read as text, and are then an error', async () => {
    const harness = await start({
      rules: [
        {
          when: { text: 'as a tool call, not as text', role: 'user' },
          reply: { toolCalls: [{ name: 'done', input: {} }] },
        },
        { when: { text: 'stubborn' }, reply: '<tool_call>insert figs' },
      ],
      otherwise: 'insert(content="User likes figs")',
    })
    const llm = harness.open().llm(SPEC)
    const mended = await llm.generate({ messages, tools }, { role: 'ingest' })
    expect([mended.toolCalls[0]!.name, mended.repairs]).toEqual(['done', 1])
    const strict = harness.open({ repair: { repairs: 0 } }).llm(SPEC)
    await expect(strict.generate({ messages: ask('stubborn'), tools }, { role: 'ingest' })).rejects.toMatchObject({
      code: 'unparsable',
      message: expect.stringContaining('marks of a tool call'),
      hint: expect.stringContaining('calls tools'),
    })
  })

  it('must come when one is required', async () => {
    const harness = await start({
      rules: [
        { when: { text: 'Call one of the tools: insert, done.' }, reply: { toolCalls: [{ name: 'done', input: {} }] } },
      ],
      otherwise: 'There is nothing to remember.',
    })
    const required = { messages, tools, toolChoice: 'required' } as const
    const reply = await harness.open().llm(SPEC).generate(required, { role: 'ingest' })
    expect([reply.toolCalls[0]!.name, reply.repairs]).toEqual(['done', 1])
    const strict = harness.open({ repair: { repairs: 0, restarts: 0 } }).llm(SPEC)
    await expect(strict.generate({ ...required, temperature: 1 }, { role: 'ingest' })).rejects.toThrow('calls no tool')
  })

  it('are handed over with what is wrong with each to those who take them', async () => {
    const harness = await start({
      rules: [],
      otherwise: {
        toolCalls: [
          { name: 'functions.insert', input: figs },
          { name: 'insert', input: { content: ['User likes figs'] } },
          { name: 'functions.burn', input: {} },
          { name: 'insert', input: ['User likes figs'] },
          { name: 'insert', input: JSON.stringify(figs) },
        ],
      },
    })
    const llm = harness.open().llm(SPEC)
    const { toolCalls, repairs } = await llm.generate({ messages, tools }, { role: 'ingest', wrongCalls: 'return' })
    expect(repairs).toBe(0)
    expect(toolCalls.map(({ name, input, wrong }) => [name, input, wrong])).toEqual([
      ['insert', figs, undefined],
      ['insert', { content: ['User likes figs'] }, expect.stringContaining('expected string, received array')],
      ['functions_burn', {}, 'There is no tool "functions.burn". There are: insert, done.'],
      ['insert', { unreadable: '["User likes figs"]' }, expect.stringContaining('Expected a JSON object.')],
      ['insert', figs, undefined],
    ])
    // All of it can go back as what was called for, and how it went.
    const results = toolCalls.map(
      ({ id, name, wrong }) => ({ role: 'tool', callId: id, name, content: wrong ?? 'ok' }) as const,
    )
    const history = [...messages, { role: 'assistant', content: '', toolCalls } as const, ...results]
    await llm.generate({ messages: history, tools }, { role: 'ingest', wrongCalls: 'return' })
    expect(harness.chat(1).messages).toHaveLength(7)
  })
})

describe('a thought', () => {
  const thinking = (said: string) => `<think>Is it {"verdict": "wrong"}? Or [1]?</think>\n${said}`

  it('is no part of text or JSON, and paid for all the same; what is kept has it', async () => {
    const harness = await start({
      rules: [{ when: { schema: true }, reply: thinking('{"verdict": "right", "reason": "r"}') }],
      otherwise: thinking('Yes.'),
    })
    const gateway = harness.open()
    const llm = gateway.llm(SPEC)
    expect((await llm.generate(request, { role: 'judge' })).object).toEqual({ verdict: 'right', reason: 'r' })
    const { text, usage } = await llm.generate({ messages: ask('Well?') }, { role: 'answer' })
    expect(text).toBe('Yes.')
    expect(usage.output).toBeGreaterThan(10)
    const again = await llm.generate({ messages: ask('Well?') }, { role: 'answer' })
    expect([again.text, again.cached, harness.model.stats.calls]).toEqual(['Yes.', true, 2])
  })

  it('alone is no reply: it is asked for again, and then an error', async () => {
    const harness = await start({
      rules: [{ when: { text: 'nothing but the answer itself' }, reply: 'Yes.' }],
      otherwise: '<think>Is it?</think>',
    })
    const reply = await harness
      .open()
      .llm(SPEC)
      .generate({ messages: ask('Well?') }, { role: 'answer' })
    expect([reply.text, reply.repairs]).toEqual(['Yes.', 1])
    const strict = harness.open({ repair: { repairs: 0 }, cacheDir: null })
    await expect(strict.llm(SPEC).generate({ messages: ask('Well?') }, { role: 'answer' })).rejects.toMatchObject({
      code: 'unparsable',
      message: expect.stringContaining('nothing but a thought'),
    })
  })
})
