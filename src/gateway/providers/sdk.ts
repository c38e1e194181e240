import type { EmbeddingModelV3, LanguageModelV3, ProviderV3 } from '@ai-sdk/provider'
import { NoSuchModelError } from '@ai-sdk/provider'
import { splitIntoBatches } from '../../base/batches.js'
import { UserError } from '../../base/errors.js'
import { sha256 } from '../../base/hash.js'
import { RefusedReply } from '../limits/failure.js'
import { countReplyTokens, countRequestTokens } from '../price/prompt-tokens.js'
import type { WireReply, WireRequest } from '../wire.js'
import type { Backend } from './backend.js'
import { callOptions, replyOf } from './convert.js'
import { leanFetch } from './lean-fetch.js'
import { loadPeer } from './peers.js'
import type { ProviderKind } from './provider-config.js'
import { DEFAULT_URLS, type ProviderEndpoint } from './provider-config.js'
import { COMPATIBLE, embeddingOptions, providerOptions } from './reasoning.js'
import { firstTerms, stepDown, type Terms, withinTerms } from './step-down.js'
import { withReadableUsage } from './usage.js'

/** Fewest characters of a prompt that providers keep: they want at least 1,024 tokens. */
const LEAST_KEPT = 4_000

interface Models {
  language(): LanguageModelV3
  embedding(): EmbeddingModelV3
}

/**
 * A model behind the AI SDK's provider packages, loaded at the first call: one HTTP request a call, nothing retried or hidden. Only what a
 * server refuses by name is asked for in a simpler way at once; the log says so, once, and it is remembered for this model.
 */
export function sdkBackend(
  endpoint: ProviderEndpoint,
  model: string,
  log: (message: string) => void,
  request: typeof fetch = leanFetch,
): Backend {
  let models: Promise<Models> | null = null
  let language: LanguageModelV3 | null = null
  let embedding: EmbeddingModelV3 | null = null
  let terms = firstTerms(endpoint.structured)
  const told = new Set<string>()
  const tell = (message: string) => {
    if (!told.has(message)) log(`${endpoint.provider}:${model} ${message}`)
    told.add(message)
  }
  /** Beginnings that came before. To have one kept costs extra, so that it is worth it only for those that come again. */
  const begun = new Set<string>()
  const isWorthKeeping = ({ messages, shared }: WireRequest): boolean => {
    if (!shared || shared.characters < LEAST_KEPT) return false
    const before = messages.slice(0, shared.message + 1).map(({ content }) => content)
    const key = sha256([...before.slice(0, -1), before.at(-1)!.slice(0, shared.characters)].join('\n'))
    const again = begun.has(key)
    begun.add(key)
    return again
  }
  const load = () => {
    const sent = withOwnParts(request, endpoint, () => terms)
    models ??= loadModels(endpoint, model, withReadableUsage(sent, endpoint.kind === 'anthropic'))
    return models
  }
  const once = async (asked: WireRequest, now: Terms, signal: AbortSignal, key?: string): Promise<WireReply> => {
    language ??= (await load()).language()
    const within = withinTerms(asked, now)
    if (!isWorthKeeping(within)) delete within.shared
    const result = await language.doGenerate({
      ...callOptions(within, now.structured, signal, endpoint.kind),
      providerOptions: providerOptions(endpoint, model, within),
      ...(key !== undefined && { headers: { [CALL_KEY]: key } }),
    })
    const reply = replyOf(result)
    if (reply.usage) return { ...reply, usage: reply.usage }
    tell('does not report token usage; tokens are counted here instead.')
    const usage = { input: countRequestTokens(asked), cachedInput: 0, output: countReplyTokens(reply), reasoning: 0 }
    return { ...reply, usage }
  }
  return {
    ready: load,
    generate: async (asked, signal, key) => {
      for (;;) {
        const now = terms
        try {
          return await once(asked, now, signal, key)
        } catch (error) {
          const less = signal.aborted ? null : stepDown(now, error, asked)
          if (!less) throw error
          // Of calls that were under way together the first has found this out for all.
          if (terms === now) {
            terms = less.terms
            tell(`refuses what it was asked with: ${less.said} from now on.`)
          }
        }
      }
    },
    embed: async (texts, signal, options) => {
      embedding ??= (await load()).embedding()
      // Some take a few texts at a time, or one.
      const most = (await embedding.maxEmbeddingsPerCall) ?? texts.length
      const vectors: number[][] = []
      let tokens: number | null = 0
      for (const values of splitIntoBatches(texts, Math.min(most, texts.length))) {
        const { embeddings, usage, response } = await embedding.doEmbed({
          values: [...values],
          abortSignal: signal,
          ...(options && { providerOptions: embeddingOptions(endpoint, options) }),
        })
        vectors.push(...inOrder(embeddings, response?.body))
        tokens = usage === undefined || tokens === null ? null : tokens + usage.tokens
      }
      return { vectors, tokens }
    },
  }
}

