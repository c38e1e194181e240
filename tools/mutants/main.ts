import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type Mutant, mutantsOf } from './operators.js'

/** Systems whose own sources are changed. What reaches memories outside has no numbers of an original. */
const UNITS = [
  ...[
    'mem0-v1',
    'mem0-v2',
    'a-mem',
    'simplemem',
    'structmem',
    'langmem',
    'memobase',
    'memoryos',
    'memos',
    'nemori',
    'graphiti',
  ],
  ...['md-flat', 'memory-tool', 'wiki'],
]

/** A mutant that takes longer than this loops. */
const LIMIT_MS = 120_000

/** A quick look that is always the same: every so many mutants of some systems. */
const SAMPLED = 40
const SAMPLE = ['mem0-v2', 'a-mem', 'structmem', 'memos', 'nemori', 'graphiti']

const SKIPPED = /(?:\.test|prompts|rehearsal)\.ts$/

const { values } = parseArgs({
  options: {
    system: { type: 'string' },
    sample: { type: 'boolean' },
    only: { type: 'string' },
    again: { type: 'string' },
    verbose: { type: 'boolean' },
  },
})

/** Those that survived before, of which a log of `--verbose` tells. */
const again = values.again === undefined ? null : readFileSync(values.again, 'utf8').split('\n')

/** Why a change of a line of code is not noticed, by file and line. */
const reasons: Record<string, Record<string, string>> = JSON.parse(readFileSync('tools/mutants/survivors.json', 'utf8'))

let [killed, all] = [0, 0]
const survivors: { id: string; reason: string | undefined }[] = []
for (const unit of values.system?.split(',') ?? (values.sample ? SAMPLE : UNITS)) {
  const folder = `src/systems/${unit}`
  const files = readdirSync(folder).map((name) => `${folder}/${name}`)
  const tests = [...files.filter((file) => /(?<!slow)\.test\.ts$/.test(file)), 'src/systems/originals.test.ts']
  const found = files
    .filter((file) => file.endsWith('.ts') && !SKIPPED.test(file))
    .flatMap((file) => mutantsOf(file, readFileSync(join(process.cwd(), file), 'utf8')))
  const tried = again ? found.filter(({ id }) => again.includes(`SURVIVED ${id}`)) : found
  const chosen = values.sample ? tried.filter((_, i) => i % SAMPLED === 0) : tried
  const started = performance.now()
  let own = 0
  await inWorker(unit, tests, [null, ...chosen], (mutant, killer) => {
    if (!mutant) {
      if (killer !== null) throw new Error(`The tests of ${unit} fail as it is: ${killer}`)
      return
    }
    if (values.verbose)
      console.log(`${killer === null ? 'SURVIVED' : 'killed'} ${mutant.id}${killer === null ? '' : ` by ${killer}`}`)
    if (killer !== null) own++
    else survivors.push({ id: mutant.id, reason: reasons[mutant.file]?.[lineOf(mutant)] })
  })
  killed += own
  all += chosen.length
  console.log(`${unit}: ${own} of ${chosen.length} killed, ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

const unexplained = survivors.filter(({ reason }) => reason === undefined)
for (const { id, reason } of survivors) console.log(`survived: ${id}${reason ? ` (${reason})` : ''}`)
const share = all === 0 ? 1 : killed / all
console.log(
  `${killed} of ${all} mutants killed (${(100 * share).toFixed(1)} %), ${unexplained.length} survivors without a reason`,
)
process.exitCode = share < 0.9 || unexplained.length > 0 ? 1 : 0

/** The line of code that a mutant changes. */
function lineOf({ file, line }: Mutant): string {
  return readFileSync(file, 'utf8').split('\n')[line - 1]!.trim()
}

/** Tries mutants one after another in one worker; one that never ends is killed with it, and a new worker goes on. */
async function inWorker(
  unit: string,
  tests: string[],
  mutants: readonly (Mutant | null)[],
  told: (mutant: Mutant | null, killer: string | null) => void,
): Promise<void> {
  const start = () => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: { unit, tests, only: values.only ?? null },
      execArgv: ['--experimental-vm-modules', '--no-warnings'],
      stdout: true,
      stderr: !values.verbose,
    })
    worker.setMaxListeners(0)
    return worker
  }
  let worker = start()
  for (const mutant of mutants) {
    const killer = await new Promise<string | null | undefined>((resolve) => {
      const timer = setTimeout(resolve, LIMIT_MS, undefined)
      const done = (killer: string | null) => {
        clearTimeout(timer)
        resolve(killer)
      }
      worker.once('message', done)
      worker.once('error', (error) => done(`ends the process: ${error.message}`))
      worker.postMessage(mutant)
    })
    const ended = killer === undefined || killer?.startsWith('ends the process') === true
    told(mutant, killer === undefined ? 'it never ends' : killer)
    if (ended) {
      await worker.terminate()
      worker = start()
    }
    worker.removeAllListeners('message')
    worker.removeAllListeners('error')
  }
  await worker.terminate()
}
