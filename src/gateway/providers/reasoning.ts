import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ReasoningEffort } from '../../model/index.js'
import type { WireRequest } from '../wire.js'
import type { EmbeddingOptions } from './backend.js'
import { isStrict } from './convert.js'
import type { ProviderEndpoint } from './provider-config.js'

/** Name under which OpenAI-compatible servers take options of their own. */
export const COMPATIBLE = 'compatible'

type JsonObject = SharedV3ProviderOptions[string]

/** What only one kind of provider understands: how much a model is to reason, and whether a schema is strict. */
export function providerOptions(
  endpoint: ProviderEndpoint,
  model: string,
  request: WireRequest,
): SharedV3ProviderOptions {
  const strict = request.format?.strict ?? isStrict(request.format?.schema)
  const { reasoning: effort } = request
  switch (endpoint.kind) {
    case 'openai':
    case 'azure':
      return { openai: { strictJsonSchema: strict, ...(effort && openaiEffort(model, effort)) } }
    case 'openai-responses':
      return { openai: { strictJsonSchema: strict, store: false, ...(effort && openaiEffort(model, effort)) } }
    case 'anthropic':
      return effort ? { anthropic: claudeThinking(model, effort) } : {}
    case 'bedrock':
      return effort ? { bedrock: { reasoningConfig: bedrockThinking(effort) } } : {}
    case 'google':
    case 'vertex':
      return effort ? { google: { thinkingConfig: geminiThinking(model, effort) } } : {}
    case 'groq':
      return { groq: { strictJsonSchema: strict, ...(effort && { reasoningEffort: groqEffort(effort) }) } }
    case 'mistral':
      return {
        mistral: { strictJsonSchema: strict, ...(effort && { reasoningEffort: effort === 'off' ? 'none' : 'high' }) },
      }
    case 'deepseek':
      return effort ? { deepseek: deepseekThinking(effort), [COMPATIBLE]: deepseekThinking(effort) } : {}
    case 'openai-compatible': {
      const off = endpoint.reasoningOff as JsonObject | undefined
      const told = effort === 'off' ? off : effort && { reasoningEffort: effort }
      return { [COMPATIBLE]: { strictJsonSchema: strict, ...told } }
    }
  }
}

/** What kinds of providers call the length of vectors. */
export function embeddingOptions(
  { kind }: ProviderEndpoint,
  { dimensions }: EmbeddingOptions,
): SharedV3ProviderOptions {
  if (dimensions === undefined) return {}
  if (kind === 'google' || kind === 'vertex') return { google: { outputDimensionality: dimensions } }
  if (kind === 'bedrock') return { bedrock: { dimensions } }
  return { openai: { dimensions }, [COMPATIBLE]: { dimensions } }
}

/** Tokens for thoughts, where a model takes a number and no word. */
const BUDGETS: Record<Exclude<ReasoningEffort, 'off'>, number> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
}

/** The least effort that a model takes: GPT-5.1 and later know `none`, GPT-5 `minimal`, the o series `low`. */
function openaiEffort(model: string, effort: ReasoningEffort): JsonObject {
  if (effort !== 'off') return { reasoningEffort: effort }
  const gpt = /^gpt-(\d+)(?:\.(\d+))?/.exec(model)
  if (gpt) {
    const [major, minor] = [Number(gpt[1]), Number(gpt[2] ?? 0)]
    if (major < 5) return {}
    return { reasoningEffort: major > 5 || minor >= 1 ? 'none' : 'minimal' }
  }
  return /^o\d/.test(model) ? { reasoningEffort: 'low' } : {}
}

/** From Claude 4.6 on the model decides how long it thinks, by a word; before that it has a budget of tokens. */
function claudeThinking(model: string, effort: ReasoningEffort): JsonObject {
  if (effort === 'off') return { thinking: { type: 'disabled' } }
  const version = /-(\d+)[.-](\d)(?:-|$)/.exec(model)
  const isAdaptive = version !== null && Number(`${version[1]}.${version[2]}`) >= 4.6
  return isAdaptive
    ? { thinking: { type: 'adaptive' }, effort: effort === 'minimal' ? 'low' : effort }
    : { thinking: { type: 'enabled', budgetTokens: BUDGETS[effort] } }
}

function bedrockThinking(effort: ReasoningEffort): JsonObject {
  return effort === 'off' ? { type: 'disabled' } : { type: 'enabled', budgetTokens: BUDGETS[effort] }
}

/** Gemini 3 has levels, Gemini 2.5 a budget of tokens; the Pro models cannot stop thinking altogether. */
function geminiThinking(model: string, effort: ReasoningEffort): JsonObject {
  const pro = model.includes('pro')
  const least = pro ? { thinkingBudget: 128, thinkingLevel: 'low' } : { thinkingBudget: 0, thinkingLevel: 'minimal' }
  if (/^gemini-2/.test(model)) return { thinkingBudget: effort === 'off' ? least.thinkingBudget : BUDGETS[effort] }
  return { thinkingLevel: effort === 'off' || effort === 'minimal' ? least.thinkingLevel : effort }
}

function groqEffort(effort: ReasoningEffort): string {
  if (effort === 'off') return 'none'
  return effort === 'minimal' ? 'low' : effort
}

function deepseekThinking(effort: ReasoningEffort): JsonObject {
  if (effort === 'off') return { thinking: { type: 'disabled' } }
  return { thinking: { type: 'enabled' }, reasoningEffort: effort === 'high' ? 'high' : 'low' }
}

/** Models that think before they answer unless they are told not to, whoever serves them. */
const REASONS =
  /(?:^|[/:.])(?:o\d|gpt-(?:[5-9]|oss)|gemini-(?:2\.5|[3-9])|deepseek-(?:r\d|reasoner|flash|v[4-9])|qwen-?3|qwq|magistral|glm-(?:4\.[5-9]|[5-9])|kimi-k2(?:\.|-thinking)|grok-(?:3-mini|[4-9])|minimax-m\d|nemotron|phi-4-reasoning)/i
const NEVER_REASONS = /instruct(?!.*think)|non-reasoning|chat-latest/i

/** Tokens for thoughts on top of those for the reply. It is a bound, not a wish: a model that thinks less uses less. */
const HEAD_ROOM = 8_192

/**
 * Most tokens of a reply with room for thoughts, which count as reply where a model thinks: without it, a short limit would be used up
 * before the first word. `again`: a reply was nothing but thoughts, so that this model thinks, whatever its name.
 */
export function withHeadRoom(model: string, request: WireRequest, again: boolean): WireRequest {
  const { maxTokens, reasoning } = request
  if (maxTokens === undefined) return request
  const thinks = reasoning === undefined ? REASONS.test(model) && !NEVER_REASONS.test(model) : reasoning !== 'off'
  const room = reasoning === undefined || reasoning === 'off' ? HEAD_ROOM : Math.max(HEAD_ROOM, BUDGETS[reasoning])
  return thinks || again ? { ...request, maxTokens: maxTokens + room } : request
}
