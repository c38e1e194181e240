import { UserError, unknownName } from '../base/errors.js'
import { readOutsideSpec } from '../base/outside-spec.js'
import { splitSpec } from '../base/own-file.js'
import { readPackageSpec } from '../base/own-package.js'
import { missingPackages } from '../base/packages.js'
import { systems } from '../builtins.js'
import type { SystemDefinition, SystemOptions } from '../model/index.js'
import { optionsIn, withDefaults } from './options.js'
import { loadOutside } from './outside/load.js'
import { readPromptFile } from './parts/prompts.js'
import { refuseTakenName } from './taken-names.js'
import { loadSystemFile, loadSystemPackage } from './user-file.js'

/** A system as asked for: its definition, all its options with defaults filled in, and the name it goes by in reports. */
export interface ResolvedSystem {
  definition: SystemDefinition
  options: SystemOptions
  label: string
  /** It is a user's own: a file, or an object. */
  outside: boolean
}

/**
 * Finds a system by what a user typed: `name(:variant|:key=value)*`, or in place of the name the path of a file of their own or an installed
 * package (`@acme/memory`, `npm:acme-memory`), or what leads to a memory outside of this program: `cmd:`, `http:`, `py:`, `mcp:`.
 *
 * @param timeoutMs longest that a file may take to be imported
 * @param own objects of the caller's, by name, which run in this process
 * @example await resolveSystem('bm25:unit=sentence:k1=1.5', process.cwd())
 * @example await resolveSystem('./my-memory.ts', process.cwd())
 * @example await resolveSystem('@acme/memory:depth=2', process.cwd())
 */
export async function resolveSystem(
  spec: string,
  cwd: string,
  timeoutMs?: number,
  own?: ReadonlyMap<string, SystemDefinition>,
): Promise<ResolvedSystem> {
  const outside = readOutsideSpec(spec)
  if (outside) {
    const definition = await loadOutside(outside, cwd, timeoutMs)
    refuseTakenName(definition.name, spec.trim(), `Put a name of your own before it: mine=${unnamed(spec)}`)
    return { definition, options: withDefaults(optionsIn(definition), {}), label: definition.name, outside: true }
  }
  const { label: called, path } = namedPath(spec.trim())
  const installed = readPackageSpec(path)
  const { name, rest, isFile } = installed ? { ...installed, isFile: false } : splitSpec(path)
  const parts = rest?.split(':') ?? []
  const given = own?.get(name)
  const found = installed
    ? loadSystemPackage(name, cwd, timeoutMs)
    : isFile
      ? loadSystemFile(name, cwd, timeoutMs)
      : systems.find((system) => system.name === name)?.load()
  const definition = given ?? (await found)
  if (!definition) {
    throw unknownName(
      'system',
      name,
      systems.map((system) => system.name),
    )
  }
  const named = called === undefined ? definition : { ...definition, name: called }
  const isOwn = isFile || installed !== null || given !== undefined
  if (isOwn)
    refuseTakenName(named.name, path, given ? 'Give its definition another name.' : `Name its row: mine=${path}`)
  const asked = withPrompts(named, optionsOf(named, parts), cwd)
  return { ...asked, label: labelOf(asked.definition, asked.options), outside: isOwn }
}

/** A memory outside as it is typed, without the name that stands before it. */
function unnamed(spec: string): string {
  return spec.trim().replace(/^[^\s:=,[\]]+=/, '')
}

/** A path or a package, and what its row is called where that stands before it, as in `mine=./my-memory.ts`. */
function namedPath(spec: string): { label?: string | undefined; path: string } {
  const [, label, path] = /^([^\s:=,]+)=((?:\.{0,2}\/|@|npm:).*)$/s.exec(spec) ?? []
  return { label, path: path ?? spec }
}

/** Tells at once, and not in the middle of a run, that a system needs packages that are not installed. */
export function requirePackages({ name, needs }: SystemDefinition, cwd: string): void {
  const missing = missingPackages(needs?.packages, cwd)
  if (missing.length === 0) return
  throw new UserError(
    `The system "${name}" needs ${missing.length === 1 ? 'the package' : 'the packages'} ${missing.join(', ')}.`,
    `Run: npm install ${needs!.packages!.join(' ')}`,
  )
}

/** Puts a user's prompts in place. What stands for them in the options carries their hash, so that other prompts are another subject. */
function withPrompts(
  definition: SystemDefinition,
  options: SystemOptions,
  cwd: string,
): Pick<ResolvedSystem, 'definition' | 'options'> {
  if (!definition.prompts || !options.prompts) return { definition, options }
  const { prompts, print } = readPromptFile(options.prompts, definition.prompts, cwd)
  return {
    definition: {
      ...definition,
      prompts: { ...definition.prompts, ...prompts },
      create: (context, given) => definition.create({ ...context, prompts: { ...prompts, ...context.prompts } }, given),
    },
    options: { ...options, prompts: print },
  }
}

/**
 * The name of a system in reports: what differs from its defaults, as a variant where one fits. Two ways of asking for the same thing give
 * the same label.
 */
function labelOf(definition: SystemDefinition, options: SystemOptions): string {
  const defaults = withDefaults(optionsIn(definition), {})
  const changed = (given: SystemOptions) => Object.keys(given).filter((key) => given[key] !== defaults[key])
  const fitting = Object.entries(definition.variants ?? {})
    .filter(([, variant]) => changed(variant.options).every((key) => options[key] === variant.options[key]))
    .map(([name, variant]) => ({ name, covers: changed(variant.options) }))
    .filter(({ covers }) => covers.length > 0)
    .sort((a, b) => b.covers.length - a.covers.length)
  const variant = fitting[0]
  const rest = changed(options)
    .filter((key) => !variant?.covers.includes(key))
    .sort()
    .map((key) => `${key}=${options[key]}`)
  return [definition.name, ...(variant ? [variant.name] : []), ...rest].join(':')
}

function optionsOf(definition: SystemDefinition, parts: readonly string[]): SystemOptions {
  const known = optionsIn(definition)
  let options = withDefaults(known, {})
  const variants = definition.variants ?? {}
  for (const part of parts) {
    const at = part.indexOf('=')
    if (at >= 0) {
      const key = part.slice(0, at)
      if (!Object.hasOwn(known, key)) throw unknownName(`option of ${definition.name}`, key, Object.keys(known))
      options[key] = part.slice(at + 1)
    } else if (Object.hasOwn(variants, part)) {
      options = { ...options, ...variants[part]!.options }
    } else {
      throw unknownName(`variant of ${definition.name}`, part, Object.keys(variants))
    }
  }
  return options
}
