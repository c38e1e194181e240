import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import pc from 'picocolors'
import {
  type Attributed,
  type AttributionReport,
  attributionReport,
  blameOf,
  failureOf,
} from '../analysis/attribution.js'
import { type LifeResults, readRun } from '../analysis/results.js'
import { UserError } from '../base/errors.js'
import { inPercent } from '../base/percent.js'
import { inLanes } from '../engine/lanes.js'
import { askOracles, type Failed } from '../engine/oracles.js'
import {
  answersKey,
  askKey,
  type Counterfactual,
  type Depth,
  type Judge,
  type JudgePair,
  memoriesOf,
  probesOf,
  type RunRecord,
  type RunStore,
  readerKey,
  subjectKey,
} from '../model/index.js'
import { type Command, type Typed, wholeNumber } from './args.js'
import { type Home, resultKeys, type Workshop } from './compose.js'
import { explainedDepths } from './explain-depth.js'
import { type OpenOptions, withKeptRun } from './kept-run.js'
import { MODEL_FLAGS, modelAccess } from './models.js'
import { progressLine } from './progress.js'
import { withoutSecrets } from './secrets.js'
import { systemMsFrom, TIMEOUT_FLAG } from './system-timeout.js'

/** `memscope explain`: which part of a memory, made perfect, repairs its failures. */
export const explain: Command = {
  name: 'explain',
  about: 'prove the attribution: ask failed questions again with one part made perfect',
  usage: 'explain <run> [--k 5] [--json -]',
  flags: {
    k: {
      type: 'text',
      value: '<n>',
      about: 'the depth whose failures are explained (default: the suite’s if it was run, else the deepest)',
    },
    'token-budget': { type: 'text', value: '<n>', about: 'the same for a run that was asked by tokens of context' },
    json: { type: 'text', value: '-', about: 'as JSON on standard output' },
    quiet: { type: 'switch', about: 'no progress' },
    ...TIMEOUT_FLAG,
    ...MODEL_FLAGS,
  },
  words: 1,
  examples: ['memscope explain last', 'memscope explain last --k 10 --json -'],
  async run(typed) {
    const { words, text, on } = typed
    if (text.json !== undefined && text.json !== '-') throw new UserError(`Expected --json -, got "${text.json}".`)
    const depth = depthFrom(typed)
    const open: OpenOptions = {
      home: text.home,
      usage: `Usage: memscope ${this.usage}`,
      writes: true,
      compose: ({ id }) => ({
        access: modelAccess(typed),
        account: `${id} explain`,
        systemMs: systemMsFrom(typed),
        log: (message) => process.stderr.write(`${message}\n`),
      }),
    }
    return withKeptRun(words[0], open, async ({ record, workshop, store, home }) => {
      const explained = await attribute(record, workshop, store, home, { depth, quiet: on.quiet ?? false })
      if (text.json === '-') process.stdout.write(`${JSON.stringify(summaryOf(explained), null, 2)}\n`)
      else process.stdout.write(tablesOf(explained))
      return explained.failures === 0 ? 0 : 3
    })
  },
}

/** Failed questions with both attributions, and the depth at which they failed, in words. */
export interface Explained {
  at: string
  attributed: Attributed[]
  /** How often a system failed while it lived again. */
  failures: number
}

/** The depth that was named. */
function depthFrom({ text }: Typed): Depth | null {
  const budget = text['token-budget']
  if (text.k !== undefined && budget !== undefined)
    throw new UserError(
      '--k and --token-budget exclude each other here.',
      'Name the one depth that is to be explained.',
    )
  if (budget !== undefined) return { tokens: wholeNumber('token-budget', budget, 2) }
  return text.k === undefined ? null : { k: wholeNumber('k', text.k, 1) }
}

/**
 * Asks what was not asked yet, keeps it, and returns every failed question at one depth with both attributions. Without a depth, one that was
 * run is taken.
 *
 * @throws UserError when the depth was never run
 */
