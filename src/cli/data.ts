import pc from 'picocolors'
import { UserError, unknownName } from '../base/errors.js'
import { DATA_EXAMPLES, suites, TASK_EXAMPLE } from '../builtins.js'
import type {
  GenerateDataOptions,
  LintDataOptions,
  ReviewDataOptions,
  WriteDataOptions,
  WrittenData,
} from '../library.js'
import {
  exportData,
  exportForScoring,
  generateData,
  importData,
  lintData,
  listData,
  openReview,
  reviewData,
} from '../library.js'
import {
  type Command,
  type Flags,
  listFlag,
  optionsFrom,
  printJson,
  suiteOption,
  switchFlag,
  type Typed,
  textFlag,
  wantsJson,
} from './args.js'
import { DATA_VERBS, dataFlags, MODEL_FLAGS, SUITE_FLAGS, settingsFrom, typedSettings } from './flags.js'
import { shownProgress } from './progress.js'
import { isOutputClosed, writeOutput } from './streams.js'
import { PORT_FLAG, serveUntilStopped } from './view.js'

/** Violations shown a rule; the JSON has them all. */
const MOST_SHOWN = 8

const VERBS: Record<string, (typed: Typed) => Promise<number>> = {
  list,
  lint,
  generate: (typed) =>
    write(typed, (asked: GenerateDataOptions) => generateData(asked, shownProgress(process.stderr, false))),
  review,
  import: (typed) => write(typed, (options: WriteDataOptions) => importData({ ...options, file: typed.words[1] })),
  export: (typed) => (typed.on['for-scoring'] ? write(typed, exportForScoring) : write(typed, exportData)),
}

/** Flags of the command itself, before and behind those of suites. */
const CORPUS_FLAGS: Flags = {
  suite: listFlag(
    '<names>',
    `a suite, its tasks or a file of your own: ${[...suites.map(({ name }) => name), TASK_EXAMPLE].join(', ')}, ./my-suite.ts (default the first)`,
  ),
  data: textFlag('<folder>', 'lint, export, review: a folder with data (lint, export: default bundled)'),
  seed: textFlag('<n>', 'of what is made for it (default 42)'),
}
/** Flags that say which questions are exported for scoring; those of suites stand beside them. */
const SCORING_FLAGS: Flags = {
  'for-scoring': switchFlag('export: conversations and questions without gold, for a system that is run elsewhere'),
  size: textFlag('quick|paper|<n>', 'export --for-scoring: as in run (default quick)'),
  view: textFlag('audited|released', 'export --for-scoring: published data repaired (default) or as it is'),
}
/** Flags of data that models make. */
const MAKING_FLAGS: Flags = {
  generator: textFlag(
    '<model>',
    `generate: the model that writes it, rehearsal:demo, or paper (${paperModels()}); without it none is called`,
  ),
  auditor: textFlag('<model>', 'generate: the model that reads it over (default the generator)'),
  judges: listFlag('<models>', 'generate: models that all must accept it (default the auditor)'),
  rules: textFlag('sound|paper', 'generate: sound (default) adds to the rules of the paper'),
  target: textFlag('<n>', 'generate: how much of each is wanted (default what the paper has)'),
  prompts: textFlag('<folder>', 'generate: prompts of your own, by the names of ours'),
  rejected: textFlag('<file>', 'generate: what people rejected is made anew; data review writes it'),
  estimate: switchFlag('generate: only say what it would ask for and cost'),
  acceptance: textFlag('<share>', 'generate --estimate: share of replies that is taken to be accepted (default 0.7)'),
  ...Object.fromEntries(Object.entries(MODEL_FLAGS).filter(([name]) => name !== 'batch')),
}
/** Flags of people who look data over. */
const REVIEW_FLAGS: Flags = {
  sample: textFlag('all|<n>', 'review: how many rows (default 5 %, of each kind at least one)'),
  reviewer: textFlag('a|b', 'review: decide in a browser, as this one of the two, instead of in the CSV'),
  port: textFlag('<n>', `review --reviewer: ${PORT_FLAG.port!.about}`),
}
const WRITE_FLAGS: Flags = {
  out: textFlag(
    '<folder|->',
    'generate, export, import: where files go, with --for-scoring a file, - is standard output; review: where the tables are',
  ),
  json: textFlag('-', 'lint, list, review: as JSON on standard output'),
}
/** Flags that built-in suites have, for how they are run and how their data is made. */
const OF_SUITES: Flags = { ...SUITE_FLAGS, ...dataFlags(suites) }
/** Flags of one verb alone, but for those of suites. */
const VERB_FLAGS: Readonly<Record<string, Flags>> = { generate: MAKING_FLAGS, review: REVIEW_FLAGS }

