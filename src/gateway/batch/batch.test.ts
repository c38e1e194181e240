import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { BatchServer } from '../../../test/gateway/batch-server.js'
import { ask } from '../../../test/gateway/harness.js'
import { createGateway, type GatewayOptions } from '../gateway.js'
import { Ledger } from '../price/ledger.js'
import { ScriptedModel } from '../scripted/model.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Waits are over at once, in the order in which they began. */
const clock = {
  sleep: (_: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      setImmediate(() => setImmediate(() => (signal?.aborted ? reject(signal.reason) : resolve())))
    }),
}

async function start(spec: string) {
  const server = await BatchServer.start(
    new ScriptedModel({
      rules: [],
      otherwise: ({ last }) => ({ text: `re: ${last}`, usage: { input: 1000, output: 100 } }),
    }),
  )
  const cacheDir = mkdtempSync(join(tmpdir(), 'memscope-batch-'))
  closing.push(server.close, () => rmSync(cacheDir, { recursive: true }))
  const name = spec.startsWith('openai') ? 'OPENAI' : 'ANTHROPIC'
  const env = { [`MEMSCOPE_${name}_BASE_URL`]: server.url, [`${name}_API_KEY`]: 'key-123456789' }
  const open = (options: Partial<GatewayOptions> = {}) => {
    const prices = { [spec]: { input: 1, output: 10, maxOutput: 100 } }
    const gateway = createGateway({
      env,
      cacheDir,
      batch: true,
      clock,
      prices,
      deadlines: { backoffMs: 1 },
      ...options,
    })
    closing.push(() => gateway.close())
    return gateway
  }
  const say = (gateway: ReturnType<typeof open>, n: number, signal?: AbortSignal) =>
    Promise.all(
      Array.from({ length: n }, async (_, i) => {
        const request = { messages: ask(`question ${i}`), maxTokens: 100 }
        return (await gateway.llm(spec).generate(request, { role: 'answer', ...(signal && { signal }) })).text
      }),
    )
  return { server, cacheDir, open, say }
}

const expected = (n: number) => Array.from({ length: n }, (_, i) => `re: question ${i}`)

describe.each(['openai:gpt-5-mini', 'anthropic:claude-haiku-4-5'])('batches of %s', (spec) => {
  it('answer and judge at half the price; other roles are asked at once', async () => {
    const { server, cacheDir, open, say } = await start(spec)
    const account = 'run'
    const gateway = open({ budgetUsd: 1, account })
    expect(await say(gateway, 20)).toEqual(expected(20))
    expect([server.batches.length, server.billed]).toEqual([1, 20])
    const { total } = gateway.usage()
    expect(total.cost).toBeCloseTo(20 * 0.002, 10)
    expect(total.paid.cost).toBeCloseTo(20 * 0.001, 10)
    await gateway.llm(spec).generate({ messages: ask('note'), maxTokens: 100 }, { role: 'ingest' })
    expect(server.batches).toHaveLength(1)
    const ledger = new Ledger(join(cacheDir, 'spending.db'), account)
    expect(ledger.total()).toBeCloseTo(20 * 0.001 + 0.002, 10)
    ledger.close()
  })

  it('are come back for when a process ends after sending one, and nothing is paid twice', async () => {
    const { server, open, say } = await start(spec)
    server.held = true
    const first = open()
    const stop = new AbortController()
    const stopped = say(first, 5, stop.signal).catch((error: { code: string }) => error.code)
    while (server.batches.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, 50))
    stop.abort()
    expect(await stopped).toBe('aborted')
    await first.close()
    server.held = false
    // Also when nobody asks for batches any more: it is paid for.
    expect(await say(open({ batch: false }), 5)).toEqual(expected(5))
    expect([server.batches.length, server.billed]).toEqual([1, 5])
  })

  it.each(['reset', 504, 'half'] as const)('are found again when nobody heard that they were made: %s', async (how) => {
    const { server, open, say } = await start(spec)
    server.loseNext = how
    expect(await say(open(), 4)).toEqual(expected(4))
    expect([server.batches.length, server.billed]).toEqual([1, 4])
  })

  it.each([429, 503])('are sent again when they were refused with %i, or never arrived', async (status) => {
    const { server, open, say } = await start(spec)
    server.refuseNext = status
    expect(await say(open(), 4)).toEqual(expected(4))
    expect([server.batches.length, server.billed]).toEqual([1, 4])
    // Of what was refused nothing can have arrived; else it is looked for some times.
    expect(server.listed).toBe(status === 429 ? 0 : 4)
  })

  it('are not looked for in a list without end', async () => {
    const { server, open, say } = await start(spec)
    server.loseNext = 504
    server.endless = true
    await say(open(), 2)
    expect(server.listed).toBeLessThanOrEqual(8)
  })

  it('that end without any reply are not sent again: they are paid for', async () => {
    const { server, open, say } = await start(spec)
    server.rewrite = () => ''
    await expect(say(open(), 4)).rejects.toThrow(/over without a reply to any of its 4 requests/)
    expect([server.batches.length, server.billed]).toEqual([1, 4])
  })

  it('lose no reply to a line that says not whose it is', async () => {
    const { server, open, say } = await start(spec)
    server.rewrite = (lines) => `${lines}{"response":null}\n{"custom_id":7}\nno JSON\n`
    expect(await say(open(), 4)).toEqual(expected(4))
    expect(server.batches).toHaveLength(1)
  })

  it('that fail in part or expire are sent again for what is missing', async () => {
    const { server, open, say } = await start(spec)
    server.spoil = ({ body }) => {
      if (server.batches.length > 1) return null
      const text = JSON.stringify(body)
      return text.includes('question 1') ? 'expired' : text.includes('question 2') ? 500 : null
    }
    expect(await say(open(), 4)).toEqual(expected(4))
    expect(server.billed).toBe(4)
    expect(server.batches.flatMap(({ lines }) => lines)).toHaveLength(6)
  })
})

describe('providers without batches', () => {
  it('are asked one by one, and it is said once', async () => {
    const server = await BatchServer.start(new ScriptedModel({ rules: [], otherwise: 'yes' }))
    closing.push(server.close)
    const cacheDir = mkdtempSync(join(tmpdir(), 'memscope-batch-'))
    const logs: string[] = []
    const env = { MEMSCOPE_LAB_BASE_URL: server.url }
    const gateway = createGateway({ env, cacheDir, batch: true, log: (message) => logs.push(message) })
    closing.push(
      () => gateway.close(),
      () => rmSync(cacheDir, { recursive: true }),
    )
    for (const text of ['a', 'b']) await gateway.llm('lab:m').generate({ messages: ask(text) }, { role: 'answer' })
    expect(logs).toEqual(['lab:m has no batches: it is asked one by one, at the full price.'])
  })
})
