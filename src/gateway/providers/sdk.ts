import type { EmbeddingModelV3, LanguageModelV3 } from '@ai-sdk/provider'
import { UserError } from '../../base/errors.js'
import { RefusedReply } from '../limits/failure.js'
import { countReplyTokens, countRequestTokens } from '../price/tokens.js'
import type { Backend } from './backend.js'
import { DEFAULT_URLS, type ProviderEndpoint } from './catalog.js'
import { callOptions, replyOf } from './convert.js'
import { leanFetch } from './lean-fetch.js'
import { COMPATIBLE, providerOptions } from './reasoning.js'
import { withReadableUsage } from './usage.js'

interface Models {
  language(): LanguageModelV3
  embedding(): EmbeddingModelV3
}

/** A model behind the AI SDK's provider packages, loaded at the first call: one HTTP request a call, nothing retried or hidden. */
export function sdkBackend(
  endpoint: ProviderEndpoint,
  model: string,
  log: (message: string) => void,
  request: typeof fetch = leanFetch,
): Backend {
  let models: Promise<Models> | null = null
  let language: LanguageModelV3 | null = null
  let embedding: EmbeddingModelV3 | null = null
  let told = false
  const load = () => {
    models ??= loadModels(endpoint, model, withReadableUsage(request, endpoint.kind === 'anthropic'))
    return models
  }
  return {
    ready: load,
    generate: async (request, signal) => {
      language ??= (await load()).language()
      const options = callOptions(request, endpoint.structured, signal)
      const result = await language.doGenerate({
        ...options,
        providerOptions: providerOptions(endpoint, model, request),
      })
      const reply = replyOf(result)
      if (reply.usage) return { ...reply, usage: reply.usage }
      if (!told) log(`${endpoint.provider}:${model} does not report token usage; tokens are counted here instead.`)
      told = true
      return {
        ...reply,
        usage: { input: countRequestTokens(request), cachedInput: 0, output: countReplyTokens(reply), reasoning: 0 },
      }
    },
    embed: async (texts, signal) => {
      embedding ??= (await load()).embedding()
      const { embeddings, usage, response } = await embedding.doEmbed({ values: [...texts], abortSignal: signal })
      return { vectors: inOrder(embeddings, response?.body), tokens: usage?.tokens ?? null }
    },
  }
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
  const { apiKey, baseUrl } = endpoint
  const settings = { apiKey, fetch: request, ...(baseUrl !== undefined && { baseURL: baseUrl }) }
  switch (endpoint.kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      // The SDK would read OPENAI_BASE_URL from the environment by itself; what is reached is decided by the catalog alone.
      const provider = createOpenAI({ ...settings, baseURL: baseUrl ?? DEFAULT_URLS.openai! })
      return { language: () => provider.chat(model), embedding: () => provider.textEmbeddingModel(model) }
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      const provider = createAnthropic({ ...settings, baseURL: baseUrl ?? DEFAULT_URLS.anthropic! })
      return {
        language: () => provider(model),
        embedding: () => {
          throw new UserError(
            'Anthropic has no embedding models.',
            'Use openai, google or an OpenAI-compatible server.',
          )
        },
      }
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      const provider = createGoogleGenerativeAI(settings)
      return { language: () => provider(model), embedding: () => provider.textEmbeddingModel(model) }
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const provider = createOpenAICompatible({
        name: COMPATIBLE,
        baseURL: baseUrl!,
        ...(apiKey !== undefined && { apiKey }),
        fetch: request,
        supportsStructuredOutputs: endpoint.structured === 'schema',
      })
      return { language: () => provider.chatModel(model), embedding: () => provider.textEmbeddingModel(model) }
    }
  }
}
