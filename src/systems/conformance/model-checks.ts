import assert from 'node:assert/strict'
import { stableStringify } from '../../base/hash.js'
import { type Llm, LlmError, type LlmReply, type LlmRequest } from '../../model/index.js'
import { CONVERSATIONS, QUERIES } from './fixtures.js'
import { assertSame } from './same.js'
import { askAll, filled, heldBy, modelBefore, type SystemCheck, storeAll } from './subject.js'

/** Failing calls that are tried, from the first on. */
const MOST_FAILURES = 8

/** What a memory with a model inside promises. Those without one keep these promises by making no call. */
export const modelChecks = {
  resumed: {
    title: 'lives the same life again from kept replies',
    run: async ({ create, llm }) => {
      if (!llm) return
      const kept = new Map<string, LlmReply<unknown>>()
      const first = await filled(create, { llm: recording(llm, kept) })
      const found = await askAll(first, QUERIES, 5)
      const again = await filled(create, { llm: replaying(llm, kept) })
      assertSame(await heldBy(again), await heldBy(first), 'Kept replies should give the same dump')
      assertSame(await askAll(again, QUERIES, 5), found, 'Kept replies should give the same lists')
    },
  },
  'no-silent-loss': {
    title: 'ends in an error when a reply of its model cannot be used',
    run: async ({ create, llm }) => {
      if (!llm) return
      const calls = { made: 0 }
      const whole = await filled(create, { llm: failingAt(llm, Number.POSITIVE_INFINITY, calls) })
      await askAll(whole, QUERIES, 5)
      for (let at = 1; at <= Math.min(calls.made, MOST_FAILURES); at++) {
        const broken = async () => {
          const system = await create({ llm: failingAt(llm, at, { made: 0 }) })
          await storeAll(system, CONVERSATIONS)
          await askAll(system, QUERIES, 5)
        }
        await assert.rejects(broken, `Call ${at} of its model gave no usable reply, and nobody was told`)
      }
    },
  },
  'labelled-calls': {
    title: 'says of every call of its model what it is for',
    run: async ({ create, llm }) => {
      if (!llm) return
      const roles = new Map<string, string>()
      const noting = modelBefore(llm, ({ label = '', role }) => {
        assert.ok(label !== '', 'Expected a label that names the step')
        roles.set(label, role)
      })
      const system = await filled(create, { llm: noting })
      const stored = [...roles.values()]
      assert.ok(
        stored.every((role) => role === 'ingest'),
        `Calls while storing should be of the role ingest, got ${stored.join(', ')}`,
      )
      roles.clear()
      await askAll(system, QUERIES, 5)
      for (const role of roles.values())
        assert.equal(role, 'retrieve', 'Calls while retrieving are of the role retrieve')
    },
  },
} as const satisfies Record<string, SystemCheck>

function keyOf(request: LlmRequest<unknown>): string {
  const { schema: _schema, tools, ...rest } = request
  return stableStringify({ ...rest, tools: tools?.map(({ name }) => name) })
}

function recording(llm: Llm, kept: Map<string, LlmReply<unknown>>): Llm {
  return {
    model: llm.model,
    generate: async (request, options) => {
      const reply = await llm.generate(request, options)
      kept.set(keyOf(request), reply)
      return reply
    },
  }
}

function replaying(llm: Llm, kept: ReadonlyMap<string, LlmReply<unknown>>): Llm {
  return {
    model: llm.model,
    generate: async <T>(request: LlmRequest<T>) => {
      const reply = kept.get(keyOf(request))
      assert.ok(reply, `A life lived again asks something new: ${request.messages.at(-1)?.content.slice(0, 300)}`)
      return structuredClone(reply) as LlmReply<T>
    },
  }
}

function failingAt(llm: Llm, at: number, calls: { made: number }): Llm {
  return modelBefore(llm, ({ label }) => {
    if (++calls.made === at) throw new LlmError('unparsable', `The reply for "${label}" cannot be used.`, '')
  })
}
