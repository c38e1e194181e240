/**
 * Matchers for tests of one's own memory: importing it is enough. They need vitest.
 *
 * @example
 * import 'memscope/vitest'
 * await expect(memory).toKeep('The user lives in Oslo.')
 * await expect(memory).toForget('The user lives in Bergen.')
 * await expect(memory).toRetrieve('The user lives in Oslo.', { for: 'Where do I live?', k: 3 })
 *
 * @module
 */
import { expect } from 'vitest'
import { judgeStatements, type StatementVerdict } from './library.js'
import type { Memory, MemorySystem } from './model/index.js'

/** How a memory is asked. */
export interface RetrieveCase {
  /** The question. */
  for: string
  /** Most memories that are retrieved: 5 unless given. */
  k?: number
  /** The time at which it is asked: now unless given. */
  time?: string
}

interface Outcome {
  pass: boolean
  message(): string
}

/** Those of a memory that hold now: what is marked as gone is not kept. */
async function heldBy(memory: MemorySystem): Promise<Memory[]> {
  if (!memory.dump) throw new Error('Expected a memory with dump(), which tells what it holds')
  await memory.settle?.(60_000)
  return (await memory.dump()).filter(({ status = 'live' }) => status === 'live')
}

function outcome({ statement, label, uncertain, reason, memories }: StatementVerdict, among: string): Outcome {
  const pass = label === 'correct'
  const said = memories.map(({ id, text }) => `  ${id}: ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`)
  return {
    pass,
    message: () =>
      [
        `Expected ${among} ${pass ? 'not ' : ''}to hold "${statement}".`,
        `${reason}${uncertain ? ' (This verdict is uncertain.)' : ''}`,
        ...said,
      ].join('\n'),
  }
}

export const memoryMatchers = {
  /** The memory holds what the statement says, whole and unaltered. */
  async toKeep(memory: MemorySystem, statement: string): Promise<Outcome> {
    const [verdict] = await judgeStatements([statement], await heldBy(memory))
    return outcome(verdict!, 'the memory')
  },
  /** The memory does not hold it, or holds it only as gone. */
  async toForget(memory: MemorySystem, statement: string): Promise<Outcome> {
    const [verdict] = await judgeStatements([statement], await heldBy(memory))
    const { pass, message } = outcome(verdict!, 'the memory')
    return { pass: !pass, message }
  },
  /** What it says is among the memories that are retrieved for a question. */
  async toRetrieve(memory: MemorySystem, statement: string, asked: RetrieveCase): Promise<Outcome> {
    const { k = 5, time = new Date().toISOString() } = asked
    await memory.settle?.(60_000)
    const found = await memory.retrieve({ id: 'test', text: asked.for, time }, k, { k })
    const [verdict] = await judgeStatements([statement], found)
    return outcome(verdict!, `what is retrieved for "${asked.for}"`)
  },
}

expect.extend(memoryMatchers)

declare module 'vitest' {
  interface Matchers<T> {
    toKeep(statement: string): T extends MemorySystem ? Promise<void> : never
    toForget(statement: string): T extends MemorySystem ? Promise<void> : never
    toRetrieve(statement: string, asked: RetrieveCase): T extends MemorySystem ? Promise<void> : never
  }
}
