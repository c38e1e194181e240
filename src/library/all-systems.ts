import { missingPackages } from '../base/packages.js'
import { loadAll, systems } from '../builtins.js'
import type { SystemDefinition } from '../model/index.js'

/** What stands for every built-in system. */
const ALL = 'all'

/**
 * Systems by what was typed, with `all` taken for every built-in one. Without a model, those that need one are left out, and so are those
 * whose packages are not installed.
 *
 * @example await systemsFrom(['all', './my-memory.ts'], [])
 */
export async function systemsFrom(
  typed: readonly string[],
  models: readonly string[],
  cwd = process.cwd(),
): Promise<string[]> {
  if (!typed.includes(ALL)) return [...typed]
  const every = (await loadAll(systems))
    .filter((system) => models.length > 0 || !system.needs?.llm)
    .filter((system) => lacking(system, cwd).length === 0)
    .map(({ name }) => name)
  return [...every, ...typed.filter((name) => name !== ALL && !every.includes(name))]
}

/** A line on each kind of system that `all` had to leave out; null when it left out nothing. */
export async function leftOut(
  typed: readonly string[],
  models: readonly string[],
  cwd = process.cwd(),
): Promise<string | null> {
  if (!typed.includes(ALL)) return null
  const known = await loadAll(systems)
  const modelless = models.length > 0 ? [] : known.filter(({ needs }) => needs?.llm)
  const lines = known
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
