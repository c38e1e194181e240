import { afterEach, describe, expect, it, vi } from 'vitest'
import { hangsEnd } from '../../../test/gateway/hangs.js'
import { ask, Harness, SPEC } from '../../../test/gateway/harness.js'
import type { LlmError } from '../../model/index.js'
import type { ScriptedOptions } from '../scripted/index.js'
import type { Clock } from './clock.js'

const running: Harness[] = []
const start = async (options: Partial<ScriptedOptions>) => {
  const harness = await Harness.start({ rules: [], otherwise: 'fine', ...options })
  running.push(harness)
  return harness
}
afterEach(async () => {
  for (const harness of running.splice(0)) await harness.close()
})

/** A clock whose time passes only in sleep. */
function fakeClock(): Omit<Clock, 'limit'> & { slept: number[] } {
  let time = Date.parse('2026-05-01T12:00:00Z')
  const slept: number[] = []
  return {
    slept,
    now: () => time,
    random: () => 0,
    sleep: async (ms) => {
      slept.push(ms)
      time += ms
    },
  }
}

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: LlmError) => error,
  )

describe('retries over HTTP', () => {
  it.each([
    ['seconds', '7', 7000],
    ['a date', 'Fri, 01 May 2026 12:00:42 GMT', 42_000],
  ])('wait as long as Retry-After asks, given as %s', async (_, retryAfter, expected) => {
    const harness = await start({ faults: { at: { 1: 'rate-limit' }, retryAfter } })
    const clock = fakeClock()
    const gateway = harness.open({ clock })
    const reply = await gateway.llm(SPEC).generate({ messages: ask('hi') }, { role: 'answer' })
    expect(reply.text).toBe('fine')
    expect(Math.max(...clock.slept)).toBe(expected)
    expect(gateway.usage().lines[0]).toMatchObject({ retries: 1, calls: 1, paid: { calls: 1 } })
  })

  it('wait longer each time, with jitter, when nobody says how long', async () => {
    const harness = await start({ faults: { at: { 1: 'server-error', 2: 'reset', 3: 'server-error' } } })
    const clock = fakeClock()
    const deadlines = { backoffMs: 100, maxBackoffMs: 300 }
    await harness
      .open({ clock, deadlines })
      .llm(SPEC)
      .generate({ messages: ask('hi') }, { role: 'answer' })
    expect(clock.slept).toEqual([50, 100, 150])
  })

  it('give up at once when the provider asks for more time than is left', async () => {
    const harness = await start({ faults: { at: { 1: 'rate-limit', 2: 'rate-limit' }, retryAfter: '40' } })
    const gateway = harness.open({ clock: fakeClock(), deadlines: { deadlineMs: 60_000 } })
    const error = await caught(gateway.llm(SPEC).generate({ messages: ask('hi') }, { role: 'answer' }))
    expect(error).toMatchObject({ code: 'rate_limited', status: 429 })
    expect(harness.model.stats.calls).toBe(2)
  })

  it.each([
    ['an hour', '3600', 'it asks to wait 3,600 s, longer than a call may take (60 s)'],
    ['until 2099', 'Thu, 01 Jan 2099 00:00:00 GMT', 'longer than a call may take (60 s)'],
  ])('end the run when the provider asks for %s, and hold nobody back for that long', async (_, retryAfter, why) => {
    const harness = await start({ faults: { at: { 1: 'rate-limit' }, retryAfter } })
    const clock = fakeClock()
    const gateway = harness.open({ clock, deadlines: { deadlineMs: 60_000 } })
    const error = await caught(gateway.llm(SPEC).generate({ messages: ask('hi') }, { role: 'answer' }))
    expect(error).toMatchObject({ code: 'unavailable', status: 429, hint: expect.stringContaining('--resume') })
    expect(error?.message).toContain(why)
    expect(harness.model.stats.calls).toBe(1)
    expect(clock.slept).toEqual([])
  })

  it('end a try that hangs, and try again', async () => {
    const harness = await start({ faults: { at: { 1: 'hang' } } })
    const gateway = harness.open({ clock: hangsEnd(harness.model) })
    const reply = await gateway.llm(SPEC).generate({ messages: ask('hi') }, { role: 'answer' })
    expect(reply.text).toBe('fine')
    expect(harness.model.stats.calls).toBe(2)
  })

  it('have the clock end a try, after no more than the time that is left', async () => {
    const harness = await start({ faults: { at: { 1: 'server-error' } } })
    const limits: number[] = []
    const limit: Clock['limit'] = (ms) => {
      limits.push(ms)
      return () => {}
    }
    const gateway = harness.open({
      clock: { ...fakeClock(), limit },
      deadlines: { attemptMs: 800, deadlineMs: 1000, backoffMs: 600, maxBackoffMs: 600 },
    })
    await gateway.llm(SPEC).generate({ messages: ask('hi') }, { role: 'answer' })
    expect(limits).toEqual([800, 700])
  })

  it('say so when every try hangs', async () => {
    const harness = await start({ faults: { rate: 1, kinds: ['hang'] } })
    const gateway = harness.open({ clock: hangsEnd(harness.model), deadlines: { attempts: 3 } })
    const error = await caught(gateway.llm(SPEC).generate({ messages: ask('hi') }, { role: 'answer' }))
    expect(error).toMatchObject({ code: 'timeout' })
    expect(error?.message).toContain('after 3 tries')
    expect(gateway.usage().lines[0]).toMatchObject({ errors: 1, calls: 0 })
  })

  it.each([
    'reset',
    'truncated-stream',
    'malformed-json',
    'truncated-json',
    'wrong-schema',
    'slow-first-byte',
  ] as const)('get over %s', async (fault) => {
    const harness = await start({ faults: { at: { 1: fault } } })
    const reply = await harness
      .open()
      .llm(SPEC)
      .generate({ messages: ask('hi') }, { role: 'answer' })
    expect(reply.text).toBe('fine')
    expect(harness.model.stats.faults).toEqual({ [fault]: 1 })
  })

  it('stop at once when they are aborted, in a call and between calls', async () => {
    const harness = await start({ faults: { at: { 1: 'hang', 2: 'rate-limit' }, retryAfter: '30' } })
    let waiting = false
    // A wait that never ends by itself.
    const sleep: Clock['sleep'] = (_, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        waiting ||= signal !== undefined
      })
    const llm = harness.open({ clock: { sleep } }).llm(SPEC)
    const moments = [
      ['in a call', () => harness.model.stats.calls === 1],
      ['between calls', () => waiting],
    ] as const
    for (const [content, isNow] of moments) {
      const controller = new AbortController()
      const call = caught(llm.generate({ messages: ask(content) }, { role: 'answer', signal: controller.signal }))
      await vi.waitUntil(isNow, { timeout: 60_000 })
      controller.abort()
      expect(await call).toMatchObject({ code: 'aborted' })
    }
    const gone = AbortSignal.abort()
    expect(await caught(llm.generate({ messages: ask('x') }, { role: 'answer', signal: gone }))).toMatchObject({
      code: 'aborted',
    })
    expect(harness.model.stats.calls).toBe(2)
  })

  it('tell a wrong key from everything else, and do not insist', async () => {
    const harness = await Harness.start({ rules: [], otherwise: 'fine' }, 'the-right-key-1234')
    running.push(harness)
    const error = await caught(
      harness
        .open()
        .llm(SPEC)
        .generate({ messages: ask('hi') }, { role: 'answer' }),
    )
    expect(error).toMatchObject({ code: 'auth', status: 401 })
    expect(error?.hint).toContain('environment variable')
  })

  it('send fewer calls at a time while the provider is overloaded, and more when it has recovered', async () => {
    const at = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [i + 1, 'rate-limit' as const]))
    const harness = await start({ faults: { at }, latencyMs: 5 })
    const gateway = harness.open({ concurrency: 16 })
    const llm = gateway.llm(SPEC)
    const round = (name: string, n: number) =>
      Promise.all(
        Array.from({ length: n }, (_, i) => llm.generate({ messages: ask(`${name} ${i}`) }, { role: 'answer' })),
      )
    await round('overloaded', 16)
    const low = gateway.concurrency(SPEC)
    expect(low).toBeLessThan(16)
    await round('recovered', 200)
    expect(gateway.concurrency(SPEC)).toBeGreaterThan(low)
    expect(harness.model.stats.peak).toBeLessThanOrEqual(16)
  })
})
