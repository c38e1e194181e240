import { pathToFileURL } from 'node:url'
import { UserError, unknownName } from '../../base/errors.js'
import { inPercent } from '../../base/figures.js'
import { giveWay } from '../../base/give-way.js'
import { wholeNumber } from '../../base/whole-number.js'
import {
  type DataFile,
  type DataOptions,
  GENERATION_CONFIG,
  type LintedCorpus,
  type LintOptions,
  type WriteOptions,
} from '../../model/index.js'
import { toPublished } from './export.js'
import { measureTextOverlap } from './generate/diversity.js'
import { GENERATOR_VERSION, generateRows, MOST_ROWS } from './generate/index.js'
import { goldCases } from './gold.js'
import { lint } from './lint/index.js'
import { loadTask } from './load.js'
import { type MemfailTask, TASKS } from './material.js'
import { type OwnKind, ownFile, readOwn, rowKind } from './own.js'

const FORMATS = ['jsonl', 'published', 'gold']

/** Checks the rows of every task, bundled or in a folder. */
export async function* lintRows({ tasks, data }: LintOptions): AsyncGenerator<LintedCorpus> {
  for (const task of tasksFrom(tasks)) {
    await giveWay()
    const report = lint(task, data, loadTask(task, data, 'released'))
    const scores = Object.entries(report.guessers).map(([name, score]) => `${name} ${inPercent(score)}`)
    yield { name: task, report, notes: scores.length > 0 ? [`guessers: ${scores.join(', ')}`] : [] }
  }
}

/** Fresh rows for a seed, a file a kind, with what made them; or how alike they are. */
export async function writeRows(
  options: WriteOptions,
): Promise<DataFile[] | { told: Iterable<string>; files?: DataFile[] }> {
  const { seed, extra, stdout, harness, making } = options
  if (making) return (await import('./pipeline/index.js')).makeRows(tasksFrom(options.tasks), making, options)
  const n = wholeNumber('n', extra.n ?? '1000', 1, MOST_ROWS)
  const kinds = [...new Set(tasksFrom(options.tasks).map(rowKind))]
  if (extra.diversity !== undefined) {
    const told: string[] = []
    for (const kind of kinds) told.push(await diversityWords(kind, n, seed))
    return { told }
  }
  if (stdout && kinds.length > 1)
    throw new UserError(
      'Rows of several tasks cannot share standard output.',
      'Name one task with --suite memfail/<task>, or give a folder.',
    )
  const files = kinds.map(
    (kind): DataFile => ({ path: ownFile(kind), lines: rowLines(kind, n, seed), note: `${n} rows` }),
  )
  if (stdout) return files
  const config = {
    generator: 'memscope',
    version: harness,
    grammar: GENERATOR_VERSION,
    seed,
    rows: n,
    kinds,
    dedup: 'by construction; checked by memscope data lint',
  }
  return [...files, { path: GENERATION_CONFIG, lines: [`${JSON.stringify(config, null, 2)}\n`], companion: true }]
}

/** Rows in our layout, in the authors' CSV, or intact and damaged versions of every fact as labelled cases for `memscope judge eval`. */
export async function exportRows({ tasks, data, extra, stdout }: WriteOptions): Promise<DataFile[]> {
  if (stdout)
    throw new UserError('Files of memfail cannot share standard output.', 'Give a folder with --out <folder>.')
  const format = extra.format ?? 'jsonl'
  if (!FORMATS.includes(format)) throw unknownName('format', format, FORMATS)
  const from = data === undefined ? undefined : pathToFileURL(`${data}/`)
  const asked = tasksFrom(tasks)
  if (format === 'gold') return [{ path: 'gold.jsonl', lines: goldLines(asked, data) }]
  const files = new Map<string, DataFile>()
  for (const task of asked) {
    const own = readOwn(task, from)
    if (format === 'jsonl') {
      const path = ownFile(rowKind(task))
      files.set(path, { path, lines: own.rows.map((row) => `${JSON.stringify(row)}\n`) })
    } else {
      const { path, text, dropped } = toPublished(task, own)
      files.set(path, { path, lines: [text], note: `without ${dropped.join(', ')}` })
    }
  }
  return [...files.values()]
}

function tasksFrom(tasks: DataOptions['tasks']): MemfailTask[] {
  return TASKS.filter((task) => tasks?.includes(task) ?? true)
}

function* rowLines(kind: OwnKind, n: number, seed: number): Generator<string> {
  for (const row of generateRows(kind, n, seed)) yield `${JSON.stringify(row)}\n`
}

function* goldLines(tasks: readonly MemfailTask[], folder: string | undefined): Generator<string> {
  for (const task of tasks)
    for (const one of goldCases(loadTask(task, folder, 'released'))) yield `${JSON.stringify(one)}\n`
}

async function diversityWords(kind: OwnKind, n: number, seed: number): Promise<string> {
  const { texts, pairs, overlap } = await measureTextOverlap(generateRows(kind, n, seed), seed)
  const figures = Object.values(overlap).map((share) => share.toFixed(3))
  return `${kind.padEnd(12)} ${texts} stored texts; mean overlap of 1/2/3-grams over ${pairs} pairs: ${figures.join(' / ')}\n`
}
