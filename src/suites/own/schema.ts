import { z } from 'zod'
import { isKeepable } from '../../base/keepable.js'

/** What is kept under an id is only found again where databases give the id back as it was. */
const id = z.string().min(1).refine(isKeepable, 'expected an id without NUL and half signs')

/** A turn. Without an id it gets one; without a role it is the user's, as in talk between people with names. */
const turn = z.strictObject({
  id: id.optional(),
  role: z.enum(['user', 'assistant']).optional(),
  speaker: z.string().min(1).optional(),
  text: z.string(),
})

/** What answers: a turn by its id, a sentence word for word, or sentences of a turn. */
const cite = z.union([
  z.string().min(1),
  z.strictObject({ turn: z.string(), sentences: z.array(z.string()).optional() }),
])

const chat = id.default('chat')

export const OwnConversation = z.strictObject({
  conversation: id,
  chat,
  time: z.iso.datetime({ offset: true }),
  turns: z.array(turn).min(1),
})

/** `answer`: a text, several things that must all be there, days from … to, or null for what nobody said. */
export const OwnAsked = z.strictObject({
  question: id,
  chat,
  text: z.string().min(1),
  answer: z.union([
    z.string().min(1),
    z.array(z.string().min(1)).min(2),
    z.strictObject({ criteria: z.array(z.string().min(1)).min(1) }),
    z.strictObject({ order: z.array(z.string().min(1)).min(2) }),
    z.null(),
  ]),
  cites: z.array(cite).default([]),
  outdated: z.array(cite).default([]),
  /** The day on which cited turns were said is needed, too. */
  dated: z.boolean().optional(),
  asked: z.iso.datetime({ offset: true }).optional(),
  category: id.optional(),
})

export type OwnAsked = z.infer<typeof OwnAsked>
export type OwnCite = z.infer<typeof cite>
