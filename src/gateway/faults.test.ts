import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { hangsEnd } from '../../test/gateway/hangs.js'
import { ask, Harness, SPEC } from '../../test/gateway/harness.js'
import { sha256 } from '../base/hash.js'
import type { LlmReply } from '../model/index.js'
import { createGateway } from './gateway.js'
import { FAULTS, type FaultOptions, ScriptedModel, type ScriptedOptions } from './scripted/index.js'

const running: Harness[] = []
afterEach(async () => {
  for (const harness of running.splice(0)) await harness.close()
})

const schema = z.object({ hash: z.string(), even: z.boolean() })
const question = (call: { request: { messages: { content: string }[] } }) => call.request.messages[0]!.content
const script = (faults: FaultOptions): ScriptedOptions => ({
  rules: [
    {
      when: { schema: 'hash' },
      reply: (call) => ({ json: { hash: sha256(question(call)), even: question(call).length % 2 === 0 } }),
    },
    {
      when: { tool: 'note' },
      reply: (call) => ({ toolCalls: [{ id: 'c', name: 'note', input: { text: question(call) } }] }),
    },
  ],
  otherwise: (call) => `answer to ${question(call)}`,
  faults,
})
const tools = [{ name: 'note', parameters: z.object({ text: z.string() }) }]
const FAULTY: FaultOptions = { rate: 0.3, seed: 11, retryAfter: '0', slowMs: 10 }

type Generate = ReturnType<ReturnType<typeof createGateway>['llm']>['generate']

const answersOf = async (generate: Generate): Promise<unknown[]> => {
  const essence = ({ text, object, toolCalls, finish }: LlmReply<unknown>) => ({ text, object, toolCalls, finish })
  return Promise.all(
    Array.from({ length: 240 }, async (_, i) => {
      const messages = ask(`question ${i}`)
      if (i % 3 === 0) return essence(await generate({ messages, schema }, { role: 'judge' }))
      if (i % 3 === 1) return essence(await generate({ messages, tools }, { role: 'ingest' }))
      return essence(await generate({ messages }, { role: 'answer' }))
    }),
  )
}

describe('with 30 % faults of every kind', () => {
  it('replies over HTTP are the same as with none, none lost and none doubled', async () => {
    const [calm, stormy] = await Promise.all([Harness.start(script({})), Harness.start(script(FAULTY))])
    running.push(calm, stormy)
    const open = (harness: Harness) =>
      harness.open({ concurrency: 32, clock: hangsEnd(harness.model), deadlines: { attempts: 20 } })
    const [quiet, loud] = [open(calm), open(stormy)]
    expect(await answersOf(loud.llm(SPEC).generate)).toEqual(await answersOf(quiet.llm(SPEC).generate))
    expect(Object.keys(stormy.model.stats.faults).sort()).toEqual([...FAULTS].sort())
    expect(loud.usage().lines.every(({ errors }) => errors === 0)).toBe(true)
    expect(stormy.model.stats.active).toBe(0)

    // A second sitting finds everything in the cache.
    const before = stormy.model.stats.calls
    const again = open(stormy)
    await answersOf(again.llm(SPEC).generate)
    expect(stormy.model.stats.calls).toBe(before)
    expect(again.usage().total.usage).toEqual(loud.usage().total.usage)
    expect(again.usage().total.paid.calls).toBe(0)
  })

  it('replies in this process are the same as with none', async () => {
    const deadlines = { backoffMs: 1, maxBackoffMs: 2, attempts: 20 }
    const scripted = { calm: new ScriptedModel(script({})), stormy: new ScriptedModel(script(FAULTY)) }
    const clock = hangsEnd(scripted.stormy)
    const gateway = createGateway({ env: {}, cacheDir: null, scripted, deadlines, clock })
    const calm = await answersOf(gateway.llm('scripted:calm').generate)
    expect(await answersOf(gateway.llm('scripted:stormy').generate)).toEqual(calm)
    expect(Object.keys(scripted.stormy.stats.faults).sort()).toEqual([...FAULTS].sort())
    await gateway.close()
  })
})
