import { z } from 'zod'
import { fenced } from '../../base/fence.js'
import type { AnswerCase, AnswerVerdict, Llm } from '../../model/index.js'
import { describeCase } from './case.js'
import { MOST_TARGETS } from './facts.js'
import { readPrompts } from './prompt.js'
import { byNumber, chunk, type Round, settle } from './settle.js'

export const answerPrompts = readPrompts(new URL('./answers.txt', import.meta.url))

const Reply = z.object({
  grades: z.array(z.object({ id: z.number().int(), reason: z.string(), right: z.boolean() })),
})

/** Has a model grade answers, many a call. An answer without a usable grade gets the grade `error`, and so does an empty one. */
export async function judgeAnswersWith(
  llm: Llm,
  items: readonly AnswerCase[],
  signal?: AbortSignal,
): Promise<AnswerVerdict[]> {
  const verdicts: AnswerVerdict[] = items.map(() => ({ grade: 'error', reason: 'The answer is empty.' }))
  const open = items.flatMap((item, i) => (item.answer.trim() === '' ? [] : [i]))
  // Batches of answers have nothing in common that a provider could cache: they need not wait for a first one.
  const settled = await Promise.all(
    chunk(open, MOST_TARGETS).map((batch) =>
      settle(
        batch.map((i) => items[i]!),
        (cases, complaint) => askOnce(llm, cases, complaint, signal),
      ),
    ),
  )
  for (const [place, one] of settled.flat().entries()) {
    verdicts[open[place]!] = 'verdict' in one ? one.verdict : { grade: 'error', reason: one.failure }
  }
  return verdicts
}

async function askOnce(
  llm: Llm,
  cases: readonly AnswerCase[],
  complaint: string | null,
  signal?: AbortSignal,
): Promise<Round<AnswerVerdict>> {
  const kinds = [...new Set(cases.map(({ question }) => question.gold.kind))].sort()
  const stale = cases.some(({ question }) => question.outdated.length > 0)
  const content = [
    [...kinds, ...(stale ? ['outdated'] : [])].map((kind) => answerPrompts.section(kind)).join('\n'),
    fenced('cases', cases.map((one, i) => describeCase(one, i + 1)).join('\n')),
    answerPrompts.fill('close', { cases: cases.length }),
    ...(complaint === null ? [] : [answerPrompts.fill('complaint', { complaint })]),
  ].join('\n\n')
  const { object } = await llm.generate(
    {
      messages: [
        { role: 'system', content: answerPrompts.section('system') },
        { role: 'user', content },
      ],
      schema: Reply,
      temperature: 0,
    },
    { role: 'judge', label: `${cases.length} answers from ${cases[0]!.question.id}`, ...(signal && { signal }) },
  )
  const { entries, complaint: wrong } = byNumber(object.grades, cases.length)
  return {
    verdicts: entries.map(
      (entry) => entry && { grade: entry.right ? 'right' : 'wrong', uncertain: false, reason: entry.reason },
    ),
    complaint: wrong,
  }
}
