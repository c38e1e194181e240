import { z } from 'zod'
import { UserError } from './errors.js'

/** How a memory that is no file of JavaScript is reached. */
export type OutsideScheme = 'cmd' | 'http' | 'py' | 'mcp'

/** A memory outside of this program, as a user names it. */
export interface OutsideSpec {
  scheme: OutsideScheme
  /** What its row is called, if the user said so. */
  name?: string
  /** A command, an address, or a module with a class. */
  target: string
  /** What stands in brackets behind the scheme, or is given in a config file. */
  options: Readonly<Record<string, string>>
}

/** What processes and servers of outside memories get. Names only: values are read from the environment when used, and never written. */
export interface OutsideSettings {
  /** Variables of the environment that processes get, by name. */
  env: readonly string[]
  /** Headers of HTTP requests, each with the variable that holds its value. */
  headers: Readonly<Record<string, string>>
}

const texts = z.record(z.string(), z.string())

const outsideSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[^\s:=,[\]]+$/, 'expected a name without spaces, commas, brackets, ":" or "="')
    .optional(),
  use: z.string(),
  env: z.array(z.string()).optional(),
  headers: texts.optional(),
  options: texts.optional(),
})

/**
 * A memory outside of this program, as a config file or a caller gives it; the same as a spec that is typed. `use` says how it is reached
 * (`cmd:…`, `http://…`, `py:…`, `mcp:…`), `name` what its row is called, `env` which variables its process gets, `headers` which variable
 * holds the value of each header, `options` what the memory is given when it is opened.
 */
export type OutsideSystem = z.infer<typeof outsideSchema>

const SPEC = /^(?:([^\s:=,[\]]+)=)?(cmd|https?|py|mcp)(?:\[([^\]]*)\])?:(.+)$/s

/** Whether what a user typed leads to a memory outside: then it is one name, whatever commas are in it. */
export function isOutsideSpec(typed: string): boolean {
  return SPEC.test(typed)
}

/**
 * What a user typed, taken apart; null when it is something else.
 *
 * @example readOutsideSpec('mine=cmd[env=MY_KEY]:./server --port 0')
 */
export function readOutsideSpec(typed: string): OutsideSpec | null {
  const found = SPEC.exec(typed.trim())
  if (!found) return null
  const [, name, scheme, options, rest] = found
  const isWeb = scheme === 'http' || scheme === 'https'
  return {
    scheme: isWeb ? 'http' : (scheme as OutsideScheme),
    ...(name !== undefined && { name }),
    target: isWeb ? `${scheme}:${rest}` : rest!.trim(),
    options: optionsIn(options),
  }
}

/** The spec that says the same as an object. */
export function specOf(given: OutsideSystem): string {
  const read = outsideSchema.safeParse(given)
  const spec = readOutsideSpec(String(given.use))
  if (!read.success || !spec) {
    const why = read.success ? '"use" begins with cmd:, http:, py: or mcp:' : z.prettifyError(read.error)
    throw new UserError(
      `${JSON.stringify(given)} is no memory outside: ${why}`,
      "For example: { name: 'mine', use: 'cmd:./server', env: ['MY_KEY'] }",
    )
  }
  const { name, use, env = [], headers = {}, options = {} } = read.data
  const all = {
    ...spec.options,
    ...options,
    ...(env.length > 0 && { env: env.join('+') }),
    ...Object.fromEntries(Object.entries(headers).map(([header, variable]) => [`${HEADER}${header}`, variable])),
  }
  const inside = Object.entries(all).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  const [, , scheme, , rest] = SPEC.exec(use)!
  const label = name ?? spec.name
  return `${label === undefined ? '' : `${label}=`}${scheme}${inside.length > 0 ? `[${inside.join(',')}]` : ''}:${rest}`
}

const HEADER = 'header.'

/** The settings among the options of a spec, and what is left for the memory itself. */
export function settingsIn({ options }: OutsideSpec): OutsideSettings & { own: Record<string, string> } {
  const { env, ...rest } = options
  const isHeader = ([key]: [string, string]) => key.startsWith(HEADER)
  const entries = Object.entries(rest)
  return {
    env: env?.split('+').filter((name) => name !== '') ?? [],
    headers: Object.fromEntries(entries.filter(isHeader).map(([key, name]) => [key.slice(HEADER.length), name])),
    own: Object.fromEntries(entries.filter((entry) => !isHeader(entry))),
  }
}

function optionsIn(typed: string | undefined): Record<string, string> {
  const parts = typed?.split(',').filter((part) => part.trim() !== '') ?? []
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf('=')
      return at < 0 ? [part.trim(), 'on'] : [part.slice(0, at).trim(), decoded(part.slice(at + 1).trim())]
    }),
  )
}

/** Commas and brackets may stand there as %2C and %5D. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/**
 * The words of a command. Quotes keep words together; there is no shell, and nothing else has a meaning.
 *
 * @example commandWords("./server --name 'two words'") // ['./server', '--name', 'two words']
 */
export function commandWords(command: string): string[] {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (const char of command) {
    if (quote !== null) {
      if (char === quote) quote = null
      else word += char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + char
  }
  if (quote !== null) throw new UserError(`A quote is not closed in: ${command}`)
  if (word !== null) words.push(word)
  if (words.length === 0) throw new UserError('Expected a command behind "cmd:".')
  return words
}
