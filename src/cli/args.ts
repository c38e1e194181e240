import { parseArgs } from 'node:util'
import { suggest, UserError } from '../base/errors.js'
import type { Suite } from '../model/index.js'

export { wholeNumber } from '../base/whole-number.js'

/** A flag as shown by --help. `list` flags take values separated by commas and may be repeated. */
export interface Flag {
  type: 'text' | 'list' | 'switch'
  /** What stands behind the flag in the help. */
  value?: string
  about: string
}

export type Flags = Record<string, Flag>

/** What was typed: flags by name, and words that are no flags. */
export interface Typed {
  text: Record<string, string | undefined>
  list: Record<string, string[] | undefined>
  on: Record<string, boolean | undefined>
  words: string[]
}

/** Flags that every command has. */
const COMMON: Flags = {
  home: { type: 'text', value: '<folder>', about: 'where runs and caches are kept (default .memscope)' },
  debug: { type: 'switch', about: 'show stack traces' },
  help: { type: 'switch', about: 'show this help' },
}

/** A command of the command line. One file each. */
export interface Command {
  name: string
  about: string
  usage: string
  flags: Flags
  /** Flags that it has for a suite, of commands whose flags depend on `--suite`. */
  flagsOf?(suites: readonly Suite[]): Flags
  /** Those among `flags` that several suites may have, each with a meaning of its own, for only one is spoken of at a time. */
  sharedFlags?: Flags
  /** Most words that are no flags. */
  words: number
  examples: string[]
  run(typed: Typed): Promise<number>
}

/** Reads the arguments of a command strictly: an unknown flag or a missing value is a `UserError`. */
export function readArgs(command: Command, args: string[]): Typed {
  const flags = { ...command.flags, ...COMMON }
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type }]) => [
      name,
      { type: type === 'switch' ? ('boolean' as const) : ('string' as const), multiple: type === 'list' },
    ]),
  )
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw explain(error, command, Object.keys(flags), args)
  }
  if (parsed.positionals.length > command.words) {
    const extra = parsed.positionals[command.words]!
    throw new UserError(`"${extra}" is one word too many.`, `Usage: memscope ${command.usage}`)
  }
  const typed: Typed = { text: {}, list: {}, on: {}, words: parsed.positionals }
  for (const [name, value] of Object.entries(parsed.values)) {
    if (typeof value === 'boolean') typed.on[name] = value
    else if (typeof value === 'string') typed.text[name] = value
    else if (Array.isArray(value)) {
      const items = value.flatMap((part) => String(part).split(',')).map((part) => part.trim())
      if (items.some((item) => item === ''))
        throw new UserError(`--${name} has an empty item.`, `Separate values by single commas.`)
      typed.list[name] = items
    }
  }
  return typed
}

function explain(error: unknown, command: Command, names: string[], args: readonly string[]): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const message = error instanceof Error ? error.message : String(error)
  const help = `See: memscope ${command.name} --help`
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const typed = /'(-[^' ]*)'/.exec(message)?.[1] ?? ''
    const near = suggest(typed.replace(/^-+/, ''), names)
    return new UserError(`There is no flag ${typed}.`, near ? `Did you mean --${near}? ${help}` : help)
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    const name = /--([\w-]+)/.exec(message)?.[1] ?? ''
    const next = args[args.indexOf(`--${name}`) + 1] ?? ''
    if (/^-[^-]/.test(next))
      return new UserError(
        `--${name} needs a value, and "${next}" begins with a dash, as flags do.`,
        `If it is the value, write --${name}=${next}. ${help}`,
      )
    return new UserError(`--${name} ${/does not take/.test(message) ? 'takes no value' : 'needs a value'}.`, help)
  }
  return error
}

/** The help of a command, as text. */
export function helpOf(command: Command): string {
  const rows = Object.entries({ ...command.flags, ...COMMON }).map(([name, { value, about }]) => [
    `--${name}${value ? ` ${value}` : ''}`,
    about,
  ])
  const width = Math.max(...rows.map(([flag]) => flag!.length))
  return [
    `${command.about}`,
    '',
    `Usage: memscope ${command.usage}`,
    '',
    ...rows.map(([flag, about]) => `  ${flag!.padEnd(width)}  ${about}`),
    ...(command.examples.length > 0 ? ['', 'Examples:', ...command.examples.map((example) => `  ${example}`)] : []),
    '',
  ].join('\n')
}
