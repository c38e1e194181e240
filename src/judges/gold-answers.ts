import { z } from 'zod'
import type { AnswerCase } from '../model/index.js'
import { cues } from './gold-cues.js'

const text = z.string()
const forms = z.array(z.string()).optional()

/** The right answer as suites state it, but for criteria, which are labelled one by one. */
const gold = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('yes-no'), answer: z.enum(['yes', 'no']), text }),
  z.object({ kind: z.literal('choice'), letter: z.string(), text }),
  z.object({ kind: z.literal('list'), items: z.array(z.string()), closed: z.literal(true).optional(), text }),
  z.object({ kind: z.literal('abstain'), about: z.string(), lure: z.string().optional(), text }),
  z.object({ kind: z.literal('free'), text }),
  z.object({ kind: z.literal('date'), from: z.string(), to: z.string(), text }),
  z.object({ kind: z.literal('verbatim'), text }),
  z.object({ kind: z.literal('sequence'), items: z.array(z.string()), free: z.literal(true).optional(), text }),
  z.object({
    kind: z.literal('current'),
    value: z.string(),
    forms,
    old: z.array(z.string()),
    lenient: z.literal(true).optional(),
    text,
  }),
  z.object({ kind: z.literal('unsure'), old: z.string(), forms, text }),
  z.object({ kind: z.literal('withheld'), value: z.string(), forms, text }),
])

/** A fact on which a question rests: needed, outdated, or one that only tempts. */
const fact = z.object({
  id: z.string(),
  role: z.enum(['needed', 'tempting', 'outdated']),
  text: z.string(),
  evidence: z.array(z.string()).optional(),
  spread: z.boolean().optional(),
  unsupported: z.string().optional(),
  cues,
})

/** An answer with all that a judge gets to see of it, and a label. */
export const answerGold = z.object({
  id: z.string(),
  task: z.string(),
  date: z.string().optional(),
  question: z.string(),
  choices: z.array(z.object({ letter: z.string(), text: z.string() })).optional(),
  answer: z.string(),
  label: z.enum(['right', 'wrong']),
  gold,
  facts: z.array(fact),
})

export type AnswerGold = z.infer<typeof answerGold>

/** A labelled answer as judges are given it. */
export function answerCaseOf({ id, task, date, question, choices, answer, gold, facts }: AnswerGold): AnswerCase {
  const ids = (role: AnswerGold['facts'][number]['role']) =>
    facts.filter((one) => one.role === role).map((one) => one.id)
  const needed = ids('needed')
  return {
    question: {
      id,
      task,
      text: question,
      ...(choices && { choices }),
      needs: needed.length > 0 ? [needed] : [],
      tempting: ids('tempting'),
      outdated: ids('outdated'),
      gold,
      tags: {},
    },
    answer,
    facts: facts.map(({ role: _, ...one }) => ({ ...one, sources: [] })),
    ...(date !== undefined && { time: date }),
  }
}
