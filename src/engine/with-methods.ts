import type { MemorySystem } from '../model/system.js'

/** The same memory, whose methods do what is made of them. */
export function withMethods(
  system: MemorySystem,
  make: (method: string, work: (...given: unknown[]) => Promise<unknown>) => (...given: unknown[]) => Promise<unknown>,
): MemorySystem {
  const methods = Object.entries(system).map(([name, work]) => [name, make(name, work)])
  return Object.fromEntries(methods) as MemorySystem
}
