import { countTokens, decode, encode } from 'gpt-tokenizer/encoding/o200k_base'
import type { AnswerCase, AnswerVerdict, Fact, Judge, Llm, Memory, Question } from '../../model/index.js'
import { createHybrid } from '../hybrid/index.js'
import { createPaperJudge } from '../paper/index.js'
import { createLlmJudge } from './index.js'
import { rehearse, type Sent } from './rehearsal.js'

export const PROTOCOLS = ['paper', 'llm', 'hybrid'] as const

export type Protocol = (typeof PROTOCOLS)[number]

/** What is to be judged: a store, and for every question what was retrieved. */
export interface BillCase {
  facts: readonly Fact[]
  questions: readonly Question[]
  store: readonly Memory[]
  retrieved(question: Question): readonly Memory[] | Promise<readonly Memory[]>
  /** The suite's own grade of an answer, where it has a rule. */
  grade(question: Question, answer: string): AnswerVerdict | null
}

export interface JudgeBill {
  /** What became of facts. The paper's protocol does this anew for every k, the others once per store. */
  stages: Sent
  /** Grading answers, anew for every k. */
  answers: Sent
  total: Sent
}

export interface BillOptions {
  protocol: Protocol
  /** The judge by rules of `hybrid`. */
  lexical?: Judge
  /** Length of the answers. */
  answerTokens?: number
}

/**
 * What judging would cost, with no call made: the judge itself runs on a model that only counts and lets everything pass. Answers are made up
 * of what was expected, at the given length.
 *
 * @example (await judgeBill(oneCase, { protocol: 'llm' })).total.promptTokens
 */
export async function judgeBill(one: BillCase, options: BillOptions): Promise<JudgeBill> {
  const { protocol, answerTokens = 150 } = options
  const byId = new Map(one.facts.map((fact) => [fact.id, fact]))
  const cases = one.questions.map((question): AnswerCase & { graded: AnswerVerdict | null } => {
    const answer = expectedAnswer(question, answerTokens)
    const ids = new Set([...question.needs.flat(), ...(question.tempting ?? []), ...question.outdated])
    const facts = [...ids].flatMap((id) => byId.get(id) ?? [])
    return { question, answer, facts, graded: one.grade(question, answer) }
  })
  const [stages, answers] = [rehearse(), rehearse()]
  if (protocol === 'paper') {
    const items = await Promise.all(
      cases.map(async (item) => ({ ...item, retrieved: await one.retrieved(item.question) })),
    )
    const model = apart(stages, answers, ({ label = '' }) => /^(?:invocation|abstention) /.test(label))
    await createPaperJudge(model).judgeQuestions!(one.store, items)
  } else {
    const judge = (llm: Llm) => (protocol === 'llm' ? createLlmJudge(llm) : createHybrid(needLexical(options), llm))
    const wanted = new Set(one.questions.flatMap(({ needs, outdated }) => [...needs.flat(), ...outdated]))
    await judge(stages).judgeFacts(
      [...wanted].map((id) => byId.get(id)!),
      one.store,
    )
    await judge(answers).judgeAnswers!(cases.filter(({ graded }) => graded === null))
  }
  return { stages: stages.sent, answers: answers.sent, total: addSent(stages.sent, answers.sent) }
}

export function addSent(a: Sent, b: Sent): Sent {
  return {
    calls: a.calls + b.calls,
    promptTokens: a.promptTokens + b.promptTokens,
    schemaTokens: a.schemaTokens + b.schemaTokens,
  }
}

const FILLER =
  ' I looked through what I was told before and went by the entry that bears on this, leaving the rest aside because it speaks of other matters.'

/**
 * A right answer of a given length. Questions that are answered freely get only part of the expected words, as an answer in somebody's own
 * words would, so that no judge can settle them by comparing texts.
 */
export function expectedAnswer({ gold }: Question, tokens: number): string {
  if (gold.kind === 'choice') return JSON.stringify({ answer: gold.letter })
  const head = gold.kind === 'free' ? someWords(gold.text) : gold.text
  const missing = tokens - countTokens(head)
  if (missing <= 0) return head
  const filler = encode(FILLER.repeat(Math.ceil(missing / encode(FILLER).length)))
  return head + decode(filler.slice(0, missing))
}

/** Two words of every three. */
function someWords(text: string): string {
  return text
    .split(/\s+/)
    .filter((_, i) => i % 3 !== 1)
    .join(' ')
}

/** One model to the judge, two to the bill. */
function apart(first: Llm, second: Llm, isSecond: (options: { label?: string }) => boolean): Llm {
  return {
    model: first.model,
    generate: (request, options) => (isSecond(options) ? second : first).generate(request, options),
  }
}

function needLexical({ lexical }: BillOptions): Judge {
  if (!lexical) throw new Error('The bill of a hybrid judge needs its judge by rules')
  return lexical
}
