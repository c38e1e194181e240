import { fingerprint } from '../../base/hash.js'
import type { Judge, Llm } from '../../model/index.js'
import { answerPrompts, judgeAnswersWith } from './answers.js'
import { criteriaPrompts } from './criteria.js'
import { factPrompts, judgeFactsWith } from './facts.js'
import type { StoreLimits } from './store-view.js'

/** Bumped when verdicts may change although the prompts stay. */
const VERSION = '3'

export interface LlmJudgeOptions {
  /** Tokens up to which a store is sent as a whole; of larger ones only the memories that come near the facts of a call. */
  storeTokens?: number
  /** Tokens sent of larger stores, at most. */
  partTokens?: number
  /** Memories sent for each fact then, at most. */
  perFact?: number
}

/**
 * A judge that asks a language model: storage and faithfulness in one call, up to 20 facts or answers a call, the store first. What it
 * judges is fenced off as data, and only complete, well-formed verdicts count.
 *
 * @example await createLlmJudge(gateway.llm('openai:gpt-5-mini')).judgeFacts(facts, store)
 */
export function createLlmJudge(llm: Llm, options: LlmJudgeOptions = {}): Judge {
  const { storeTokens = 24_000, partTokens = 12_000, perFact = 12 } = options
  const limits: StoreLimits = { whole: storeTokens, part: partTokens, perFact }
  const prompts = { facts: factPrompts.hash, answers: answerPrompts.hash, criteria: criteriaPrompts.hash }
  const print = fingerprint({ VERSION, ...prompts, limits })
  return {
    name: `llm:${llm.model}`,
    key: `llm:${llm.model}:${print}`,
    judgeFacts: (facts, store, signal) => judgeFactsWith(llm, facts, store, limits, signal),
    judgeAnswer: async (question, answer, signal) =>
      (await judgeAnswersWith(llm, [{ question, answer, facts: [] }], signal))[0]!,
    judgeAnswers: (items, signal) => judgeAnswersWith(llm, items, signal),
  }
}
