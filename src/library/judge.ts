import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError, unknownName } from '../base/errors.js'
import { fingerprint } from '../base/hash.js'
import { wholeNumber } from '../base/whole-number.js'
import { DEFAULT_JUDGE, PAPER_PROTOCOL, suites } from '../builtins.js'
import type { Gateway } from '../gateway/index.js'
import { compareAnnotators } from '../judges/annotators.js'
import { evaluateJudge } from '../judges/eval.js'
import { evaluateAnswers } from '../judges/eval-answers.js'
import { evaluateCriteria } from '../judges/eval-criteria.js'
import { readGoldFile } from '../judges/gold.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import { addSent, judgeBill as billOf, type JudgeBill, PROTOCOLS, type Protocol } from '../judges/llm/bill.js'
import { verbatimCase } from '../judges/llm/verbatim.js'
import { resolveJudge } from '../judges/registry.js'
import { type Suite, UnjudgedError } from '../model/index.js'
import { resolveSuite } from '../suites/registry.js'
import { homeAt, openEmbedder, openEntailment } from './compose.js'
import { hearControl, stoppable } from './control.js'
import { judgeFrom } from './instruments.js'
import { modelAccess, openGateway } from './model-access.js'
import { Parts } from './own-parts.js'
import { judgePromptFrom } from './prompts.js'
import { sizeFrom } from './settings/values.js'
import type {
  Control,
  JudgeAgreement,
  JudgeBillOptions,
  JudgeBillResult,
  JudgeEvalOptions,
  JudgeEvalResult,
} from './types.js'

/** A judge against labels of people. */
export async function judgeEval(asked: JudgeEvalOptions, control: Control = {}): Promise<JudgeEvalResult> {
  const told = hearControl(control)
  const parts = new Parts()
  const labelled = readCases(asked.gold, 'Give --gold a file of labelled cases.')
  const gold = readGoldFile(labelled, asked.gold)
  const name = parts.name(asked.judge ?? DEFAULT_JUDGE)
  const judge = await resolveJudge(name, process.cwd(), parts.judges)
  const own = (await judgePromptFrom(asked.judgePrompt, [name], parts))?.judgePrompt
  const home = homeAt(asked.home)
  const embedder = asked.embedder ?? 'minilm'
  const embed = await openEmbedder(embedder, home)
  const entail = openEntailment(embedder, home)
  let gateway: Gateway | null = null
  const open = () => {
    // A budget is that of this judge on these cases, however often it is begun.
    const account = `judge eval ${fingerprint({ name, labelled, ...(own && { own }) })}`
    const log = (message: string) => told.tell({ type: 'warning', message })
    gateway ??= openGateway(modelAccess(asked), home, account, log)
    return gateway
  }
  const work = async (): Promise<JudgeEvalResult> => {
    const chosen = await judgeFrom(judge, { embed, entail, models: open, ...(own && { prompts: own }) })
    if (gold.kind === 'criteria') return { kind: 'criteria', result: await evaluateCriteria(chosen, gold.cases) }
    if (gold.kind === 'answers') return { kind: 'answers', result: await evaluateAnswers(chosen, gold.cases) }
    return { kind: 'facts', result: await evaluateJudge(chosen, gold.cases) }
  }
  try {
    return await stoppable(told, work)
  } catch (error) {
    if (!(error instanceof UnjudgedError)) throw error
    throw new UserError(`The judge ${judge.label} cannot be compared. ${error.message}`, 'Mend it and try again.', 3)
  } finally {
    await embed.close()
    await entail?.close()
    await (gateway as Gateway | null)?.close()
  }
}

/** How two people agree who labelled the same cases. */
export async function judgeAgree({ files: [a, b] }: { files: readonly [string, string] }): Promise<JudgeAgreement> {
  const read = (name: string) => ({ name, text: readCases(name, 'Give a file of labelled cases.') })
  return compareAnnotators(read(a), read(b))
}

/** What judging would send to a model, by protocol and scenario. */
export async function judgeBill(asked: JudgeBillOptions = {}, control: Control = {}): Promise<JudgeBillResult> {
  const told = hearControl(control)
  const k = wholeNumber('k', asked.k ?? 5, 1)
  const suite = await resolveSuite(asked.suite ?? suites[0]!.name, process.cwd())
  const protocols = asked.judge === undefined ? protocolsFor(suite) : [protocolOf(asked.judge)]
  const embed = await openEmbedder('minilm', homeAt(asked.home))
  const lexical = createLexicalJudge({ embed })
  const rows: JudgeBillResult['rows'] = []
  try {
    const { scenarios } = await suite.load({
      ...(asked.data !== undefined && { data: resolve(asked.data) }),
      view: asked.data === undefined ? 'audited' : 'released',
      seed: 42,
      size: sizeFrom(asked.size ?? 'paper'),
      extra: {},
    })
    const total = protocols.length * scenarios.length
    for (const protocol of protocols)
      for (const scenario of scenarios) {
        told.stopIfAsked(null)
        told.tell({ type: 'progress', done: rows.length, total, at: scenario.id })
        const bill = await billOf(verbatimCase(scenario, suite, k), { protocol, lexical })
        rows.push({ protocol, task: scenario.id, bill })
      }
  } finally {
    await embed.close()
  }
  const totals = protocols.map((protocol) => {
    const bills = rows.filter((row) => row.protocol === protocol).map(({ bill }) => bill)
    const sum = (part: keyof JudgeBill) => bills.map((bill) => bill[part]).reduce(addSent)
    return { protocol, task: 'all', bill: { stages: sum('stages'), answers: sum('answers'), total: sum('total') } }
  })
  told.tell({ type: 'done' })
  return { k, rows: [...rows, ...totals] }
}

/** The paper's protocol is that of one suite; others have the others. */
function protocolsFor({ name }: Suite): Protocol[] {
  return PROTOCOLS.filter((protocol) => protocol !== 'paper' || name === PAPER_PROTOCOL)
}

function protocolOf(name: string): Protocol {
  const protocol = PROTOCOLS.find((candidate) => candidate === name)
  if (!protocol) throw unknownName('protocol', name, PROTOCOLS)
  return protocol
}

/** A file of cases that was named, or a `UserError` that says why it cannot be read. */
function readCases(file: string, hint: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new UserError(`${file} cannot be read (${code}).`, hint)
  }
}
