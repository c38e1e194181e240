import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { realClock } from './clock.js'
import { AdaptiveLimiter, type Slot } from './limiter.js'

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('AdaptiveLimiter', () => {
  it('starts at the most, is cut by overload, and grows back by one a round', async () => {
    const limiter = new AdaptiveLimiter(10, realClock)
    const first = await limiter.acquire()
    first.release('overloaded')
    expect(limiter.limit).toBe(7)
    for (let i = 0; i < 8; i++) (await limiter.acquire()).release('ok')
    expect(limiter.limit).toBe(8)
    for (let i = 0; i < 100; i++) (await limiter.acquire()).release('ok')
    expect(limiter.limit).toBe(10)
  })

  it('is cut once for all calls that met the same overload, and never below one', async () => {
    const limiter = new AdaptiveLimiter(10, realClock)
    const slots = await Promise.all(Array.from({ length: 10 }, () => limiter.acquire()))
    for (const slot of slots) slot.release('overloaded')
    expect(limiter.limit).toBe(7)
    for (let i = 0; i < 50; i++) (await limiter.acquire()).release('overloaded')
    expect(limiter.limit).toBe(1)
  })

  it('is cut once for every overload that another process met, and not for those of before or of its own', () => {
    const limiter = new AdaptiveLimiter(10, realClock)
    limiter.heed(3)
    expect(limiter.limit).toBe(10)
    limiter.heed(4)
    limiter.heed(4)
    expect(limiter.limit).toBe(7)
    limiter.heed(5, true)
    limiter.heed(5)
    expect(limiter.limit).toBe(7)
  })

  it('serves in order of coming, but who is urgent before all who wait; who gives up is passed over', async () => {
    const limiter = new AdaptiveLimiter(1, realClock)
    const first = await limiter.acquire()
    const order: string[] = []
    const gone = new AbortController()
    const wait = (name: string, urgent: boolean, signal?: AbortSignal) =>
      limiter.acquire(signal, urgent).then(
        (slot) => {
          order.push(name)
          slot.release('ok')
        },
        () => {},
      )
    const all = [
      wait('answer 1', false),
      wait('answer 2', false, gone.signal),
      wait('note 1', true),
      wait('answer 3', false),
      wait('note 2', true),
    ]
    gone.abort()
    first.release('ok')
    await Promise.all(all)
    expect(order).toEqual(['note 1', 'note 2', 'answer 1', 'answer 3'])
  })

  it('lets nobody start before the time a provider asked for', async () => {
    let wake = () => {}
    const clock = { ...realClock, now: () => 0, sleep: () => new Promise<void>((resolve) => (wake = resolve)) }
    const limiter = new AdaptiveLimiter(4, clock)
    ;(await limiter.acquire()).release('overloaded', 1000)
    let started = false
    const next = limiter.acquire().then(() => (started = true))
    await settled()
    expect(started).toBe(false)
    wake()
    await next
    expect(started).toBe(true)
  })

  it('waits for the end of a pause only while somebody wants to start', async () => {
    const slept: (AbortSignal | undefined)[] = []
    const sleep = (_: number, signal?: AbortSignal) => {
      slept.push(signal)
      return realClock.sleep(3_600_000, signal)
    }
    const limiter = new AdaptiveLimiter(4, { ...realClock, sleep })
    ;(await limiter.acquire()).release('overloaded', 3_600_000)
    expect(slept).toEqual([])
    const controller = new AbortController()
    const gone = limiter.acquire(controller.signal)
    expect(slept).toHaveLength(1)
    controller.abort(new Error('enough'))
    await expect(gone).rejects.toThrow('enough')
    expect(slept[0]?.aborted).toBe(true)
  })

  it('forgets who stops waiting', async () => {
    const limiter = new AdaptiveLimiter(1, realClock)
    const held = await limiter.acquire()
    const controller = new AbortController()
    const gone = limiter.acquire(controller.signal)
    const next = limiter.acquire()
    controller.abort(new Error('enough'))
    await expect(gone).rejects.toThrow('enough')
    held.release('ok')
    await expect(next).resolves.toBeDefined()
    expect(limiter.active).toBe(1)
  })

  it('never has more calls under way than its limit allowed when they began, and starves nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.constantFrom('ok', 'overloaded', 'other' as const), { minLength: 1, maxLength: 60 }),
        async (most, outcomes) => {
          const limiter = new AdaptiveLimiter(most, realClock)
          let done = 0
          const work = async (outcome: (typeof outcomes)[number]) => {
            const slot: Slot = await limiter.acquire()
            expect(limiter.active).toBeLessThanOrEqual(most)
            await settled()
            slot.release(outcome as 'ok')
            slot.release('ok')
            done++
          }
          await Promise.all(outcomes.map(work))
          expect(done).toBe(outcomes.length)
          expect(limiter.active).toBe(0)
        },
      ),
      { numRuns: 30 },
    )
  })
})
