import { messageOf } from '../base/errors.js'
import { MemoryGoneError, type MemorySystem } from '../model/index.js'
import { checkedDump, checkRetrieved } from './checked.js'
import { isFatal } from './fatal.js'
import type { PlannedSubject } from './plan.js'
import { withMethods } from './with-methods.js'

/** A call of a memory system failed; the message begins with the name of the method. */
export class FailedCallError extends Error {}

/** Has one thing done by a system. What it throws then says which method it was; what ends the run stays what it is. */
export async function namingMethod<T>(method: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isFatal(error) || error instanceof MemoryGoneError) throw error
    throw new FailedCallError(`${method} failed: ${messageOf(error)}`, { cause: error })
  }
}

/** The same memory, whose failures name the method. A list of memories that is none is a failure, too. */
export function namingMethods(system: MemorySystem, { system: label, definition }: PlannedSubject): MemorySystem {
  const checked: MemorySystem = {
    ...system,
    ...(system.dump && { dump: async () => (await checkedDump(system, label))! }),
    async retrieve(query, k, depth) {
      const found = await system.retrieve(query, k, depth)
      checkRetrieved(found, definition.mostFound?.(k) ?? k, null)
      return found
    },
  }
  return withMethods(
    checked,
    (method, work) =>
      (...given) =>
        namingMethod(method, async () => work(...given)),
  )
}
