import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FOLDER } from '../base/folders.js'
import { fingerprint } from '../base/hash.js'
import { CallWatch, SYSTEM_TIMEOUT_MS } from '../model/call-watch.js'
import { factsAsMemories, leastEvidenceIn } from '../model/least-evidence.js'
import { type Embedder, isRehearsed } from '../model/llm.js'
import type { Query, Question } from '../model/question.js'
import type { LifeKey } from '../model/run-store.js'
import { asTold, questionsOf, type Scenario } from '../model/scenario.js'
import type { GoldAccess, MemorySystem, SystemContext, SystemDefinition } from '../model/system.js'
import { metered, unmetered } from './bill.js'
import type { LifeTools } from './live.js'
import type { PlannedLife } from './plan.js'

/** One attempt at a life. What a memory is called by outside is never the same for two of them. */
export interface AttemptKey extends LifeKey {
  attempt: number
}

/** Works in a folder that belongs to one attempt at a life, empty at the beginning and gone afterwards. */
export async function inFolder<T>(workroot: string, key: AttemptKey, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(workroot, fingerprint(key))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Makes the memory of a life, with all that it may use and nothing else.
 *
 * @param key names the attempt, and keeps what the memory writes apart from other lives and attempts
 * @param clock the time of the scenario; whoever lives the life moves it on
 */
export async function openSystem(
  key: AttemptKey,
  { subject, scenario }: PlannedLife,
  workdir: string,
  clock: { readonly now: string },
  tools: Pick<LifeTools, 'embed' | 'rehearsedEmbed' | 'llm' | 'endpoint' | 'signal' | 'log' | 'systemMs'>,
): Promise<MemorySystem> {
  const { definition, model, options, system: label } = subject
  const { endpoint, log } = tools
  const watch = new CallWatch(tools.systemMs ?? SYSTEM_TIMEOUT_MS, tools.signal)
  const { signal } = watch
  const embed = watch.embedder(asked(isRehearsed(model) ? (tools.rehearsedEmbed ?? tools.embed) : tools.embed))
  const llm = model === null ? null : watch.model(metered(tools.llm(model, definition), key.trial))
  const context: SystemContext = { embed, workdir, namespace: fingerprint(key), now: () => clock.now, signal, log }
  if (llm) context.llm = llm
  if (llm && endpoint && definition.needs?.endpoint)
    context.endpoint = (asked) => endpoint({ ...asked, name: definition.name, llm, embed, signal })
  if (definition.playback) context.scenario = scenarioIdOf(scenario)
  if (definition.needs?.gold) context.gold = goldOf(scenario)
  const system = await watch.call('create', async () => definition.create(context, options))
  requireMethods(system, label)
  return looking(watch.system(definition.playback ? unmetered(system) : system), definition)
}

/** What is embedded while a memory looks for something is looked for, unless it says so itself. */
const looked = new AsyncLocalStorage<'query'>()

/** A memory as it is lived with: it is told conversations in the form it knows. */
function looking(system: MemorySystem, { speakers }: SystemDefinition): MemorySystem {
  return {
    ...system,
    store: (conversation) => system.store(speakers ? conversation : asTold(conversation)),
    retrieve: (...given) => looked.run('query', () => system.retrieve(...given)),
  }
}

function asked(embedder: Embedder): Embedder {
  return { ...embedder, embed: (texts, as = looked.getStore()) => embedder.embed(texts, as) }
}

/** What a scenario is known by outside: as a question is, by nothing that tells of it. */
export function scenarioIdOf({ id }: Scenario): string {
  return fingerprint({ scenario: id }).slice(0, 16)
}

/** What a system knows a question by. It tells nothing of the question: names of tasks, rows and things would be answers to some. */
export function queryIdOf(scenario: Scenario, question: Question): string {
  return fingerprint({ scenario: scenario.id, question: question.id }).slice(0, 16)
}

/** What a system gets to see of a question that is asked at a time. */
export function queryOf(scenario: Scenario, question: Question, time: string): Query {
  return { id: queryIdOf(scenario, question), text: question.query ?? question.text, time }
}

/** What the oracle is told: what suffices for each question and takes least at the depth it is asked for, word for word. */
function goldOf(scenario: Scenario): GoldAccess {
  const memories = factsAsMemories(scenario)
  const least = leastEvidenceIn(scenario)
  const questions = new Map(questionsOf(scenario).map((question) => [queryIdOf(scenario, question), question]))
  return {
    needed(query, depth) {
      const question = questions.get(query)
      return question ? (least(question, depth)?.facts ?? []).map((id) => memories.get(id)!) : []
    },
    all: () => [...memories.values()],
  }
}

function requireMethods(system: MemorySystem, label: string): void {
  for (const method of ['store', 'retrieve'] as const) {
    if (typeof system?.[method] !== 'function') {
      throw new Error(`${label} has no ${method}(): a memory system needs store and retrieve`)
    }
  }
}
