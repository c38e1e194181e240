import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { TARGETS } from './defects.js'
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

const SMALL: Readonly<Record<string, string[]>> = {
  memfail: ['--target', '6'],
  meme: ['--target', '2'],
  memora: ['--target', '1', '--days', '1'],
}

const wordings = values.wordings === undefined ? ownWordings() : readWordings(pathToFileURL(values.wordings))

let isGood = true
for (const target of TARGETS.filter(({ suite }) => values.suite.split(',').includes(suite))) {
  if (values.kill) {
    const { kills, differ } = await killAtEveryStep(target, SMALL[target.suite]!, 0.1)
    process.stdout.write(
      `${target.suite}: killed at ${kills.join(', ')}; ${differ.length} files differ ${differ.join(' ')}\n`,
    )
    isGood &&= differ.length === 0
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
process.exitCode = isGood ? 0 : 1
