import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask, Harness, SPEC } from '../../test/gateway/harness.js'
import { UserError } from '../base/errors.js'
import { LlmError } from '../model/index.js'
import { createGateway } from './index.js'
import { ScriptedModel, type ScriptedOptions } from './scripted/index.js'

const running: Harness[] = []
const start = async (options: ScriptedOptions) => {
  const harness = await Harness.start(options)
  running.push(harness)
  return harness
}
afterEach(async () => {
  for (const harness of running.splice(0)) await harness.close()
})

const echo: ScriptedOptions = { rules: [], otherwise: ({ last }) => `You said: ${last}` }
const verdict = z.object({ yes: z.boolean() })

describe('the gateway', () => {
  it('answers over HTTP, with tokens counted by the provider', async () => {
    const harness = await start(echo)
    const reply = await harness
      .open()
      .llm(SPEC)
      .generate({ messages: ask('hello') }, { role: 'answer' })
    expect(reply).toMatchObject({ text: 'You said: hello', finish: 'stop', toolCalls: [], cached: false, repairs: 0 })
    expect(reply.object).toBeUndefined()
    expect(reply.usage).toEqual({ input: 8, cachedInput: 0, output: 4, reasoning: 0 })
  })

  it('sends the schema, and gives back a checked object', async () => {
    const harness = await start({ rules: [{ when: { schema: 'yes' }, reply: { json: { yes: true } } }] })
    const llm = harness.open().llm(SPEC)
    const reply = await llm.generate({ messages: ask('Is it?'), schema: verdict }, { role: 'judge' })
    expect(reply.object.yes).toBe(true)
    expect(harness.model.requests[0]?.request).toMatchObject({
      format: { schema: { type: 'object', required: ['yes'] } },
    })
  })

  it('passes tools to the model and its calls back, and takes their results', async () => {
    const harness = await start({
      rules: [
        { when: { role: 'tool' }, reply: ({ last }) => `It is ${last}.` },
        { when: { tool: 'clock' }, reply: { toolCalls: [{ name: 'clock', input: { city: 'Oslo' } }] } },
      ],
    })
    const llm = harness.open().llm(SPEC)
    const tools = [{ name: 'clock', description: 'Tells the time', parameters: z.object({ city: z.string() }) }]
    const messages = ask('What time is it in Oslo?')
    const first = await llm.generate({ messages, tools }, { role: 'answer' })
    expect(first.finish).toBe('tool-calls')
    const [call] = first.toolCalls
    expect(call).toMatchObject({ name: 'clock', input: { city: 'Oslo' } })
    const second = await llm.generate(
      {
        messages: [
          ...messages,
          { role: 'assistant', content: '', toolCalls: first.toolCalls },
          { role: 'tool', callId: call!.id, name: 'clock', content: 'noon' },
        ],
        tools,
      },
      { role: 'answer' },
    )
    expect(second.text).toBe('It is noon.')
  })

  it('reaches scripted models in this process, too', async () => {
    const model = new ScriptedModel({ rules: [{ when: { text: /capital of (\w+)/ }, reply: 'I know $1.' }] })
    const gateway = createGateway({ env: {}, cacheDir: null, scripted: { atlas: model } })
    const reply = await gateway
      .llm('scripted:atlas')
      .generate({ messages: ask('The capital of Peru?') }, { role: 'answer' })
    expect(reply.text).toBe('I know Peru.')
    await gateway.close()
  })

  it('names the variable of a missing key at once', () => {
    const gateway = createGateway({ env: {}, cacheDir: null })
    const hint = (spec: string) => {
      try {
        gateway.llm(spec)
        return 'nothing'
      } catch (error) {
        return error instanceof UserError ? error.hint : error
      }
    }
    expect(hint('openai:gpt-5-mini')).toContain('OPENAI_API_KEY')
    expect(hint('anthropic:claude-haiku-4-5')).toContain('ANTHROPIC_API_KEY')
    expect(hint('google:gemini-3.1-pro-preview')).toContain('GOOGLE_GENERATIVE_AI_API_KEY')
    expect(hint('openrouter:openai/gpt-5-mini')).toContain('OPENROUTER_API_KEY')
    expect(hint('openai-compatible:llama')).toContain('MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL')
    expect(hint('opnai:gpt-5-mini')).toContain('Did you mean "openai"?')
    expect(hint('gpt-5-mini')).toContain('provider:model')
    expect(hint('ollama:qwen3')).toBe('nothing')
  })

  it('does not try again what trying again cannot mend', async () => {
    const harness = await start({ rules: [] })
    const call = harness
      .open()
      .llm(SPEC)
      .generate({ messages: ask('hello') }, { role: 'answer', label: 'greeting' })
    const error = await call.catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(LlmError)
    expect(error).toMatchObject({ code: 'provider', status: 400 })
    expect((error as LlmError).message).toContain('for "greeting" failed: HTTP 400: No rule of the script fits')
    expect(harness.model.stats.calls).toBe(1)
  })
})
