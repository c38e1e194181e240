import { z } from 'zod'
import { splitIntoBatches } from '../../base/batches.js'
import { fenced, field, item } from '../../base/fence.js'
import type { AnswerCase, AnswerVerdict, Criterion, CriterionVerdict, Llm } from '../../model/index.js'
import { gradeOfCriteria } from '../criteria.js'
import type { PromptFile } from './prompt.js'
import { byNumber, type Round, settle } from './settle.js'

/** Most criteria of one call. */
const MOST_CRITERIA = 30

const Reply = z.object({
  verdicts: z.array(z.object({ id: z.number().int(), reason: z.string(), answer: z.enum(['yes', 'no', 'unclear']) })),
})

/**
 * Has a model go through the criteria of one answer, all of them in one call where there are not too many. A criterion the model cannot
 * decide, or that gets no usable verdict, has none; it never counts as a no.
 */
export async function judgeCriteriaWith(
  llm: Llm,
  one: AnswerCase,
  criteria: readonly Criterion[],
  prompts: PromptFile,
  signal?: AbortSignal,
): Promise<AnswerVerdict> {
  const settled = await Promise.all(
    splitIntoBatches(criteria, MOST_CRITERIA).map((batch) =>
      settle(batch, (open, complaint) => askOnce(llm, prompts, one, open, complaint, signal)),
    ),
  )
  const verdicts = settled.flat().map((each, i): CriterionVerdict => {
    const { id } = criteria[i]!
    return 'verdict' in each ? each.verdict : { id, answer: null, uncertain: true, reason: each.failure }
  })
  const failure = settled.flat().find((each) => 'failure' in each)
  return gradeOfCriteria(criteria, verdicts, failure && 'failure' in failure ? failure.failure : undefined)
}

async function askOnce(
  llm: Llm,
  prompts: PromptFile,
  { question, answer, time }: AnswerCase,
  criteria: readonly Criterion[],
  complaint: string | null,
  signal?: AbortSignal,
): Promise<Round<CriterionVerdict>> {
  const shown = [
    field('question', question.text),
    ...(time === undefined ? [] : [field('asked', time)]),
    field('answer', answer),
  ].join('\n')
  const listed = criteria.map(({ text }, i) => item(`[${i + 1}]`, text)).join('\n')
  const content = [
    fenced('answer', shown, listed),
    fenced('criteria', listed, shown),
    prompts.fill('close', { criteria: criteria.length }),
    ...(complaint === null ? [] : [prompts.fill('complaint', { complaint })]),
  ].join('\n\n')
  const { object } = await llm.generate(
    {
      messages: [
        { role: 'system', content: prompts.system() },
        { role: 'user', content },
      ],
      schema: Reply,
      temperature: 0,
    },
    { role: 'judge', label: `${criteria.length} criteria of ${question.id}`, ...(signal && { signal }) },
  )
  const { entries, complaint: wrong } = byNumber(object.verdicts, criteria.length)
  return { verdicts: entries.map((entry, i) => entry && verdictOf(criteria[i]!, entry)), complaint: wrong }
}

function verdictOf({ id }: Criterion, { answer, reason }: z.infer<typeof Reply>['verdicts'][number]): CriterionVerdict {
  return answer === 'unclear'
    ? { id, answer: null, unclear: true, uncertain: true, reason }
    : { id, answer, uncertain: false, reason }
}
