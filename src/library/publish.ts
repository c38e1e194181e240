import { accessSync, constants, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { analyse } from '../analysis/summarize.js'
import { UserError } from '../base/errors.js'
import { makeFolder } from '../base/folders.js'
import { entryOf, groupBy } from '../base/group-by.js'
import type { Plan, PlannedLife } from '../engine/plan.js'
import { ofBoth, placeKey, type ScoredQuestion, type Suite, scoreName, subjectKey } from '../model/index.js'
import { assemble } from '../report/assemble.js'
import { PRICES } from '../report/costs.js'
import { writeCsv } from '../report/csv.js'
import type { QuestionResult } from '../report/data.js'
import { evaluateGate, type PlannedCell, requireGate } from '../report/gate.js'
import { writeJunit } from '../report/junit.js'
import { renderMarkdown } from '../report/markdown.js'
import { questionResults } from '../report/question-results.js'
import type { Sink } from '../report/sink.js'
import { summaryJson, type WrittenSummary } from '../report/summary-json.js'
import { renderTerminal } from '../report/terminal.js'
import { Traces } from '../report/traces.js'
import { choicesOf } from './choices.js'
import { resultKeys } from './compose.js'
import { type KeptRun, keptRequest } from './kept-run.js'
import type { OutputOptions, RunResult } from './types.js'
import { writeWhole } from './whole-file.js'

/** Parts of the setting that stand among the choices already. */
const TOLD = ['suites', 'view', 'seed', 'size', 'embedder']

/** What other parts of the setting are called in reports. */
const PART_WORDS: Record<string, string> = {
  layout: 'hash of the suites’ own settings',
  readers: 'exact readers',
  'fact judge': 'exact judge of facts',
  'answer judge': 'exact judge of answers',
}

const FORMATS = ['json', 'html', 'md', 'csv', 'junit'] as const

/** Finds out before hours of work that a result could not be written after them. */
export function checkOutputs(outputs: OutputOptions): void {
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
}

/** Finds out before anything is run that a gate cannot be read, or is about what will not be there. */
export function checkGate({ failUnder }: OutputOptions, plan: Plan): void {
  if (failUnder !== undefined) requireGate(failUnder, plannedCells(plan))
}

/** Writes a run in every format asked for, and sums it up. */
export async function publish(
  { record, workshop, store, home }: KeptRun,
  outputs: OutputOptions,
): Promise<Omit<RunResult, 'explained'>> {
  const { plan, judge, embed } = workshop
  const keys = resultKeys(workshop)
  const traces = new Traces(plan)
  const resultsOf = questionResults(plan)
  const questions: QuestionResult[] = []
  const analysis = await analyse(
    record,
    plan,
    ofBoth(judge, ({ name }) => name),
    keys,
    store,
    async (life) => {
      if (outputs.html !== undefined) await traces.add(life)
      if (outputs.junit !== undefined) for (const result of resultsOf(life)) questions.push(result)
    },
  )
  const { prices } = keptRequest(record.request)
  const choices = [
    ...choicesOf(plan, workshop.prompts),
    ...(prices === undefined ? [] : [{ label: PRICES, value: prices }]),
  ]
  const { summary } = analysis
  const remarked = plan.subjects.filter(({ definition: { remarks = [] } }) => remarks.length > 0)
  const remarks = new Map(remarked.map((subject) => [subjectKey(subject), subject.definition.remarks!]))
  for (const cell of summary.cells) {
    const own = remarks.get(subjectKey(cell.subject))
    if (own) cell.remarks = own
  }
  summary.run.settings = Object.fromEntries(choices.map(({ label, value }) => [label, value]))
  await store.updateRun(record.id, { status: summary.status })
  const data = assemble({
    plan,
    analysis,
    traces: traces.list,
    settings: [
      { label: 'run', value: record.id },
      ...choices,
      ...Object.entries(plan.settingParts)
        .filter(([part]) => !TOLD.includes(part))
        .map(([part, value]) => ({ label: PART_WORDS[part] ?? part, value })),
      { label: 'exact embedder', value: embed.id },
      ...Object.entries(plan.subjectPrints).map(([label, value]) => ({ label: `fingerprint of ${label}`, value })),
      { label: 'fingerprint of the setting', value: plan.setting },
    ],
  })
  const { text, failUnder } = outputs
  if (text) await text.write(`${renderTerminal(data, { color: text.color ?? false, width: text.width ?? 100 })}\n`)
  const json = summaryJson(summary)
  await writeTo(outputs.json, (write) => write(json))
  await writeTo(outputs.md, (write) => write(renderMarkdown(data)))
  await writeTo(outputs.csv, (write) => writeCsv(summary, write))
  await writeTo(outputs.junit, (write) => writeJunit(questions, write))
  const html = outputs.html === true ? join(home.reports, `${record.id}.html`) : outputs.html
  if (html !== undefined) {
    makeFolder(dirname(resolve(html)))
    await writeTo(html, async (write) => {
      const { writeHtml } = await import('../report/html.js')
      await writeHtml(data, write)
    })
  }
  return {
    run: record.id,
    summary: JSON.parse(json) as WrittenSummary,
    gate: failUnder === undefined || summary.status === 'invalid' ? null : evaluateGate(summary, failUnder),
    html: html === undefined ? null : resolve(html),
  }
}

/** Writes a format to its file or function, where it was asked for. */
export async function writeTo(
  to: string | Sink | undefined,
  produce: (write: Sink) => void | Promise<void>,
): Promise<void> {
  if (typeof to === 'string') await writeWhole(to, produce)
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