/** `memscope data`: corpora. */
export const data: Command = {
  name: 'data',
  about: 'corpora: list, lint, generate, review, export and import them',
  usage: 'data list|lint|generate|review|export|import [file] [flags]',
  flags: { ...CORPUS_FLAGS, ...SCORING_FLAGS, ...OF_SUITES, ...MAKING_FLAGS, ...REVIEW_FLAGS, ...WRITE_FLAGS },
  flagsOf: dataFlags,
  sharedFlags: OF_SUITES,
  words: 2,
  examples: [
    ...DATA_EXAMPLES.map((example) => `memscope data ${example}`),
    'memscope data review --data rows --out review',
    'memscope data lint --data <folder of a release>',
    'memscope data lint --suite ./my-suite.ts',
    `memscope data export --for-scoring --suite ${TASK_EXAMPLE} --out export.jsonl`,
  ],
  partOf(verb) {
    if (!(verb in VERBS)) return this
    const own = DATA_VERBS.filter((one) => one === verb)
    const scored = verb === 'export' ? { ...SCORING_FLAGS, ...SUITE_FLAGS } : {}
    const ofFiles = Object.entries(this.flags).filter(([name]) => !(name in data.flags))
    return {
      ...this,
      usage: `data ${verb}${verb === 'import' ? ' <file>' : ''} [flags]`,
      flags: {
        ...{ ...CORPUS_FLAGS, ...scored, ...dataFlags(suites, own), ...Object.fromEntries(ofFiles) },
        ...{ ...VERB_FLAGS[verb], ...WRITE_FLAGS },
      },
      examples: this.examples!.filter((example) => example.startsWith(`memscope data ${verb}`)),
    }
  },
  async run(typed) {
    const [verb] = typed.words
    if (verb === undefined) throw new UserError('What shall be done with the data?', `Usage: memscope ${this.usage}`)
    const work = VERBS[verb]
    if (!work) throw unknownName('data command', verb, Object.keys(VERBS))
    const idle = Object.keys(SCORING_FLAGS).find((flag) => flag in typed.text || flag in typed.on)
    if (idle !== undefined && !(verb === 'export' && typed.on['for-scoring']))
      throw new UserError(`--${idle} is for memscope data export --for-scoring.`)
    const isTyped = (flag: string) => flag in typed.text || flag in typed.list || flag in typed.on
    for (const [owner, flags] of Object.entries(VERB_FLAGS)) {
      const lost = Object.keys(flags).find(isTyped)
      if (lost !== undefined && verb !== owner) throw new UserError(`--${lost} is for memscope data ${owner}.`)
    }
    if (verb !== 'import' && typed.words.length > 1)
      throw new UserError(`memscope data ${verb} takes no "${typed.words[1]}".`, `Usage: memscope ${this.usage}`)
    wantsJson(typed)
    return work(typed)
  },
}

async function list({ text }: Typed): Promise<number> {
  const listed = await listData()
  if (text.json === '-') return printJson(listed)
  for (const { corpus, ...counts } of listed) {
    const [conversations, facts, questions] = [counts.conversations, counts.facts, counts.questions].map((count) =>
      String(count).padStart(5),
    )
    const name = pc.bold(corpus.padEnd(26))
    process.stdout.write(`${name}${conversations} conversations ${facts} facts ${questions} questions\n`)
  }
  return 0
}

