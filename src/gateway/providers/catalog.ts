import { UserError, unknownName } from '../../base/errors.js'
import { REASONING_EFFORTS, type ReasoningEffort } from '../../model/index.js'
import { isObject, parseJson } from '../json.js'
import { PRESETS } from './presets.js'
import {
  Pairs,
  PROVIDER_KINDS,
  type ProviderConfig,
  type ProviderEndpoint,
  type Providers,
  STRUCTURED,
} from './provider-config.js'

type Env = Readonly<Record<string, string | undefined>>

export interface ModelSpec {
  provider: string
  model: string
  /** How much the model is to reason, where its name says so. */
  effort?: ReasoningEffort
}

/** The end of a model's name that says how much it is to reason. */
export const EFFORT = new RegExp(`\\+(${REASONING_EFFORTS.join('|')})$`)

/**
 * Splits `provider:model`; the model's name may hold colons and slashes of its own, as in `openrouter:z-ai/glm-5.1:free`, and end in how much
 * it is to reason, as in `openai:gpt-5-mini+low`.
 */
export function parseSpec(spec: string): ModelSpec {
  const at = spec.indexOf(':')
  if (at <= 0 || at === spec.length - 1) {
    throw new UserError(`"${spec}" names no model.`, 'Write provider:model, such as openai:gpt-5-mini or ollama:qwen3.')
  }
  const model = spec.slice(at + 1)
  const effort = REASONING_EFFORTS.find((one) => model.endsWith(`+${one}`))
  return { provider: spec.slice(0, at), model: model.replace(EFFORT, ''), ...(effort && { effort }) }
}

/** What is known of a provider by name: a preset, configured, or what the environment says of it. */
export function configOf(provider: string, configured: Providers, env: Env): ProviderConfig {
  const variable = (what: ProviderVariable) => given(env[variableOf(provider, what)])
  const [kind, structured, headers, query] = [
    oneOf(provider, 'KIND', PROVIDER_KINDS, env),
    oneOf(provider, 'STRUCTURED', STRUCTURED, env),
    pairsIn(provider, 'HEADERS', env),
    pairsIn(provider, 'QUERY', env),
  ]
  const isKnown = PRESETS[provider] || configured[provider] || kind || variable('BASE_URL') !== undefined
  if (!isKnown) throw unknownName('provider', provider, [...Object.keys({ ...PRESETS, ...configured }), 'scripted'])
  return {
    ...PRESETS[provider],
    ...configured[provider],
    ...(kind && { kind }),
    ...(structured && { structured }),
    ...(headers && { headers }),
    ...(query && { query }),
  }
}

/** What the environment may say of any provider. */
type ProviderVariable = 'BASE_URL' | 'API_KEY' | 'KIND' | 'STRUCTURED' | 'HEADERS' | 'QUERY'

/** @example variableOf('openai-compatible', 'BASE_URL') // 'MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL' */
export function variableOf(provider: string, what: ProviderVariable): string {
  return `MEMSCOPE_${provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_${what}`
}

