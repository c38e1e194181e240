import { missingPackages } from '../base/packages.js'
import { loadAll, systems } from '../builtins.js'
import type { SystemDefinition } from '../model/index.js'

/** What stands for every built-in system. */
const ALL = 'all'

/**
 * Systems by what was typed, with `all` taken for every built-in one. Without a model, those that need one are left out, and so are those
 * whose packages are not installed.
 */
export async function systemsFrom(
  typed: readonly string[],
  models: readonly string[],
  cwd?: string,
): Promise<string[]> {
  if (!typed.includes(ALL)) return [...typed]
  const every = (await loadAll(systems))
    .filter((system) => !lacksModel(system, models) && !lacksPackages(system, cwd))
    .map(({ name }) => name)
  return [...every, ...typed.filter((name) => name !== ALL && !every.includes(name))]
}

/** A line on each kind of system that `all` had to leave out; null when it left out nothing. */
export async function leftOut(
  typed: readonly string[],
  models: readonly string[],
  cwd?: string,
): Promise<string | null> {
  if (!typed.includes(ALL)) return null
  const known = await loadAll(systems)
  const modelless = known.filter((system) => lacksModel(system, models)).map(({ name }) => name)
  const uninstalled = known.filter(
    (system) => !modelless.includes(system.name) && !typed.includes(system.name) && lacksPackages(system, cwd),
  )
  const lines = [
    ...(modelless.length > 0
      ? [
          `Left out, for they have a model inside: ${modelless.join(', ')}. Name one with --model provider:model, or without a key --model rehearsal:demo.`,
        ]
      : []),
    ...uninstalled.map(
      ({ name, needs }) => `Left out, for it is not installed: ${name}. Run: npm install ${needs!.packages!.join(' ')}`,
    ),
  ]
  return lines.join('\n') || null
}

function lacksModel({ needs }: SystemDefinition, models: readonly string[]): boolean {
  return models.length === 0 && Boolean(needs?.llm)
}

function lacksPackages({ needs }: SystemDefinition, cwd = process.cwd()): boolean {
  return missingPackages(needs?.packages, cwd).length > 0
}
