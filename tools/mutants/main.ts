import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { changeOf, type Mutant, mutantsOf } from './operators.js'
import { filesOf, testsOf, toldOf, UNITS } from './units.js'
import type { Usual } from './worker.js'

/** Where results are kept: a mutant is tried again when its file changed, and one that survived when a test did. */
const KEPT = 'node_modules/.cache/memscope/mutants.jsonl'

/** A quick look that is always the same: every so many mutants of some systems. */
const SAMPLED = 40
const SAMPLE = ['bm25', 'hybrid', 'digest', 'parts', 'mem0-v2', 'a-mem', 'structmem', 'memos', 'nemori', 'graphiti']

/** Changes that are known by a name, of which a test must tell. */
interface Named {
  name: string
  file: string
  from: string
  to: string
}

const { values } = parseArgs({
  options: {
    system: { type: 'string' },
    sample: { type: 'boolean' },
    named: { type: 'boolean' },
    kept: { type: 'boolean' },
    fresh: { type: 'boolean' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    verbose: { type: 'boolean' },
  },
})

/** Why a change of a line of code is not noticed, by file and line, in which its place is marked. */
const reasons: Record<string, Record<string, string>> = JSON.parse(readFileSync('tools/mutants/survivors.json', 'utf8'))

const kept = new Map<string, string | null>()
if (existsSync(KEPT) && !values.fresh && !values.sample)
  for (const line of readFileSync(KEPT, 'utf8').split('\n').filter(Boolean)) {
    const [key, killer] = JSON.parse(line) as [string, string | null]
    kept.set(key, killer)
  }
mkdirSync(dirname(KEPT), { recursive: true })

/** What tests do as things are, by unit. */
const usual = new Map<string, Usual>()

const named: Named[] = values.named ? JSON.parse(readFileSync('tools/mutants/named.json', 'utf8')) : []
let [killed, all, untried] = [0, 0, 0]
const survivors: { id: string; reason: string | undefined }[] = []
for (const unit of values.system?.split(',') ?? (values.sample ? SAMPLE : UNITS)) {
  const tests = testsOf(unit)
  const found = filesOf(unit).flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
  const chosen = values.named
    ? named.filter(({ file }) => filesOf(unit).includes(file)).map(changeOf)
    : values.sample
      ? found.filter((_, i) => i % SAMPLED === 0)
      : found
  const told = toldOf(unit)
  const keyOf = (mutant: Mutant, killer: string | null) =>
    hashOf(mutant.id, readFileSync(mutant.file, 'utf8'), killer === null ? told : '')
  const results = new Map<Mutant, string | null>()
  for (const mutant of chosen)
    for (const outcome of ['killed', null])
      if (kept.has(keyOf(mutant, outcome))) results.set(mutant, kept.get(keyOf(mutant, outcome))!)
  const left = chosen.filter((mutant) => !results.has(mutant))
  const started = performance.now()
  if (values.kept) untried += left.length
  else if (left.length > 0)
    await Promise.all(
      Array.from({ length: Math.min(Number(values.jobs), left.length) }, (_, job) => {
        const share = left.filter((_, i) => i % Number(values.jobs) === job)
        return inProcess(unit, tests, share, (mutant, killer) => {
          results.set(mutant, killer)
          appendFileSync(KEPT, `${JSON.stringify([keyOf(mutant, killer), killer])}\n`)
          if (values.verbose || values.named)
            console.log(
              `${killer === null ? 'SURVIVED' : 'killed'} ${mutant.id}${killer === null ? '' : ` by ${killer}`}`,
            )
        })
      }),
    )
  const own = [...results.values()].filter((killer) => killer !== null).length
  for (const [mutant, killer] of results)
    if (killer === null) survivors.push({ id: mutant.id, reason: reasons[mutant.file]?.[placeOf(mutant)] })
  killed += own
  all += results.size
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  if (chosen.length > 0)
    console.log(`${unit}: ${own} of ${results.size} killed, ${seconds} s (${chosen.length - left.length} known before)`)
}

const unexplained = survivors.filter(({ reason }) => reason === undefined)
for (const { id, reason } of survivors) console.log(`survived: ${id}${reason ? ` (${reason})` : ''}`)
// What is not tried counts as not killed: survivors are tried anew when tests change, so those that are known are mostly killed.
const share = all + untried === 0 ? 1 : killed / (all + untried)
const rest = untried > 0 ? `, ${untried} not tried yet` : ''
console.log(
  `${killed} of ${all + untried} mutants killed (${(100 * share).toFixed(1)} %), ${unexplained.length} survivors without a reason${rest}`,
)
const least = values.named ? 1 : 0.9
process.exitCode = share < least || unexplained.length + untried > 0 ? 1 : 0

function hashOf(...texts: string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 24)
}

/** The line of code that a mutant changes, with the place marked: a line has several. */
function placeOf({ file, from, to }: Mutant): string {
  const source = readFileSync(file, 'utf8')
  const [start, end] = [source.lastIndexOf('\n', from) + 1, source.indexOf('\n', from)]
  const last = Math.min(to, end)
  return `${source.slice(start, from)}«${source.slice(from, last)}»${source.slice(last, end)}`.trim()
}

/** What a process says: that it begins a test, which may take so long, or how a mutant ended. */
type Said = { began: string; limitMs: number } | { killer: string | null; learnt: Usual | null }

/** Tries mutants one after another in one process; one that never ends is killed with it, and a new process goes on. */
async function inProcess(
  unit: string,
  tests: readonly string[],
  mutants: readonly Mutant[],
  told: (mutant: Mutant, killer: string | null) => void,
): Promise<void> {
  const left = [...mutants]
  while (left.length > 0) {
    const child = fork(new URL('./worker.js', import.meta.url), [unit, ...tests], {
      execArgv: ['--experimental-vm-modules', '--no-warnings'],
      stdio: ['ignore', 'ignore', values.verbose ? 'inherit' : 'ignore', 'ipc'],
    })
    const tried = (mutant: Mutant | null) =>
      new Promise<string | null>((resolve) => {
        let at = 'its modules'
        const late = () => resolve(`ends the process: ${at} never ends`)
        let timer = setTimeout(late, 60_000)
        const done = (killer: string | null) => {
          clearTimeout(timer)
          child.removeAllListeners('message').removeAllListeners('exit')
          resolve(killer)
        }
        child.on('exit', (code) => done(`ends the process: code ${code} in ${at}`))
        child.on('message', (said: Said) => {
          if ('killer' in said) {
            if (said.learnt) usual.set(unit, said.learnt)
            return done(said.killer)
          }
          at = said.began
          clearTimeout(timer)
          timer = setTimeout(late, said.limitMs)
        })
        child.send({ mutant, known: usual.get(unit) })
      })
    const asItIs = usual.has(unit) ? null : await tried(null)
    if (asItIs !== null) throw new Error(`The tests of ${unit} fail as it is: ${asItIs}`)
    // What modules leave behind adds up.
    for (let count = 0; count < 150 && left.length > 0; count++) {
      const mutant = left.shift()!
      const killer = await tried(mutant)
      told(mutant, killer)
      if (killer?.startsWith('ends the process')) break
    }
    child.kill('SIGKILL')
  }
}
