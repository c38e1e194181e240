import { UserError } from '../../base/errors.js'
import { baseUrlOf, configOf, resolveEndpoint, variableOf } from './catalog.js'
import { PRESETS } from './presets.js'
import { DEFAULT_URLS, type ProviderKind, type Providers } from './provider-config.js'

/** How a provider stands, for people: where it is, and which variables say so. Never holds a key. */
export interface ProviderState {
  provider: string
  kind: ProviderKind
  /** Without user, password and query; null when there is none. */
  baseUrl: string | null
  /** Variable that sets the base URL. */
  urlVariable: string
  /** Variables that may hold the key; the first that is set is used. */
  keyVariables: string[]
  needsKey: boolean
  /** Name of the variable that holds a key, or null when none does. */
  keyFrom: string | null
  /** Why it cannot be used, or null when it can. */
  missing: string | null
}

/** All providers that can be named: the presets, and those that the environment adds by a base URL. */
export function providerStates(
  env: Readonly<Record<string, string | undefined>>,
  configured: Providers = {},
): ProviderState[] {
  const isSet = (name: string) => (env[name] ?? '').trim() !== ''
  return [...new Set([...Object.keys({ ...PRESETS, ...configured }), ...addedBy(env)])].map((provider) => {
    const config = configOf(provider, configured, env)
    const { kind = 'openai-compatible', keyEnv } = config
    const keyVariables = [variableOf(provider, 'API_KEY'), ...(keyEnv === undefined ? [] : [keyEnv])]
    const url = baseUrlOf(provider, config, env) ?? DEFAULT_URLS[kind]
    return {
      provider,
      kind,
      baseUrl: url === undefined ? null : placeOf(url),
      urlVariable: variableOf(provider, 'BASE_URL'),
      keyVariables,
      needsKey: config.needsKey ?? keyEnv !== undefined,
      keyFrom: keyVariables.find(isSet) ?? null,
      missing: missingIn(provider, configured, env),
    }
  })
}

function missingIn(
  provider: string,
  configured: Providers,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  try {
    resolveEndpoint(provider, configured, env)
    return null
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return `${error.message} ${error.hint ?? ''}`.trim()
  }
}

/** A URL without what may be secret in it: user, password, query. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return '(not a URL)'
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`.replace(/\/+$/, '')
}

/** Names of providers that exist by `MEMSCOPE_<NAME>_BASE_URL` alone. */
function addedBy(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(Object.keys(PRESETS).map((provider) => variableOf(provider, 'BASE_URL')))
  return Object.entries(env)
    .filter(([name, value]) => !known.has(name) && (value ?? '').trim() !== '')
    .flatMap(([name]) => /^MEMSCOPE_([A-Z0-9_]+)_(?:BASE_URL|KIND)$/.exec(name)?.[1] ?? [])
    .map((name) => name.toLowerCase().replaceAll('_', '-'))
    .sort()
}
