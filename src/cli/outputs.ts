import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { analyse } from '../analysis/summarize.js'
import { UserError } from '../base/errors.js'
import { makeFolder } from '../base/folders.js'
import { TASK_EXAMPLE } from '../builtins.js'
import type { Plan } from '../engine/plan.js'
import { ofBoth, type RunRecord, type RunStore } from '../model/index.js'
import { assemble, type ReportSource } from '../report/assemble.js'
import type { QuestionResult } from '../report/data.js'
import {
  evaluateGate,
  renderMarkdown,
  renderTerminal,
  requireGate,
  type Sink,
  summaryJson,
  wantsColor,
  writeCsv,
  writeJunit,
} from '../report/index.js'
import { questionResults } from '../report/question-results.js'
import { Traces } from '../report/traces.js'
import type { Flags, Typed } from './args.js'
import { choicesOf } from './choices.js'
import { resultKeys, type Workshop } from './compose.js'
import { plannedCells } from './planned-cells.js'
import { writeOutput } from './streams.js'
import { writeWhole } from './whole-file.js'

/** Flags that say where results go. */
export const OUTPUT_FLAGS: Flags = {
  json: { type: 'text', value: '<file|->', about: 'write the summary as JSON' },
  html: { type: 'text', value: '<file>', about: 'write the report as one HTML page' },
  md: { type: 'text', value: '<file|->', about: 'write the tables as Markdown' },
  csv: { type: 'text', value: '<file|->', about: 'write one line a cell as CSV' },
  junit: { type: 'text', value: '<file|->', about: 'write every question as a JUnit test case' },
  'fail-under': {
    type: 'text',
    value: '<expr>',
    about: `exit 1 below a bound: "evidence>=0.8; ${TASK_EXAMPLE}:bm25@5.evidence.low>=0.3"`,
  },
  quiet: { type: 'switch', about: 'no tables and no progress' },
}

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

/** Where results go; `-` is standard output. */
export interface Outputs extends Partial<Record<(typeof FORMATS)[number], string>> {
  gate?: string
  quiet: boolean
}

export function outputsFrom({ text, on }: Typed): Outputs {
  const outputs: Outputs = { quiet: on.quiet ?? false }
  for (const format of FORMATS) {
    const path = text[format]
    if (path === undefined) continue
    if (path === '' || (path === '-' && format === 'html')) throw new UserError(`--${format} needs the name of a file.`)
    outputs[format] = path
  }
  if (text['fail-under'] !== undefined) outputs.gate = text['fail-under']
  const piped = FORMATS.filter((format) => outputs[format] === '-')
  if (piped.length > 1) {
    throw new UserError(
      `Only one of ${piped.map((format) => `--${format}`).join(', ')} can go to standard output.`,
      'Give the others a file.',
    )
  }
  return outputs
}

/** Finds out before hours of work that a result could not be written after them. */
export function checkOutputs(outputs: Outputs): void {
  for (const format of FORMATS) {
    const path = outputs[format]
    if (path === undefined || path === '-') continue
    const folder = dirname(resolve(path))
    try {
      if (!statSync(folder).isDirectory()) throw new Error('not a folder')
      accessSync(folder, constants.W_OK)
    } catch (error) {
      throw new UserError(
        `--${format} ${path} cannot be written: ${folder} is not a folder you can write to (${error instanceof Error && 'code' in error ? error.code : error}).`,
        'Make the folder first, or choose another place.',
      )
    }
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UserError(`--${format} ${path} is a folder.`, 'Name a file in it.')
  }
}

/** Finds out before anything is run that a gate cannot be read, or is about what will not be there. */
export function checkGate({ gate }: Outputs, plan: Plan): void {
  if (gate !== undefined) requireGate(gate, plannedCells(plan))
}

/** Shows and writes a run in every format asked for. Returns the exit code. */
export async function publish(
  record: RunRecord,
  workshop: Workshop,
  store: RunStore,
  outputs: Outputs,
): Promise<number> {
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
  const choices = choicesOf(plan, workshop.prompts)
  const { summary } = analysis
  summary.run.settings = Object.fromEntries(choices.map(({ label, value }) => [label, value]))
  await store.updateRun(record.id, { status: summary.status })
  const source: ReportSource = {
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
  }
  const data = assemble(source)
  const piped = FORMATS.some((format) => outputs[format] === '-')
  if (!outputs.quiet) {
    const stream = piped ? process.stderr : process.stdout
    stream.write(`${renderTerminal(data, { color: wantsColor(stream), width: stream.columns ?? 100 })}\n`)
  }
  const say = (text: string) => outputs.quiet || process.stderr.write(`${text}\n`)
  await writeTo(outputs.json, (write) => write(summaryJson(summary)))
  await writeTo(outputs.md, (write) => write(renderMarkdown(data)))
  await writeTo(outputs.csv, (write) => writeCsv(summary, write))
  await writeTo(outputs.junit, (write) => writeJunit(questions, write))
  if (outputs.html !== undefined) {
    makeFolder(dirname(resolve(outputs.html)))
    await writeTo(outputs.html, async (write) => {
      const { writeHtml } = await import('../report/html.js')
      await writeHtml(data, write)
    })
    say(`Report: ${pathToFileURL(resolve(outputs.html)).href}`)
  } else say(`For the report as a page: memscope report ${record.id} --html report.html`)
  if (summary.status === 'partial') say(`This run is not complete. Go on with: memscope run --resume ${record.id}`)
  if (summary.status === 'invalid') return 3
  if (outputs.gate === undefined) return 0
  const gate = evaluateGate(summary, outputs.gate)
  process.stderr.write(`${gate.title}\n${gate.message}\n`)
  return gate.ok ? 0 : 1
}

/** Writes a format to its file or to standard output, where it was asked for. */
async function writeTo(path: string | undefined, produce: (write: Sink) => void | Promise<void>): Promise<void> {
  if (path === '-') await produce(writeOutput)
  else if (path !== undefined) await writeWhole(path, produce)
}
