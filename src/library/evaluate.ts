import { readRun } from '../analysis/results.js'
import { UserError } from '../base/errors.js'
import { entryOf } from '../base/group-by.js'
import { fingerprint } from '../base/hash.js'
import type { Conversation, Llm, MemorySystem, SystemDefinition } from '../model/index.js'
import { conversationsOf } from '../model/index.js'
import type { WrittenCell } from '../report/summary-json.js'
import { suitesFrom } from './asked-suites.js'
import type { PromptCandidate } from './candidates.js'
import { resultKeys } from './compose.js'
import type { Heard } from './control.js'
import { withKeptRun } from './kept-run.js'
import type { OptimiseOptions } from './optimise-types.js'
import { objectsAmong, Parts } from './own-parts.js'
import { run } from './run.js'
import type { OwnPart } from './types.js'

/** A question that failed, as an adviser is shown it. */
export interface FailedQuestion {
  question: string
  needs: string[]
  outcome: string
  retrieved: string[]
}

/** A call of a step: what the model was shown, and what it replied. */
interface ShownCall {
  shown: string
  replied: string
}

/** How a candidate did on some episodes. */
export interface Evaluation {
  run: string
  /** Of each run over the episodes, every task alike; `score` is their mean. */
  trials: number[]
  score: number
  failed: FailedQuestion[]
  /** Steps that were taken, and calls of each from the episode that went best. */
  steps: string[]
  demonstrations: Record<string, ShownCall[]>
}

/** Calls kept of one step of a life, and memories shown of one failure. */
const MOST_CALLS = 8
const MOST_RETRIEVED = 5

/** What one life asked its model. */
interface LifeCalls {
  /** Of its first conversation, by which the episode is known. */
  print: string
  steps: Map<string, ShownCall[]>
}

/** Runs a candidate over episodes as any run, with what it asks its model looked at. */
export async function evaluateCandidate(
  candidate: PromptCandidate,
  { definition, options, label }: { definition: SystemDefinition; options: Record<string, string>; label: string },
  {
    asked,
    episodes,
    trials,
    account,
  }: { asked: OptimiseOptions; episodes: readonly string[]; trials: number; account: string },
  told: Heard,
): Promise<Evaluation> {
  const lives: LifeCalls[] = []
  const { prompts: own, options: _options, variants: _variants, withoutModel, ...rest } = definition
  const system: SystemDefinition = {
    ...rest,
    name: `${label.replace(/[^\w.-]+/g, '-')}-${fingerprint(candidate.prompts).slice(0, 8)}`,
    version: `${definition.version}+${fingerprint({ options, prompts: { ...own, ...candidate.prompts } }).slice(0, 16)}`,
    ...(withoutModel && { withoutModel: () => withoutModel(options) }),
    create: async (context, _given) => {
      const life: LifeCalls = { print: '', steps: new Map() }
      lives.push(life)
      const llm = context.llm && watched(context.llm, life)
      const made = await definition.create({ ...context, prompts: candidate.prompts, ...(llm && { llm }) }, options)
      return noting(made, life)
    },
  }
  const parts = objectsIn(asked)
  const {
    system: _system,
    parts: _parts,
    train: _train,
    test: _test,
    steps: _steps,
    batchSize: _batchSize,
    candidates: _n,
    ...measure
  } = asked
  const { adviser: _adviser, resume: _resume, out: _out, seed: _seed, trials: _trials, ...given } = measure
  const size = given.size ?? 'paper'
  const control = { signal: told.signal, onProgress: told.tell }
  const { run: id, summary } = await run({ ...given, size, parts, system, episodes, trials, account }, control)
  if (summary.status === 'partial')
    throw new UserError(`The run ${id} of ${candidate.name} is not complete.`, 'The same command goes on with it.')
  if (summary.status === 'invalid')
    told.warn(`More than 2 % of the questions of ${candidate.name} could not be measured.`)
  const names = new Map(
    (await suitesFrom(asked.suite, asked.data, new Parts(parts))).map(({ suite }) => [
      suite.name,
      suite.answerScore?.score,
    ]),
  )
  const ownScore = (cell: WrittenCell) => cell.scores[names.get(cell.suite) ?? ''] ?? null
  const scores = Array.from({ length: trials }, (_, trial) => {
    const cells = summary.cells.filter((cell) => cell.trial === trial)
    const counted = cells.filter((cell) => ownScore(cell) !== null)
    const scored = counted.length > 0 ? counted : cells
    const values = scored.flatMap((cell) => ownScore(cell) ?? cell.answer?.accuracy ?? cell.evidence?.rate ?? [])
    return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  })
  const seen = await lookAt(id, asked, [...parts, system], lives)
  return { run: id, trials: scores, score: scores.reduce((sum, one) => sum + one, 0) / trials, ...seen }
}

