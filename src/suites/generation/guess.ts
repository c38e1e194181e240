import { z } from 'zod'
import type { Question } from '../../model/index.js'
import { type Maker, rowStep } from './maker.js'

/** Answers without a memory, where common sense or the question itself is enough. */
const guess = rowStep(
  'guess',
  z.object({ row: z.number().int(), answer: z.string(), sure: z.boolean() }),
  ({ row }: { row: number; question: string }) => ({ row, answer: 'cannot be known', sure: false }),
  'auditor',
)

/** Who knows nothing is right about these, and should be. */
const UNKNOWN: ReadonlySet<string> = new Set(['abstain', 'unsure', 'withheld'])

/**
 * Why questions go that need no memory, by their ids: the auditor, who is shown nothing but the question, is sure of an answer, and the judge
 * without a model finds it right.
 */
export async function guessedQuestions(maker: Maker, questions: readonly Question[]): Promise<Map<string, string>> {
  const asked = questions.filter(({ gold }) => !UNKNOWN.has(gold.kind))
  const specs = asked.map(({ text }, at) => ({ row: at + 1, question: text }))
  const found = new Map<string, string>()
  for (const [row, made] of await maker.batches(guess, specs)) {
    const question = asked[row - 1]!
    if ('refused' in made) found.set(question.id, 'no verdict')
    else if (made.value.sure && (await maker.making.judgeAnswer(question, made.value.answer)).grade === 'right')
      found.set(question.id, 'guessed without a memory')
  }
  return found
}
