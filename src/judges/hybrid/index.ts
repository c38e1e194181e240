import {
  type AnswerCase,
  type AnswerVerdict,
  type Criterion,
  type CriterionVerdict,
  defineJudge,
  type Fact,
  type FactVerdict,
  type Judge,
  type Llm,
  type Memory,
  UnjudgedError,
} from '../../model/index.js'
import { gradeOfCriteria } from '../criteria.js'
import { createLexicalJudge } from '../lexical/index.js'
import { storeSide } from '../lexical/store-side.js'
import { createLlmJudge } from '../llm/index.js'
import { JUDGE_SECTIONS, type JudgePrompts, judgePromptsOf } from '../llm/judge-prompts.js'

export interface HybridOptions {
  /** Memories the model gets to see for each fact, at most. */
  perFact?: number
  /** What the model is told. */
  prompts?: JudgePrompts
}

/**
 * A judge by rules where it is certain, a language model where it is not. The model sees only the few memories that come nearest to the
 * facts in doubt; answers go to it when words alone do not settle them.
 *
 * @example createHybrid(createLexicalJudge({ embed, entail }), gateway.llm('openai:gpt-5-mini'))
 */
export function createHybrid(lexical: Judge, llm: Llm, { perFact = 5, prompts }: HybridOptions = {}): Judge {
  // No store fits into nothing: the model is always shown candidates only.
  const model = createLlmJudge(llm, { storeTokens: 0, perFact, ...(prompts && { prompts }) })
  const judgeAnswers = (items: readonly AnswerCase[], signal?: AbortSignal) => grade(lexical, model, items, signal)
  return {
    name: `hybrid:${llm.model}`,
    key: `hybrid:${lexical.key}+${model.key}`,
    judgeFacts: (facts, store, signal) => judgeFacts(lexical, model, facts, store, signal),
    judgeStore: storeSide,
    judgeAnswer: async (question, answer, signal) =>
      (await judgeAnswers([{ question, answer, facts: [] }], signal))[0]!,
    judgeAnswers,
  }
}

export const hybridJudge = defineJudge({
  name: 'hybrid',
  about: 'lexical where that is certain, a language model where it is not',
  needs: { llm: true },
  prompts: JUDGE_SECTIONS,
  create: ({ embed, entail, llm, named: [model], prompts }) =>
    createHybrid(createLexicalJudge({ embed, ...(entail && { entail }) }), llm(model!), {
      prompts: judgePromptsOf(prompts),
    }),
})

async function judgeFacts(
  lexical: Judge,
  model: Judge,
  facts: readonly Fact[],
  store: readonly Memory[],
  signal?: AbortSignal,
): Promise<FactVerdict[]> {
  const first = await lexical.judgeFacts(facts, store, signal)
  const doubtful = facts.filter((_, i) => first[i]!.uncertain)
  if (doubtful.length === 0) return first
  const settled = new Map(first.filter(({ uncertain }) => !uncertain).map((verdict) => [verdict.fact, verdict]))
  const add = (verdicts: readonly FactVerdict[]) => {
    for (const verdict of verdicts) settled.set(verdict.fact, verdict)
    return facts.flatMap(({ id }) => settled.get(id) ?? [])
  }
  try {
    return add(await model.judgeFacts(doubtful, store, signal))
  } catch (error) {
    if (error instanceof UnjudgedError) throw new UnjudgedError(add(error.verdicts), error.failures)
    throw error
  }
}

async function grade(
  lexical: Judge,
  model: Judge,
  items: readonly AnswerCase[],
  signal?: AbortSignal,
): Promise<AnswerVerdict[]> {
  const verdicts = await Promise.all(items.map(({ question, answer }) => lexical.judgeAnswer(question, answer, signal)))
  const open = items.flatMap((item, i) => (inDoubt(verdicts[i]!) && item.answer.trim() !== '' ? [i] : []))
  const judged = await model.judgeAnswers!(
    open.map((i) => openPart(items[i]!, verdicts[i]!)),
    signal,
  )
  for (const [place, verdict] of judged.entries()) {
    const i = open[place]!
    const { gold } = items[i]!.question
    verdicts[i] = gold.kind === 'criteria' ? merged(gold.criteria, verdicts[i]!, verdict) : verdict
  }
  return verdicts
}

/** Of an answer with criteria only those that words alone do not settle. */
function openPart(item: AnswerCase, first: AnswerVerdict): AnswerCase {
  const { gold } = item.question
  if (gold.kind !== 'criteria') return item
  const criteria = gold.criteria.filter((_, i) => isOpen(first, i))
  return { ...item, question: { ...item.question, gold: { ...gold, criteria } } }
}

function isOpen(first: AnswerVerdict, i: number): boolean {
  const verdict = first.grade === 'error' ? undefined : first.criteria?.[i]
  return verdict === undefined || verdict.answer === null || verdict.uncertain
}

/** Verdicts of words where they were certain, the model's for the others; where it has none, there is none. */
function merged(criteria: readonly Criterion[], first: AnswerVerdict, second: AnswerVerdict): AnswerVerdict {
  const told = new Map(second.grade === 'error' ? [] : second.criteria?.map((one) => [one.id, one]))
  const verdicts = criteria.map(({ id }, i): CriterionVerdict => {
    if (!isOpen(first, i) && first.grade !== 'error') return first.criteria![i]!
    return told.get(id) ?? { id, answer: null, uncertain: true, reason: second.reason }
  })
  return gradeOfCriteria(criteria, verdicts, second.reason)
}

function inDoubt(verdict: AnswerVerdict): boolean {
  return verdict.grade === 'error' || verdict.uncertain
}
