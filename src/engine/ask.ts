import { type Depth, depthTokens } from '../model/depth.js'
import { type Query, type Question, textWithChoices } from '../model/question.js'
import type { AnswerRecord, WitnessRecord } from '../model/run-store.js'
import { shownTokens } from '../model/shown-memory.js'
import type { Memory, MemorySystem, SystemDefinition } from '../model/system.js'
import { newBill, runBilled } from './bill.js'
import { checkAnswer, checkRetrieved } from './checked.js'
import { endsAttempt, errorMessage } from './fatal.js'
import type { LifeTools } from './live.js'

/** Most memories asked for when a budget of tokens is to be filled. */
const MOST_FOR_BUDGET = 1000

/**
 * Asks a memory one question at one depth. What fails is an error of that witness, unless it ends the attempt.
 *
 * @param held its store by id; null when the system cannot be looked into
 * @param mostFound how many memories may come for k
 */
export async function askQuestion(
  system: MemorySystem,
  query: Query,
  blank: WitnessRecord,
  held: ReadonlyMap<string, Memory> | null,
  tools: LifeTools,
  mostFound: SystemDefinition['mostFound'] = (k) => k,
): Promise<WitnessRecord> {
  const bill = newBill()
  try {
    const before = await system.snapshot?.()
    const { depth } = blank
    const most = mostAt(depth)
    const { result: all, ms } = await runBilled(bill, () => system.retrieve(query, most, depth))
    if (system.restore && before !== undefined) await system.restore(before)
    checkRetrieved(all, mostFound(most), held)
    const found = withinDepth(
      all.map((memory) => asHeldIn(held, memory)),
      depth,
    )
    const sizes = found.map(shownTokens)
    const asHeld = held !== null && found.every(({ id }) => held.has(id))
    return {
      ...blank,
      retrieved: found.map(({ id }) => id),
      scores: found.map(({ score }) => score ?? null),
      retrievedSnapshot: asHeld ? null : await tools.store.putSnapshot(found, null),
      contextTokens: sizes.reduce((sum, size) => sum + size, 0),
      sizes,
      ms,
      ...bill,
    }
  } catch (error) {
    if (endsAttempt(error, tools)) throw error
    return { ...blank, ...bill, error: errorMessage(error, tools) }
  }
}

/** The answers of a system that answers by itself; one, whatever the depth. */
export async function ownAnswers(
  system: MemorySystem,
  question: Question,
  query: Query,
  witnesses: readonly WitnessRecord[],
  tools: LifeTools,
): Promise<AnswerRecord[]> {
  const bill = newBill()
  let answer: string | null = null
  let error: string | null = null
  let ms: number | null = null
  try {
    if (!system.answer) throw new Error('it declares that it answers by itself, but has no answer()')
    const timed = await runBilled(bill, () => system.answer!({ ...query, text: textWithChoices(question) }))
    checkAnswer(timed.result)
    answer = timed.result.text
    ms = timed.ms
  } catch (failure) {
    if (endsAttempt(failure, tools)) throw failure
    error = errorMessage(failure, tools)
  }
  const { cost, repairs } = bill
  const input = Object.values(bill.tokens).reduce((sum, tokens) => sum + tokens, 0)
  const given = { prompt: '', answer, tokens: { input, output: 0 }, cost, error, ...(repairs && { repairs }) }
  return witnesses.map(({ depth }) => ({ question: question.id, depth, ...given, ...(ms !== null && { ms }) }))
}

/** The most memories a system may return at a depth. A budget is never filled by more memories than it has tokens. */
export function mostAt(depth: Depth): number {
  if (depth === 'all') return Number.MAX_SAFE_INTEGER
  return 'k' in depth ? depth.k : Math.min(depth.tokens, MOST_FOR_BUDGET)
}

/** A retrieved memory as readers will be shown it: where the store holds it, its time and its standing are those of the store. */
function asHeldIn(held: ReadonlyMap<string, Memory> | null, memory: Memory): Memory {
  const kept = held?.get(memory.id)
  return kept ? { ...kept, ...(memory.score !== undefined && { score: memory.score }) } : memory
}

/** As many as fit into a budget of tokens, best first; the first that does not fit ends it. At other depths all. */
export function withinDepth(memories: readonly Memory[], depth: Depth): Memory[] {
  let left = depthTokens(depth) ?? Number.POSITIVE_INFINITY
  const end = memories.findIndex((memory) => {
    left -= shownTokens(memory)
    return left < 0
  })
  return memories.slice(0, end < 0 ? memories.length : end)
}

/** A witness of a question before anything is known of it. */
export function blankWitness(question: string, probe: string, depth: Depth): WitnessRecord {
  const nothing = { retrieved: [], scores: [], retrievedSnapshot: null, contextTokens: 0, sizes: [], ms: null }
  return { question, probe, depth, ...nothing, tokens: {}, cost: 0, error: null }
}
