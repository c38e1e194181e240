import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from '../../src/base/random.js'
import { PHASES } from './kept.js'
import { killRuns, type Tally } from './kill-runs.js'
import type { Kind } from './kind.js'
import { canLook } from './left-behind.js'
import { modelsKind } from './models.js'
import { outsideKind } from './outside.js'
import { plainKind } from './plain.js'

/*
 * Kills runs with SIGKILL and resumes them: npm run kill -- [--kills 60] [--kind plain,models,outside] [--seed 1]
 * Every finished run must equal an undisturbed one, byte for byte, apart from `run` and `timing`.
 */

const KINDS: Readonly<Record<string, (folder: string) => Promise<Kind>>> = {
  plain: plainKind,
  models: modelsKind,
  outside: outsideKind,
}

const TOLD_EVERY = 25

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '60' },
    kind: { type: 'string', default: Object.keys(KINDS).join(',') },
    seed: { type: 'string', default: '1' },
  },
})
const names = values.kind.split(',')
const wanted = Number(values.kills)
const unknown = names.filter((name) => !(name in KINDS))
if (unknown.length > 0 || !(wanted >= names.length)) {
  process.stderr.write(`Expected --kind of ${Object.keys(KINDS).join(', ')}, and at least a kill for each.\n`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'memscope-kill-'))
// Side by side: a run that waits leaves the processor to another.
const tallies = await Promise.all(
  names.map(async (name, i) => {
    const share = Math.floor((wanted * (i + 1)) / names.length) - Math.floor((wanted * i) / names.length)
    const own = join(folder, name)
    mkdirSync(own)
    const kind = await KINDS[name]!(own)
    const random = new Random(`${values.seed} ${name}`)
    try {
      const tally = await killRuns(
        kind,
        share,
        () => random.random(),
        own,
        (kills) => {
          if (kills % TOLD_EVERY === 0) process.stderr.write(`${name}: ${kills} of ${share} kills\n`)
        },
      )
      const told = kind.told?.(tally.kills) ?? ''
      process.stdout.write(`${name.padEnd(7)}  ${lineOf(tally)}\n${told && `${' '.repeat(9)}${told}\n`}`)
      return tally
    } catch (error) {
      process.stderr.write(`${name}: ${(error as Error).stack}\nWhat there is to look at: ${own}\n`)
      return null
    } finally {
      await kind.close()
    }
  }),
)
const whole = tallies.filter((tally) => tally !== null)
if (whole.length < names.length) process.exit(1)
rmSync(folder, { recursive: true })
const left = canLook ? 'no process left behind' : 'processes left behind cannot be looked for here'
process.stdout.write(`${'all'.padEnd(7)}  ${lineOf(whole.reduce(added))}\nall equal to undisturbed runs; ${left}\n`)

function lineOf({ kills, resumes, finished, early, met }: Tally): string {
  const phases = PHASES.map((phase) => `${phase} ${met[phase]}`).join(', ')
  return `${kills} kills (${early} in the first 300 ms; ${phases}), ${resumes} resumes, ${finished} finished`
}

function added(one: Tally, other: Tally): Tally {
  const met = Object.fromEntries(PHASES.map((phase) => [phase, one.met[phase] + other.met[phase]])) as Tally['met']
  return {
    kills: one.kills + other.kills,
    resumes: one.resumes + other.resumes,
    finished: one.finished + other.finished,
    early: one.early + other.early,
    met,
  }
}
