import { parseArgs } from 'node:util'
import { z } from 'zod'
import { ALPHA } from '../../src/analysis/paired.js'
import { readData } from '../../src/base/data-file.js'
import { searchCheats, type Tried } from './search.js'

/*
 * Looks for small changes to memories and answers that raise a number: npm run cheats -- [--seed 1] [--memfail 4] [--meme 6] [--memora quick] [--words 6]
 * A gain that is more than chance, and is not listed in known.json with its reason, ends it with 1.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    memfail: { type: 'string', default: '4' },
    meme: { type: 'string', default: '6' },
    memora: { type: 'string', default: 'quick' },
    words: { type: 'string', default: '6' },
  },
})

const sizeOf = (typed: string) => (typed === 'quick' ? typed : Number(typed))
const started = performance.now()
const tried = await searchCheats({
  seed: Number(values.seed),
  words: Number(values.words),
  sizes: { memfail: sizeOf(values.memfail), meme: sizeOf(values.meme), memora: sizeOf(values.memora) },
  tell: (message) => process.stderr.write(`${message}\n`),
})

const knownSchema = z.array(z.strictObject({ change: z.string(), why: z.string(), number: z.string().optional() }))
const known = readData(new URL('./known.json', import.meta.url), knownSchema)
const reasonFor = ({ change, number }: Tried) =>
  known.find((one) => change.startsWith(one.change) && (one.number ?? number) === number)?.why

const points = (share: number) => `${share > 0 ? '+' : ''}${(100 * share).toFixed(1)}`
const changes = [...new Set(tried.map(({ change }) => change))]
const isGain = ({ gain, corrected }: Tried) => gain > 0 && corrected <= ALPHA

process.stdout.write('| change | largest gain | 95 % | n | where | p | corrected |\n|---|---|---|---|---|---|---|\n')
for (const change of changes) {
  const own = tried.filter((one) => one.change === change)
  const [best] = own.toSorted((a, b) => Number(isGain(b)) - Number(isGain(a)) || b.gain - a.gain)
  const { gain, ci95, n, place, number, p, corrected } = best!
  const interval = `${points(ci95[0])} to ${points(ci95[1])}`
  const mark = isGain(best!) ? (reasonFor(best!) === undefined ? ' !' : ' (known)') : ''
  process.stdout.write(
    `| ${change}${mark} | ${points(gain)} | ${interval} | ${n} | ${place} ${number} | ${p.toFixed(4)} | ${corrected.toFixed(3)} |\n`,
  )
}

const gains = tried.filter(isGain)
const fresh = gains.filter((one) => reasonFor(one) === undefined)
const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(
  `\n${changes.length} changes on ${tried.length} numbers in ${seconds} s, seed ${values.seed}: ${gains.length} gains beyond chance, ${fresh.length} of them not listed.\n`,
)
for (const { change, place, number, gain, corrected } of fresh)
  process.stdout.write(`! ${change}: ${place} ${number} ${points(gain)} points, p ${corrected.toFixed(4)} corrected\n`)
for (const why of new Set(gains.flatMap((one) => reasonFor(one) ?? []))) process.stdout.write(`known: ${why}\n`)
process.exit(fresh.length > 0 ? 1 : 0)
