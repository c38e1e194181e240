import { systems } from '../systems/registry.js'

/** What stands for every built-in system. */
const ALL = 'all'

/**
 * Systems by what was typed, with `all` taken for every built-in one. Without a model, those that need one are left out.
 *
 * @example systemsFrom(['all', './my-memory.ts'], [])
 */
export function systemsFrom(typed: readonly string[], models: readonly string[]): string[] {
  const every = systems.filter(({ needs }) => models.length > 0 || !needs?.llm).map(({ name }) => name)
  const others = typed.filter((name) => name !== ALL)
  return typed.includes(ALL) ? [...every, ...others.filter((name) => !every.includes(name))] : others
}

/** One line on what `all` had to leave out; null when it left out nothing. */
export function leftOut(typed: readonly string[], models: readonly string[]): string | null {
  if (!typed.includes(ALL) || models.length > 0) return null
  const missing = systems.filter(({ needs }) => needs?.llm).map(({ name }) => name)
  return missing.length === 0
    ? null
    : `Left out, for they have a model inside: ${missing.join(', ')}. Name one with --model provider:model.`
}
