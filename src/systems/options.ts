import { z } from 'zod'
import { UserError } from '../base/errors.js'
import type { SystemDefinition, SystemOptions } from '../model/index.js'
import { PROMPTS_OPTION } from './parts/prompts.js'

/** An option: reads what was typed, and knows what is meant where nothing was, and what it is about. */
export type OptionSchema<T = unknown> = z.ZodPrefault<z.ZodType<T, string>>

/** All options of a system by their names, as one schema. */
export type OptionsSchema = z.ZodObject<Record<string, OptionSchema>>

/** An option that is a number, within bounds; `usual` is the default, as it would be typed. */
export function numberOption(
  usual: string,
  about: string,
  { min, max = Number.MAX_SAFE_INTEGER, whole = false }: { min: number; max?: number; whole?: boolean },
): OptionSchema<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} up` : `from ${min} to ${max}`
  return optionOf(usual, about, `a ${whole ? 'whole ' : ''}number ${range}`, (typed) => {
    const value = Number(typed)
    const isFit = typed.trim() !== '' && value >= min && value <= max && (!whole || Number.isInteger(value))
    return isFit ? value : undefined
  })
}

/** An option that is a whole number, from 1 up unless told otherwise. */
export function countOption(usual: string, about: string, { min = 1, max }: { min?: number; max?: number } = {}) {
  return numberOption(usual, about, { min, whole: true, ...(max !== undefined && { max }) })
}

/** The temperature of a system's model. */
export function temperatureOption(usual: string, about = 'of the model') {
  return numberOption(usual, about, { min: 0, max: 2 })
}

/** An option that is one of a few words, by default the first. */
export function choiceOption<const T extends string>(choices: readonly [T, ...T[]], about: string): OptionSchema<T> {
  return optionOf(choices[0], about, `one of ${choices.join(', ')}`, (typed) =>
    choices.find((choice) => choice === typed),
  )
}

/** An option that is `on` or `off`. */
export function switchOption(usual: 'on' | 'off', about: string): OptionSchema<boolean> {
  return optionOf(usual, about, 'one of on, off', (typed) =>
    typed === 'on' ? true : typed === 'off' ? false : undefined,
  )
}

/** @param read undefined for what is not as expected */
function optionOf<T>(
  usual: string,
  about: string,
  expected: string,
  read: (typed: string) => T | undefined,
): OptionSchema<T> {
  const schema: z.ZodType<T, string> = z.string().transform((typed, context) => {
    const value = read(typed)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: expected })
    return z.NEVER
  })
  return schema.prefault(usual).describe(about)
}

/** What was typed as options, read; what was not is as by default. Throws for the first value that is not what it should be. */
export function readOptions<S extends OptionsSchema>(schema: S, given: SystemOptions): z.output<S> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue]
  const key = String(path[0])
  throw new UserError(`Expected "${key}" to be ${message}, got "${given[key] ?? schema.shape[key]?.def.defaultValue}".`)
}

/** Options with their defaults and meaning, as a definition tells them. */
export function optionTable({ shape }: OptionsSchema): NonNullable<SystemDefinition['options']> {
  const words = Object.entries(shape).map(([key, option]) => {
    const { defaultValue } = option.def
    return [key, { default: String(defaultValue), about: option.description ?? '' }] as const
  })
  return Object.fromEntries(words)
}

/** All options of a definition: its own, and `prompts` where it has any. */
export function optionsIn({ options = {}, prompts }: SystemDefinition): NonNullable<SystemDefinition['options']> {
  return prompts ? { ...options, prompts: PROMPTS_OPTION } : options
}

/** Options with the defaults of a definition filled in. */
export function withDefaults(options: SystemDefinition['options'], given: SystemOptions): SystemOptions {
  const defaults = Object.entries(options ?? {}).map(([key, option]) => [key, option.default] as const)
  return { ...Object.fromEntries(defaults), ...given }
}