/** Objects of the caller by which a run is done, and without which it cannot be read again. */
export function objectsIn({ parts = [], suite, judge, factJudge, answerJudge, reader }: OptimiseOptions): OwnPart[] {
  return [...new Set([...parts, ...objectsAmong([suite, judge, factJudge, answerJudge, reader])])]
}

/** The failures of a run, and what was asked in the episode that went best. */
async function lookAt(run: string, { home }: OptimiseOptions, parts: readonly OwnPart[], lives: readonly LifeCalls[]) {
  const failed: FailedQuestion[] = []
  let best: { share: number; print: string } | null = null
  const options = { run, parts, ...(home !== undefined && { home }) }
  await withKeptRun(options, { usage: '' }, async ({ record, workshop, store }) => {
    for await (const life of readRun(record.id, workshop.plan, resultKeys(workshop), store)) {
      const { scenario } = life.planned
      const texts = new Map(scenario.facts.map(({ id, text }) => [id, text]))
      let right = 0
      for (const { question, assessment, witness } of life.results) {
        if (assessment.outcome === 'correct' || assessment.outcome === 'answerable') right++
        else if (assessment.outcome !== 'error' && assessment.outcome !== null)
          failed.push({
            question: question.text,
            needs: (question.needs[0] ?? []).map((id) => texts.get(id) ?? id),
            outcome: assessment.outcome,
            retrieved: (await life.retrievedFor(witness)).slice(0, MOST_RETRIEVED).map(({ text }) => text),
          })
      }
      const share = right / Math.max(1, life.results.length)
      if (!best || share > best.share) best = { share, print: printOf(conversationsOf(scenario)[0]) }
    }
  })
  const print = (best as { print: string } | null)?.print
  const demonstrations = Object.fromEntries(lives.find((life) => life.print === print)?.steps ?? [])
  return { failed, demonstrations, steps: [...new Set(lives.flatMap(({ steps }) => [...steps.keys()]))] }
}

function printOf(conversation: Conversation | undefined): string {
  return conversation ? fingerprint({ time: conversation.time, turns: conversation.turns }) : ''
}

/** The same model, of which a few calls of each step are kept. */
function watched(llm: Llm, { steps }: LifeCalls): Llm {
  return {
    model: llm.model,
    async generate(request, options) {
      const reply = await llm.generate(request, options)
      const step = options.label?.split('/').at(-1) ?? ''
      const calls = entryOf(steps, step, () => [])
      const calledFor = reply.toolCalls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)
      if (calls.length < MOST_CALLS)
        calls.push({
          shown: request.messages.at(-1)?.content ?? '',
          replied: [reply.text, ...calledFor].join('\n').trim(),
        })
      return reply
    },
  }
}

/** The same memory, of whose first conversation a print is kept. */
function noting(system: MemorySystem, life: LifeCalls): MemorySystem {
  return {
    ...system,
    store: (conversation) => {
      life.print ||= printOf(conversation)
      return system.store(conversation)
    },
  }
}
