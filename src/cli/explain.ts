import pc from 'picocolors'
import type { Attributed, AttributionReport } from '../analysis/attribution.js'
import { inPercent } from '../base/figures.js'
import { type Explained, explain as explainRun } from '../library.js'
import { depthMemories, FAILURES, readerKey } from '../model/index.js'
import { type Command, optionsFrom, printJson, switchFlag, textFlag, wantsJson } from './args.js'
import { MODEL_FLAGS, TIMEOUT_FLAG, TRUST_FLAG } from './flags.js'
import { shownProgress } from './progress.js'

/** `memscope explain`: which part of a memory, made perfect, repairs its failures. */
export const explain: Command = {
  name: 'explain',
  about: 'prove the attribution: ask failed questions again with one part made perfect',
  usage: 'explain <run> [--k 5] [--json -]',
  flags: {
    k: textFlag('<n>', 'the depth whose failures are explained (default: the suite’s if it was run, else the deepest)'),
    'token-budget': textFlag('<n>', 'the same for a run that was asked by tokens of context'),
    json: textFlag('-', 'as JSON on standard output'),
    quiet: switchFlag('no progress'),
    ...TRUST_FLAG,
    ...TIMEOUT_FLAG,
    ...MODEL_FLAGS,
  },
  words: 1,
  examples: ['memscope explain last', 'memscope explain last --k 10 --json -'],
  async run(typed) {
    const json = wantsJson(typed)
    const shown = shownProgress(process.stderr, typed.on.quiet ?? false)
    const { failures, ...explained } = await explainRun(optionsFrom(typed, { run: typed.words[0] }), shown)
    if (json) printJson(written(explained))
    else process.stdout.write(attributionTables(explained))
    return failures === 0 ? 0 : 3
  },
}

/** What was found, as JSON has it. */
function written({ at, overall, bySystem, questions }: Omit<Explained, 'failures'>) {
  const reportOf = (report: AttributionReport) => ({ ...report, unrepaired: report.unrepaired.map(writtenQuestion) })
  const systems = Object.entries(bySystem).map(([name, report]) => [name, reportOf(report)])
  const told = { overall: reportOf(overall), bySystem: Object.fromEntries(systems) }
  return { schema: 2, at, ...told, questions: questions.map(writtenQuestion) }
}

function writtenQuestion({ suite, task, subject, reader, question, text, depth, judged, proven, ...rest }: Attributed) {
  const { depth: _, question: id, ...parts } = rest.counterfactual
  const [k, names] = [depthMemories(depth), { ...subject, reader: readerKey(reader) }]
  const counterfactual = { question: id, k, ...parts }
  return { suite, task, ...names, question, text, k, depth, judged, proven, counterfactual }
}

const STAGES = FAILURES.filter((failure) => failure !== 'unavailable')
const PROVEN = [...STAGES, 'compound', 'unmeasured'] as const

/** Questions that are named one by one; `--json` has all. */
const MOST_NAMED = 12

function named(questions: AttributionReport['unrepaired']): string {
  const more = questions.length - MOST_NAMED
  const ids = questions.slice(0, MOST_NAMED).map(({ question }) => question)
  return `${ids.join(', ')}${more > 0 ? ` and ${more} more (--json - lists them)` : ''}`
}

/** The attribution as tables for a terminal. */
export function attributionTables({ at, overall, bySystem }: Pick<Explained, 'at' | 'overall' | 'bySystem'>): string {
  const where = at === '' ? 'in systems of fixed depth' : `at ${at}`
  if (overall.n === 0) return `Nothing failed ${where}: there is nothing to explain.\n`
  const groups = Object.entries(bySystem)
  const tables = groups.map(([name, report]) => tableOf(name, report))
  if (groups.length > 1) tables.push(tableOf('all systems', overall))
  return [`What failed ${where}.\n`, ...tables].join('\n')
}

/** How the judge agrees, and of how many questions that can be said. */
function agreementWords({ n, single, agreed, compound, unmeasured, kappa }: AttributionReport): string {
  const found =
    single === 0
      ? 'No question has a single part that explains its failure'
      : `The judge agrees in ${agreed} of ${single} questions that one part explains${kappa === null ? '' : ` (kappa ${kappa.toFixed(2)})`}`
  const more = compound === 0 ? '' : `; ${compound} of ${n} need more than one part repaired`
  return `${found}${more}${unmeasured === 0 ? '' : `; ${unmeasured} of ${n} could not be asked again`}.`
}

function tableOf(name: string, report: AttributionReport): string {
  const { n, matrix, repair, unrepaired } = report
  const words = (stage: string) => stage.replaceAll('_', ' ')
  const columns = PROVEN.filter((proven) => Object.values(matrix).some((row) => row[proven]))
  const rows = STAGES.filter((stage) => matrix[stage])
  const lines = [
    `${pc.bold(name)}  ${n} failed questions`,
    `${'judged \\ repaired by'.padEnd(22)}${columns.map((column) => words(column).padStart(17)).join('')}${'repair rate'.padStart(14)}`,
    ...rows.map((stage) => {
      const { n: count, repaired } = repair[stage]!
      const cells = columns.map((column) => String(matrix[stage]![column] ?? 0).padStart(17)).join('')
      return `${words(stage).padEnd(22)}${cells}${inPercent(repaired / count, 0).padStart(14)}`
    }),
    agreementWords(report),
    ...(unrepaired.length > 0
      ? [`Not even the needed facts repair ${unrepaired.length}, the reader’s own failures: ${named(unrepaired)}`]
      : []),
    '',
  ]
  return lines.join('\n')
}
