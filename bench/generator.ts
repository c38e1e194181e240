import { type GeneratedTask, generateRows } from '../src/suites/memfail/generate/index.js'
import type { BenchTable } from './bench.js'

const TASKS: readonly GeneratedTask[] = ['conditional', 'coexisting', 'persona', 'long-hop']
const SIZES = [1_000, 10_000, 100_000]
const LOOK_EVERY = 500
const SEED = 7

/**
 * Speed and memory of the generator, for every task at three sizes. Rows are made and dropped, as when they are written to a file.
 *
 * @example console.table((await benchGenerator()).rows)
 */
export async function benchGenerator(): Promise<BenchTable> {
  const rows: string[][] = []
  for (const task of TASKS) {
    for (const size of SIZES) {
      // Lets others have a turn, for a size can take half a minute.
      await new Promise((done) => setImmediate(done))
      const { seconds, bytes, peak } = measure(() => generateRows(task, size, SEED))
      rows.push([
        task,
        size.toLocaleString('en'),
        Math.round(size / seconds).toLocaleString('en'),
        (bytes / size / 1024).toFixed(1),
        (peak / 2 ** 20).toFixed(0),
      ])
    }
  }
  return {
    title: 'Generated MemFail rows',
    note: `Seed ${SEED}, one core, rows made one after another and dropped. Memory is the largest heap in use, looked at every ${LOOK_EVERY}
rows, garbage included: it does not grow with the number of rows.`,
    columns: ['task', 'rows', 'rows/s', 'KB a row', 'peak heap MB'],
    rows,
  }
}

function measure(rows: () => Iterable<unknown>): { seconds: number; bytes: number; peak: number } {
  const start = performance.now()
  let [count, bytes, peak] = [0, 0, 0]
  for (const row of rows()) {
    if (count++ % LOOK_EVERY === 0) {
      peak = Math.max(peak, process.memoryUsage().heapUsed)
      bytes += JSON.stringify(row).length * LOOK_EVERY
    }
  }
  return { seconds: (performance.now() - start) / 1000, bytes, peak }
}
