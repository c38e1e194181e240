import type {
  Conversation,
  Embedder,
  Llm,
  LlmOptions,
  Memory,
  MemorySystem,
  OwnSystem,
  Query,
  SystemContext,
} from '../../model/index.js'
import { CONVERSATIONS, QUERIES } from './fixtures.js'
import { formatValue } from './same.js'

/** What a check may use: the definition, and fresh instances that share nothing. */
export interface CheckSubject {
  definition: OwnSystem
  /** Parts of the context may be replaced. */
  create(own?: Partial<SystemContext>): Promise<MemorySystem>
  /** The model that instances are given; null when there is none. */
  llm: Llm | null
  /** The embedder that instances are given. */
  embed: Embedder
}

/** One promise of the `MemorySystem` contract. Throws when it is not kept. */
export interface SystemCheck {
  title: string
  /** Why it has no bearing on a system; null when it has. */
  unless?(definition: OwnSystem): string | null
  run(subject: CheckSubject): Promise<void>
}

export const SETTLE_MS = 60_000

/** An instance that holds the short life of the fixtures. */
export async function filled(create: CheckSubject['create'], own?: Partial<SystemContext>): Promise<MemorySystem> {
  const system = await create(own)
  await storeAll(system, CONVERSATIONS)
  return system
}

export async function storeAll(system: MemorySystem, conversations: readonly Conversation[]): Promise<void> {
  for (const conversation of conversations) await system.store(structuredClone(conversation))
  await system.settle?.(SETTLE_MS)
}

/** A promise that has no bearing on this very instance; checks throw it in place of failing. */
export class NotApplicable extends Error {}

/** Everything an instance holds. A check that cannot do without has no bearing on a memory that does not show it. */
export async function dumpOf(system: MemorySystem): Promise<Memory[]> {
  if (!system.dump)
    throw new NotApplicable(
      'It has no dump(), so that nobody can look into it: this cannot be checked, nor where facts are lost.',
    )
  return heldBy(system)
}

/** Everything an instance holds, or nothing when it has no `dump`: for promises that show in what is retrieved as well. */
export async function heldBy(system: MemorySystem): Promise<Memory[]> {
  await system.settle?.(SETTLE_MS)
  return system.dump ? copied(await system.dump(), 'dump') : []
}

/** Asks one question after the other, putting the system back after each where it offers to. */
export async function askAll(system: MemorySystem, queries: readonly Query[], k: number): Promise<Memory[][]> {
  const lists: Memory[][] = []
  for (const query of queries) {
    const before = await system.snapshot?.()
    lists.push(copied(await system.retrieve({ ...query }, k, { k }), 'retrieve'))
    await system.restore?.(before)
  }
  return lists
}

/** What can be seen of an instance: what it holds, where it shows that, and what it finds. */
export async function stateOf(system: MemorySystem): Promise<{ dump: Memory[]; found: Memory[][] }> {
  return { dump: await heldBy(system), found: await askAll(system, QUERIES, 5) }
}

/** A model that does something before every call, which may be to fail it. */
export function modelBefore(llm: Llm, before: (options: LlmOptions) => void): Llm {
  return {
    model: llm.model,
    generate: async (request, options) => {
      before(options)
      return llm.generate(request, options)
    },
  }
}

/** A copy of a list of memories, which later changes inside the system do not reach. */
function copied(list: unknown, method: string): Memory[] {
  if (!Array.isArray(list)) throw new Error(`${method}() should give a list of memories, got ${formatValue(list)}`)
  for (const memory of list) {
    if (typeof memory !== 'object' || memory === null)
      throw new Error(`${method}() should give memories such as { id, text }, got ${formatValue(memory)}`)
  }
  return structuredClone(list)
}
