import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type ComparableRun, ComparedLives, comparableRunSchema } from '../analysis/comparable.js'
import { analyseRun } from '../analysis/summarize.js'
import { messageOf, UserError } from '../base/errors.js'
import { mapJudgePair } from '../model/index.js'
import { homeAt, resultKeys } from './compose.js'
import { findRun, keptRequest, type OpenOptions, withKeptRun } from './kept-run.js'
import { openRunStore } from './open-store.js'
import type { HomeOptions, KeptRunOptions } from './types.js'

const Kept = comparableRunSchema.extend({ baseline: z.literal(1) })

/** Where something to compare with lies: a file, or a run of the home. */
export type ComparableSource = { file: string } | { run: string }

/**
 * Finds a run by its id, the beginning of it or `last`, a baseline by the name it was kept under, or the file of one. A baseline comes before a
 * run of the same name.
 */
export async function findComparable({ run: name, home, store: address }: KeptRunOptions): Promise<ComparableSource> {
  const named = baselineFile(name, home)
  if (named !== null && existsSync(named)) return { file: named }
  if (isPath(name)) {
    if (existsSync(name)) return { file: name }
    throw new UserError(`There is no ${name}.`, 'Write one with: memscope report <run> --save-baseline <file>')
  }
  const place = homeAt(home, address)
  // Looking for something leaves no trace.
  if (place.store === null && !existsSync(place.database))
    throw new UserError(`There is no run or baseline "${name}": nothing was run here yet.`, 'Start with: memscope run')
  const store = await openRunStore(place)
  try {
    return { run: (await findRun(store, name)).id }
  } finally {
    await store.close()
  }
}

/** The file in which a baseline is kept: what was typed where that is a path, else one of that name in the home. */
export function fileOfBaseline(name: string, home?: string): string {
  const named = baselineFile(name, home)
  if (named === null && !isPath(name))
    throw new UserError(
      `"${name}" is no name for a baseline.`,
      'Use letters, digits, dots and dashes, or name a file that ends in .json.',
    )
  return named ?? name
}

function baselineFile(name: string, home?: string): string | null {
  return /^[\w][\w.-]*$/.test(name) && !isPath(name) ? join(homeAt(home).baselines, `${name}.json`) : null
}

function isPath(name: string): boolean {
  return /[/\\]|\.json$/.test(name)
}

/** What is told of something to compare with before its results are read. */
export async function headOf(
  source: ComparableSource,
  { home, store: address }: HomeOptions,
): Promise<Pick<ComparableRun, 'setting' | 'status'>> {
  if ('file' in source) return readBaseline(source.file)
  const store = await openRunStore(homeAt(home, address))
  try {
    const { request, status } = await findRun(store, source.run)
    return { setting: keptRequest(request).settingParts, status }
  } finally {
    await store.close()
  }
}

/** Everything that is compared of a run or baseline. A run is read as it was judged, also where the judge has changed since. */
export async function readComparable(
  source: ComparableSource,
  { despite, note, ...asked }: Omit<KeptRunOptions, 'run'> & { despite: readonly string[]; note?: OpenOptions['note'] },
): Promise<ComparableRun> {
  if ('file' in source) return readBaseline(source.file)
  const usage = 'Usage: memscope compare <run> <run>'
  return withKeptRun(
    { ...asked, run: source.run },
    { usage, despite, ...(note && { note }) },
    async ({ record, workshop, store }) => {
      const { settingParts } = keptRequest(record.request)
      const judge = { facts: settingParts['fact judge']!, answers: settingParts['answer judge']! }
      const keys = { ...resultKeys(workshop), judge, judgedAgain: [] }
      const lives = new ComparedLives()
      const names = mapJudgePair(workshop.judge, ({ name }) => name)
      const { summary } = await analyseRun(record, workshop.plan, names, keys, store, (life) => lives.add(life))
      return lives.run(summary, settingParts)
    },
  )
}

/** A run as a baseline is written. */
export function baselineJson(run: ComparableRun): string {
  return `${JSON.stringify({ baseline: 1, ...run })}\n`
}

function readBaseline(file: string): ComparableRun {
  let written: unknown
  try {
    written = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`${file} cannot be read as a baseline: ${messageOf(error)}`, HOW)
  }
  const { success, data, error } = Kept.safeParse(written)
  if (!success) {
    const [first] = error.issues
    throw new UserError(`${file} is no baseline: ${first?.path.join('.') || 'it'}: ${first?.message}`, HOW)
  }
  const { baseline, ...run } = data
  const isThere = ({ question, contestant }: { question: number; contestant: number }) =>
    question < run.questions.length && contestant < run.contestants.length
  if (!run.results.every(isThere))
    throw new UserError(`${file} is no baseline: results of questions that are not there.`, HOW)
  return run
}

const HOW = 'Write one with: memscope report <run> --save-baseline <name or file>'