function oneOf<T extends string>(provider: string, what: ProviderVariable, known: readonly T[], env: Env) {
  const value = given(env[variableOf(provider, what)])
  if (value === undefined) return undefined
  const found = known.find((one) => one === value)
  if (found) return found
  throw new UserError(
    `${variableOf(provider, what)} is "${value}".`,
    `It may be ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
  )
}

/** Names and values, written as JSON or as `name=value&name=value`. */
function pairsIn(provider: string, what: ProviderVariable, env: Env): Record<string, string> | undefined {
  const text = given(env[variableOf(provider, what)])
  if (text === undefined) return undefined
  const json = text.startsWith('{')
  const pairs = json
    ? parseJson(text)
    : Object.fromEntries(text.split('&').map((pair) => [pair.split('=', 1)[0]!.trim(), pair.replace(/^[^=]*=?/, '')]))
  const read = Pairs.safeParse(pairs)
  if (read.success && isObject(pairs) && !('' in pairs)) return read.data
  throw new UserError(
    `${variableOf(provider, what)} cannot be read.`,
    'Write it like api-version=2024-10-21&name=value, or as a JSON object of texts.',
  )
}

/** Where a provider is told to be; undefined when it is where its maker has it. */
export function baseUrlOf(provider: string, config: ProviderConfig, env: Env): string | undefined {
  const usual =
    provider.startsWith('openai') && config.kind !== 'openai-compatible' ? given(env.OPENAI_BASE_URL) : undefined
  return given(env[variableOf(provider, 'BASE_URL')]) ?? config.baseUrl ?? usual
}

/**
 * Where a provider is, with which key and how it is spoken to. `MEMSCOPE_<NAME>_BASE_URL`, `_API_KEY`, `_KIND`, `_STRUCTURED`, `_HEADERS` and
 * `_QUERY` come first, and make one of any name.
 */
export function resolveEndpoint(provider: string, configured: Providers, env: Env): ProviderEndpoint {
  const config = configOf(provider, configured, env)
  const { kind = 'openai-compatible', headers, query, reasoningOff } = config
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
  for (const group of config.needs ?? []) {
    const isPlaced = baseUrl !== undefined && group.includes(variableOf(provider, 'BASE_URL'))
    if (isPlaced || group.some((name) => given(env[name]) !== undefined)) continue
    throw new UserError(
      `The provider "${provider}" needs ${group.length > 1 ? 'one of ' : ''}${group.join(', ')}.`,
      `Set ${group.length > 1 ? 'one of these environment variables' : 'that environment variable'}.`,
    )
  }
  const settings: Record<string, string | boolean> = { ...config.fixed }
  for (const [name, variables] of Object.entries(config.settings ?? {})) {
    const value = variables.map((variable) => given(env[variable])).find((one) => one !== undefined)
    if (value !== undefined) settings[name] = value
  }
  return {
    provider,
    kind,
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/\/+$/, '') }),
    ...(apiKey !== undefined && { apiKey }),
    structured: config.structured ?? 'schema',
    ...(headers && { headers: filledIn(headers, env) }),
    ...(query && { query: filledIn(query, env) }),
    ...(reasoningOff && { reasoningOff }),
    ...(Object.keys(settings).length > 0 && { settings }),
  }
}

/** `$NAME` becomes the value of the variable of that name. */
function filledIn(pairs: Record<string, string>, env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(pairs).map(([name, value]) => [
      name,
      value.replace(/\$(\w+)/g, (_, variable) => env[variable] ?? ''),
    ]),
  )
}

/** Names of variables that hold secrets. */
const SECRET_VARIABLE = /(?:API_?KEY|SECRET_ACCESS_KEY|SESSION_TOKEN)$/i
/** Names of headers and parameters that do. */
const SECRET_NAME = /key|token|auth|secret|cookie|signature|password/i

/** Keys in the environment, by the names of their variables, in headers and passwords inside base URLs: never to be written anywhere. */
export function secretsOf(env: Env, configured: Providers): string[] {
  const all = { ...PRESETS, ...configured }
  const named = new Set(Object.values(all).map(({ keyEnv }) => keyEnv))
  const secrets = Object.entries(env).flatMap(([name, value]) =>
    value && (named.has(name) || SECRET_VARIABLE.test(name)) ? [value, value.trim()] : [],
  )
  const own = Object.keys(env).flatMap(
    (name) => /^MEMSCOPE_(\w+)_(?:HEADERS|QUERY)$/.exec(name)?.[1]?.toLowerCase() ?? [],
  )
  const pairs = [
    ...Object.values(configured).flatMap(({ headers, query }) => [headers ?? {}, query ?? {}]),
    ...own.flatMap((name) => [pairsIn(name, 'HEADERS', env) ?? {}, pairsIn(name, 'QUERY', env) ?? {}]),
  ]
  for (const one of pairs) {
    for (const [name, value] of Object.entries(filledIn(one, env))) {
      if (SECRET_NAME.test(name)) secrets.push(value, value.replace(/^\w+\s+/, ''))
    }
  }
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
