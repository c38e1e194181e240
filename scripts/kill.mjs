// Kills runs at random moments and resumes them; every finished run must equal an undisturbed one, byte for byte, apart from `run` and
// `timing`. Usage: node scripts/kill.mjs [--kills 50] [--seed 1] [run flags…]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { comparable, fail, memscope, seeded } from './killing.mjs'

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
const random = seeded(Number(values.seed))

/** Kills after a while. */
const after = (ms) => (kill) => {
  const timer = setTimeout(kill, ms)
  return () => clearTimeout(timer)
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
    const arm = kills < wanted ? after(30 + random() * undisturbed.ms) : undefined
    const result = await memscope([...args, '--home', home, '--json', out], { arm })
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
