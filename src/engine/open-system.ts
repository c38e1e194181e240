import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprint } from '../base/hash.js'
import {
  conversationsOf,
  type Fact,
  type GoldAccess,
  type LifeKey,
  type Memory,
  type MemorySystem,
  questionsOf,
  type Scenario,
} from '../model/index.js'
import { metered } from './bill.js'
import type { LifeTools } from './live.js'
import type { PlannedLife } from './plan.js'

/** Works in a folder that belongs to one life, empty at the beginning and gone afterwards. */
export async function inFolder<T>(workroot: string, key: LifeKey, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(workroot, fingerprint(key))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Makes the memory of a life, with all that it may use and nothing else.
 *
 * @param key names the life, and keeps what the memory writes apart from other lives
 * @param clock the time of the scenario; whoever lives the life moves it on
 */
export async function openSystem(
  key: LifeKey,
  { subject, scenario }: PlannedLife,
  workdir: string,
  clock: { readonly now: string },
  { embed, llm: modelOf, endpoint, signal, log }: Pick<LifeTools, 'embed' | 'llm' | 'endpoint' | 'signal' | 'log'>,
): Promise<MemorySystem> {
  const { definition, model, options, label } = subject
  const llm = model === null ? null : metered(modelOf(model, definition), key.trial)
  const system = await definition.create(
    {
      embed,
      ...(llm && { llm }),
      ...(llm &&
        endpoint &&
        definition.needs?.endpoint && {
          endpoint: (asked) => endpoint({ ...asked, name: definition.name, llm, embed, signal }),
        }),
      workdir,
      namespace: fingerprint(key),
      now: () => clock.now,
      signal,
      log,
      ...(definition.needs?.gold && { gold: goldOf(scenario) }),
    },
    options,
  )
  requireMethods(system, label)
  return system
}

/** The facts that were said, as memories, for the oracle: word for word. */
function goldOf(scenario: Scenario): GoldAccess {
  const times = new Map(conversationsOf(scenario).map(({ id, time }) => [id, time]))
  const memoryOf = ({ id, text, sources }: Fact): Memory => {
    const time = times.get(sources[0]!)
    return { id, text, sources, ...(time !== undefined && { time }) }
  }
  const memories = new Map(
    scenario.facts.filter(({ sources }) => sources.length > 0).map((fact) => [fact.id, memoryOf(fact)] as const),
  )
  const needs = new Map(questionsOf(scenario).map(({ id, needs }) => [id, needs[0] ?? []]))
  return {
    needed: (question) => (needs.get(question) ?? []).map((id) => memories.get(id)!),
    all: () => [...memories.values()],
  }
}

function requireMethods(system: MemorySystem, label: string): void {
  for (const method of ['store', 'retrieve', 'dump'] as const) {
    if (typeof system?.[method] !== 'function') {
      throw new Error(`${label} has no ${method}(): a memory system needs store, retrieve and dump`)
    }
  }
}
