// Kills runs at random moments and resumes them; every finished run must equal an undisturbed one, byte for byte, apart from `run` and
// `timing`. Usage: node scripts/kill.mjs [--kills 50] [--seed 1] [run flags…]
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const wanted = Number(values.kills)
const flags =
  positionals.length > 0
    ? positionals
    : ['--suite', 'memfail', '--system', 'bm25,full-context,oracle', '--k', '1,2,5,10,20']
const folder = mkdtempSync(join(tmpdir(), 'memscope-kill-'))
const cli = new URL('../dist/cli/main.js', import.meta.url).pathname
let state = Number(values.seed) >>> 0

/** xorshift32: when to kill must be repeatable. */
function random() {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) / 2 ** 32
}

/** Runs the command line; kills it after `killAfter` ms when given. */
function memscope(args, killAfter) {
  return new Promise((resolve) => {
    const started = performance.now()
    const child = spawn(process.execPath, [cli, 'run', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    const timer = killAfter === undefined ? null : setTimeout(() => child.kill('SIGKILL'), killAfter)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      resolve({
        code,
        killed: signal === 'SIGKILL',
        run: /^Run (\S+)$/m.exec(said)?.[1],
        said,
        ms: performance.now() - started,
      })
    })
  })
}

/** The bytes that must be equal. */
function comparable(file) {
  const text = readFileSync(file, 'utf8')
  const { run, timing, ...rest } = JSON.parse(text)
  if (!run?.id || !timing) throw new Error(`${file} has no run or timing`)
  return JSON.stringify(rest, null, 2)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const truth = join(folder, 'undisturbed.json')
const undisturbed = await memscope([...flags, '--home', join(folder, 'undisturbed'), '--json', truth])
if (undisturbed.code !== 0) fail(undisturbed.said)
const expected = comparable(truth)

let kills = 0
let finished = 0
let resumed = 0
while (kills < wanted) {
  const home = join(folder, `home-${finished}`)
  const out = join(folder, `run-${finished}.json`)
  let run
  for (;;) {
    const args = run ? ['--resume', run] : flags
    if (run) resumed++
    const killAfter = kills < wanted ? 30 + random() * undisturbed.ms : undefined
    const result = await memscope([...args, '--home', home, '--json', out], killAfter)
    run ??= result.run
    if (result.killed) {
      kills++
      continue
    }
    if (result.code !== 0) fail(`after ${kills} kills: exit ${result.code}\n${result.said}`)
    break
  }
  if (comparable(out) !== expected) fail(`after ${kills} kills: ${out} differs from ${truth}`)
  finished++
}
rmSync(folder, { recursive: true })
process.stdout.write(
  `${kills} kills, ${resumed} resumes, ${finished} finished runs: all equal to the undisturbed run\n`,
)
