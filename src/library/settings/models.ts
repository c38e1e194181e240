import { existsSync, readFileSync } from 'node:fs'
import { UserError } from '../../base/errors.js'
import { checkProviders, type Providers } from '../../gateway/index.js'
import { isRehearsed } from '../../model/index.js'
import type { Several } from '../types.js'
import { type EmbedderSpec, embedderFrom } from './embedder.js'
import { type LlmLimits, limitsFrom } from './limits.js'
import { ofCall, ofRequest, part } from './setting.js'

/** Models inside memories, and those that make vectors. */
export const INSIDE = {
  /** Models inside memory systems: `provider:model`, or `rehearsal:demo`. */
  model: ofRequest<Several<string>>()({
    type: 'list',
    value: '<names>',
    about: 'models inside memory systems: provider:model, or rehearsal:demo',
    request: (_, { models }) => ({ models: [...models] }),
    onResume: { was: ({ models }) => models },
    choices: ({ subjects }) => [
      ['models inside systems', [...new Set(subjects.flatMap(({ model }) => model ?? []))].join(', ') || null],
    ],
  }),
  /** `minilm` unless given, `gte-small` or `provider:model`, with what is asked of a provider behind it. */
  embedder: ofRequest<string | EmbedderSpec>()({
    type: 'text',
    value: '<model>',
    about:
      'minilm (default), gte-small, or provider:model; of a provider also :dimensions=256, :query=<text> and :document=<text>, which stand before texts',
    request: (given, { models }) => ({
      ...embedderFrom(given ?? 'minilm'),
      ...(given === undefined && models.some(isRehearsed) && { byWords: true }),
    }),
    onResume: {
      was: ({ embedder, vectors, byWords }) => [embedder, ...(vectors ? [vectors] : []), ...(byWords ? ['words'] : [])],
    },
    parts: [
      part('embedder', ({ embedder }) => embedder, { label: null }),
      part('vectors of rehearsed memories', ({ request }) => (request.byWords ? 'words' : undefined), {
        word: 'embedder',
      }),
    ],
    choices: ({ request: { embedder, vectors = {}, byWords } }) => {
      const asked = Object.entries(vectors).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
      return [
        ['embedder', [embedder, ...asked].join(', ')],
        ['vectors of rehearsed memories', byWords ? 'by words' : null],
      ]
    },
  }),
} as const

/** How models are reached and what they may cost. None of it changes what is measured. */
export const MODEL_SETTINGS = {
  /** Most that may be spent, in USD; nothing is asked beyond it. */
  budget: ofCall<number>()({
    type: 'text',
    value: '<usd>',
    about: 'most that may be spent; nothing is asked beyond it',
    read(given) {
      if (Number(given) >= 0 && Number.isFinite(Number(given))) return Number(given)
      throw new UserError(`Expected --budget to be an amount in USD, got "${given}".`)
    },
  }),
  /** How fast models may be asked, and how long they may take. */
  llm: ofCall<Several<string> | LlmLimits>()({
    type: 'list',
    value: '<limits>',
    about:
      'concurrency=<n> (most calls of one model at a time, default 16), timeout=<s> (longest wait for a reply, default 180); with --store, over all workers, openai=500rpm, openai=200000tpm, openai=64calls',
    read: limitsFrom,
  }),
  /** Readers and judges of OpenAI and Anthropic are asked in batches, at half the price. */
  batch: ofCall<boolean>()({
    type: 'switch',
    about: 'ask readers and judges of OpenAI and Anthropic in batches, at half the price; --resume comes back',
    read: (given) => given,
  }),
  /** A file of prices, over those that were saved and the bundled table. */
  prices: ofCall<string>()({
    type: 'text',
    value: '<file>',
    about: 'prices of your own, over the bundled table; models --prices <file> --save keeps them',
    read: (given) => given,
  }),
  /** Providers of your own by name, or a file of them. */
  providers: ofCall<string | Providers>()({
    type: 'text',
    value: '<file>',
    about: 'providers of your own: base URL, kind, structured, headers, query',
    read: providersFrom,
  }),
  /** A cassette to keep all traffic with models in. */
  record: ofCall<string>()({
    type: 'text',
    value: '<file>',
    about: 'keep all traffic with models in a cassette',
    read: (given) => given,
  }),
  /** A cassette to answer from; the network is never touched. */
  replay: ofCall<string>()({
    type: 'text',
    value: '<file>',
    about: 'answer from a cassette; never touches the network',
    read: (given) => given,
  }),
} as const

/** Providers of a user's own: as they are, as JSON, or in a file. */
export function providersFrom(given: string | Providers): Providers {
  if (typeof given !== 'string') return checkProviders(given, 'The given providers')
  const isFile = !given.trim().startsWith('{')
  if (isFile && !existsSync(given)) throw new UserError(`There is no file of providers ${given}.`, 'Check its path.')
  const where = isFile ? given : 'The given providers'
  let json: unknown
  try {
    json = JSON.parse(isFile ? readFileSync(given, 'utf8') : given)
  } catch (error) {
    throw new UserError(`${where} is not JSON: ${error instanceof Error ? error.message : error}.`)
  }
  return checkProviders(json, where)
}
