import { accessSync, appendFileSync, constants, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { ComparableRun } from '../analysis/comparable.js'
import { UserError } from '../base/errors.js'
import { makeFolder, PRIVATE_FOLDER } from '../base/folders.js'
import { entryOf, groupBy } from '../base/group-by.js'
import type { Plan, PlannedLife } from '../engine/plan.js'
import { placeKey, type ScoredQuestion, type Suite, scoreName } from '../model/index.js'
import { renderBadge } from '../report/badge.js'
import { writeCsv } from '../report/csv.js'
import { evaluateGate, type PlannedCell, requireGate } from '../report/gate.js'
import { writeJunit } from '../report/junit.js'
import { renderMarkdown, summaryMarkdown } from '../report/markdown.js'
import { questionResults } from '../report/question-results.js'
import { PAGE_TRACES, Traces } from '../report/question-traces.js'
import type { QuestionResult } from '../report/report-data.js'
import { renderScreen } from '../report/screen.js'
import type { Sink } from '../report/sink.js'
import { summaryJson, type WrittenSummary } from '../report/summary-json.js'
import { againstBaseline, type FoundBaseline } from './baseline.js'
import { baselineJson, fileOfBaseline } from './comparable-run.js'
import type { KeptRun } from './kept-run.js'
import { requireApart } from './output-places.js'
import { reportData } from './read-report-data.js'
import type { KEPT_RESULTS } from './settings/results.js'
import type { OptionsOf } from './settings/setting.js'
import type { HomeOptions, KeptRunOptions, OutputOptions, RunResult, TextOutput } from './types.js'
import { writeWhole } from './whole-file.js'

/** Failures with the same outcomes, of one task and system, that an example is chosen from. */
export const EXAMPLES = 3

const FORMATS = ['json', 'html', 'md', 'csv', 'junit', 'badge'] as const

/** Finds out before hours of work that a result could not be written after them. */
export function checkOutputs(outputs: OutputOptions & Pick<KeptOutputs, 'badge'> & Pick<HomeOptions, 'home'>): void {
  for (const format of FORMATS) {
    const path = outputs[format]
    if (typeof path !== 'string') continue
    const folder = dirname(resolve(path))
    try {
      if (!statSync(folder).isDirectory()) throw new Error('not a folder')
      accessSync(folder, constants.W_OK)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : error
      throw new UserError(
        `--${format} ${path} cannot be written: ${folder} is not a folder you can write to (${code}).`,
        'Make the folder first, or choose another place.',
      )
    }
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UserError(`--${format} ${path} is a folder.`, 'Name a file in it.')
  }
  const places = FORMATS.flatMap((format) => {
    const path = outputs[format]
    return typeof path === 'string' ? [[format, path] as const] : []
  })
  requireApart(places, outputs.home)
}

/** Finds out before anything is run that a gate cannot be read, or is about what will not be there. */
export function checkGate({ failUnder }: OutputOptions, plan: Plan): void {
  if (failUnder !== undefined) requireGate(failUnder, plannedCells(plan))
}

/** What a run that is kept can be written as, besides. */
type KeptOutputs = OptionsOf<typeof KEPT_RESULTS> & Omit<KeptRunOptions, 'run'>

/** Writes a run in every format asked for, holds it against its baseline, and sums it up. */
export async function publishRun(
  kept: KeptRun,
  outputs: OutputOptions & KeptOutputs,
  found: FoundBaseline | null = null,
): Promise<Omit<RunResult, 'explained'>> {
  const { record, workshop, store, home } = kept
  const { plan } = workshop
  const { text, failUnder } = outputs
  // A screen shows one failure of them all; a page has room for many.
  const most = outputs.html !== undefined ? PAGE_TRACES : text ? EXAMPLES : 0
  const traces = most > 0 ? new Traces(plan, { most }) : null
  const resultsOf = questionResults(plan)
  const questions: QuestionResult[] = []
  const { data, analysis, comparable } = await reportData(kept, traces, (life) => {
    if (outputs.junit !== undefined) for (const result of resultsOf(life)) questions.push(result)
  })
  const { summary } = analysis
  await store.updateRun(record.id, { status: summary.status })
  const [newest] = await store.listRuns()
  const typed = { run: newest?.id === record.id ? 'last' : record.id, home: outputs.home, shared: home.store !== null }
  if (text) {
    await text.write(renderScreen(data, { ...shownText(text), typed }))
  }
  const json = summaryJson(summary)
  await writeTo(outputs.json, (write) => write(json))
  await writeTo(outputs.md, (write) => write(renderMarkdown(data)))
  await writeTo(outputs.csv, (write) => writeCsv(summary, write))
  const baseline = found && (await againstBaseline(found, comparable, summary.status, outputs))
  await writeTo(outputs.junit, (write) => writeJunit(questions, write, baseline?.gate.checks))
  if (outputs.saveBaseline !== undefined) await keepBaseline(outputs.saveBaseline, comparable, outputs.home)
  const html = outputs.html === true ? join(home.reports, `${record.id}.html`) : outputs.html
  if (html !== undefined) {
    // A page that nobody named lies in the home, for its owner alone.
    const isPrivate = outputs.html === true
    makeFolder(dirname(resolve(html)), isPrivate ? PRIVATE_FOLDER : undefined)
    await writeTo(
      html,
      async (write) => {
        const { writeHtml } = await import('../report/html.js')
        await writeHtml(data, write, { typed: { ...typed, run: record.id } })
      },
      isPrivate,
    )
  }
  if (outputs.bundle !== undefined) {
    const { writeBundle } = await import('./view/bundle.js')
    await writeBundle(kept, outputs.bundle)
  }
  const isSvg = typeof outputs.badge === 'string' && outputs.badge.endsWith('.svg')
  await writeTo(outputs.badge, (write) => write(renderBadge(data, isSvg ? 'svg' : 'json')))
  const gate = failUnder === undefined || summary.status === 'invalid' ? null : evaluateGate(summary, failUnder)
  if (outputs.jobSummary !== undefined) {
    const gates = [gate, baseline?.gate].filter((one) => one != null)
    appendFileSync(outputs.jobSummary, summaryMarkdown(data, gates, baseline))
  }
  return {
    run: record.id,
    summary: JSON.parse(json) as WrittenSummary,
    gate,
    baseline: summary.status === 'invalid' ? null : baseline,
    html: html === undefined ? null : resolve(html),
  }
}

/** Keeps a run as a baseline, in the home or in a file. */
async function keepBaseline(name: string, run: ComparableRun, home?: string): Promise<void> {
  const file = fileOfBaseline(name, home)
  // By a name alone it lies in the home.
  const isPrivate = file !== name
  makeFolder(dirname(resolve(file)), isPrivate ? PRIVATE_FOLDER : undefined)
  await writeWhole(file, (write) => write(baselineJson(run)), { isPrivate })
}

/** How text is drawn, where nothing is known of the terminal. */
export function shownText({ color = false, width = 80 }: TextOutput): { color: boolean; width: number } {
  return { color, width }
}

/** Writes a format to its file or function, where it was asked for. */
export async function writeTo(
  to: string | Sink | undefined,
  produce: (write: Sink) => void | Promise<void>,
  isPrivate = false,
): Promise<void> {
  if (typeof to === 'string') await writeWhole(to, produce, { isPrivate })
  else if (to) await produce(to)
}

/** Scores that the harness gives to every cell. */
const COMMON = ['ceiling', 'success']

/** The cells that a plan will have, guessers included, so that gates can be matched before anything is run. */
function plannedCells({ lives }: Plan): PlannedCell[] {
  const cells = new Map<string, PlannedCell>()
  const all = lives.flatMap((life) => life.asks.map((ask) => ({ ...life, ...ask })))
  const tasks = groupBy(all, ({ suite, question }) => `${suite.name}/${question.task}`)
  const scores = new Map([...tasks].map(([task, own]) => [task, scoresOf(own[0]!.suite, own)]))
  for (const { suite, key, readers, question, depths } of all)
    for (const depth of depths) {
      const place = { suite: suite.name, task: question.task, subject: key.subject, depth }
      const own = scores.get(`${suite.name}/${question.task}`)!
      entryOf(cells, placeKey(place), () => ({ ...place, answered: readers.length > 0, scores: own }))
    }
  const guessed = [...tasks.values()].flatMap(([first]) => {
    const { suite, question } = first!
    const place = { suite: suite.name, task: question.task, depth: 'all', answered: true, scores: [] } as const
    return suite.guessers.map(({ name }): PlannedCell => ({ ...place, subject: { guesser: name } }))
  })
  return [...cells.values(), ...guessed]
}

/** Names of the scores a suite gives to a task: those it makes of its questions while nothing of them is known. */
function scoresOf(suite: Suite, asks: readonly PlannedLife['asks'][number][]): string[] {
  const nothing = { scenario: '', outcome: null, evidence: null, answer: null, verdict: null, pair: null }
  const results = asks.map(({ question }): ScoredQuestion => {
    return { question, ...nothing, facts: [], outdated: [], side: {} }
  })
  const names = [true, false].flatMap((reader) => (suite.score?.(results, { reader }) ?? []).map(scoreName))
  return [...new Set([...COMMON, ...names])]
}
