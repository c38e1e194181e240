import { UserError } from '../base/errors.js'
import { checkedJudge, checkedReader } from '../engine/checked-instruments.js'
import { openEndpoint } from '../gateway/index.js'
import type { AskedInstrument } from '../judges/asked.js'
import { checkJudge } from '../judges/judge-checks.js'
import { createJudge, resolveJudge } from '../judges/registry.js'
import { hasModelInside } from '../model/index.js'
import { checkReader } from '../readers/reader-checks.js'
import { createReader, resolveReader } from '../readers/registry.js'
import { modelChecks } from '../systems/conformance/model-checks.js'
import { checkSystem } from '../systems/conformance/run.js'
import { hashEmbedder } from '../systems/hash-embedder.js'
import { requirePackages, resolveSystem } from '../systems/registry.js'
import { lacksOf, watchedDefinition } from './check-notes.js'
import { hearControl, stoppable } from './control.js'
import { Parts } from './own-parts.js'
import type { CheckOptions, CheckResult } from './own-types.js'
import { systemMsFrom } from './settings/values.js'
import type { Control } from './types.js'

/** Checks that have no bearing on a system without a model, and why. */
const WITHOUT_MODEL = Object.fromEntries(Object.keys(modelChecks).map((name) => [name, 'It has no model inside.']))

/** Whether a memory system, judge or reader keeps its contract. */
export async function check(asked: CheckOptions, control: Control = {}): Promise<CheckResult> {
  return stoppable(hearControl(control), () => checkedPart(asked))
}

async function checkedPart(asked: CheckOptions): Promise<CheckResult> {
  const parts = new Parts()
  const spec = parts.name(asked.part)
  if (parts.judges.has(spec)) return checkedJudgeOf(spec, parts)
  if (parts.readers.has(spec)) return checkedReaderOf(spec, parts)
  return checkedSystem(spec, systemMsFrom(asked), parts).catch((error: unknown) => {
    const other = error instanceof UserError && 'code' in error ? error.code : null
    if (other === 'judge') return checkedJudgeOf(spec, parts)
    if (other === 'reader') return checkedReaderOf(spec, parts)
    throw error
  })
}

async function checkedSystem(spec: string, timeoutMs: number, { systems }: Parts): Promise<CheckResult> {
  const { definition: plain, options, label } = await resolveSystem(spec, process.cwd(), timeoutMs, systems)
  requirePackages(plain, process.cwd())
  const { definition, methods, times } = watchedDefinition(plain)
  const results = await checkSystem({
    name: label,
    definition,
    options,
    endpoint: openEndpoint,
    timeoutMs,
    ...(!(await hasModelInside(definition, options)) && { skip: WITHOUT_MODEL }),
  })
  const isMade = results.length > 1
  return { kind: 'system', label, results, ...(isMade && { notes: lacksOf(plain, methods), times: times() }) }
}

async function checkedJudgeOf(spec: string, { judges }: Parts): Promise<CheckResult> {
  const asked = await resolveJudge(spec, process.cwd(), judges)
  refuseModels(asked, 'runJudgeConformance')
  const newJudge = async () => checkedJudge(await createJudge(asked, OFFLINE))
  await newJudge()
  return { kind: 'judge', label: asked.label, results: await checkJudge({ name: asked.label, newJudge }) }
}

async function checkedReaderOf(spec: string, { readers }: Parts): Promise<CheckResult> {
  const asked = await resolveReader(spec, process.cwd(), readers)
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
