import { APICallError } from '@ai-sdk/provider'
import type { WireRequest } from '../wire.js'
import type { Structured } from './provider-config.js'

/** Settings of a request that a server may do without. */
type Setting = 'temperature' | 'topP' | 'seed' | 'stop' | 'reasoning' | 'maxTokens'

/** What a server takes of what is asked, as far as it has said. Once it has refused something, it is not asked for that again. */
export interface Terms {
  structured: Structured
  /** The most that is said about tools: one by its name, that one must be called, or nothing. */
  toolChoice: 'named' | 'required' | 'auto'
  without: readonly Setting[]
  /** What the most tokens of a reply are called, where it is not what the protocol has. */
  maxTokensAs: 'max_tokens' | 'max_completion_tokens' | null
}

/** How a model is asked before anything was refused. */
export function firstTerms(structured: Structured): Terms {
  return { structured, toolChoice: 'named', without: [], maxTokensAs: null }
}

/** Statuses with which servers refuse a setting: most say 400 or 422, llama.cpp and some proxies 500 or 501, OpenRouter 404. */
const REFUSING = new Set([400, 404, 422, 500, 501])

const REFUSAL =
  /unsupported|not support|n't support|unavailable|not available|unrecogni[sz]ed|unknown|not permitted|not allowed|extra inputs|extra_forbidden|must be|invalid|deprecated|only the default|cannot be (?:used|set)|not implemented|no endpoints found|failed to (?:parse|initialize)/i
/** Words by which a setting is not known at all, in contrast to a value that is too large. */
const NOT_KNOWN = /unsupported|not support|unrecogni[sz]ed|unknown|not permitted|extra inputs|extra_forbidden|instead/i

const FORMAT =
  /response_?format|json_?schema|json_object|structured.?outputs?|output_(?:config|format)|response_?(?:json_?)?schema|response_?mime_?type|text\.format|grammar|guided/i
const CHOICE = /tool[ _]?choice|tool_?config|function_calling_config/i
const TOKENS = /max_(?:completion_|output_)?tokens|maxoutputtokens/i
const SETTINGS: readonly [Setting, RegExp][] = [
  ['temperature', /temperature/i],
  ['topP', /top_?p\b/i],
  ['seed', /\bseed\b/i],
  ['stop', /stop(?:_?sequences?)?\b/i],
  ['reasoning', /reasoning|thinking|effort/i],
]

/** How far from the name of a setting the words stand that refuse it. */
const NEAR = 160

/**
 * What is left to ask for when a server has refused a setting by name, and what is told about it; null when the error is none of these, or
 * nothing is left to leave out.
 */
export function stepDown(terms: Terms, error: unknown, request: WireRequest): { terms: Terms; said: string } | null {
  if (!APICallError.isInstance(error) || !REFUSING.has(error.statusCode ?? 0)) return null
  const text = `${error.message} ${error.responseBody ?? ''}`.slice(0, 4_000)
  const refused = (name: RegExp, words = REFUSAL) => isNear(text, name, words)
  const { toolChoice, format } = request
  if (request.maxTokens !== undefined && !terms.without.includes('maxTokens') && refused(TOKENS, NOT_KNOWN)) {
    const own =
      /max_completion_tokens/i.test(text) && !/'?max_tokens/i.test(text) ? 'max_tokens' : 'max_completion_tokens'
    return terms.maxTokensAs === null
      ? { terms: { ...terms, maxTokensAs: own }, said: `the most tokens of a reply are sent as ${own}` }
      : { terms: { ...terms, without: [...terms.without, 'maxTokens'] }, said: 'replies have no most tokens' }
  }
  if (request.tools && toolChoice && terms.toolChoice !== 'auto' && refused(CHOICE)) {
    const less = typeof toolChoice === 'object' && terms.toolChoice === 'named' ? 'required' : 'auto'
    return { terms: { ...terms, toolChoice: less }, said: `tools are offered with the choice "${less}"` }
  }
  if (format && terms.structured !== 'prompt' && refused(FORMAT)) {
    const less = terms.structured === 'schema' && format.schema ? 'json' : 'prompt'
    const how = less === 'json' ? 'JSON mode, the schema in the prompt' : 'words in the prompt'
    return { terms: { ...terms, structured: less }, said: `JSON is asked for by ${how}` }
  }
  for (const [setting, name] of SETTINGS) {
    if (request[setting] === undefined || terms.without.includes(setting) || !refused(name)) continue
    return { terms: { ...terms, without: [...terms.without, setting] }, said: `${setting} is left out` }
  }
  return null
}

/** The request as far as a server takes it. */
export function withinTerms(request: WireRequest, { toolChoice: most, without }: Terms): WireRequest {
  const asked = { ...request }
  for (const setting of without) delete asked[setting]
  if (asked.toolChoice === undefined || asked.toolChoice === 'none' || most === 'named') return asked
  if (most === 'auto') delete asked.toolChoice
  else asked.toolChoice = 'required'
  return asked
}

function isNear(text: string, name: RegExp, words: RegExp): boolean {
  for (const { index, 0: found } of text.matchAll(new RegExp(name.source, 'gi'))) {
    if (words.test(text.slice(Math.max(0, index - NEAR), index + found.length + NEAR))) return true
  }
  return false
}
