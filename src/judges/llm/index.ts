import { fingerprint } from '../../base/hash.js'
import { defineJudge, type Judge, type Llm } from '../../model/index.js'
import { storeSide } from '../lexical/store-side.js'
import { judgeAnswersWith } from './answers.js'
import { judgeFactsWith } from './facts.js'
import { DEFAULT_JUDGE_PROMPTS, JUDGE_SECTIONS, type JudgePrompts, judgePromptsOf } from './judge-prompts.js'
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
  /** What the model is told. */
  prompts?: JudgePrompts
}

/**
 * A judge that asks a language model: storage and faithfulness in one call, up to 20 facts or answers a call, the store first. What it
 * judges is fenced off as data, and only complete, well-formed verdicts count.
 *
 * @example await createLlmJudge(gateway.llm('openai:gpt-5-mini')).judgeFacts(facts, store)
 */
export function createLlmJudge(llm: Llm, options: LlmJudgeOptions = {}): Judge {
  const { storeTokens = 24_000, partTokens = 12_000, perFact = 12, prompts = DEFAULT_JUDGE_PROMPTS } = options
  const limits: StoreLimits = { whole: storeTokens, part: partTokens, perFact }
  const hashes = { facts: prompts.facts.hash, answers: prompts.answers.hash, criteria: prompts.criteria.hash }
  const print = fingerprint({ VERSION, ...hashes, limits })
  return {
    name: `llm:${llm.model}`,
    key: `llm:${llm.model}:${print}`,
    judgeFacts: (facts, store, signal) => judgeFactsWith(llm, facts, store, limits, prompts.facts, signal),
    judgeStore: storeSide,
    judgeAnswer: async (question, answer, signal) =>
      (await judgeAnswersWith(llm, [{ question, answer, facts: [] }], prompts, signal))[0]!,
    judgeAnswers: (items, signal) => judgeAnswersWith(llm, items, prompts, signal),
  }
}

export const llmJudge = defineJudge({
  name: 'llm',
  about: 'asks a language model about facts and answers, many a call',
  needs: { llm: true },
  prompts: JUDGE_SECTIONS,
  create: ({ llm, named: [model], prompts }) => createLlmJudge(llm(model!), { prompts: judgePromptsOf(prompts) }),
})
