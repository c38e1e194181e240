import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { DOMAINS } from '../../src/suites/meme/graph.js'
import { TARGETS } from './defects.js'
import { fillerFolder, filterPlanted } from './fillers.js'
import { killAtEveryStep } from './killed.js'
import { cleanIn, leftIn, openModels, temporaryFolder } from './measure.js'
import type { Planted } from './planter.js'
import { ownWordings, readWordings } from './wordings.js'

/*
 * Makes data with a model that plants defects, over HTTP, and says what is left of them: npm run making -- [--suite memfail,meme,memora]
 * What reads it over is another model, which sees nothing but what it is asked. With --kill, a small one is ended with SIGKILL at every step
 * and begun again: it must come out the same.
 */

const SIZES: Readonly<Record<string, { target: number; share: number }>> = {
  memfail: { target: 100, share: 0.25 },
  meme: { target: 60, share: 0.1 },
  memora: { target: 3, share: 0.04 },
}

/** Fillers among which those with conflicts are hidden. */
const CLEAN_FILLERS = 50

const { values } = parseArgs({
  options: {
    suite: { type: 'string', default: TARGETS.map(({ suite }) => suite).join(',') },
    show: { type: 'boolean', default: false },
    kill: { type: 'boolean', default: false },
    share: { type: 'string' },
    target: { type: 'string' },
    wordings: { type: 'string' },
  },
})

const share = (part: number, all: number) =>
  `${part} of ${all} (${all === 0 ? '-' : ((100 * part) / all).toFixed(1)} %)`

/** Small generations that between them come to every step. */
const SMALL: Readonly<Record<string, () => { suite?: string; flags: string[]; share: number }[]>> = {
  memfail: () => [
    { flags: ['--target', '6'], share: 0.1 },
    { suite: 'memfail/long-hop', flags: ['--target', '6', '--rules', 'paper'], share: 0.1 },
  ],
  meme: () => [
    { flags: ['--target', '2'], share: 0.1 },
    { flags: ['--target', '2', '--fillers', fillerFolder()], share: 0.1 },
  ],
  memora: () => [{ flags: ['--target', '1', '--days', '1'], share: 0.02 }],
}

const wordings = values.wordings === undefined ? ownWordings() : readWordings(pathToFileURL(values.wordings))

let isGood = true
for (const target of TARGETS.filter(({ suite }) => values.suite.split(',').includes(suite))) {
  if (values.kill) {
    for (const { suite = target.suite, flags, share } of SMALL[target.suite]!()) {
      const { kills, differ } = await killAtEveryStep({ ...target, suite }, flags, share)
      const named = differ.length > 0 ? `: ${differ.join(' ')}` : ''
      process.stdout.write(`${suite}: killed at ${kills.join(', ')}; ${differ.length} files differ${named}\n`)
      isGood &&= differ.length === 0
    }
    continue
  }
  const size = SIZES[target.suite]!
  const count = Number(values.target ?? size.target)
  const spoilt = Number(values.share ?? size.share)
  const models = await openModels(target, spoilt, wordings)
  const out = temporaryFolder()
  const { told } = await models.make({ target: count, out })
  await models.close()
  const { ledger } = models.writer
  const left = leftIn(out, ledger)
  const counted = (is: (one: Planted) => boolean) => share(left.filter(is).length, ledger.filter(is).length)
  const { clean, lost } = cleanIn(out, models.writer)
  process.stdout.write(`${told.join('')}\n${target.suite}: ${out}\n`)
  process.stdout.write(`  structural defects left      ${counted(({ isSemantic }) => !isSemantic)}\n`)
  process.stdout.write(`  semantic defects left        ${counted(({ isSemantic }) => isSemantic)}\n`)
  for (const kind of new Set(ledger.filter(({ isSemantic }) => isSemantic).map((one) => `${one.step} ${one.kind}`)))
    process.stdout.write(
      `    ${kind.padEnd(40)} ${counted((one) => one.isSemantic && `${one.step} ${one.kind}` === kind)}\n`,
    )
  process.stdout.write(`  clean ones lost              ${share(lost.length, clean)}\n\n`)
  if (values.show) for (const one of left) process.stdout.write(`  ${one.step} ${one.kind}: ${one.words}\n`)
  if (values.show) process.stdout.write(`  lost: ${lost.join(' ')}\n`)
  const semantic = ledger.filter((one) => one.isSemantic)
  isGood &&= left.every((one) => one.isSemantic) && left.length <= 0.05 * semantic.length && lost.length <= 0.02 * clean
}
if (!values.kill && values.suite.split(',').includes('meme'))
  for (const domain of DOMAINS) {
    const { planted, clean, left } = await filterPlanted(domain, { clean: CLEAN_FILLERS })
    const [kept, lost] = [planted.filter(({ id }) => left.has(id)), clean.filter((id) => !left.has(id))]
    process.stdout.write(`fillers of ${domain}\n`)
    process.stdout.write(`  conflicts left               ${share(kept.length, planted.length)}\n`)
    process.stdout.write(`  clean ones lost              ${share(lost.length, clean.length)}\n`)
    if (values.show) for (const { type, says } of kept) process.stdout.write(`  ${type}: ${says}\n`)
    isGood &&= kept.length === 0 && lost.length <= 0.02 * clean.length
  }
process.exitCode = isGood ? 0 : 1
