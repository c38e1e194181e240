// Attacks the built command line as a user meets it: real processes, real HTTP, real files. Prints what was attempted and what held.
// Usage: npm run attack -- [--seed 1] [--only provider] [--verbose]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Broken, type Count, type Ground, type Group, strikeAll, totalOf } from './attack.js'
import { memories } from './memories.js'
import { provider } from './provider.js'
import { scores } from './scores.js'
import { shell } from './shell.js'
import { texts } from './texts.js'
import { writers } from './writers.js'

const GROUPS: readonly Group[] = [provider, texts, memories, scores, shell, writers]

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const [only, kind] = values.only?.split('/') ?? []
const chosen = GROUPS.filter(({ name }) => only === undefined || name === only)
if (!Number.isSafeInteger(seed) || seed < 1 || chosen.length === 0) {
  const names = GROUPS.map(({ name }) => name).join(', ')
  process.stderr.write(`Expected --seed to be a whole number from 1, and --only to be one of: ${names}\n`)
  process.exit(2)
}

const root = mkdtempSync(join(tmpdir(), 'memscope-attack-'))
const began = performance.now()
const all: Count[] = []
const failed: (Broken & { group: string })[] = []
for (const group of chosen) {
  const since = performance.now()
  const leftOut: string[] = []
  const ground: Ground = {
    seed,
    folder: () => mkdtempSync(join(root, `${group.name}-`)),
    leaveOut: (what, why) => void leftOut.push(`${what}: ${why}`),
  }
  const attacks = (await group.attacks(ground)).filter((attack) => kind === undefined || attack.kind === kind)
  const { counts, broken } = await strikeAll(attacks, ({ kind: of, name }, lost, ms) => {
    if (values.verbose) say(`  ${lost ? 'LOST' : 'held'} ${(ms / 1000).toFixed(1).padStart(5)} s  ${of}: ${name}`)
  })
  await group.close?.()
  const total = totalOf(counts.values())
  say(`${group.name}: ${ratio(total)} in ${seconds(since)}`)
  for (const [of, count] of [...counts].sort()) say(`  ${ratio(count).padStart(9)}  ${of}`)
  for (const what of leftOut) say(`  not attempted here: ${what}`)
  all.push(total)
  failed.push(...broken.map((one) => ({ ...one, group: group.name })))
}
const total = totalOf(all)
say(`\nseed ${seed}: ${total.attempted} attempted, ${total.held} held, in ${seconds(began)}`)
for (const { group, kind: of, name, why } of failed) {
  say(`\nDid not hold: ${group}/${of}: ${name}\n${why.replace(/^/gm, '  ')}`)
  say(`  Again: npm run attack -- --seed ${seed} --only "${group}/${of}"`)
}
if (failed.length === 0) rmSync(root, { recursive: true, force: true })
else say(`\nWhat they left is in ${root}`)
process.exit(failed.length === 0 && total.attempted > 0 ? 0 : 1)

function ratio({ attempted, held }: Count): string {
  return `${held} / ${attempted}`
}

function seconds(since: number): string {
  return `${Math.round((performance.now() - since) / 1000)} s`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
