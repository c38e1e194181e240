import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError, unknownName } from '../base/errors.js'
import { isFolder } from '../base/folders.js'
import { type OutsideSystem, specOf } from '../base/outside-spec.js'
import { definedKind, ownImporter } from '../base/own-file.js'
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
    throw new UserError(`${path} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`)
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
  const settings: Record<string, unknown> = Object.fromEntries(Object.entries(config))
  const suites = typed.list.suite === undefined ? [settings.suite ?? []].flat().map(String) : []
  const { flags } = await withSuiteFlags(command, suites)
  for (const [key, value] of Object.entries(settings)) {
    const flag = flags[key]
    const moved = movedTo(key) ?? suiteOption(key)
    if (!flag && moved !== undefined)
      throw new UserError(`${file} has "${key}", which is no setting any more.`, `It is now: ${moved}`)
    if (!flag) throw unknownName(`setting in ${file}`, key, Object.keys(flags))
    if (value === undefined || value === null) continue
    if (flag.type === 'list') merged.list[key] ??= [value].flat().map(asTyped)
    else if (flag.type === 'switch') merged.on[key] ??= Boolean(value)
    else merged.text[key] ??= typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return merged
}

/** A value of a list as it would be typed; a memory outside may be an object. */
function asTyped(value: unknown): string {
  const isOutside = typeof value === 'object' && value !== null && 'use' in value
  return isOutside ? specOf(value as OutsideSystem) : String(value)
}

/** What a file with a memory system, judge or reader exports: a function or class that makes one, or an object with `create`. */
function isMemory(exported: unknown): exported is object {
  if (typeof exported === 'function') return true
  return typeof exported === 'object' && exported !== null && 'create' in exported
}