export async function attribute(
  record: RunRecord,
  workshop: Workshop,
  store: RunStore,
  home: Home,
  { depth: named, quiet }: { depth: Depth | null; quiet: boolean },
): Promise<Explained> {
  const { plan, judge, readers, embed } = workshop
  const judgeKey = bothKeys(judge)
  const depths = explainedDepths(plan, named)
  const keys = resultKeys(workshop)
  const lives: LifeResults[] = []
  for await (const life of readRun(record.id, plan, keys, store)) {
    if (life.planned.subject.definition.class !== 'reference') lives.push(life)
  }
  const line = progressLine(process.stderr)
  for (const left of depths.leftOut) line.note(left)
  let done = 0
  let broken = 0
  const attributed: Attributed[][] = []
  await inLanes(lives, availableParallelism(), async (results) => {
    const { planned: life, reader: who } = results
    const reader = readers.get(readerKey(who)) ?? null
    const by = answersKey(who, readers)
    const key = { run: record.id, ...life.key }
    const known = new Map(
      (await store.getCounterfactuals(key, by, judgeKey))
        .filter(isMeasured)
        .map((one) => [askKey(one.question, one.depth), one]),
    )
    const times = new Map(probesOf(life.scenario).map(({ id, time }) => [id, time]))
    const failures = results.results.filter(
      (result) =>
        failureOf(result.assessment.outcome) !== null &&
        depths.has(life.suite.name, result.question.task, result.depth),
    )
    const open = failures
      .filter((result) => !known.has(askKey(result.question.id, result.depth)))
      .map(
        (result): Failed => ({
          question: result.question,
          probe: result.witness.probe,
          time: times.get(result.witness.probe) ?? '',
          depth: result.depth,
        }),
      )
    const asked = await askOracles(record.id, life, open, {
      store,
      embed,
      llm: workshop.llm,
      endpoint: workshop.endpoint,
      workroot: join(home.work, `${record.id}-oracles`),
      signal: new AbortController().signal,
      inFlight: 64,
      settleMs: workshop.systemMs,
      systemMs: workshop.systemMs,
      log: (message) => line.note(withoutSecrets(message)),
      redact: withoutSecrets,
      onFailure: (message) => {
        broken++
        line.note(withoutSecrets(message))
      },
      judge: judge.facts,
      reader,
      grade: async (question, answer, facts) => {
        const plain = life.suite.grade(question, answer)
        const verdict =
          plain ??
          (judge.answers.judgeAnswers
            ? (await judge.answers.judgeAnswers([{ question, answer, facts }]))[0]!
            : await judge.answers.judgeAnswer(question, answer))
        return verdict.grade === 'error' ? null : verdict.grade === 'right'
      },
    })
    await store.putCounterfactuals(key, by, judgeKey, asked)
    for (const one of asked) known.set(askKey(one.question, one.depth), one)
    done++
    if (!quiet) line.update({ done, total: lives.length, at: `${life.scenario.id} · ${subjectKey(life.subject)}` })
    attributed.push(
      failures.map((result): Attributed => {
        const counterfactual = known.get(askKey(result.question.id, result.depth))!
        return {
          suite: life.suite.name,
          task: result.question.task,
          subject: life.key.subject,
          reader: who,
          question: result.question.id,
          text: result.question.text,
          depth: result.depth,
          judged: failureOf(result.assessment.outcome)!,
          proven: blameOf(counterfactual),
          counterfactual,
        }
      }),
    )
  })
  line.end()
  const order = new Map(lives.map(({ planned }, i) => [`${subjectKey(planned.subject)} ${planned.scenario.id}`, i]))
  const at = ({ subject, suite, task }: Attributed) => order.get(`${subjectKey(subject)} ${suite}/${task}`) ?? 0
  const sorted = attributed.flat().sort((a, b) => at(a) - at(b) || (a.question < b.question ? -1 : 1))
  return { at: depths.words, attributed: sorted, failures: broken }
}

/** What was proven before two judges is kept by both. */
function bothKeys({ facts, answers }: JudgePair<Judge>): string {
  return facts.key === answers.key ? facts.key : `${facts.key} + ${answers.key}`
}

/** What could not be had is asked for again the next time. */
function isMeasured({ needed, store, stored, faithful, both }: Counterfactual): boolean {
  return [needed, store, stored, faithful, both].every((part) => part !== null)
}

function bySystem(attributed: readonly Attributed[]): [string, Attributed[]][] {
  const groups = new Map<string, Attributed[]>()
  for (const one of attributed) {
    const name = subjectKey(one.subject) + (one.reader ? `, read by ${readerKey(one.reader)}` : '')
    groups.set(name, [...(groups.get(name) ?? []), one])
  }
  return [...groups]
}

function summaryOf({ at, attributed }: Explained) {
  return {
    schema: 2,
    at,
    overall: writtenReport(attributed),
    bySystem: Object.fromEntries(bySystem(attributed).map(([name, list]) => [name, writtenReport(list)])),
    questions: attributed.map(written),
  }
}

function writtenReport(attributed: readonly Attributed[]) {
  const report = attributionReport(attributed)
  return { ...report, unrepaired: report.unrepaired.map(written) }
}

/** A failed question as JSON has it. */
function written({ suite, task, subject, reader, question, text, depth, judged, proven, ...rest }: Attributed) {
  const { depth: _, question: id, ...parts } = rest.counterfactual
  const [k, names] = [memoriesOf(depth), { ...subject, reader: readerKey(reader) }]
  const counterfactual = { question: id, k, ...parts }
  return { suite, task, ...names, question, text, k, depth, judged, proven, counterfactual }
}

const STAGES = [
  'not_stored',
  'summary_error',
  'not_retrieved',
  'stale_memory',
  'stale_answer',
  'reasoning_error',
] as const
const PROVEN = [...STAGES, 'compound', 'unmeasured'] as const

/** Questions that are named one by one; `--json` has all. */
const MOST_NAMED = 12

function named(questions: readonly Attributed[]): string {
  const more = questions.length - MOST_NAMED
  const ids = questions.slice(0, MOST_NAMED).map(({ question }) => question)
  return `${ids.join(', ')}${more > 0 ? ` and ${more} more (--json - lists them)` : ''}`
}

/** The attribution as tables for a terminal. */
export function tablesOf({ at, attributed }: Pick<Explained, 'at' | 'attributed'>): string {
  const where = at === '' ? 'in systems of fixed depth' : `at ${at}`
  if (attributed.length === 0) return `Nothing failed ${where}: there is nothing to explain.\n`
  const groups = bySystem(attributed)
  const all: [string, Attributed[]][] = groups.length > 1 ? [...groups, ['all systems', [...attributed]]] : groups
  const tables = all.map(([name, list]) => tableOf(name, attributionReport(list)))
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
      return `${words(stage).padEnd(22)}${columns.map((column) => String(matrix[stage]![column] ?? 0).padStart(17)).join('')}${inPercent(repaired / count, 0).padStart(14)}`
    }),
    agreementWords(report),
    ...(unrepaired.length > 0
      ? [`Not even the needed facts repair ${unrepaired.length}, the reader’s own failures: ${named(unrepaired)}`]
      : []),
    '',
  ]
  return lines.join('\n')
}
