import { UserError } from '../../base/errors.js'
import { item as listItem } from '../../base/fence.js'
import { fingerprint } from '../../base/hash.js'
import {
  defineJudge,
  type Fact,
  type FactVerdict,
  type Judge,
  type Llm,
  type Memory,
  type Question,
  type QuestionCase,
  type QuestionVerdict,
  UnjudgedError,
} from '../../model/index.js'
import { judgeBatched } from './batched.js'
import { PaperCalls, paperPrompts } from './calls.js'
import { CheckFailed, judgeSingly, judgeStoredFact } from './single.js'

/** Bumped when verdicts may change although the prompts stay. */
const VERSION = '1'

/**
 * MemFail's own protocol, for parity: every question by itself, each of its facts through storage, summary and retrieval until one fails,
 * then the answer; the whole store in every prompt; questions about people 20 a call. The prompts say the same in other words. It costs
 * some 25 times as much as the `llm` judge, and pays again for every k.
 *
 * @example createPaperJudge(gateway.llm('openai:gpt-5-mini')).judgeQuestions!(store, items)
 */
export function createPaperJudge(llm: Llm): Judge {
  return {
    name: `paper:${llm.model}`,
    key: `paper:${llm.model}:${fingerprint({ VERSION, prompts: paperPrompts.hash })}`,
    judgeQuestions: async (store, items, signal) => {
      for (const { question, facts } of items) requireMemFail(facts, question)
      return judgeQuestions(new PaperCalls(llm, signal), store, items)
    },
    judgeFacts: async (facts, store, signal) => {
      requireMemFail(facts)
      const calls = new PaperCalls(llm, signal)
      const listed = list(store)
      const failures: { fact: string; reason: string }[] = []
      const verdicts = await Promise.all(
        facts.map(async (fact): Promise<FactVerdict[]> => {
          const blank = { fact: fact.id, uncertain: false, support: [], quotes: [] }
          if (store.length === 0) return [{ ...blank, label: 'not_stored', reason: 'The store is empty.' }]
          try {
            const { stored, faithful, reason } = await judgeStoredFact(calls, fact, listed)
            return [{ ...blank, label: faithful ? 'correct' : stored ? 'summary_error' : 'not_stored', reason }]
          } catch (error) {
            if (!(error instanceof CheckFailed)) throw error
            failures.push({ fact: fact.id, reason: error.message })
            return []
          }
        }),
      )
      if (failures.length > 0) throw new UnjudgedError(verdicts.flat(), failures)
      return verdicts.flat()
    },
    judgeAnswer: async (question, answer, signal) => {
      requireMemFail([], question)
      const lines = { question, answer, facts: [], retrieved: [], graded: null }
      const { answer: verdict } = await judgeSingly(new PaperCalls(llm, signal), lines, '', '')
      return verdict ?? { grade: 'error', reason: 'The answer was not read.' }
    },
  }
}

export const paperJudge = defineJudge({
  name: 'paper',
  about: 'MemFail’s own protocol, question by question, on a language model',
  needs: { llm: true },
  create: ({ llm, named: [model] }) => createPaperJudge(llm(model!)),
})

const GOLDS: ReadonlySet<string> = new Set(['yes-no', 'list', 'choice', 'free', 'abstain'])

/** The protocol says nothing about facts and questions of other benchmarks. */
function requireMemFail(facts: readonly Fact[], question?: Question): void {
  const state = facts.find(({ cues }) => cues.kind === 'state')
  if (!state && (!question || GOLDS.has(question.gold.kind))) return
  const what = state ? `the fact ${state.id}` : `${question!.id}, whose gold is of the kind "${question!.gold.kind}"`
  throw new UserError(
    `The judge "paper" follows the protocol of MemFail, which has no prompt for ${what}.`,
    'Judge other suites with lexical, llm:<model>, hybrid:<model> or panel:<a>,<b>, or run --suite memfail.',
  )
}

/** Questions about people are judged together, all others one by one. */
async function judgeQuestions(
  calls: PaperCalls,
  store: readonly Memory[],
  items: readonly QuestionCase[],
): Promise<QuestionVerdict[]> {
  const listed = list(store)
  const together = items.filter(isBatched)
  const verdicts = new Map<QuestionCase, QuestionVerdict>()
  const batched = judgeBatched(calls, together, listed, ({ retrieved }) => list(retrieved))
  const singly = items
    .filter((item) => !isBatched(item))
    .map(async (item) => void verdicts.set(item, await judgeSingly(calls, item, listed, list(item.retrieved))))
  for (const [i, verdict] of (await batched).entries()) verdicts.set(together[i]!, verdict)
  await Promise.all(singly)
  return items.map((item) => verdicts.get(item)!)
}

function isBatched({ question }: QuestionCase): boolean {
  return question.gold.kind === 'free' || question.gold.kind === 'abstain'
}

/** Memories as lines, without numbers: the protocol never asks which memory it was. */
function list(memories: readonly Memory[]): string {
  return memories.map(({ text }) => listItem('-', text)).join('\n')
}
