import { UserError } from '../../base/errors.js'
import { LlmError } from '../../model/index.js'
import type { WireRequest } from '../wire.js'
import type { Budget } from './budget.js'
import type { PriceTable } from './prices.js'
import { costOf } from './prices.js'
import { boundRequestTokens, countRequestTokens } from './prompt-tokens.js'

/** How far a provider's own count may lie above ours, for OpenAI's models and for others, whose tokenizers differ. */
const MARGIN = { openai: 1.1, other: 1.6 }
const SLACK = 64
/** Tokens that models put around a text by themselves. */
const SPECIAL = 4

/** The most a request can cost in USD. Bytes stand for tokens while the budget is far from spent; near the cap the prompt is counted. */
export function upperBound(
  spec: string,
  request: WireRequest,
  prices: PriceTable,
  budget: Pick<Budget, 'fits'>,
): number {
  const price = prices.find(spec)
  const output = request.maxTokens ?? price?.maxOutput ?? null
  const at = (input: number) =>
    price && output !== null
      ? costOf({ ...price, cachedInput: price.input }, { input, cachedInput: 0, output, reasoning: 0 })
      : null
  const bytes = boundRequestTokens(request)
  const loose = at(bytes)
  if (loose === null) throw noBound(spec, price !== null && output === null)
  if (budget.fits(loose)) return loose
  const margin = /(?:^|[:/])(?:gpt-|o\d|text-embedding)/.test(spec) ? MARGIN.openai : MARGIN.other
  const counted = Math.ceil(countRequestTokens(request) * margin) + SLACK
  return at(Math.min(bytes, counted)) ?? loose
}

/** The most that embedding some texts can cost in USD: bytes stand for tokens, since vectors are cheap. */
export function embeddingBound(spec: string, texts: readonly string[], prices: PriceTable): number {
  const input = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + SPECIAL, 0)
  const price = prices.find(spec)
  const usd = price && costOf({ ...price, output: 0 }, { input, cachedInput: 0, output: 0, reasoning: 0 })
  if (usd === null) throw noBound(spec, false)
  return usd
}

/** Refuses a model whose price is not known, so that a budget is refused before anything was done, not in the middle. */
export function requirePrice(spec: string, prices: PriceTable): void {
  if (prices.find(spec) !== null) return
  const { message, hint } = noBound(spec, false)
  throw new UserError(message, hint)
}

function noBound(spec: string, onlyLength: boolean): LlmError {
  return onlyLength
    ? new LlmError(
        'budget',
        `With a budget every call needs a bound, but how long replies of ${spec} may get is not known.`,
        `Give maxTokens, or "maxOutput" for ${spec} in a file of prices.`,
      )
    : new LlmError(
        'budget',
        `With a budget every price must be known, but that of ${spec} is not.`,
        `Give it in a file of prices: { "${spec}": { "input": 1, "output": 2, "maxOutput": 8192 } } (USD per million tokens).`,
      )
}
