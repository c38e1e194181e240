import { z } from 'zod'
import type { Turn } from '../../model/index.js'
import type { CallStep } from './maker.js'

/** What was said so far, as models are told it. */
export type TalkHistory = { speaker: string; text: string }[]

export function historyOf(turns: readonly Turn[]): TalkHistory {
  return turns.map(({ role, text }) => ({ speaker: role, text }))
}

/** One turn of a speaker. */
export function turnStep<I extends object>(
  name: 'user' | 'assistant',
  rehearse: (input: I) => string,
): CallStep<I, { text: string }> {
  return {
    name,
    role: 'generator',
    reply: z.object({ text: z.string().min(1) }),
    rehearse: (input) => ({ text: rehearse(input) }),
  }
}
