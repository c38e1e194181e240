import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { suggest, UserError } from '../base/errors.js'
import { isOutsideSpec } from '../base/outside-spec.js'
import { isOwnFile, splitSpec } from '../base/own-file.js'
import { printableJson } from '../base/text.js'
import { suites } from '../builtins.js'
import { movedTo } from '../library/settings/moved.js'
import { flagOf } from '../library/settings/setting.js'
import { PLACES } from '../library/settings/work.js'
import type { Suite } from '../model/index.js'

/** A flag as shown by --help. `list` flags take values separated by commas and may be repeated. */
export interface Flag {
  type: 'text' | 'list' | 'switch'
  /** What stands behind the flag in the help. */
  value?: string
  about: string
  /** What is meant without it. */
  usual?: string | number
}

export type Flags = Record<string, Flag>

/** A flag that takes one value. */
export function textFlag(value: string, about: string): Flag {
  return { type: 'text', value, about }
}

/** A flag that takes several values, with commas between them or typed more than once. */
export function listFlag(value: string, about: string): Flag {
  return { type: 'list', value, about }
}

/** A flag that is there or not. */
export function switchFlag(about: string): Flag {
  return { type: 'switch', about }
}

export const JSON_SWITCH: Flags = { json: switchFlag('as JSON') }

/** What was typed: flags by name, and words that are no flags. */
export interface Typed {
  text: Record<string, string | undefined>
  list: Record<string, string[] | undefined>
  on: Record<string, boolean | undefined>
  words: string[]
}

/** The flags of settings, by the names of which they are options of the library. */
export function flagsOf(settings: Readonly<Record<string, Flag>>): Flags {
  return Object.fromEntries(Object.entries(settings).map(([name, setting]) => [flagOf(name), setting]))
}

/** Flags that every command has. */
export const COMMON: Flags = {
  ...flagsOf(PLACES),
  debug: switchFlag('show stack traces, and all that memories say'),
  help: switchFlag('show this help'),
}

/** A command of the command line. One file each. */
export interface Command {
  name: string
  about: string
  usage: string
  flags: Flags
  /** Its flags in groups, by their headings; those that stand in none come last. */
  groups?: Readonly<Record<string, Flags>>
  /** Flags that it has for a suite, of commands whose flags depend on `--suite`. */
  flagsOf?(suites: readonly Suite[]): Flags
  /** Those among `flags` that several suites may have, each with a meaning of its own, for only one is spoken of at a time. */
  sharedFlags?: Flags
  /** Most words that are no flags; none unless given. */
  words?: number
  /** The part of it that its first word is about, for the help. */
  partOf?(word: string): Pick<Command, 'about' | 'usage' | 'flags' | 'groups' | 'examples'>
  examples?: string[]
  run(typed: Typed): Promise<number>
}

/** Reads the arguments of a command strictly: an unknown flag or a missing value is a `UserError`. */
export function readArgs(command: Command, args: string[]): Typed {
  const flags = { ...command.flags, ...COMMON }
  const optionOf = ({ type }: Flag) =>
    ({ type: type === 'switch' ? 'boolean' : 'string', multiple: type === 'list' }) as const
  const options = Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, optionOf(flag)]))
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw explain(error, command, Object.keys(flags), args)
  }
  const extra = parsed.positionals[command.words ?? 0]
  if (extra !== undefined) throw new UserError(`"${extra}" is one word too many.`, `Usage: memscope ${command.usage}`)
  const typed: Typed = { text: {}, list: {}, on: {}, words: parsed.positionals }
  for (const [name, value] of Object.entries(parsed.values)) {
    if (typeof value === 'boolean') typed.on[name] = value
    else if (typeof value === 'string') typed.text[name] = value
    else if (Array.isArray(value)) {
      const items = value.flatMap((part) => listed(String(part))).map((part) => part.trim())
      if (items.some((item) => item === ''))
        throw new UserError(`--${name} has an empty item.`, `Separate values by single commas.`)
      typed.list[name] = items
    }
  }
  return typed
}

/** Values between commas. What leads to a memory outside may hold commas, and the path of a file that is there too: neither is split. */
function listed(text: string): string[] {
  const at = text.indexOf(',')
  const { name } = splitSpec(text.trim())
  if (at < 0 || isOutsideSpec(text.trim()) || (name.includes(',') && existsSync(name))) return [text]
  return [text.slice(0, at), ...listed(text.slice(at + 1))]
}

/** What was typed as options of a library call, which have the words of the flags: it checks every value, and reads numbers as text. */
export function optionsFrom<T extends object>({ text, list, on }: Typed, more: object = {}): T {
  const flags = Object.entries({ ...text, ...list, ...on }).map(([flag, value]) => [camelCase(flag), value])
  return { ...Object.fromEntries(flags), ...more } as T
}

function camelCase(flag: string): string {
  return flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** Whether JSON was asked for where it can only go to standard output. */
export function wantsJson({ text: { json } }: Typed): boolean {
  if (json !== undefined && json !== '-') throw new UserError(`Expected --json -, got "${json}".`)
  return json === '-'
}

/** Prints data as JSON. Returns the exit code. */
export function printJson(data: object): 0 {
  process.stdout.write(`${printableJson(JSON.stringify(data, null, 2))}\n`)
  return 0
}

/** How an option that only one suite has is typed, where it is no flag. */
export function suiteOption(name: string): string | undefined {
  const suite = suites.find(({ flags }) => Object.hasOwn(flags, name) && !flags[name]!.isTyped)
  if (!suite) return undefined
  return `--suite ${suite.name}:${name}=<value>${suite.flags[name]!.several ? ', with + between several' : ''}`
}

/** The first suite of the user's own that is named. */
function suiteFileIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => /^--suite(?:=|$)/.test(arg))
  const named = at < 0 ? '' : (args[at]!.split('=')[1] ?? args[at + 1] ?? '')
  return named.split(',').find((one) => isOwnFile(one.replace(/\/[^/.]*$/, '')))
}

function explain(error: unknown, command: Command, names: string[], args: readonly string[]): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const message = error instanceof Error ? error.message : String(error)
  const help = `See: memscope ${command.name} --help`
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const typed = /'(-[^' ]*)'/.exec(message)?.[1] ?? ''
    const name = typed.replace(/^-+/, '')
    const moved = movedTo(name) ?? suiteOption(name)
    if (moved !== undefined)
      return new UserError(`There is no flag ${typed} of ${command.name} any more.`, `It is now: ${moved}`)
    const own = suiteFileIn(args)
    if (own !== undefined && !suggest(name, names))
      return new UserError(
        `There is no flag ${typed}.`,
        `If it is an option of your suite: --suite ${own}:${name}=<value>. ${help}`,
      )
    const near = suggest(name, names)
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
