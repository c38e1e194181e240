import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Bench, growth } from '../bench.js'
import type { Measured } from './measure.js'

const SYSTEMS = ['bm25', 'bm25-hops', 'dense', 'hybrid']
const SIZES = [1_000, 10_000, 100_000]
const CHILD = fileURLToPath(new URL('./child.js', import.meta.url))

/** Ingest and retrieval of the keyless systems at three sizes, each in a process of its own. */
export const systemsBench: Bench = {
  name: 'systems',
  about: 'ingest, retrieval and memory of the keyless systems',
  run: async (progress) => {
    const rows: string[][] = []
    for (const system of SYSTEMS) {
      let before: Measured | undefined
      for (const size of SIZES) {
        progress(`${system}, ${size.toLocaleString('en')} memories`)
        const measured = await inChild(system, size)
        rows.push(rowOf(system, measured, before))
        before = measured
      }
    }
    return {
      title: 'Memory systems',
      note: `Memories are made-up sentences of 8–20 words, questions share four words with one of them; k is 5, 200 questions. Vectors (384
dimensions) come from a hashing embedder, so the times of dense and hybrid are those of search alone, without a model. Memory is the peak
of the whole process, made-up text included. Growth is the power of the size by which a value grows from the row above: up to 1 is linear.`,
      columns: [
        'system',
        'memories',
        'ingest s',
        'memories/s',
        'retrieve p50 ms',
        'p95 ms',
        'peak MB',
        'growth of ingest',
        'of p50',
      ],
      rows,
    }
  },
}

async function inChild(system: string, size: number): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, system, String(size)])
  return JSON.parse(stdout) as Measured
}

function rowOf(system: string, now: Measured, before: Measured | undefined): string[] {
  const power = (value: (measured: Measured) => number) =>
    before ? growth({ size: before.size, value: value(before) }, { size: now.size, value: value(now) }).toFixed(2) : '–'
  return [
    system,
    now.size.toLocaleString('en'),
    (now.ingestMs / 1000).toFixed(2),
    Math.round((now.size / now.ingestMs) * 1000).toLocaleString('en'),
    now.p50Ms.toFixed(2),
    now.p95Ms.toFixed(2),
    now.peakMb.toFixed(0),
    power((measured) => measured.ingestMs),
    power((measured) => measured.p50Ms),
  ]
}
