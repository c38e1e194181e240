import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from '../../src/base/random.js'
import { EVERY_PART } from '../../test/llm.js'
import { missing, PostgresServer } from '../../test/postgres-server.js'
import { runChaos, wordsOf } from './chaos.js'

/*
 * Workers of one run in a PostgreSQL of its own, killed, cut off, frozen and left without their database:
 * npm run chaos -- [--seconds 190] [--workers 8] [--rate 2.2] [--trials 7] [--seed 1]
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '190' },
    workers: { type: 'string', default: '8' },
    rate: { type: 'string', default: '2.2' },
    trials: { type: 'string', default: '7' },
    seed: { type: 'string', default: '1' },
  },
})
if (missing.length > 0) {
  process.stderr.write(`Not found here: ${missing.join(', ')}.\n`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'memscope-chaos-'))
const server = await PostgresServer.start()
const random = new Random(values.seed)
const seconds = Number(values.seconds)
try {
  const result = await runChaos(server, {
    workers: Number(values.workers),
    seconds,
    killEveryMs: 2_000,
    restarts: [0.4, 0.75],
    freezeAt: 0.2,
    leaseSeconds: 10,
    latencyMs: 2_500,
    rate: Number(values.rate),
    plan: [...EVERY_PART, '--trials', values.trials],
    draw: () => random.random(),
    folder,
    tell: (message) => process.stderr.write(`${message}\n`),
  })
  if (result.seconds < seconds) throw new Error(`the run was over after ${result.seconds} s: raise --trials`)
  process.stdout.write(`${wordsOf(result)}\n`)
  rmSync(folder, { recursive: true })
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\nWhat there is to look at: ${folder}\n`)
  process.exitCode = 1
} finally {
  await server.stop()
}
