import { UserError } from '../../base/errors.js'

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

/** What processes and servers of outside memories get beside their specs. Names only: values are read from the environment when used. */
export interface OutsideSettings {
  /** Variables of the environment that processes get, by name. */
  env: readonly string[]
  /** Headers of HTTP requests, each with the variable that holds its value. */
  headers: Readonly<Record<string, string>>
}

export const NO_SETTINGS: OutsideSettings = { env: [], headers: {} }

const SPEC = /^(?:([^\s:=,[\]]+)=)?(cmd|https?|py|mcp)(?:\[([^\]]*)\])?:(.+)$/s

/** Whether what a user typed is one name, whatever commas are in it: a command, an address, or a path. */
export function isWholeSpec(typed: string): boolean {
  return SPEC.test(typed) || /^(?:[^\s:=,]+=)?\.{0,2}\//.test(typed)
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

function optionsIn(typed: string | undefined): Record<string, string> {
  const parts = typed?.split(',').filter((part) => part.trim() !== '') ?? []
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf('=')
      return at < 0 ? [part.trim(), 'on'] : [part.slice(0, at).trim(), part.slice(at + 1).trim()]
    }),
  )
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
