import { afterEach, describe, expect, it } from 'vitest'
import { WorkerPool } from './worker-pool.js'

/** Answers with the length of the text; fails or dies when it is told to. */
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
parentPort.on('message', ({ text }) => {
  if (text === 'die') process.exit(7)
  if (text === 'throw') throw new Error('thrown')
  if (text === 'fail') parentPort.postMessage({ error: 'told to' })
  else parentPort.postMessage({ result: Float32Array.of(text.length, workerData) })
})
`

let pool: WorkerPool
afterEach(() => pool.close())

describe('WorkerPool', () => {
  it('gives every text its own answer, however many wait', async () => {
    pool = new WorkerPool(SOURCE, 5, 2)
    const texts = Array.from({ length: 40 }, (_, i) => 'x'.repeat(i))
    expect(await Promise.all(texts.map((text) => pool.run(text)))).toEqual(texts.map((_, i) => Float32Array.of(i, 5)))
  })

  it('fails the text that failed, and no other', async () => {
    pool = new WorkerPool(SOURCE, 0, 1)
    const settled = await Promise.allSettled(['a', 'fail', 'bb'].map((text) => pool.run(text)))
    expect(settled.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it.each(['die', 'throw'])('goes on with a new worker when one should %s', async (order) => {
    pool = new WorkerPool(SOURCE, 0, 2)
    const settled = await Promise.allSettled(['a', order, 'bb', 'ccc'].map((text) => pool.run(text)))
    expect(settled.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(await pool.run('dddd')).toEqual(Float32Array.of(4, 0))
  })

  it('takes nothing more once it is closed, and fails what was under way', async () => {
    pool = new WorkerPool(SOURCE, 0, 1)
    const underway = Promise.allSettled(['a', 'b'].map((text) => pool.run(text)))
    await pool.close()
    await expect(pool.run('c')).rejects.toThrow('closed')
    expect((await underway).map((result) => result.status)).toEqual(['rejected', 'rejected'])
  })

  it('starts a further worker only where enough texts wait', async () => {
    const who = 'require("node:worker_threads").threadId'
    const told = SOURCE.replace('text.length, workerData', who)
    const workersFor = async (texts: number) => {
      pool = new WorkerPool(told, 0, 2, 8)
      await pool.run('first')
      const from = await Promise.all(Array.from({ length: texts }, () => pool.run('x')))
      await pool.close()
      return new Set(from.map(([thread]) => thread)).size
    }
    expect(await workersFor(8)).toBe(1)
    expect(await workersFor(400)).toBe(2)
  })

  it('lets go of idle workers but one when another pool starts one, of all when it starts a further one, and starts them again', async () => {
    const slow = SOURCE.replace(
      "if (text === 'die')",
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)\n  $&',
    )
    pool = new WorkerPool(slow, 0, 2)
    const texts = ['a', 'bb', 'ccc', 'dddd']
    const runAll = () => Promise.all(texts.map((text) => pool.run(text)))
    await runAll()
    expect(pool.workers).toBe(2)
    const other = new WorkerPool(SOURCE, 0, 1)
    await other.run('a')
    expect([pool.workers, other.workers]).toEqual([1, 1])
    expect(await runAll()).toEqual(texts.map(({ length }) => Float32Array.of(length, 0)))
    expect([pool.workers, other.workers]).toEqual([2, 0])
    expect(await other.run('bb')).toEqual(Float32Array.of(2, 0))
    expect([pool.workers, other.workers]).toEqual([1, 1])
    await other.close()
  })
})
