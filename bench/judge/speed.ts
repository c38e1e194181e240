import { spawnSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { removeTemporary, temporaryFolder } from '../../tools/temporary.js'
import type { Bench } from '../bench.js'

/** Facts that words do not settle. */
const FACTS = Number(process.env.BENCH_FACTS ?? 1000)

interface Spent {
  isFast: boolean
  unsettled: number
  pairs: number
  /** Pairs that were read again in WebAssembly. */
  again: number
  seconds: number
  /** Seconds of processors, all threads together. */
  cpu: number
  megabytes: number
}

/** What the judge of facts takes, with each engine. */
export const judgeBench: Bench = {
  name: 'judge',
  about:
    'time and memory of the judge over 1,000 facts that words do not settle, in WebAssembly and, where it is installed, onnxruntime',
  async run(progress) {
    const rows: string[][] = []
    for (const engine of ['WebAssembly', 'onnxruntime']) {
      progress(engine)
      const spent = measured(engine)
      if (engine === 'onnxruntime' && !spent.isFast) continue
      const { unsettled, pairs, again, seconds, cpu, megabytes } = spent
      const numbers = [seconds, cpu, megabytes].map((value) => value.toFixed(0))
      rows.push([engine, String(unsettled), (pairs / unsettled).toFixed(2), String(again), ...numbers])
    }
    const load = loadavg()[1]!.toFixed(1)
    return {
      title: 'Judging facts',
      note: `Labelled cases of \`lab/training/fit\`, nothing read before; what is loaded once is left out of the time. The load of the machine over the last five minutes was ${load}.`,
      columns: ['engine', 'unsettled facts', 'pairs a fact', 'read again', 's', 's of processors', 'MB at most'],
      rows,
    }
  },
}

function measured(engine: string): Spent {
  const cache = temporaryFolder('bench')
  const child = fileURLToPath(new URL('./child.js', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [child, engine, cache, String(FACTS)], {
    encoding: 'utf8',
  })
  removeTemporary(cache)
  if (status !== 0) throw new Error(`${engine} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout) as Spent
}
