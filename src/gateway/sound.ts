import type { LlmUsage } from '../model/index.js'
import { RefusedReply } from './limits/failure.js'
import { boundRequestTokens } from './price/prompt-tokens.js'
import type { WireReply, WireRequest } from './wire.js'

/** Longest reply that is taken, tool calls included. No model writes so much at once. */
const MOST_REPLY_CHARACTERS = 1_000_000

/** Tokens that a provider may put before a prompt by itself. */
const HIDDEN_TOKENS = 100_000
/** More than any model writes in one reply, reasoning included. */
const MOST_OUTPUT = 2_000_000

const HINT = 'Look at what the server sends: its replies are not those of a model, or it does not count as it should.'

/** Refuses a reply no model gives: too long, or of impossible usage. A negative number would make room in a budget, an absurd one end it. */
export function checkReply(reply: WireReply, request: WireRequest): void {
  const length = reply.toolCalls.reduce((sum, call) => sum + call.arguments.length, reply.text.length)
  if (length > MOST_REPLY_CHARACTERS) {
    const most = MOST_REPLY_CHARACTERS.toLocaleString('en-US')
    throw new RefusedReply(
      `the reply has ${length.toLocaleString('en-US')} characters; at most ${most} are taken`,
      HINT,
    )
  }
  checkUsage(reply.usage, boundRequestTokens(request))
}

/** Refuses usage that cannot be: no tokenizer makes more tokens than there are bytes. */
export function checkUsage(usage: LlmUsage, bytes: number): void {
  const { input, cachedInput, output, reasoning } = usage
  const possible =
    [input, cachedInput, output, reasoning].every((tokens) => Number.isSafeInteger(tokens) && tokens >= 0) &&
    cachedInput <= input &&
    input <= bytes + HIDDEN_TOKENS &&
    Math.max(output, reasoning) <= MOST_OUTPUT
  if (possible) return
  const said = `${input} tokens of input (${cachedInput} cached) and ${output} of output (${reasoning} of reasoning)`
  throw new RefusedReply(`the usage cannot be: ${said} for ${bytes.toLocaleString('en-US')} bytes`, HINT)
}
