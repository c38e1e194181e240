import { z } from 'zod'
import { UserError } from '../../base/errors.js'

/** Which API a provider speaks. Those of official packages that are optional: `azure`, `vertex`, `bedrock`, `groq`, `mistral`, `deepseek`. */
export const PROVIDER_KINDS = [
  'openai',
  'openai-responses',
  'anthropic',
  'google',
  'azure',
  'vertex',
  'bedrock',
  'groq',
  'mistral',
  'deepseek',
  'openai-compatible',
] as const

export type ProviderKind = (typeof PROVIDER_KINDS)[number]

/** How a server takes structured output: a JSON Schema, JSON of any shape, or only words in the prompt. */
export const STRUCTURED = ['schema', 'json', 'prompt'] as const

export type Structured = (typeof STRUCTURED)[number]

export const Pairs = z.record(z.string(), z.string())

/** Where and how a provider is reached. Keys are named, never given: they stay in the environment. */
const ProviderConfig = z.strictObject({
  kind: z.enum(PROVIDER_KINDS).optional(),
  /** Such as `http://127.0.0.1:8000/v1`. */
  baseUrl: z.string().optional(),
  /** Name of the environment variable that holds the key. */
  keyEnv: z.string().optional(),
  /** Whether a missing key is a mistake. Servers at home rarely want one. */
  needsKey: z.boolean().optional(),
  structured: z.enum(STRUCTURED).optional(),
  /** Sent with every request. `$NAME` stands for the value of an environment variable. */
  headers: Pairs.optional(),
  /** Added to every address, such as `api-version`. */
  query: Pairs.optional(),
  /** Sent with every request to turn reasoning off, where the server has its own way. */
  reasoningOff: z.record(z.string(), z.unknown()).optional(),
  /** Settings of an official package, each with the variables that may hold it. */
  settings: z.record(z.string(), z.array(z.string())).optional(),
  /** Settings of an official package that are the same for everybody. */
  fixed: z.record(z.string(), z.union([z.string(), z.boolean()])).optional(),
  /** Groups of variables; one of each group must be set. */
  needs: z.array(z.array(z.string())).optional(),
})
export type ProviderConfig = z.infer<typeof ProviderConfig>

const Providers = z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), ProviderConfig)
export type Providers = Readonly<z.infer<typeof Providers>>

/** A provider with everything decided, its key included. Lives in memory only. */
export interface ProviderEndpoint extends Pick<ProviderConfig, 'reasoningOff' | 'headers' | 'query'> {
  provider: string
  kind: ProviderKind
  baseUrl?: string
  apiKey?: string
  structured: Structured
  /** What an official package is made with besides. */
  settings?: Record<string, string | boolean>
}

/** Where providers with an API of their own are, unless told otherwise. */
export const DEFAULT_URLS: Readonly<Partial<Record<ProviderKind, string>>> = {
  openai: 'https://api.openai.com/v1',
  'openai-responses': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

/** Providers as a user writes them; a mistake is told with what was expected. */
export function checkProviders(value: unknown, where: string): Providers {
  const read = Providers.safeParse(value)
  if (read.success) return read.data
  throw new UserError(
    `${where}: ${z.prettifyError(read.error).replace(/\s*\n\s*/g, ' ')}`,
    'Write them like { "lab": { "baseUrl": "http://127.0.0.1:9000/v1", "structured": "json", "headers": { "api-key": "$LAB_KEY" } } }.',
  )
}
