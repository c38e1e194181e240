import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError, unknownName } from '../base/errors.js'
import { isFolder } from '../base/folders.js'
import { type OutsideSystem, specOf } from '../base/outside-spec.js'
import { definedKind, ownImporter } from '../base/own-file.js'
import { isSameFile } from '../base/same-file.js'
import { shortened } from '../base/text.js'
import { movedTo } from '../library/settings/moved.js'
import { type Command, suiteOption, type Typed } from './args.js'
import { withSuiteFlags } from './flags.js'

/**
 * What was typed, over what a config file says. Its keys are the names of the flags; lists may be arrays. Flags win.
 *
 * @example export default { suite: ['./my-suite.ts'], system: ['bm25', './my-memory.ts'], k: [1, 5] }
 */
export async function configured(typed: Typed, command: Command): Promise<Typed> {
  const [file] = typed.words
  if (file === undefined) return typed
  const path = resolve(file)
  if (!existsSync(path)) throw new UserError(`There is no config file ${path}.`, `Usage: memscope ${command.usage}`)
  if (isFolder(path)) throw new UserError(`The config file ${path} is a folder.`, 'Name a file in it.')
  let config: unknown
  try {
    config = await (await ownImporter()).import(path, { default: true })
  } catch (error) {
    throw new UserError(`${path} cannot be loaded: ${thrownWords(error)}`)
  }
  if (config === null || (typeof config !== 'object' && !isMemory(config)) || Array.isArray(config))
    throw new UserError(
      `${path} must export an object by default.`,
      'For example: export default { system: ["bm25"], k: [1, 5] }',
    )
  if (isMemory(config)) {
    const kind = definedKind(config)
    throw new UserError(
      `${file} is a ${kind ?? 'memory system'}, not a config file.`,
      `Write: memscope ${command.name} --${kind ?? 'system'} ${/^[./\\]/.test(file) ? file : `./${file}`}`,
    )
  }
  const merged: Typed = { text: { ...typed.text }, list: { ...typed.list }, on: { ...typed.on }, words: [] }
  const settings = settingsOf(config, file)
  const suites = typed.list.suite === undefined ? [settings.suite ?? []].flat().map((one) => asTyped('suite', one)) : []
  const { flags } = await withSuiteFlags(command, suites)
  for (const [key, value] of Object.entries(settings)) {
    const flag = Object.hasOwn(flags, key) ? flags[key] : undefined
    const moved = movedTo(key) ?? suiteOption(key)
    if (!flag && moved !== undefined)
      throw new UserError(`${file} has "${key}", which is no setting any more.`, `It is now: ${moved}`)
    if (!flag) throw unknownName(`setting in ${file}`, key, Object.keys(flags))
    if (value === undefined || value === null) continue
    if (flag.type === 'list') merged.list[key] ??= [value].flat().map((one) => asTyped(key, one))
    else if (flag.type === 'text') merged.text[key] ??= asText(key, value)
    else if (typeof value === 'boolean') merged.on[key] ??= value
    else throw new UserError(`The setting ${key} is on or off, got ${shown(value)}.`, 'Write true or false.')
  }
  for (const [flag, value] of Object.entries(merged.text))
    if (WRITTEN.includes(flag) && value !== undefined && isSameFile(value, path))
      throw new UserError(`--${flag} ${value} would be written over the config file.`, 'Choose another place.')
  return merged
}

/** Flags behind which a file is written. */
const WRITTEN = ['json', 'html', 'md', 'csv', 'junit', 'badge', 'save-baseline', 'record', 'out']

/** The settings of a config, each read once: they may be code that throws. */
function settingsOf(config: object, file: string): Record<string, unknown> {
  try {
    return Object.fromEntries(Object.entries(config))
  } catch (error) {
    throw new UserError(`The settings of ${file} cannot be read: ${thrownWords(error)}`)
  }
}

/** A value of a list as it would be typed; a memory outside may be an object. */
function asTyped(key: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  // As data: what is asked of it again says the same.
  const data: unknown = typeof value === 'object' ? JSON.parse(jsonOf(value) ?? 'null') : null
  if (typeof data === 'object' && data !== null && 'use' in data && typeof data.use === 'string')
    return specOf(data as OutsideSystem)
  throw new UserError(
    `The setting ${key} takes texts and numbers, got ${shown(value)}.`,
    `For example: ${key}: ["a", "b"].`,
  )
}

/** A value as it would be typed; what is a table of its own, such as prices, as JSON. */
function asText(key: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  const json = typeof value === 'object' ? jsonOf(value) : undefined
  if (json !== undefined) return json
  throw new UserError(`The setting ${key} takes a text, a number or an object of them, got ${shown(value)}.`)
}

/** Undefined where it is no data: it goes round in a circle, or has code that throws. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function shown(value: unknown): string {
  return shortened(jsonOf(value) ?? typeof value, 100)
}

/** What was thrown, in words; also where that is no error, and not even a text can be made of it. */
function thrownWords(error: unknown): string {
  if (error instanceof Error && typeof error.message === 'string') return error.message
  return typeof error === 'object' || typeof error === 'function' ? 'it throws what is no error.' : String(error)
}

/** What a file with a memory system, judge or reader exports: a function or class that makes one, or an object with `create`. */
function isMemory(exported: unknown): exported is object {
  if (typeof exported === 'function') return true
  return typeof exported === 'object' && exported !== null && 'create' in exported
}
