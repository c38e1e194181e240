import { UserError, unknownName } from '../../base/errors.js'

export type ProviderKind = 'openai' | 'anthropic' | 'google' | 'openai-compatible'

/** Where and how a provider is reached. Keys are named, never given: they stay in the environment. */
export interface ProviderConfig {
  kind?: ProviderKind
  /** Such as `http://127.0.0.1:8000/v1`. */
  baseUrl?: string
  /** Name of the environment variable that holds the key. */
  keyEnv?: string
  /** Whether a missing key is a mistake. Servers at home rarely want one. */
  needsKey?: boolean
  /** How an OpenAI-compatible server takes structured output: a JSON Schema, JSON of any shape, or only words in the prompt. */
  structured?: 'schema' | 'json' | 'prompt'
  /** Sent with every request to turn reasoning off, where the server has its own way. */
  reasoningOff?: Record<string, unknown>
}

export type Providers = Readonly<Record<string, ProviderConfig>>

/** A provider with everything decided, its key included. Lives in memory only. */
export interface ProviderEndpoint {
  provider: string
  kind: ProviderKind
  baseUrl?: string
  apiKey?: string
  structured: 'schema' | 'json' | 'prompt'
  reasoningOff?: Record<string, unknown>
}

/** Providers known without configuration. */
export const PRESETS: Providers = {
  openai: { kind: 'openai', keyEnv: 'OPENAI_API_KEY', needsKey: true },
  anthropic: { kind: 'anthropic', keyEnv: 'ANTHROPIC_API_KEY', needsKey: true },
  google: { kind: 'google', keyEnv: 'GOOGLE_GENERATIVE_AI_API_KEY', needsKey: true },
  openrouter: {
    kind: 'openai-compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyEnv: 'OPENROUTER_API_KEY',
    needsKey: true,
    reasoningOff: { reasoning: { enabled: false } },
  },
  ollama: {
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:11434/v1',
    reasoningOff: { reasoningEffort: 'none' },
  },
  vllm: {
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:8000/v1',
    reasoningOff: { chat_template_kwargs: { enable_thinking: false } },
  },
  llamacpp: {
    kind: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:8080/v1',
    reasoningOff: { chat_template_kwargs: { enable_thinking: false } },
  },
  'openai-compatible': { kind: 'openai-compatible' },
}

/** Where providers with an API of their own are, unless told otherwise. */
export const DEFAULT_URLS: Readonly<Partial<Record<ProviderKind, string>>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
}

type Env = Readonly<Record<string, string | undefined>>

export interface ModelSpec {
  provider: string
  model: string
}

/** Splits `provider:model`; the model's name may hold colons and slashes of its own, as in `openrouter:z-ai/glm-5.1:free`. */
export function parseSpec(spec: string): ModelSpec {
  const at = spec.indexOf(':')
  if (at <= 0 || at === spec.length - 1) {
    throw new UserError(`"${spec}" names no model.`, 'Write provider:model, such as openai:gpt-5-mini or ollama:qwen3.')
  }
  return { provider: spec.slice(0, at), model: spec.slice(at + 1) }
}

/** What is known of a provider by name: a preset, configured, or any OpenAI-compatible server whose base URL the environment holds. */
export function configOf(provider: string, configured: Providers, env: Env): ProviderConfig {
  const own = PRESETS[provider] || configured[provider] || given(env[variableOf(provider, 'BASE_URL')]) !== undefined
  if (own) return { ...PRESETS[provider], ...configured[provider] }
  throw unknownName('provider', provider, [...Object.keys(PRESETS), ...Object.keys(configured), 'scripted'])
}

/** @example variableOf('openai-compatible', 'BASE_URL') // 'MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL' */
export function variableOf(provider: string, what: 'BASE_URL' | 'API_KEY'): string {
  return `MEMSCOPE_${provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_${what}`
}

/** Where a provider is told to be; undefined when it is where its maker has it. */
export function baseUrlOf(provider: string, config: ProviderConfig, env: Env): string | undefined {
  const usual = provider === 'openai' ? given(env.OPENAI_BASE_URL) : undefined
  return given(env[variableOf(provider, 'BASE_URL')]) ?? config.baseUrl ?? usual
}

/** Where a provider is and with which key. `MEMSCOPE_<NAME>_BASE_URL` and `MEMSCOPE_<NAME>_API_KEY` come first, and make one of any name. */
export function resolveEndpoint(provider: string, configured: Providers, env: Env): ProviderEndpoint {
  const config = configOf(provider, configured, env)
  const kind = config.kind ?? 'openai-compatible'
  const keyVariable = variableOf(provider, 'API_KEY')
  const baseUrl = baseUrlOf(provider, config, env)
  if (kind === 'openai-compatible' && baseUrl === undefined) {
    throw new UserError(
      `The provider "${provider}" has no base URL.`,
      `Set the environment variable ${variableOf(provider, 'BASE_URL')}, such as to http://127.0.0.1:8000/v1.`,
    )
  }
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) {
    throw new UserError(`The base URL of "${provider}" is not a URL.`, 'Write it like http://127.0.0.1:8000/v1.')
  }
  const apiKey = given(env[keyVariable]) ?? (config.keyEnv ? given(env[config.keyEnv]) : undefined)
  if (apiKey === undefined && (config.needsKey ?? config.keyEnv !== undefined)) {
    throw new UserError(
      `The provider "${provider}" needs a key, and there is none.`,
      `Set the environment variable ${config.keyEnv ?? keyVariable}.`,
    )
  }
  return {
    provider,
    kind,
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, '') }),
    ...(apiKey !== undefined && { apiKey }),
    structured: config.structured ?? 'schema',
    ...(config.reasoningOff && { reasoningOff: config.reasoningOff }),
  }
}

/** Keys in the environment, by the names of their variables, and passwords inside base URLs: never to be written anywhere. */
export function secretsOf(env: Env, configured: Providers): string[] {
  const named = new Set(Object.values({ ...PRESETS, ...configured }).map(({ keyEnv }) => keyEnv))
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    value && (named.has(name) || /API_?KEY$/i.test(name)) ? [value, value.trim()] : [],
  )
  const urls = [...Object.values(configured).map(({ baseUrl }) => baseUrl), ...Object.values(env)]
  for (const url of urls) {
    const password = url && /^https?:\/\/[^/\s:@]*:([^@\s/]+)@/.exec(url)?.[1]
    if (password) secrets.push(password, decodeURIComponent(password))
  }
  return secrets
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}