/** Exit 1 when a rule is broken. */
async function lint(typed: Typed): Promise<number> {
  const json = typed.text.json === '-'
  const asked = optionsFrom<LintDataOptions>(typed, { settings: dataSettings(typed), ...(!json && { onCorpus: show }) })
  const result = await lintData(asked)
  const { violations } = result
  if (json) printJson(result)
  else process.stdout.write(`\n${violations === 0 ? 'No rule is broken.' : `${violations} violations.`}\n`)
  return violations === 0 ? 0 : 1
}

/** Writes tables for two reviewers; once their verdicts are in them, says how they agree and what is made anew. */
async function review(typed: Typed): Promise<number> {
  const { reviewer, port, ...text } = typed.text
  const asked = optionsFrom<ReviewDataOptions>({ ...typed, text })
  if (reviewer !== undefined)
    return serveUntilStopped(
      await openReview({ ...asked, reviewer, ...(port !== undefined && { port: Number(port) }) }),
    )
  if (port !== undefined) throw new UserError('--port is for --reviewer.')
  const found = await reviewData(asked)
  if (typed.text.json === '-') return printJson(found)
  if ('written' in found) {
    for (const file of found.written) process.stdout.write(`${file}\n`)
    process.stdout.write(
      `${found.rows} rows each, in an order of its own. Fill in "verdict" (keep or reject), or have it shown in a browser with --reviewer a and\n` +
        `--reviewer b; then run the same command again.\n`,
    )
    return 0
  }
  const { n, agreed, kappa, rejected, file } = found
  process.stdout.write(
    `${n} rows, ${agreed} of them judged alike, kappa ${kappa === null ? 'not defined' : kappa.toFixed(3)}.\n`,
  )
  process.stdout.write(`${rejected.length} rejected. ${file}\n`)
  if (rejected.length > 0)
    process.stdout.write(
      `Make them anew: the same memscope data generate … with --rejected ${file} and another --out.\n`,
    )
  return 0
}

async function write<T extends object>(typed: Typed, call: (options: T) => Promise<WrittenData>): Promise<number> {
  const pipe = async (line: string) => {
    if (isOutputClosed()) return false
    if (!process.stdout.write(line)) await writeOutput('')
    return undefined
  }
  const out = typed.text.out === '-' ? { out: pipe } : {}
  const { told, files } = await call(optionsFrom<T>(typed, { settings: dataSettings(typed), ...out }))
  for (const line of told) process.stdout.write(line)
  for (const { path, note } of files) process.stdout.write(`${path}${note === undefined ? '' : `  ${note}`}\n`)
  return 0
}

/** What was typed for a suite. Questions for scoring are those of a run, and their suites are set as in one. */
function dataSettings(typed: Typed): Record<string, string | boolean> {
  const own = { ...CORPUS_FLAGS, ...SCORING_FLAGS, ...MAKING_FLAGS, ...REVIEW_FLAGS, ...WRITE_FLAGS }
  const settings = settingsFrom(typed, own)
  if (!typed.on['for-scoring']) return settings
  const idle = Object.keys(settings).find((name) => !(name in SUITE_FLAGS))
  if (idle === undefined) return typedSettings(typed)
  const moved = suiteOption(idle)
  throw new UserError(`There is no flag --${idle} with --for-scoring.`, moved && `Write: ${moved}`)
}

function show(corpus: Parameters<NonNullable<LintDataOptions['onCorpus']>>[0]): void {
  const { rows, rules, violations } = corpus.report
  process.stdout.write(`\n${pc.bold(`${corpus.suite}/${corpus.name}`)}  ${rows} ${corpus.unit}\n`)
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
  for (const note of corpus.notes) process.stdout.write(`  ${pc.dim(note)}\n`)
}

/** Which models the papers took, suite by suite, by what they made. */
function paperModels(): string {
  const told = suites.flatMap(({ name, data: work }) => {
    const models = Object.entries(work?.generate?.paperModels ?? {})
    return models.length === 0
      ? []
      : `${name}: ${models.map(([made, model]) => `${made} ${[model].flat().join(' and ')}`).join(', ')}`
  })
  return told.join('; ')
}

function placeOf(row: string): string {
  if (row === '*') return 'corpus'
  return /^\d/.test(row) || /^[\w-]+$/.test(row) ? `row ${row}` : row
}
