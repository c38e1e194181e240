import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UserError, unknownName } from '../base/errors.js'
import { makePrivateFolder } from '../base/folders.js'
import { groupBy } from '../base/group-by.js'
import { cohen } from '../base/intervals.js'
import { Random } from '../base/random.js'
import { wholeNumber } from '../base/whole-number.js'
import { GENERATION_CONFIG, type ReviewRow } from '../model/index.js'
import { suitesFrom, suitesIn } from './asked-suites.js'
import { hearControl, stoppable } from './control.js'
import { Parts } from './own-parts.js'
import { REVIEWERS, type RowVerdict, readTableVerdicts, tableFiles, writeReviewTable } from './review-tables.js'
import type { Control, OpenReviewOptions, ReviewDataOptions, ReviewedData } from './types.js'
import { view } from './view/serve.js'
import type { OpenedViewer } from './view-types.js'
import { writeWhole } from './whole-file.js'

/** Share of rows that people look over unless told otherwise. */
const SHARE = 0.05

/**
 * Draws rows of generated data for two people, each with a table and an order of their own, and nothing that a model or a rule found. Called
 * again once both have written their verdicts, it says how they agree; what either rejects is listed for `generateData` to make anew.
 */
export async function reviewData(asked: ReviewDataOptions, control: Control = {}): Promise<ReviewedData> {
  return stoppable(hearControl(control), () => reviewed(asked))
}

async function reviewed(asked: ReviewDataOptions): Promise<ReviewedData> {
  const { data, out } = asked
  if (data === undefined || out === undefined)
    throw new UserError('What is looked over, and where do the tables go?', 'Give --data <folder> and --out <folder>.')
  const folder = resolve(data)
  const [named] =
    asked.suite === undefined
      ? [{ suite: suitesIn(folder)[0]! }]
      : await suitesFrom(asked.suite, undefined, new Parts())
  const { suite } = named!
  if (!suite.data?.review) throw new UserError(`Data of ${suite.name} is not looked over row by row.`)
  const rows = await suite.data.review(folder)
  const files = tableFiles(out)
  const [missing, ...more] = files.filter((file) => !existsSync(file))
  if (missing === undefined) return readTables(files, rows, rejectedBefore(folder), resolve(out))
  // What one of them decided must not be lost, and both must be shown the same rows.
  if (more.length === 0)
    throw new UserError(`${missing} is gone.`, 'Put it back, or choose an empty folder with --out.')
  return writeTables(files, rows, asked)
}

/** The table of one reviewer in a browser, drawn first where there is none; what is decided goes into it at once. */
export async function openReview(
  { reviewer, port, ...asked }: OpenReviewOptions,
  control: Control = {},
): Promise<OpenedViewer> {
  const at = REVIEWERS.indexOf(reviewer)
  if (at < 0) throw unknownName('reviewer', reviewer, REVIEWERS)
  if (asked.out === undefined) throw new UserError('Where are the tables?', 'Give --out <folder>.')
  const table = tableFiles(asked.out)[at]!
  if (!existsSync(table)) await reviewData(asked, control)
  const { home } = asked
  return view({ table, ...(home !== undefined && { home }), ...(port !== undefined && { port }) }, control)
}

async function writeTables(
  files: readonly string[],
  rows: readonly ReviewRow[],
  { sample, seed = 42, out }: ReviewDataOptions,
): Promise<ReviewedData> {
  const chosen = drawn(rows, sample, Number(seed))
  makePrivateFolder(resolve(out!))
  for (const file of files) {
    const order = new Random(`review ${seed} ${file.slice(-5)}`).shuffle([...chosen])
    await writeReviewTable({
      file,
      rows: order.map(({ id, text, claim }) => ({ id, text, claim, verdict: '', note: '' })),
    })
  }
  return { written: [...files], rows: chosen.length }
}

/** Rows of every stratum in proportion, at least one of each; all of them when asked for. */
function drawn(rows: readonly ReviewRow[], sample: ReviewDataOptions['sample'], seed: number): ReviewRow[] {
  if (sample === 'all') return [...rows]
  const share = sample === undefined ? SHARE : wholeNumber('sample', sample, 1) / rows.length
  return [...groupBy(rows, ({ stratum }) => stratum)].flatMap(([stratum, own]) =>
    new Random(`review ${seed} ${stratum}`).shuffle([...own]).slice(0, Math.max(1, Math.round(share * own.length))),
  )
}

/** What was rejected before this data was made anew: it must not come back. */
function rejectedBefore(folder: string): string[] {
  const file = join(folder, GENERATION_CONFIG)
  return existsSync(file) ? ((JSON.parse(readFileSync(file, 'utf8')) as { rejected?: string[] }).rejected ?? []) : []
}

async function readTables(
  files: readonly string[],
  rows: readonly ReviewRow[],
  before: readonly string[],
  out: string,
): Promise<ReviewedData> {
  const [first, second] = files.map(readTableVerdicts) as [Map<string, RowVerdict>, Map<string, RowVerdict>]
  const both = [...first].flatMap(([id, verdict]): [string, RowVerdict, RowVerdict][] => {
    const other = second.get(id)
    return other === undefined ? [] : [[id, verdict, other]]
  })
  const bad = new Set(both.filter(([, a, b]) => a === 'reject' || b === 'reject').map(([id]) => id))
  const known = new Map(rows.map((row) => [row.id, row]))
  const batches = new Set([...bad].flatMap((id) => known.get(id)?.batch ?? []))
  // A batch stands or falls as a whole.
  const found = rows.filter(({ id, batch }) => bad.has(id) || (batch !== undefined && batches.has(batch)))
  const rejected = found.map(({ id }) => id)
  const pairs = both.map(([, a, b]): [RowVerdict, RowVerdict] => [a, b])
  const file = join(out, 'rejected.json')
  const agreed = pairs.filter(([a, b]) => a === b).length
  const result = { n: both.length, agreed, kappa: cohen(pairs).kappa }
  const all = { ...result, rejected: [...new Set([...before, ...rejected])] }
  await writeWhole(file, (write) => write(`${JSON.stringify(all, null, 2)}\n`))
  return { ...result, rejected, file }
}
