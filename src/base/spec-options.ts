import { UserError, unknownName } from './errors.js'

/** A name with options behind it, as `main:max-loss=3:undecided=fail`. */
export interface NamedOptions {
  name: string
  options: Record<string, string>
}

/**
 * Takes apart what a user typed. A colon that no `option=` follows belongs to the name or value before it, as in paths and models.
 *
 * @example splitOptions('openai:small:dimensions=256') // { name: 'openai:small', options: { dimensions: '256' } }
 */
export function splitOptions(typed: string): NamedOptions {
  const [name = '', ...parts] = typed.split(/:(?=[A-Za-z][\w-]*=)/)
  const options: Record<string, string> = {}
  for (const part of parts) {
    const at = part.indexOf('=')
    const option = part.slice(0, at)
    if (option in options) throw new UserError(`"${option}" is given twice in "${typed}".`, 'Give it once.')
    options[option] = part.slice(at + 1)
  }
  return { name, options }
}

/** Takes apart a name whose options are known; any other option is refused. @param what whose options they are */
export function readOptionsOf<const K extends string>(
  what: string,
  typed: string,
  known: readonly K[],
): { name: string; options: Partial<Record<K, string>> } {
  const { name, options } = splitOptions(typed)
  const unknown = Object.keys(options).find((option) => !known.some((one) => one === option))
  if (unknown !== undefined) throw unknownName(`option of ${what}`, unknown, known)
  return { name, options: options as Partial<Record<K, string>> }
}

/** Several values of one option, with `+` between them: commas part the names of a list. */
export function valuesOf(value: string): string[] {
  return value.split('+').map((one) => one.trim())
}
