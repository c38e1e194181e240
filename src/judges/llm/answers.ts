import { z } from 'zod'
import { splitIntoBatches } from '../../base/batches.js'
import { fenced } from '../../base/fence.js'
import type { AnswerCase, AnswerVerdict, Llm, LlmMessage, LlmOptions, Question } from '../../model/index.js'
import { gradeCriteria } from '../lexical/criteria/index.js'
import { greedyShare } from '../lexical/sequence.js'
import { gradeVerbatim } from '../lexical/values.js'
import { caseKindName, describeCase, valuesOf } from './case.js'
import { judgeCriteriaWith } from './criteria.js'
import { MOST_TARGETS } from './facts.js'
import type { JudgePrompts } from './judge-prompts.js'
import type { PromptFile } from './prompt.js'
import { byNumber, type Round, settle } from './settle.js'

const Grade = z.object({ id: z.number().int(), reason: z.string(), right: z.boolean() })
const Reply = z.object({ grades: z.array(Grade) })
const ValuedReply = z.object({
  grades: z.array(Grade.extend({ missing: z.array(z.number().int()), stale: z.boolean() })),
})

/** Golds of which it is also asked which values are missing, and whether an outdated one is used. */
const VALUED: ReadonlySet<string> = new Set(['list', 'sequence', 'current', 'unsure', 'withheld'])

/**
 * Has a model grade answers, many a call, and criteria one answer a call. What has to be word for word is graded without one. An answer
 * without a usable grade gets the grade `error`, and so does an empty one; but of criteria silence meets some and misses others, which
 * nobody has to be asked.
 */
export async function judgeAnswersWith(
  llm: Llm,
  items: readonly AnswerCase[],
  prompts: Pick<JudgePrompts, 'answers' | 'criteria'>,
  signal?: AbortSignal,
): Promise<AnswerVerdict[]> {
  const verdicts = items.map(({ question: { gold } }): AnswerVerdict => {
    return gold.kind === 'criteria' ? gradeCriteria(gold, '') : { grade: 'error', reason: 'The answer is empty.' }
  })
  const open = items.flatMap((item, i) => (item.answer.trim() === '' ? [] : [i]))
  const of = (wanted: (item: AnswerCase) => boolean) => open.filter((i) => wanted(items[i]!))
  for (const i of open) {
    const { question, answer } = items[i]!
    if (question.gold.kind === 'verbatim') verdicts[i] = gradeVerbatim(question.gold, answer)
  }
  const asCriteria = of(({ question }) => question.gold.kind === 'criteria').map(async (i) => {
    const { gold } = items[i]!.question
    if (gold.kind === 'criteria')
      verdicts[i] = await judgeCriteriaWith(llm, items[i]!, gold.criteria, prompts.criteria, signal)
  })
  const batches = [of(isPlain), of(isValued)].flatMap((some) => splitIntoBatches(some, MOST_TARGETS))
  // Batches of answers have nothing in common that a provider could cache: they need not wait for a first one.
  const asBatches = batches.map(async (batch) => {
    const settled = await settle(
      batch.map((i) => items[i]!),
      (cases, complaint) => askOnce(llm, prompts.answers, cases, complaint, signal),
    )
    for (const [place, one] of settled.entries()) {
      verdicts[batch[place]!] = 'verdict' in one ? one.verdict : { grade: 'error', reason: one.failure }
    }
  })
  await Promise.all([...asCriteria, ...asBatches])
  return verdicts
}

function isValued({ question }: AnswerCase): boolean {
  return VALUED.has(question.gold.kind)
}

function isPlain({ question }: AnswerCase): boolean {
  return !VALUED.has(question.gold.kind) && question.gold.kind !== 'criteria' && question.gold.kind !== 'verbatim'
}

async function askOnce(
  llm: Llm,
  prompts: PromptFile,
  cases: readonly AnswerCase[],
  complaint: string | null,
  signal?: AbortSignal,
): Promise<Round<AnswerVerdict>> {
  const kinds = [...new Set(cases.map(({ question }) => caseKindName(question)))].sort()
  const stale = cases.some(({ question }) => question.outdated.length > 0)
  const valued = cases.some(isValued)
  const content = [
    [...kinds, ...(stale ? ['outdated'] : []), ...(valued ? ['valued'] : [])]
      .map((kind) => prompts.section(kind))
      .join('\n'),
    fenced('cases', cases.map((one, i) => describeCase(one, i + 1)).join('\n')),
    prompts.fill('close', { cases: cases.length }),
    ...(complaint === null ? [] : [prompts.fill('complaint', { complaint })]),
  ].join('\n\n')
  const messages: LlmMessage[] = [
    { role: 'system', content: prompts.system() },
    { role: 'user', content },
  ]
  const label = `${cases.length} answers from ${cases[0]!.question.id}`
  const options: LlmOptions = { role: 'judge', label, ...(signal && { signal }) }
  if (!valued) {
    const { object } = await llm.generate({ messages, schema: Reply, temperature: 0 }, options)
    const { entries, complaint: wrong } = byNumber(object.grades, cases.length)
    return {
      verdicts: entries.map(
        (entry) => entry && { grade: entry.right ? 'right' : 'wrong', uncertain: false, reason: entry.reason },
      ),
      complaint: wrong,
    }
  }
  const { object } = await llm.generate({ messages, schema: ValuedReply, temperature: 0 }, options)
  const { entries, complaint: wrong } = byNumber(object.grades, cases.length)
  const complaints = new Set(wrong === null ? [] : [wrong])
  const verdicts = entries.map((entry, i) => {
    const verdict = entry && valuedVerdict(cases[i]!, entry)
    if (typeof verdict !== 'string') return verdict
    complaints.add(verdict)
    return null
  })
  return { verdicts, complaint: complaints.size > 0 ? [...complaints].join('; ') : null }
}

/** A verdict with its share of the values, or what is wrong with the entry. */
function valuedVerdict(
  { question, answer }: AnswerCase,
  { right, stale, missing, reason }: z.infer<typeof ValuedReply>['grades'][number],
): AnswerVerdict | string {
  const values = valuesOf(question)
  const gone = new Set(missing)
  if (missing.some((number) => number < 1 || number > values.length)) {
    return values.length === 0
      ? 'a case without values had missing ones'
      : 'a missing value had a number that no value has'
  }
  if (right && gone.size > 0) return 'a case with missing values was called right'
  if (right && stale) return 'a right answer was called stale'
  return {
    grade: right ? 'right' : 'wrong',
    uncertain: false,
    reason,
    ...(stale && { stale }),
    ...(values.length > 0 && { credit: creditOf(question, answer, (values.length - gone.size) / values.length) }),
  }
}

/** The share of values that the model found; for a series also the paper's own count, which needs no model. */
function creditOf({ gold }: Question, answer: string, partial: number): Record<string, number> {
  return gold.kind === 'sequence' ? { partial, greedy: greedyShare(gold.items, answer) } : { partial }
}
