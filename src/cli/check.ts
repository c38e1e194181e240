import pc from 'picocolors'
import type { ContractResult } from '../base/contract-check.js'
import { UserError } from '../base/errors.js'
import { checkedJudge } from '../engine/checked-judge.js'
import { checkedReader } from '../engine/checked-reader.js'
import { openEndpoint } from '../gateway/index.js'
import type { AskedInstrument } from '../judges/asked.js'
import { checkJudge } from '../judges/judge-checks.js'
import { createJudge, resolveJudge } from '../judges/registry.js'
import { hasModelInside } from '../model/index.js'
import { checkReader } from '../readers/reader-checks.js'
import { createReader, resolveReader } from '../readers/registry.js'
import { plain } from '../report/escape.js'
import { clip } from '../report/format.js'
import { modelChecks } from '../systems/conformance/model-checks.js'
import { checkSystem } from '../systems/conformance/run.js'
import { hashEmbedder } from '../systems/hash-embedder.js'
import { requirePackages, resolveSystem } from '../systems/registry.js'
import type { Command } from './args.js'
import { systemMsFrom, TIMEOUT_FLAG } from './system-timeout.js'

/** Checks that have no bearing on a system without a model, and why. */
const WITHOUT_MODEL = Object.fromEntries(Object.keys(modelChecks).map((name) => [name, 'It has no model inside.']))

/** What was checked, and what came of it. */
interface Checked {
  kind: 'system' | 'judge' | 'reader'
  label: string
  results: Pick<ContractResult, 'title' | 'status' | 'reason'>[]
}

/** `memscope check`: does a memory system, judge or reader keep its contract? */
export const check: Command = {
  name: 'check',
  about: 'check that a memory system, or a judge or reader of your own, keeps its contract',
  usage: 'check <system> | check <file>',
  flags: { json: { type: 'switch', about: 'as JSON' }, ...TIMEOUT_FLAG },
  words: 1,
  examples: ['memscope check ./my-memory.ts', 'memscope check ./my-judge.ts'],
  async run(typed) {
    const {
      words: [spec],
      on,
    } = typed
    if (spec === undefined)
      throw new UserError('Which system?', 'Usage: memscope check <system>, for example memscope check ./my-memory.ts')
    const { kind, label, results } = await checkedSystem(spec, systemMsFrom(typed)).catch((error: unknown) => {
      const other = error instanceof UserError && 'code' in error ? error.code : null
      if (other === 'judge') return checkedJudgeFile(spec)
      if (other === 'reader') return checkedReaderFile(spec)
      throw error
    })
    if (on.json) process.stdout.write(`${JSON.stringify({ [kind]: label, results }, null, 2)}\n`)
    else {
      const mark = { passed: pc.green('pass'), failed: pc.red('FAIL'), skipped: pc.dim('n/a ') }
      const told = new Set<string>()
      for (const { title, status, reason } of results) {
        process.stdout.write(`${mark[status]}  ${title}\n${reason === undefined ? '' : linesOf(reason, told)}`)
      }
      const failed = results.filter(({ status }) => status === 'failed').length
      const unmade = results.length === 1
      const contract = kind === 'system' ? 'the contract' : `the contract of a ${kind}`
      process.stdout.write(
        `\n${label}: ${failed === 0 ? `keeps ${contract}` : `${failed} of ${results.length} checks failed`}${unmade ? ', and without it nothing else can be tried' : ''}\n`,
      )
    }
    return results.some(({ status }) => status === 'failed') ? 1 : 0
  },
}

async function checkedSystem(spec: string, timeoutMs: number): Promise<Checked> {
  const { definition, options, label } = await resolveSystem(spec, process.cwd(), timeoutMs)
  requirePackages(definition, process.cwd())
  const results = await checkSystem({
    name: label,
    definition,
    options,
    endpoint: openEndpoint,
    timeoutMs,
    ...(!(await hasModelInside(definition, options)) && { skip: WITHOUT_MODEL }),
  })
  return { kind: 'system', label, results }
}

async function checkedJudgeFile(spec: string): Promise<Checked> {
  const asked = await resolveJudge(spec, process.cwd())
  refuseModels(asked, 'runJudgeConformance')
  const newJudge = async () => checkedJudge(await createJudge(asked, OFFLINE))
  await newJudge()
  return { kind: 'judge', label: asked.label, results: await checkJudge({ name: asked.label, newJudge }) }
}

async function checkedReaderFile(spec: string): Promise<Checked> {
  const asked = await resolveReader(spec, process.cwd())
  refuseModels(asked, 'runReaderConformance')
  const tools = { ...OFFLINE, style: 'auto', reasoning: 'default' } as const
  const newReader = async () => checkedReader(await createReader(asked, tools))
  await newReader()
  return { kind: 'reader', label: asked.label, results: await checkReader({ name: asked.label, newReader }) }
}

const OFFLINE = {
  embed: hashEmbedder(),
  llm: (model: string): never => {
    throw new Error(`no model was named, and it asks ${model}`)
  },
}

/** What a model says costs money and is never quite the same: with one, a contract is checked against a model that is played. */
function refuseModels({ label, named }: AskedInstrument, suite: string): void {
  if (named.length === 0) return
  throw new UserError(
    `${label} asks a model, which a check does not pay for.`,
    `Check it in a test of your own, with a model that the test plays: ${suite} of memscope/conformance takes context.llm.`,
  )
}

/** Most lines and characters of a line of a reason. */
const MOST_LINES = 4
const MOST_WIDE = 200

/** A reason in a few lines; one that was told before is only named as such. */
function linesOf(reason: string, told: Set<string>): string {
  if (told.has(reason)) return '      As above.\n'
  told.add(reason)
  const lines = reason.split('\n').filter((line) => line.trim() !== '')
  return lines
    .slice(0, MOST_LINES)
    .map((line) => `      ${plain(clip(line, MOST_WIDE))}\n`)
    .join('')
}
