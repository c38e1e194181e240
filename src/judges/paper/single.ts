import { fenced, field } from '../../base/fence.js'
import type { AnswerVerdict, Fact, FactStages, QuestionCase, QuestionVerdict } from '../../model/index.js'
import { formOf, targetKind } from '../llm/target.js'
import type { Check, PaperCalls, Stage } from './calls.js'

/** What a store or a list of retrieved memories looks like in a prompt. */
export type Listed = string

/** Thrown inside a question when one of its checks cannot be had: the question is an error. */
export class CheckFailed extends Error {}

/**
 * Judges one question fact by fact, each through storage, summary and retrieval until one fails, and the answer only when all of them came
 * through, unless the suite has graded it by a rule.
 */
export async function judgeSingly(
  calls: PaperCalls,
  item: QuestionCase,
  store: Listed,
  shown: Listed,
): Promise<QuestionVerdict> {
  try {
    const stages = await Promise.all(item.facts.map((fact) => stagesOf(calls, item, fact, store, shown)))
    if (item.graded) return { stages, answer: item.graded }
    if (!stages.every(({ retrieved }) => retrieved)) return { stages, answer: null }
    return { stages, answer: gradeOf(await invocation(calls, item)) }
  } catch (error) {
    if (error instanceof CheckFailed) return { stages: [], answer: { grade: 'error', reason: error.message } }
    throw error
  }
}

/** Asks the model the paper's storage prompt about one fact and the whole store and, if that passes, its summary prompt. Retrieval stays null. */
export async function judgeStoredFact(calls: PaperCalls, fact: Fact, store: Listed): Promise<FactStages> {
  const stages: FactStages = { fact: fact.id, stored: false, faithful: null, retrieved: null, reason: '' }
  const check = async (stage: Stage): Promise<Check> => {
    const [target, memories] = [describe(fact), store]
    const content = `${fenced('target', target, memories)}\n\n${fenced('memories', memories, target)}`
    return passedOrThrow(await calls.one(`${stage} ${sectionOf(fact)}`, `${stage} of ${fact.id}`, content))
  }
  const storage = await check('storage')
  if (!storage.passed) return { ...stages, reason: storage.reason }
  const summary = await check('summary')
  return { ...stages, stored: true, faithful: summary.passed, reason: summary.reason }
}

async function stagesOf(
  calls: PaperCalls,
  { question, retrieved }: QuestionCase,
  fact: Fact,
  store: Listed,
  shown: Listed,
): Promise<FactStages> {
  const kept = await judgeStoredFact(calls, fact, store)
  if (!kept.faithful) return kept
  if (retrieved.length === 0) return { ...kept, retrieved: false, reason: 'Nothing was retrieved.' }
  const target = `${field('question', question.query ?? question.text)}\n${describe(fact)}`
  const content = `${fenced('target', target, shown)}\n\n${fenced('retrieved', shown, target)}`
  const check = passedOrThrow(
    await calls.one(`retrieval ${sectionOf(fact)}`, `retrieval of ${fact.id} for ${question.id}`, content),
  )
  return { ...kept, retrieved: check.passed, reason: check.reason }
}

async function invocation(calls: PaperCalls, { question, facts, answer }: QuestionCase): Promise<Check> {
  const { gold } = question
  const kind = gold.kind === 'yes-no' || gold.kind === 'list' ? gold.kind : 'free'
  const known = gold.kind === 'list' ? field('preferences', gold.items.join(', ')) : facts.map(describe).join('\n')
  const lines = [known, field('question', question.text), field('expected', gold.text), field('answer', answer)]
  return passedOrThrow(
    await calls.one(`invocation ${kind}`, `invocation of ${question.id}`, fenced('case', lines.join('\n'))),
  )
}

/** The prompts by which a fact is judged: accounts of people have the same as when they are judged together. */
function sectionOf(fact: Fact): string {
  const kind = targetKind(fact)
  return kind === 'profile' ? 'essay' : kind
}

/** Rules told in one sentence are looked for by their whole essay, rules told in parts by their parts, as in the released code. */
function describe(fact: Fact): string {
  const parts: [string, string | undefined][] =
    targetKind(fact) === 'spread-rule'
      ? [
          ['who', formOf(fact, 'who')],
          ['behaviour', formOf(fact, 'what')],
          ['condition', formOf(fact, 'condition')],
        ]
      : [
          ['preference', fact.cues.kind === 'preference' ? formOf(fact, 'value') : undefined],
          ['fact', fact.text],
        ]
  return parts.flatMap(([name, text]) => (text === undefined ? [] : [field(name, text)])).join('\n')
}

export function gradeOf({ passed, reason }: Check): AnswerVerdict {
  return { grade: passed ? 'right' : 'wrong', uncertain: false, reason }
}

function passedOrThrow(settled: { verdict: Check } | { failure: string }): Check {
  if ('failure' in settled) throw new CheckFailed(settled.failure)
  return settled.verdict
}
