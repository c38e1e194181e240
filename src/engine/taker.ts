import type { Llm } from '../model/llm.js'
import type { Conversation, Scenario, Turn } from '../model/scenario.js'
import type { Memory, MemorySystem } from '../model/system.js'

/** What replies to what a user says, before it is stored: not graded, and part of what is stored. */
export interface TestTaker {
  reply(
    said: readonly Turn[],
    memories: readonly Memory[],
    about: { trial: number; signal: AbortSignal },
  ): Promise<string>
}

/** Memories that it is shown, as many as suites retrieve at first. */
const SHOWN = 5

/**
 * A conversation with a reply to each of its turns, where its scenario wants them from the test taker, who sees what the memory finds for the
 * turn. Where nobody takes the test, as in estimates, it stays as it is.
 */
export async function withReplies(
  conversation: Conversation,
  scenario: Scenario,
  system: MemorySystem,
  { taker, signal, trial }: { taker?: TestTaker | null | undefined; signal: AbortSignal; trial: number },
): Promise<Conversation> {
  if (!taker || !scenario.answered) return conversation
  const turns: Turn[] = []
  for (const [i, turn] of conversation.turns.entries()) {
    turns.push(turn)
    if (turn.role !== 'user') continue
    const query = { id: `${conversation.id}.${i}`, text: turn.text, time: conversation.time }
    const before = await system.snapshot?.()
    const memories = await system.retrieve(query, SHOWN, { k: SHOWN })
    if (before !== undefined) await system.restore?.(before)
    turns.push({ role: 'assistant', text: await taker.reply(turns, memories, { trial, signal }) })
  }
  return { ...conversation, turns }
}

/** What it is told. */
const SYSTEM = `You chat with a user and remember them from one conversation to the next. Reply to their last message as a friendly assistant \
would, in one to three sentences, and show that you took in whatever they told about themselves, what they like or how things are.`

/** Bumped when replies may change although the model stays. */
export const TAKER_VERSION = '1'

/** A test taker that is a language model. */
export function llmTaker(llm: Llm): TestTaker {
  return {
    async reply(said, memories, { trial, signal }) {
      const noted = memories.map(({ text }) => `- ${text}`).join('\n') || 'none'
      const history = said.slice(0, -1).map(({ role, text }) => `${role}: ${text}`)
      const parts = [`What you remember that may matter:\n${noted}`, ...history, `user: ${said.at(-1)!.text}`]
      const messages = [
        { role: 'system' as const, content: SYSTEM },
        { role: 'user' as const, content: parts.join('\n\n') },
      ]
      const reply = await llm.generate(
        { messages, temperature: 0 },
        { role: 'generate', trial, signal, label: 'a reply to store' },
      )
      return reply.text
    },
  }
}
