import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../base/errors.js'
import { makePrivateFolder } from '../base/folders.js'
import { fingerprint } from '../base/hash.js'
import { objectHash } from '../base/own-file.js'
import { meanOf } from '../base/sums.js'
import { wholeNumber } from '../base/whole-number.js'
import { isFatal } from '../engine/fatal.js'
import { isRehearsed, LlmError, type SystemDefinition } from '../model/index.js'
import { resolveSystem } from '../systems/registry.js'
import { adviceFor, type PromptCandidate, withAdvice, withDemonstrations } from './candidates.js'
import { homeAt } from './compose.js'
import { type Heard, hearControl } from './control.js'
import { chosenEpisodes } from './episodes.js'
import { type Evaluation, evaluateCandidate, objectsIn } from './evaluate.js'
import { modelAccess, openGateway } from './model-access.js'
import type { Optimised, OptimiseOptions } from './optimise-types.js'
import { Parts } from './own-parts.js'
import { rehearsedModel } from './rehearsal.js'
import type { Control } from './types.js'
import { writeWhole } from './whole-file.js'

/** As published of DSPy's SIMBA on memories: two steps of four episodes and four candidates, on ten episodes and ten others, seed 7. */
const USUAL = { seed: 7, train: 10, test: 10, steps: 2, batchSize: 4, candidates: 4, trials: 3 } as const

/** One run says nothing of what runs differ by. */
const LEAST: Readonly<Record<string, number>> = { seed: 0, trials: 2 }

/** What is asked for, complete; equal ones are the same work. */
interface Task {
  system: { definition: SystemDefinition; options: Record<string, string>; label: string }
  asked: OptimiseOptions
  counts: Record<keyof typeof USUAL, number>
  train: string[]
  test: string[]
  id: string
}

/**
 * Looks for words to append to the prompts with which a system stores and retrieves: advice of a model that saw what failed, and
 * demonstrations of what went well. Nothing of the prompts is changed or taken out, and how questions are answered stays as it is. Candidates are scored
 * on episodes to train on; the best is told from what there was on others, each over several runs. Everything that was evaluated is kept:
 * the same call goes on where it stopped.
 */
export async function optimise(asked: OptimiseOptions, control: Control = {}): Promise<Optimised> {
  const told = hearControl(control)
  const parts = new Parts(asked.parts)
  const task = await taskFrom(asked, parts)
  const home = homeAt(asked.home)
  const folder = join(home.work, '..', 'optimise')
  makePrivateFolder(folder)
  const state = new OptimiseState(join(folder, `${task.id}.json`))
  const account = `optimise ${task.id}`
  const evaluate = async (candidate: PromptCandidate, episodes: readonly string[], trials = 1): Promise<Evaluation> => {
    told.stopIfAsked(null)
    const key = fingerprint({ prompts: candidate.prompts, episodes, trials })
    return state.once(key, () => evaluateCandidate(candidate, task.system, { asked, episodes, trials, account }, told))
  }
  const pool = await search(task, evaluate, account, told)
  const trained: { candidate: PromptCandidate; score: number }[] = []
  for (const candidate of pool) trained.push({ candidate, score: (await evaluate(candidate, task.train)).score })
  // The first of the best: what is no better than what there was does not take its place.
  const winner = trained.reduce((best, one) => (one.score > best.score ? one : best))
  const { counts } = task
  const baseline = (await evaluate(pool[0]!, task.test, counts.trials)).trials
  const final =
    winner.candidate === pool[0] ? baseline : (await evaluate(winner.candidate, task.test, counts.trials)).trials
  if (asked.out !== undefined)
    await writeWhole(asked.out, (write) => write(`${JSON.stringify(winner.candidate.prompts, null, 2)}\n`))
  const gain = meanOf(final) - meanOf(baseline)
  const floor = 2 * Math.sqrt((variance(baseline) + variance(final)) / counts.trials)
  return {
    id: task.id,
    system: task.system.label,
    train: task.train,
    test: task.test,
    candidates: trained.map(({ candidate: { name, by }, score }) => ({ name, by, train: score })),
    winner: winner.candidate.name,
    prompts: winner.candidate.prompts,
    baseline: { mean: meanOf(baseline), sd: Math.sqrt(variance(baseline)) },
    optimised: { mean: meanOf(final), sd: Math.sqrt(variance(final)) },
    gain,
    floor,
    confirmed: gain > floor,
  }
}

