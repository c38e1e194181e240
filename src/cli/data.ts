import pc from 'picocolors'
import { UserError, unknownName } from '../base/errors.js'
import { DATA_EXAMPLES, suites, TASK_EXAMPLE } from '../builtins.js'
import type { LintDataOptions, WriteDataOptions } from '../library.js'
import { exportData, generateData, lintData, listData } from '../library.js'
import { type Command, type Flags, listFlag, optionsFrom, printJson, type Typed, textFlag, wantsJson } from './args.js'
import { dataFlags, settingsFrom } from './flags.js'
import { isOutputClosed, writeOutput } from './streams.js'

/** Violations shown a rule; the JSON has them all. */
const MOST_SHOWN = 8

const VERBS: Record<string, (typed: Typed) => Promise<number>> = {
  list,
  lint,
  generate: (typed) => write(typed, generateData),
  export: (typed) => write(typed, exportData),
}

/** Flags of the command itself, before and behind those of suites. */
const CORPUS_FLAGS: Flags = {
  suite: listFlag(
    '<names>',
    `a suite, its tasks or a file of your own: ${[...suites.map(({ name }) => name), TASK_EXAMPLE].join(', ')}, ./my-suite.ts (default the first)`,
  ),
  data: textFlag('<folder>', 'lint, export: a folder with data (default bundled)'),
  seed: textFlag('<n>', 'of what is made for it (default 42)'),
}
const WRITE_FLAGS: Flags = {
  out: textFlag('<folder|->', 'generate, export: where files go; - is standard output'),
  json: textFlag('-', 'lint, list: as JSON on standard output'),
}

/** `memscope data`: corpora. */
export const data: Command = {
  name: 'data',
  about: 'corpora: list, lint, generate and export them',
  usage: 'data list|lint|generate|export [flags]',
  flags: { ...CORPUS_FLAGS, ...dataFlags(suites), ...WRITE_FLAGS },
  flagsOf: dataFlags,
  sharedFlags: dataFlags(suites),
  words: 1,
  examples: [
    ...DATA_EXAMPLES.map((example) => `memscope data ${example}`),
    'memscope data lint --data <folder of a release>',
    'memscope data lint --suite ./my-suite.ts',
  ],
  async run(typed) {
    const [verb] = typed.words
    if (verb === undefined) throw new UserError('What shall be done with the data?', `Usage: memscope ${this.usage}`)
    const work = VERBS[verb]
    if (!work) throw unknownName('data command', verb, Object.keys(VERBS))
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

async function write(typed: Typed, call: typeof generateData): Promise<number> {
  const pipe = async (line: string) => {
    if (isOutputClosed()) return false
    if (!process.stdout.write(line)) await writeOutput('')
    return undefined
  }
  const out = typed.text.out === '-' ? { out: pipe } : {}
  const { told, files } = await call(optionsFrom<WriteDataOptions>(typed, { settings: dataSettings(typed), ...out }))
  for (const line of told) process.stdout.write(line)
  for (const { path, note } of files) process.stdout.write(`${path}${note === undefined ? '' : `  ${note}`}\n`)
  return 0
}

/** What was typed for a suite. */
function dataSettings(typed: Typed): Record<string, string | boolean> {
  return settingsFrom(typed, { ...CORPUS_FLAGS, ...WRITE_FLAGS })
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

function placeOf(row: string): string {
  if (row === '*') return 'corpus'
  return /^\d/.test(row) || /^[\w-]+$/.test(row) ? `row ${row}` : row
}
