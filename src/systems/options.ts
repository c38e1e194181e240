import { UserError } from '../base/errors.js'
import type { SystemDefinition, SystemOptions } from '../model/index.js'
import { PROMPTS_OPTION } from './parts/prompts.js'

/** All options of a definition: its own, and `prompts` where it has any. */
export function optionsIn({ options = {}, prompts }: SystemDefinition): NonNullable<SystemDefinition['options']> {
  return prompts ? { ...options, prompts: PROMPTS_OPTION } : options
}

/** Options with the defaults of a definition filled in. */
export function withDefaults(options: SystemDefinition['options'], given: SystemOptions): SystemOptions {
  const defaults = Object.entries(options ?? {}).map(([key, option]) => [key, option.default] as const)
  return { ...Object.fromEntries(defaults), ...given }
}

/** An option that is a number, within bounds. */
export function numberOption(
  options: SystemOptions,
  key: string,
  bounds: { min: number; max?: number; whole?: boolean },
): number {
  const typed = options[key] ?? ''
  const value = Number(typed)
  const { min, max = Number.MAX_SAFE_INTEGER, whole = false } = bounds
  if (typed.trim() === '' || !(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} up` : `from ${min} to ${max}`
    throw new UserError(`Expected "${key}" to be a ${whole ? 'whole ' : ''}number ${range}, got "${typed}".`)
  }
  return value
}

/** An option that is one of a few words. */
export function choiceOption<const T extends string>(options: SystemOptions, key: string, choices: readonly T[]): T {
  const typed = options[key] ?? ''
  const found = choices.find((choice) => choice === typed)
  if (found === undefined) throw new UserError(`Expected "${key}" to be one of ${choices.join(', ')}, got "${typed}".`)
  return found
}
