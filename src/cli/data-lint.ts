import { resolve } from 'node:path'
import pc from 'picocolors'
import { UserError } from '../base/errors.js'
import { mapGivingWay } from '../base/give-way.js'
import { inPercent } from '../base/percent.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import { DOMAINS } from '../suites/meme/graph.js'
import { lintOwn, lintPublished } from '../suites/meme/lint/index.js'
import { lint } from '../suites/memfail/lint/index.js'
import { loadTask } from '../suites/memfail/load.js'
import { lintOwn as lintLives, lintPublished as lintReleasedLives } from '../suites/memora/lint/index.js'
import { daysFrom } from '../suites/memora/load.js'
import { PERSONAS } from '../suites/memora/seed.js'
import { type Typed, wholeNumber } from './args.js'
import { homeAt, openEmbedder } from './compose.js'
import { suitesIn } from './data-folder.js'
import { DAYS } from './data-lives.js'
import { memfailTasks } from './data-tasks.js'

/** Violations shown a rule; the JSON has them all. */
const MOST_SHOWN = 8
/** Generated MEME episodes that are checked a domain, and of how many fillers are read. */
const EPISODES = '450'
const FILLED = 2

/** What any lint reports about one corpus. */
interface Report {
  rows: number
  rules: { name: string; about: string; broken: number }[]
  violations: { rule: string; row: string; message: string }[]
}

/** `memscope data lint`: is a corpus what it should be? Exit 1 when a rule is broken. */
export async function lintData({ list, text }: Typed): Promise<number> {
  const folder = text.data === undefined ? undefined : resolve(text.data)
  const names = list.suite ?? [suiteIn(folder)]
  const suite = names.find((name) => name === 'meme' || name === 'memora') ?? 'memfail'
  if (suite !== 'memfail' && names.length > 1)
    throw new UserError('Corpora of two suites cannot be checked at once.', 'Name one suite.')
  const json = text.json === '-'
  const reports =
    suite === 'meme'
      ? await lintMeme(folder, text, json)
      : suite === 'memora'
        ? await lintMemora(folder, text, json)
        : await lintMemfail(names, folder, json)
  const broken = reports.reduce((sum, { violations }) => sum + violations.length, 0)
  if (json) process.stdout.write(`${JSON.stringify({ suite, violations: broken, corpora: reports }, null, 2)}\n`)
  else process.stdout.write(`\n${broken === 0 ? 'No rule is broken.' : `${broken} violations.`}\n`)
  return broken === 0 ? 0 : 1
}

/** The suite whose data a folder holds. */
function suiteIn(folder: string | undefined): string {
  if (folder === undefined) return 'memfail'
  const held = suitesIn(folder).map(({ name }) => name)
  return ['meme', 'memora'].find((name) => held.includes(name)) ?? 'memfail'
}

function lintMemfail(names: string[], folder: string | undefined, json: boolean): Promise<Report[]> {
  return mapGivingWay(memfailTasks(names), (task) => {
    const report = lint(task, folder, loadTask(task, folder, 'released'))
    const scores = Object.entries(report.guessers).map(([name, score]) => `${name} ${inPercent(score)}`)
    if (!json) show(`memfail/${task}`, 'rows', report, scores.length > 0 ? [`guessers: ${scores.join(', ')}`] : [])
    return report
  })
}

async function lintMeme(folder: string | undefined, text: Typed['text'], json: boolean): Promise<Report[]> {
  const episodes = wholeNumber('n', text.n ?? EPISODES, 1, 100_000)
  const seed = wholeNumber('seed', text.seed ?? '42', 0)
  const { judgeFacts } = createLexicalJudge()
  const reports = folder === undefined ? [] : lintPublished(folder)
  if (folder === undefined) {
    for (const domain of DOMAINS)
      reports.push(await lintOwn(domain, { seed, episodes, filled: Math.min(FILLED, episodes), judgeFacts }))
  }
  for (const report of json ? [] : reports) {
    const figures = Object.entries(report.figures).map(([name, figure]) => `${name}: ${figure}`)
    show(`meme/${report.corpus}`, 'episodes', report, figures)
  }
  return reports
}

async function lintMemora(folder: string | undefined, text: Typed['text'], json: boolean): Promise<Report[]> {
  const personas = wholeNumber('n', text.n ?? String(PERSONAS.length), 1, PERSONAS.length)
  const seed = wholeNumber('seed', text.seed ?? '42', 0)
  const [days = 0, ...others] = daysFrom(text.days ?? DAYS)
  if (others.length > 0) throw new UserError('Lives of one duration are checked at a time.', 'Give --days one number.')
  const reports =
    folder === undefined ? [await lintOwnLives({ seed, days, personas }, text.home)] : lintReleasedLives(folder)
  for (const report of json ? [] : reports) {
    const figures = Object.entries(report.figures).map(([name, figure]) => `${name}: ${figure}`)
    show(`memora/${report.corpus}`, 'lives', report, figures)
  }
  return reports
}

async function lintOwnLives(what: Omit<Parameters<typeof lintLives>[0], 'embedder'>, home: string | undefined) {
  const embedder = await openEmbedder('minilm', homeAt(home))
  try {
    return await lintLives({ ...what, embedder })
  } finally {
    await embedder.close()
  }
}

function show(title: string, unit: string, { rows, rules, violations }: Report, notes: readonly string[]): void {
  process.stdout.write(`\n${pc.bold(title)}  ${rows} ${unit}\n`)
  const width = Math.max(...rules.map(({ name }) => name.length))
  for (const { name, about, broken } of rules) {
    const mark = broken === 0 ? pc.green('pass') : pc.red(String(broken).padStart(4))
    process.stdout.write(`  ${mark}  ${name.padEnd(width)}  ${pc.dim(about)}\n`)
    const found = violations.filter(({ rule }) => rule === name)
    for (const { row, message } of found.slice(0, MOST_SHOWN))
      process.stdout.write(`        ${placeOf(row)}: ${message}\n`)
    if (found.length > MOST_SHOWN)
      process.stdout.write(`        … and ${found.length - MOST_SHOWN} more (all with --json -)\n`)
  }
  for (const note of notes) process.stdout.write(`  ${pc.dim(note)}\n`)
}

function placeOf(row: string): string {
  if (row === '*') return 'corpus'
  return /^\d/.test(row) || /^[\w-]+$/.test(row) ? `row ${row}` : row
}