/** Header by which a call is known to what stands between the SDK and the network. It never leaves this machine. */
export const CALL_KEY = 'x-memscope-call'

/** A `fetch` that adds what the protocol does not have: headers and parameters of one's own, and other names for the most tokens. */
function withOwnParts(request: typeof fetch, { headers, query }: ProviderEndpoint, terms: () => Terms): typeof fetch {
  return (input, init = {}) => {
    const url = new URL(String(input))
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const { maxTokensAs } = terms()
    const { body } = init
    const renamed = maxTokensAs !== null && typeof body === 'string' ? named(body, maxTokensAs) : body
    return request(url.href, {
      ...init,
      ...(renamed !== undefined && { body: renamed }),
      ...(headers && { headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } }),
    })
  }
}

function named(body: string, as: NonNullable<Terms['maxTokensAs']>): string {
  const { max_tokens: short, max_completion_tokens: long, ...rest } = JSON.parse(body) as Record<string, unknown>
  const most = short ?? long
  return JSON.stringify(most === undefined ? rest : { ...rest, [as]: most })
}

/** Vectors in the order of their texts: servers may send them in another, and say by `index` whose each is. */
function inOrder(vectors: readonly number[][], body: unknown): number[][] {
  const { data } = (body ?? {}) as { data?: unknown }
  if (!Array.isArray(data)) return [...vectors]
  const places = data.map((one: { index?: unknown } | null, i) => one?.index ?? i)
  const isPlace = (place: unknown): place is number =>
    typeof place === 'number' && Number.isInteger(place) && place >= 0 && place < vectors.length
  if (places.length !== vectors.length || new Set(places).size !== places.length || !places.every(isPlace))
    throw new RefusedReply('the vectors do not say whose they are: each index must come once', BAD_VECTORS)
  const ordered: number[][] = []
  for (const [i, vector] of vectors.entries()) ordered[places[i]!] = vector
  return ordered
}

const BAD_VECTORS = 'Look at what the server sends, or use another embedder.'

async function loadModels(endpoint: ProviderEndpoint, model: string, request: typeof fetch): Promise<Models> {
  const { kind, provider: name, apiKey, baseUrl } = endpoint
  const shared = { fetch: request, ...(baseUrl !== undefined && { baseURL: baseUrl }) }
  // Without a key, packages would look for one in the environment by themselves; what is used is decided by the catalog alone.
  const settings = { ...shared, apiKey: apiKey ?? 'none' }
  const modelsOf = (provider: ProviderV3, language = () => provider.languageModel(model)): Models => ({
    language,
    embedding: () => embeddingOf(provider, model, name),
  })
  switch (kind) {
    case 'openai':
    case 'openai-responses': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      // The SDK would read OPENAI_BASE_URL from the environment by itself; what is reached is decided by the catalog alone.
      const provider = createOpenAI({ ...settings, baseURL: baseUrl ?? DEFAULT_URLS.openai! })
      return modelsOf(provider, () => (kind === 'openai' ? provider.chat(model) : provider.responses(model)))
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return modelsOf(createAnthropic({ ...settings, baseURL: baseUrl ?? DEFAULT_URLS.anthropic! }))
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return modelsOf(createGoogleGenerativeAI(settings))
    }
    case 'openai-compatible':
      return compatible(endpoint, model, request)
    default: {
      const peer = await loadPeer(kind, { ...endpoint.settings, ...shared, ...(apiKey !== undefined && { apiKey }) })
      if (!peer) {
        const plain = await compatible(endpoint, model, request)
        return WITHOUT_EMBEDDINGS.includes(kind) ? { ...plain, embedding: () => noEmbeddings(name) } : plain
      }
      return modelsOf(peer, () => peer.chat?.(model) ?? peer.languageModel(model))
    }
  }
}

async function compatible(
  { baseUrl, apiKey }: ProviderEndpoint,
  model: string,
  request: typeof fetch,
): Promise<Models> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const provider = createOpenAICompatible({
    name: COMPATIBLE,
    baseURL: baseUrl!,
    ...(apiKey !== undefined && { apiKey }),
    fetch: request,
    supportsStructuredOutputs: true,
  })
  return { language: () => provider.chatModel(model), embedding: () => provider.embeddingModel(model) }
}

function embeddingOf(provider: ProviderV3, model: string, name: string): EmbeddingModelV3 {
  try {
    return provider.embeddingModel(model)
  } catch (error) {
    if (!NoSuchModelError.isInstance(error)) throw error
    return noEmbeddings(name)
  }
}

/** Providers whose packages know of no embedding models; without the package nothing else would say so. */
const WITHOUT_EMBEDDINGS: readonly ProviderKind[] = ['groq', 'deepseek']

function noEmbeddings(name: string): never {
  const instead = 'Use openai, google, mistral or an OpenAI-compatible server.'
  throw new UserError(`${name[0]!.toUpperCase()}${name.slice(1)} has no embedding models.`, instead)
}
