import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError, unknownName } from '../base/errors.js'
import { valuesOf } from '../base/spec-options.js'
import { suites } from '../builtins.js'
import type { RunRequest } from '../engine/plan.js'
import type { Suite } from '../model/index.js'
import { resolveSuite, suiteSpec } from '../suites/registry.js'
import type { Parts } from './own-parts.js'
import { oneOf } from './settings/values.js'
import type { MeasureOptions } from './types.js'

/** A suite that was asked for, with its tasks, or null for all of them, and where it comes from if it is not built in. */
export interface AskedSuite {
  suite: Suite
  tasks: string[] | null
  file?: string
  /** What stood behind its name. */
  options: Readonly<Record<string, string>>
}

/** Suites and tasks by their names, files or objects; without any all that are built in, or those whose data a folder holds. */
export async function suitesFrom(
  given: MeasureOptions['suite'],
  data: string | undefined,
  parts: Parts,
): Promise<AskedSuite[]> {
  const asked = new Map<string, AskedSuite>()
  const usual = () => (data === undefined ? bundledSuites() : suitesIn(resolve(data))).map(({ name }) => name)
  for (const typed of parts.names(given) ?? usual()) {
    const { name, task, isFile, options } = suiteSpec(typed)
    const suite = await resolveSuite(name, process.cwd(), parts.suites)
    const file = isFile ? resolve(name) : undefined
    const known = suite.tasks.map((info) => info.name)
    const { groups = {} } = suite
    const tasks = task === null ? null : Object.hasOwn(groups, task) ? groups[task]! : [task]
    if (tasks?.some((one) => !known.includes(one))) throw unknownName(`task of ${suite.name}`, task!, known)
    const before = asked.get(suite.name)
    if (before && before.file !== file)
      throw new UserError(`Two of the suites are called "${suite.name}".`, 'Give one of them another name.')
    const all = tasks === null || before?.tasks === null
    asked.set(suite.name, {
      suite,
      tasks: all ? null : [...new Set([...(before?.tasks ?? []), ...tasks])],
      ...(file !== undefined && { file }),
      options: joined(suite.name, before?.options, ownOptions(suite, options)),
    })
  }
  refuseShared([...asked.values()].map(({ suite }) => suite))
  return [...asked.values()]
}

/** Refuses suites that have an option of one name: a run keeps options by their names alone. */
function refuseShared(named: readonly Suite[]): void {
  const owners = new Map<string, string>()
  for (const { name, flags } of named)
    for (const option of Object.keys(flags)) {
      const other = owners.get(option)
      if (other !== undefined)
        throw new UserError(
          `The suites "${other}" and "${name}" both have an option "${option}".`,
          'Give it another name, or run them apart.',
        )
      owners.set(option, name)
    }
}

/** The suites of a run that was kept. */
export async function suitesOf({ suites: kept }: RunRequest, parts: Parts): Promise<AskedSuite[]> {
  const found = kept.map(async ({ name, tasks, file }) => {
    const suite = await resolveSuite(file ?? name, process.cwd(), parts.suites)
    return { suite, tasks, ...(file !== undefined && { file }), options: {} }
  })
  return Promise.all(found)
}

/** Options of a suite as it knows them; of those that take several values, with commas. */
function ownOptions({ name: suite, flags }: Suite, typed: Readonly<Record<string, string>>): Record<string, string> {
  const read = Object.entries(typed).map(([name, value]) => {
    const flag = flags[name]
    if (!flag) throw unknownName(`option of ${suite}`, name, Object.keys(flags))
    return [name, flag.several ? valuesOf(value).join(',') : value]
  })
  return Object.fromEntries(read)
}

/** What was asked of suites as a whole, by their names and apart from them. */
export function settingsOf(
  asked: readonly AskedSuite[],
  given: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return asked.reduce<Record<string, string>>((settings, { suite, options }) => joined(suite.name, settings, options), {
    ...given,
  })
}

function joined(
  suite: string,
  before: Readonly<Record<string, string>> = {},
  options: Readonly<Record<string, string>>,
): Record<string, string> {
  const twice = Object.keys(options).find((name) => before[name] !== undefined && before[name] !== options[name])
  if (twice !== undefined)
    throw new UserError(
      `"${twice}" is given twice: ${before[twice]}, and ${options[twice]} with ${suite}.`,
      'Give it once.',
    )
  return { ...before, ...options }
}

/** The suites that can be run with nothing but what comes with the package. */
export function bundledSuites(): Suite[] {
  return suites.filter(({ release }) => release?.only === undefined)
}

/** The suites whose data a folder holds; a folder that holds none is refused. */
export function suitesIn(folder: string): Suite[] {
  const expected = suites.flatMap(({ name, release }) => (release ? [`  ${name}: ${release.expected}`] : []))
  const hint = `Expected data of a suite in it:\n${expected.join('\n')}`
  if (!existsSync(folder)) throw new UserError(`There is no folder ${folder}.`, hint)
  if (!statSync(folder).isDirectory()) throw new UserError(`${folder} is not a folder.`, hint)
  const held = suites.filter((suite) => suite.release?.holds(folder))
  if (held.length === 0) throw new UserError(`${folder} holds no data of a suite.`, hint)
  return held
}

/** What suites are set to, as asked or by default. What belongs to a suite that is not asked for is left alone. */
export function suiteSettings(
  asked: readonly Suite[],
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const known = [...suites, ...asked].flatMap(({ flags }) => Object.keys(flags))
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownName('setting of a suite', unknown, known)
  const own = asked.flatMap((suite) => Object.entries(suite.flags))
  const settings = own.map(([name, { values, default: usual }]) => {
    const value = given[name] ?? usual
    return [name, values.length > 0 ? oneOf(name, value, values) : value]
  })
  return Object.fromEntries(settings)
}

/** Settings of a suite under which its questions are counted. */
export function lightSettings({ flags }: Suite): Record<string, string> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, { light }]) => (light === undefined ? [] : [[name, light]])),
  )
}
