import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError, unknownName } from '../base/errors.js'
import { entryOf } from '../base/group-by.js'
import { wholeNumber } from '../base/whole-number.js'
import type { LocalEmbedder } from '../gateway/embed/index.js'
import { estimateCost, type Gateway, type PlannedCalls, priceTable } from '../gateway/index.js'
import { createLexicalJudge } from '../judges/lexical/index.js'
import {
  type CorpusWriter,
  isRehearsed,
  type Llm,
  MAKING_RULES,
  type MakerRole,
  type ModelMaking,
} from '../model/index.js'
import { rehearse } from '../systems/parts/rehearse.js'
import { homeAt, openEmbedder } from './compose.js'
import type { Heard } from './control.js'
import { checkModelSpecs, modelAccess, openGateway } from './model-access.js'
import { nearestOf } from './nearest.js'
import { rehearsedUsage } from './rehearsal.js'
import type { GenerateDataOptions } from './types.js'
import { commitOf } from './version.js'

/** What a suite is lent to make a corpus with models. */
export interface OpenedMaking {
  making: ModelMaking
  /** Nothing is asked: all is rehearsed, and counted. */
  isEstimate: boolean
  /** What it cost, or would, a line each. */
  words(): string[]
  close(): Promise<void>
}

/** Share of what is asked for that comes through, where nobody said. */
const ACCEPTANCE = 0.7

/**
 * Models that make a corpus; null where none is asked for. Every reply is kept as it comes, also those that are refused, so that work that
 * was ended begins again where it was: what it asks is the same, and answered from what was kept.
 */
export async function openMaking(
  asked: GenerateDataOptions,
  suite: string,
  paperModels: CorpusWriter['paperModels'],
  { warn, tell, signal }: Heard,
): Promise<OpenedMaking | null> {
  const { generator } = asked
  if (generator === undefined) {
    const idle = IDLE.find((name) => asked[name] !== undefined)
    if (idle !== undefined) throw new UserError(`--${idle} is for models that make data.`, 'Name one with --generator.')
    return null
  }
  if (!paperModels) throw new UserError(`${suite} is not made with models.`, 'Leave out --generator.')
  const named = {
    generator,
    auditor: asked.auditor ?? generator,
    judge: [asked.judges ?? asked.auditor ?? generator].flat(),
  }
  const models = (role: MakerRole, step: string): string[] =>
    [named[role]].flat().flatMap((model) => {
      if (model !== 'paper') return model
      const found = paperModels[role === 'judge' ? 'judge' : step] ?? paperModels[role]
      if (found === undefined) throw new Error(`The paper of ${suite} names no model for ${step}`)
      return found
    })
  const specs = [...Object.values(named).flat(), ...Object.values(paperModels).flat()].filter(
    (model) =>
      model !== 'paper' &&
      (Object.values(named).flat().includes('paper') || Object.values(named).flat().includes(model)),
  )
  const access = { ...modelAccess(asked), repair: { repairs: 0, restarts: 0, keepsAll: true } }
  const isEstimate = asked.estimate ?? false
  const home = homeAt(asked.home)
  if (!isEstimate)
    checkModelSpecs(
      specs.filter((model) => !isRehearsed(model)),
      access,
    )
  let gateway: Gateway | undefined
  const open = () => (gateway ??= openGateway(access, home, accountOf(asked), warn))
  let embedder: LocalEmbedder | undefined
  const planned = new Map<string, PlannedCalls>()
  const played = (model: string, say: () => unknown): Llm => ({
    ...rehearse(() => ({ json: say() }), {
      usage: (request, reply) => {
        const usage = rehearsedUsage(request, reply)
        const line = entryOf(planned, model, () => ({ role: 'generate', model, calls: 0, input: 0, output: 0 }))
        line.calls++
        line.input += usage.input
        line.output += usage.output
        return usage
      },
    }),
    model,
  })
  const embed = async () => (embedder ??= await openEmbedder('minilm', home))
  const making: ModelMaking = {
    rules: rulesFrom(asked.rules),
    commit: commitOf(import.meta.dirname),
    models,
    llm: (model, say) => (isEstimate || isRehearsed(model) ? played(model, say) : open().llm(model)),
    ...(asked.prompts !== undefined && { prompts: resolve(asked.prompts) }),
    ...(asked.target !== undefined && { target: wholeNumber('target', asked.target, 1, 100_000) }),
    rejected: rejectedIn(asked.rejected),
    ...createLexicalJudge(),
    embedder: embed,
    nearest: async (texts) => nearestOf(texts, await embed()),
    tell: (message) => {
      if (!isEstimate) tell({ type: 'note', message })
    },
    signal,
  }
  return {
    making,
    isEstimate,
    words: () => (isEstimate ? estimateWords([...planned.values()], asked) : spentWords(gateway)),
    close: async () => {
      await gateway?.close()
      await embedder?.close()
    },
  }
}

const IDLE = ['auditor', 'judges', 'rules', 'target', 'prompts', 'rejected', 'estimate', 'acceptance'] as const

function rulesFrom(given: string = MAKING_RULES[0]): ModelMaking['rules'] {
  const known = MAKING_RULES.find((rules) => rules === given)
  if (!known) throw unknownName('rules', given, MAKING_RULES)
  return known
}

/** The budget is that of the folder, over all sittings. */
function accountOf({ account, out }: GenerateDataOptions): string {
  return account ?? `generate ${typeof out === 'string' ? resolve(out) : ''}`
}

function rejectedIn(file: string | undefined): ReadonlySet<string> {
  if (file === undefined) return new Set()
  try {
    const { rejected } = JSON.parse(readFileSync(file, 'utf8')) as { rejected: unknown }
    if (Array.isArray(rejected)) return new Set(rejected.map(String))
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
  throw new UserError(`${file} has no list "rejected".`, 'It is written by memscope data review.')
}

function estimateWords(all: readonly PlannedCalls[], asked: GenerateDataOptions): string[] {
  const { acceptance } = asked
  const share = acceptance === undefined ? ACCEPTANCE : Number(acceptance)
  if (!(share > 0 && share <= 1))
    throw new UserError(`Expected --acceptance to be a share from 0 to 1, got "${acceptance}".`)
  const table = priceTable(modelAccess(asked).prices)
  const clean = estimateCost(
    all.map((one) => ({ ...one, input: one.input / one.calls, output: one.output / one.calls })),
    { ...table, cost: (model, usage) => (isRehearsed(model) ? 0 : table.cost(model, usage)) },
  )
  const inAll = (factor: number) => {
    const money =
      clean.cost === null ? `price unknown for ${clean.unpriced.join(', ')}` : `$${(clean.cost * factor).toFixed(2)}`
    const [calls, input, output] = [clean.calls, clean.usage.input, clean.usage.output].map((n) =>
      Math.round(n * factor).toLocaleString('en'),
    )
    return `${calls} calls, ${input} tokens in, ${output} out, ${money}`
  }
  return [
    `If every reply is accepted: ${inAll(1)}.\n`,
    `If ${Math.round(100 * share)} % are: up to ${inAll(1 / share)}.\n`,
    `Counted by rehearsing it; reasoning comes on top. How much is accepted is told as it goes on.\n`,
  ]
}

function spentWords(gateway: Gateway | undefined): string[] {
  if (!gateway) return []
  const { calls, cost } = gateway.usage().total.paid
  return [
    `${calls} calls were made and paid${cost === null ? '' : `: $${cost.toFixed(4)}`}; the rest was kept from before.\n`,
  ]
}
