import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallWatch } from './call-watch.js'
import type { Llm } from './llm.js'
import type { MemorySystem } from './system.js'
import { MemoryGoneError } from './system.js'

const pause = (ms: number) => new Promise<void>((resume) => setTimeout(resume, ms))
const never = () => new Promise<never>(() => {})
const watching = (ms: number) => new CallWatch(ms, new AbortController().signal)

const notes = (change: Partial<MemorySystem>): MemorySystem => ({
  store: async () => {},
  retrieve: async () => [],
  ...change,
})

/** Lets ten seconds go by, on a clock of the test's own, and gives what came of it. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  await vi.advanceTimersByTimeAsync(10_000)
  return work
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the limit on calls of a memory', () => {
  it('names the method that never came back, and trusts the memory no further', async () => {
    const watch = watching(50)
    const system = watch.system(notes({ store: never }))
    const late = inTime(system.store({ id: 'c', time: '', turns: [] }))
    await expect(late).rejects.toThrow('store took longer than 0.05 s')
    await expect(late).rejects.toMatchObject({ name: 'MemoryGoneError', timedOut: true })
    expect(watch.signal.aborted).toBe(true)
    const next = system.retrieve({ id: 'q', text: '', time: '' }, 1, { k: 1 })
    await expect(next).rejects.toMatchObject({ message: 'store took longer than 0.05 s', timedOut: false })
  })

  it('does not count the time in which a model or an embedder works', async () => {
    const watch = watching(120)
    const llm = watch.model({ model: 'm', generate: () => pause(300) } as unknown as Llm)
    const embed = watch.embedder({ id: 'e', dimensions: 1, embed: () => pause(300).then(() => []) })
    const patient = watch.system(
      notes({
        store: async () => {
          await llm.generate({ messages: [] }, { role: 'ingest' })
          await embed.embed([])
        },
      }),
    )
    await expect(inTime(patient.store({ id: 'c', time: '', turns: [] }))).resolves.toBeUndefined()
  })

  it('counts what is left of the time after a model has answered', async () => {
    const watch = watching(100)
    const llm = watch.model({ model: 'm', generate: () => pause(150) } as unknown as Llm)
    const stuck = watch.call('retrieve', async () => {
      await llm.generate({ messages: [] }, { role: 'retrieve' })
      return never()
    })
    await expect(inTime(stuck)).rejects.toBeInstanceOf(MemoryGoneError)
  })

  it('takes a memory that does one thing after another for slow, not for stuck', async () => {
    const watch = watching(400)
    let last: Promise<unknown> = Promise.resolve()
    const queued = () =>
      watch.call('retrieve', () => {
        last = last.then(() => pause(80))
        return last
      })
    await expect(inTime(Promise.all(Array.from({ length: 12 }, queued)))).resolves.toHaveLength(12)
  })

  it('leaves out what a memory does not have, and passes on what it returns and throws', async () => {
    const system = watching(1000).system(
      notes({ dump: async () => [{ id: 'm', text: 't' }], store: async () => Promise.reject(new Error('no')) }),
    )
    expect(Object.keys(system).sort()).toEqual(['dump', 'retrieve', 'store'])
    expect(await system.dump!()).toEqual([{ id: 'm', text: 't' }])
    await expect(system.store({ id: 'c', time: '', turns: [] })).rejects.toThrow('no')
  })
})