/** Candidates, the first of which is what there was: each step adds to the best so far what one batch of episodes teaches. */
async function search(
  task: Task,
  evaluate: (candidate: PromptCandidate, episodes: readonly string[]) => Promise<Evaluation>,
  account: string,
  told: Heard,
): Promise<PromptCandidate[]> {
  const { counts, train } = task
  const { definition, options } = task.system
  // Prompts that were given in the place of its own are part of what there was.
  const prompts = options.prompts ? (definition.prompts ?? {}) : {}
  const pool: PromptCandidate[] = [{ name: 'as it is', by: 'nothing appended', prompts }]
  let best = pool[0]!
  for (let step = 0; step < counts.steps; step++) {
    const from = (step * counts.batchSize) % train.length
    const batch = [...train.slice(from), ...train].slice(0, Math.min(counts.batchSize, train.length))
    const seen = await evaluate(best, batch)
    const fresh: PromptCandidate[] = []
    for (let i = 0; i < counts.candidates; i++) {
      const name = `step ${step + 1}, candidate ${i + 1}`
      // Advice first, then demonstrations: half of the candidates each.
      const made =
        i < counts.candidates / 2
          ? await advised(name, best, seen, i, task, account, told)
          : withDemonstrations(name, best, seen, i, definition)
      if (made && ![...pool, ...fresh].some(({ prompts }) => fingerprint(prompts) === fingerprint(made.prompts)))
        fresh.push(made)
    }
    const scored: { candidate: PromptCandidate; score: number }[] = [{ candidate: best, score: seen.score }]
    for (const candidate of fresh) scored.push({ candidate, score: (await evaluate(candidate, batch)).score })
    best = scored.reduce((top, one) => (one.score > top.score ? one : top)).candidate
    pool.push(...fresh)
  }
  return pool
}

/** A candidate with advice of a model. One that gives none that can be used leaves no candidate. */
async function advised(
  name: string,
  base: PromptCandidate,
  seen: Evaluation,
  number: number,
  { asked, system: { definition } }: Task,
  account: string,
  told: Heard,
): Promise<PromptCandidate | null> {
  const adviser = asked.adviser ?? asked.model
  const gateway = isRehearsed(adviser) ? null : openGateway(modelAccess(asked), homeAt(asked.home), account, told.warn)
  try {
    const llm = gateway ? gateway.llm(adviser) : rehearsedModel(adviser, definition)
    const advice = await adviceFor(definition, base, seen, number, llm, told.signal)
    return withAdvice(name, base, definition, advice)
  } catch (error) {
    told.stopIfAsked(null)
    if (!(error instanceof LlmError) || isFatal(error)) throw error
    told.warn(`${name}: no advice was had: ${error.message}`)
    return null
  } finally {
    await gateway?.close()
  }
}

async function taskFrom(asked: OptimiseOptions, parts: Parts): Promise<Task> {
  const spec = parts.name(asked.system)
  const { definition, options, label } = await resolveSystem(spec, process.cwd(), undefined, parts.systems)
  if (!definition.prompts || definition.needs?.endpoint)
    throw new UserError(
      `The system "${label}" has no prompts that words could be appended to.`,
      'Name one that has: memscope systems.',
    )
  const counts = Object.fromEntries(
    Object.entries(USUAL).map(([name, usual]) => {
      // On the command line, one number is a list of one.
      const [given, ...more] = [asked[name as keyof typeof USUAL]].flat()
      const isNamed = more.length > 0 || (typeof given === 'string' && !/^\d+$/.test(given))
      const count = given === undefined || isNamed ? usual : Number(given)
      return [name, wholeNumber(name, count, LEAST[name] ?? 1, 10_000)]
    }),
  ) as Task['counts']
  if (asked.store !== undefined) throw new UserError('Prompts are optimised by one process.', 'Leave out --store.')
  const { train, test } = await chosenEpisodes(asked, counts, parts)
  const { home, budget, resume, out, ...rest } = asked
  const { version, prompts } = definition
  const own = objectsIn(asked).map(objectHash)
  const id = fingerprint({ ...rest, parts: own, system: label, version, prompts, train, test }).slice(0, 12)
  if (resume !== undefined && resume !== id)
    throw new UserError(
      `"${resume}" is not this work, which is ${id}.`,
      'Give the same flags as before, or leave out --resume.',
    )
  return { system: { definition, options, label }, asked, counts, train, test, id }
}

/** Of a sample. */
function variance(values: readonly number[]): number {
  const middle = meanOf(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}

/** Evaluations that are done, in a file: what was begun and not done is begun again, and its replies come from the cache. */
class OptimiseState {
  readonly #done: Record<string, Evaluation>

  constructor(readonly file: string) {
    this.#done = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  }

  /** What an evaluation gave, done once whoever asks. */
  async once(key: string, work: () => Promise<Evaluation>): Promise<Evaluation> {
    this.#done[key] ??= await work()
    await writeWhole(this.file, (write) => write(JSON.stringify(this.#done)), { isPrivate: true })
    return this.#done[key]
  }
}
