import type {
  Conversation,
  Embedder,
  Llm,
  Memory,
  MemorySystem,
  OwnSystem,
  Query,
  SystemContext,
} from '../../model/index.js'
import { CONVERSATIONS } from './fixtures.js'

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

export async function dumpOf(system: MemorySystem): Promise<Memory[]> {
  await system.settle?.(SETTLE_MS)
  return structuredClone(await system.dump!())
}

/** Asks one question after the other, putting the system back after each where it offers to. */
export async function askAll(system: MemorySystem, queries: readonly Query[], k: number): Promise<Memory[][]> {
  const lists: Memory[][] = []
  for (const query of queries) {
    const before = await system.snapshot?.()
    lists.push(structuredClone(await system.retrieve({ ...query }, k, { k })))
    await system.restore?.(before)
  }
  return lists
}
