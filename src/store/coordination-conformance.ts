import { describe, expect, it } from 'vitest'
import { type CallRequest, type Coordination, LeaseLostError, type WorkerInfo } from '../model/coordination.js'

const worker = (id: string): WorkerInfo => ({ id, host: 'here', pid: 7 })
const [A, B] = [worker('a'), worker('b')]
const NO_STATS = { calls: 0, callsPerMinute: 0, usd: 0 }

const UNITS = [
  { name: 'life 1', after: null, weight: 3 },
  { name: 'facts 1', after: 'life 1', weight: 0 },
  { name: 'life 2', after: null, weight: 4 },
]

const request = (id: string, change: Partial<CallRequest> = {}): CallRequest => {
  return { id, worker: 'a', lease: null, rate: 'p', key: null, account: null, usd: 1, tokens: 10, ...change }
}

/**
 * What every way of sharing out work must do.
 *
 * @example runCoordinationConformance({ name: 'postgres', open: async () => (await openPostgresStore(url)).coordination })
 */
export function runCoordinationConformance(subject: {
  name: string
  /** On new ground. Leases last at least a second. */
  open: () => Promise<Coordination>
  /** Makes a worker that has spoken up one whose lease has run out. */
  expire: (worker: string) => Promise<void>
}): void {
  const onGround = (name: string, work: (coordination: Coordination) => Promise<void>) =>
    it(name, async () => {
      const coordination = await subject.open()
      await coordination.enqueue('r', UNITS)
      for (const one of [A, B]) await coordination.extend('r', one, NO_STATS)
      await work(coordination)
    })
  let tickets = 0
  const take = (of: Coordination, who = A, most = 9) => of.claim('r', who, most, `t${++tickets}`)
  const namesOf = (leases: { name: string }[]) => leases.map(({ name }) => name)

  describe(`${subject.name} as coordination`, () => {
    onGround(
      'gives every unit to one worker, in order, and those that wait when what they wait for is done',
      async (of) => {
        const [first] = await take(of, A, 1)
        expect(first).toMatchObject({ name: 'life 1', run: 'r' })
        expect(namesOf(await take(of, B))).toEqual(['life 2'])
        expect(await take(of, B)).toEqual([])
        await of.settle(first!, 'done')
        expect(namesOf(await take(of, B))).toEqual(['facts 1'])
        for (const [worker, usd] of [
          [A, 0.5],
          [B, 0.25],
        ] as const)
          await of.extend('r', worker, { ...NO_STATS, usd })
        const { units, questions, usd } = await of.progress('r')
        expect({ units, questions }).toEqual({ units: { done: 1, total: 3 }, questions: { done: 3, total: 7 } })
        expect(usd).toBe(0.75)
      },
    )

    onGround('gives the same units to a claim that is asked again', async (of) => {
      const once = await of.claim('r', A, 1, 'ticket')
      expect(await of.claim('r', A, 1, 'ticket')).toEqual(once)
      await of.settle(once[0]!, 'done')
      await expect(of.settle(once[0]!, 'done')).resolves.toBeUndefined()
    })

    onGround('gives a unit that was given back to the next, and its fence grows', async (of) => {
      const [first] = await take(of, A, 1)
      await of.settle(first!, 'given-back')
      const [second] = await take(of, B, 1)
      expect(second).toMatchObject({ name: 'life 1' })
      expect(second!.fence).toBeGreaterThan(first!.fence)
    })

    onGround('takes units from a worker that says nothing, first of all, and from no other', async (of) => {
      const [held] = await take(of, A, 1)
      expect(namesOf(await take(of, B, 1))).toEqual(['life 2'])
      await subject.expire('a')
      await of.enqueue('other', UNITS)
      expect(await of.claim('other', B, 9, 'none', true)).toEqual([])
      const [taken] = await of.claim('r', B, 9, 'orphans', true)
      expect(taken).toMatchObject({ name: 'life 1' })
      await expect(of.settle(held!, 'done')).rejects.toThrow(LeaseLostError)
      expect((await of.reserve(request('1', { lease: held! }))).outcome).toBe('lost')
      expect((await of.extend('r', A, NO_STATS)).leases).toEqual([])
      expect((await of.extend('r', B, NO_STATS)).leases).toHaveLength(2)
    })

    onGround('leaves a unit with a worker that speaks up again before anybody took it', async (of) => {
      const [held] = await take(of, A, 1)
      await subject.expire('a')
      expect((await of.extend('r', A, NO_STATS)).leases).toEqual([{ unit: held!.unit, fence: held!.fence }])
      expect(namesOf(await take(of, B))).toEqual(['life 2'])
      await of.settle(held!, 'done')
    })

    onGround('lays a run out anew: all is to be done, and nobody holds anything of before', async (of) => {
      const [held] = await take(of, A, 1)
      await of.enqueue('r', UNITS.slice(0, 2))
      await expect(of.settle(held!, 'done')).rejects.toThrow(LeaseLostError)
      expect((await of.progress('r')).units).toEqual({ done: 0, total: 2 })
      expect((await take(of, B))[0]!.fence).toBeGreaterThan(held!.fence)
    })

    onGround('tells all workers when a run is stopped, until it goes on', async (of) => {
      await of.halt('r', 'the budget is spent')
      await of.halt('r', 'something else')
      expect((await of.extend('r', B, NO_STATS)).halted).toBe('the budget is spent')
      await of.enqueue('r', UNITS)
      expect((await of.extend('r', B, NO_STATS)).halted).toBeNull()
    })

    onGround('keeps to a budget: what is set aside is spent until it is known better', async (of) => {
      await of.cap('r', 2)
      const asked = (id: string, usd: number, who = 'a') => of.reserve(request(id, { account: 'r', usd, worker: who }))
      expect(await asked('1', 1.5)).toMatchObject({ outcome: 'granted', total: 1.5, spent: 0 })
      expect(await asked('1', 1.5)).toMatchObject({ outcome: 'granted' })
      expect(await asked('2', 1, 'b')).toMatchObject({ outcome: 'wait', total: 1.5 })
      expect(await asked('3', 2.5, 'b')).toMatchObject({ outcome: 'refused' })
      await of.release('1', { usd: 0.25, tokens: 0 })
      await of.release('1', { usd: 0.25, tokens: 0 })
      expect(await asked('2', 1, 'b')).toMatchObject({ outcome: 'granted', total: 1.25, spent: 0.25 })
      expect((await of.progress('r')).budget).toEqual({ cap: 2, total: 1.25, reserved: 1 })
      await of.release('2', { usd: null, tokens: 0 })
      expect((await of.progress('r')).budget).toEqual({ cap: 2, total: 1.25, reserved: 0 })
    })

    onGround('counts what a dead worker had set aside as spent, until it is heard of again', async (of) => {
      await of.cap('r', 2)
      await of.reserve(request('1', { account: 'r', usd: 1.5 }))
      await subject.expire('a')
      const asked = () => of.reserve(request('2', { account: 'r', usd: 1, worker: 'b' }))
      expect(await asked()).toMatchObject({ outcome: 'refused', spent: 1.5 })
      await of.release('1', { usd: 0.5, tokens: 0 })
      expect(await asked()).toMatchObject({ outcome: 'granted', spent: 0.5 })
    })

    onGround('lets one worker at a time make a call, until its worker is gone', async (of) => {
      const asked = (id: string, who: string) => of.reserve(request(id, { key: 'k', worker: who }))
      expect((await asked('1', 'a')).outcome).toBe('granted')
      expect((await asked('2', 'b')).outcome).toBe('wait')
      await subject.expire('a')
      expect((await asked('2', 'b')).outcome).toBe('granted')
      await of.release('2', { usd: 0, tokens: 0 })
      expect((await asked('3', 'a')).outcome).toBe('granted')
    })

    onGround('spaces requests and tokens of one provider and key over all workers', async (of) => {
      await of.limit('p', { requestsPerMinute: 600 })
      const waits: number[] = []
      // A little may be caught up with; what comes then waits for its turn.
      const began = performance.now()
      for (let n = 0; n < 25; n++) {
        const grant = await of.reserve(request(`${n}`, { worker: n % 2 === 0 ? 'b' : 'a' }))
        expect(grant.outcome).toBe('granted')
        waits.push('waitMs' in grant ? grant.waitMs + performance.now() - began : 0)
      }
      expect(waits.at(-1)).toBeGreaterThan(1_500)
      expect(waits.at(-1)).toBeLessThan(performance.now() - began + 2_401)
      expect(await of.reserve(request('o', { rate: 'other' }))).toMatchObject({ outcome: 'granted', waitMs: 0 })
      await of.limit('q', { tokensPerMinute: 60 })
      expect(await of.reserve(request('p', { rate: 'q', tokens: 30 }))).toMatchObject({ outcome: 'granted' })
      expect((await of.reserve(request('q', { rate: 'q' }))).outcome).toBe('wait')
    })

    onGround('lets so many calls of one provider and key be under way; those of the dead do not count', async (of) => {
      await of.limit('p', { concurrency: 2 })
      for (const id of ['1', '2']) expect((await of.reserve(request(id))).outcome).toBe('granted')
      const asked = () => of.reserve(request('3', { worker: 'b' }))
      expect((await asked()).outcome).toBe('wait')
      await subject.expire('a')
      expect((await asked()).outcome).toBe('granted')
    })

    onGround('slows all when one was told that it is too much, once for all calls under way', async (of) => {
      const first = await of.reserve(request('1'))
      const second = await of.reserve(request('2', { worker: 'b' }))
      expect([first.era, second.era]).toEqual([0, 0])
      const overloaded = { pauseMs: 60_000, era: 0 }
      expect(await of.release('1', { usd: 0, tokens: 0, overloaded })).toBe(1)
      expect(await of.release('2', { usd: 0, tokens: 0, overloaded })).toBe(1)
      expect(await of.reserve(request('3', { worker: 'b' }))).toMatchObject({ outcome: 'wait', era: 1 })
    })
  })
}
