import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UserError } from '../base/errors.js'
import { makeFolder } from '../base/folders.js'
import { diversityOf } from '../suites/memfail/generate/diversity.js'
import { GENERATOR_VERSION, generateRows, MOST_ROWS } from '../suites/memfail/generate/index.js'
import { kindOf, type OwnKind, ownFile } from '../suites/memfail/own.js'
import { type Typed, wholeNumber } from './args.js'
import { memfailTasks } from './data-tasks.js'
import { isOutputClosed, writeOutput } from './streams.js'
import { harnessVersion } from './version.js'
import { writeWhole } from './whole-file.js'

/** `memscope data generate`: fresh rows for a seed, streamed to a file or to standard output. */
export async function generateData({ list, text, on }: Typed): Promise<number> {
  const n = wholeNumber('n', text.n ?? '1000', 1, MOST_ROWS)
  const seed = wholeNumber('seed', text.seed ?? '42', 0)
  const kinds = [...new Set(memfailTasks(list.suite).map(kindOf))]
  if (on.diversity) {
    for (const kind of kinds) await showDiversity(kind, n, seed)
    return 0
  }
  if (text.out === '-') {
    if (kinds.length > 1)
      throw new UserError(
        'Rows of several tasks cannot share standard output.',
        'Name one task with --suite memfail/<task>, or give a folder.',
      )
    for (const line of lines(kinds[0]!, n, seed)) {
      if (isOutputClosed()) break
      if (!process.stdout.write(line)) await writeOutput('')
    }
    return 0
  }
  if (text.out === undefined)
    throw new UserError(
      'Where shall the rows go?',
      'Give a folder with --out <folder>, or --out - for standard output.',
    )
  const out = resolve(text.out)
  for (const kind of kinds) {
    if (existsSync(join(out, ownFile(kind))))
      throw new UserError(`${join(out, ownFile(kind))} is there already.`, 'Choose another folder.')
  }
  makeFolder(out)
  for (const kind of kinds) {
    const file = join(out, ownFile(kind))
    await writeWhole(file, async (write) => {
      for (const line of lines(kind, n, seed)) await write(line)
    })
    process.stdout.write(`${file}  ${n} rows\n`)
  }
  const config = {
    generator: 'memscope',
    version: harnessVersion(),
    grammar: GENERATOR_VERSION,
    seed,
    rows: n,
    kinds,
    dedup: 'by construction; checked by memscope data lint',
  }
  await writeWhole(join(out, 'generation_config.json'), (write) => write(`${JSON.stringify(config, null, 2)}\n`))
  return 0
}

function* lines(kind: OwnKind, n: number, seed: number): Generator<string> {
  for (const row of generateRows(kind, n, seed)) yield `${JSON.stringify(row)}\n`
}

async function showDiversity(kind: OwnKind, n: number, seed: number): Promise<void> {
  const { texts, pairs, overlap } = await diversityOf(generateRows(kind, n, seed), seed)
  const figures = Object.values(overlap).map((share) => share.toFixed(3))
  process.stdout.write(
    `${kind.padEnd(12)} ${texts} stored texts; mean overlap of 1/2/3-grams over ${pairs} pairs: ${figures.join(' / ')}\n`,
  )
}
