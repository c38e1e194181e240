import { UserError } from '../base/errors.js'
import { suites } from '../builtins.js'
import { JUDGES } from '../library/settings/judges.js'
import { MODEL_SETTINGS } from '../library/settings/models.js'
import { READERS } from '../library/settings/readers.js'
import { GATES, KEPT_RESULTS, RESULTS } from '../library/settings/results.js'
import { SETTING_GROUPS } from '../library/settings/table.js'
import { TIMEOUT, TRUST } from '../library/settings/work.js'
import { findSuite } from '../library.js'
import type { Suite, SuiteData } from '../model/index.js'
import { COMMON, type Command, type Flags, flagsOf, listFlag, switchFlag, type Typed, textFlag } from './args.js'

/** How long a memory may take. */
export const TIMEOUT_FLAG: Flags = flagsOf(TIMEOUT)

/** Lets code of a run be loaded while it is looked at. */
export const LOAD_FLAG: Flags = {
  load: listFlag('<files>', 'suites of the run that may be loaded, if they are what they were: looking loads no code'),
}

/** Lets a run go on that names code of somebody else's. */
export const TRUST_FLAG: Flags = flagsOf(TRUST)

/** Flags that say how models are reached and what they may cost. None of them changes what is measured. */
export const MODEL_FLAGS: Flags = flagsOf(MODEL_SETTINGS)

const QUIET: Flags = { quiet: switchFlag('no tables and no progress') }

/** Flags that say where results go. */
export const OUTPUT_FLAGS: Flags = { ...flagsOf(RESULTS), 'fail-under': flagsOf(GATES)['fail-under']!, ...QUIET }

/** All that a run that is there already can be written as, and held against. */
export const REPORT_GROUPS: Readonly<Record<string, Flags>> = {
  Forms: flagsOf({ ...RESULTS, ...KEPT_RESULTS }),
  Gates: flagsOf(GATES),
}

/** What allows settings to differ where numbers of two runs are set side by side. */
export const DESPITE_FLAG: Flags = {
  despite: listFlag('<parts>', 'compare although these parts of the setting differ: harness, judge, reader, …'),
}

/** Flags that say who answers and who judges. */
export const READER_FLAGS: Flags = flagsOf(READERS)
export const JUDGE_FLAGS: Flags = flagsOf(JUDGES)

/** The settings of a run, in groups, and what only some suites have. */
export const RUN_GROUPS: Readonly<Record<string, Flags>> = {
  ...Object.fromEntries(Object.entries(SETTING_GROUPS).map(([heading, group]) => [heading, flagsOf(group)])),
  'Of one suite': typedSuiteFlags(),
}

/** All settings of a run as flags. */
export const RUN_FLAGS: Flags = Object.assign({}, ...Object.values(RUN_GROUPS))

/** Options of suites that are flags of their own, too. */
function typedSuiteFlags(): Flags {
  const typed = suites.flatMap((suite) =>
    Object.entries(suite.flags).flatMap(([name, { isTyped, values, about, default: usual }]) => {
      const value = values.length > 0 ? values.join('|') : '<value>'
      return isTyped ? [[name, { ...textFlag(value, `${suite.name}: ${about}`), usual }] as const] : []
    }),
  )
  return Object.fromEntries(typed)
}

/** A command that also takes the flags of suites from files that stand behind `--suite`: they are known once the files are read. */
export async function withSuiteFlags(command: Command, specs: readonly string[]): Promise<Command> {
  const { flagsOf: own, sharedFlags = {} } = command
  if (!own) return command
  const files = specs.flatMap((spec) => /^(.+\.[cm]?[jt]s)(?:\/[^/]*)?$/.exec(spec)?.[1] ?? [])
  let { flags } = command
  for (const file of new Set(files)) {
    const suite = await findSuite(file)
    const found = own([suite])
    const taken = Object.keys(found).find((name) => name in flags && sharedFlags[name]?.type !== found[name]!.type)
    if (taken !== undefined)
      throw new UserError(`The suite "${suite.name}" has a flag --${taken}, which is taken.`, 'Give it another name.')
    flags = { ...flags, ...found }
  }
  return { ...command, flags }
}

/** What stands behind `--suite` among arguments that were not read yet. */
export function suiteSpecsIn(args: readonly string[]): string[] {
  return args
    .flatMap((arg, at) => (arg === '--suite' ? (args[at + 1] ?? []) : (/^--suite=(.*)$/.exec(arg)?.[1] ?? [])))
    .flatMap((value) => value.split(',').map((spec) => spec.trim()))
}

/** Work on data for which suites have flags. */
export const DATA_VERBS = ['lint', 'generate', 'export'] as const satisfies (keyof SuiteData)[]
type DataVerb = (typeof DATA_VERBS)[number]

/** The flags that suites have for work on their data, each with what it means to whom. */
export function dataFlags(all: readonly Suite[], verbs: readonly DataVerb[] = DATA_VERBS): Flags {
  const flags: Flags = {}
  for (const { name: suite, data = {} } of all)
    for (const verb of verbs)
      for (const [name, { value, about }] of Object.entries(data[verb]?.flags ?? {})) {
        const before = flags[name] ? `${flags[name].about}; ` : ''
        const words = `${before}${verb} of ${suite}: ${about}`
        // Of several that take words, the one with the most says what may stand there.
        const [shown] = [value, flags[name]?.value].sort((a, b) => (b?.length ?? 0) - (a?.length ?? 0))
        flags[name] = shown === undefined ? switchFlag(words) : textFlag(shown, words)
      }
  return flags
}

/** What was typed for a suite that is an option of its own: how it is run, not how its data is made. */
export const SUITE_FLAGS: Flags = RUN_GROUPS['Of one suite']!

/** What was typed that is no flag of the command itself: those of suites. */
export function settingsFrom({ text, on }: Typed, own: Flags): Record<string, string | boolean> {
  const all = Object.entries({ ...text, ...on }).filter(([name]) => !(name in own || name in COMMON))
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** What was typed of the options of suites, by their names. */
export function typedSettings({ text }: Typed): Record<string, string> {
  return Object.fromEntries(
    Object.keys(SUITE_FLAGS).flatMap((name) => (text[name] === undefined ? [] : [[name, text[name]]])),
  )
}
