import { missingPackages } from '../base/packages.js'
import type { SystemDefinition } from '../model/index.js'
import { systems } from '../systems/registry.js'

/** What stands for every built-in system. */
const ALL = 'all'

/**
 * Systems by what was typed, with `all` taken for every built-in one. Without a model, those that need one are left out, and so are those
 * whose packages are not installed.
 *
 * @example systemsFrom(['all', './my-memory.ts'], [])
 */
export function systemsFrom(typed: readonly string[], models: readonly string[], cwd = process.cwd()): string[] {
  const every = systems
    .filter((system) => models.length > 0 || !system.needs?.llm)
    .filter((system) => lacking(system, cwd).length === 0)
    .map(({ name }) => name)
  const others = typed.filter((name) => name !== ALL)
  return typed.includes(ALL) ? [...every, ...others.filter((name) => !every.includes(name))] : others
}

/** A line on each kind of system that `all` had to leave out; null when it left out nothing. */
export function leftOut(typed: readonly string[], models: readonly string[], cwd = process.cwd()): string | null {
  if (!typed.includes(ALL)) return null
  const modelless = models.length > 0 ? [] : systems.filter(({ needs }) => needs?.llm)
  const lines = systems
    .filter((system) => !modelless.includes(system) && !typed.includes(system.name) && lacking(system, cwd).length > 0)
    .map(
      ({ name, needs }) => `Left out, for it is not installed: ${name}. Run: npm install ${needs!.packages!.join(' ')}`,
    )
  if (modelless.length > 0) {
    const names = modelless.map(({ name }) => name).join(', ')
    lines.unshift(
      `Left out, for they have a model inside: ${names}. Name one with --model provider:model, or without a key --model rehearsal:demo.`,
    )
  }
  return lines.length === 0 ? null : lines.join('\n')
}

function lacking({ needs }: SystemDefinition, cwd: string): string[] {
  return missingPackages(needs?.packages, cwd)
}
