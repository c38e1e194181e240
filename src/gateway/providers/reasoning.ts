import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { WireRequest } from '../wire.js'
import type { ProviderEndpoint } from './catalog.js'
import { isStrict } from './convert.js'

/** Name under which OpenAI-compatible servers take options of their own. */
export const COMPATIBLE = 'compatible'

type JsonObject = SharedV3ProviderOptions[string]

/** What only one kind of provider understands: how reasoning is turned off, and whether a schema is strict. */
export function providerOptions(
  endpoint: ProviderEndpoint,
  model: string,
  request: WireRequest,
): SharedV3ProviderOptions {
  const strict = request.format?.strict ?? isStrict(request.format?.schema)
  const off = request.reasoning === 'off'
  switch (endpoint.kind) {
    case 'openai':
      return { openai: { strictJsonSchema: strict, ...(off && openaiOff(model)) } }
    case 'anthropic':
      return off ? { anthropic: { thinking: { type: 'disabled' } } } : {}
    case 'google':
      return off ? { google: { thinkingConfig: googleOff(model) } } : {}
    case 'openai-compatible':
      return { [COMPATIBLE]: { strictJsonSchema: strict, ...(off && (endpoint.reasoningOff as JsonObject)) } }
  }
}

/** The least effort that a model takes: GPT-5.1 and later know `none`, GPT-5 `minimal`, the o series `low`. */
function openaiOff(model: string): JsonObject {
  const gpt = /^gpt-(\d+)(?:\.(\d+))?/.exec(model)
  if (gpt) {
    const [major, minor] = [Number(gpt[1]), Number(gpt[2] ?? 0)]
    if (major < 5) return {}
    return { reasoningEffort: major > 5 || minor >= 1 ? 'none' : 'minimal' }
  }
  return /^o\d/.test(model) ? { reasoningEffort: 'low' } : {}
}

/** Gemini 3 has levels, Gemini 2.5 a budget of tokens; the Pro models cannot stop thinking altogether. */
function googleOff(model: string): JsonObject {
  const pro = model.includes('pro')
  if (/^gemini-2/.test(model)) return { thinkingBudget: pro ? 128 : 0 }
  return { thinkingLevel: pro ? 'low' : 'minimal' }
}
