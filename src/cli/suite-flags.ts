import { UserError } from '../base/errors.js'
import type { Suite } from '../model/index.js'
import { resolveSuite, suiteSpec } from '../suites/registry.js'
import type { Command, Flags, Typed } from './args.js'

/** The flags that suites declare, as a command takes them. */
export function suiteFlags(suites: readonly Suite[]): Flags {
  return Object.fromEntries(
    suites.flatMap((suite) =>
      Object.entries(suite.flags).map(([name, { values, about, default: usual }]) => [
        name,
        {
          type: 'text' as const,
          value: values.length > 0 ? values.join('|') : `<${usual === '' ? 'path' : 'value'}>`,
          about: `${suite.name}: ${about}${usual === '' ? '' : ` (default ${usual})`}`,
        },
      ]),
    ),
  )
}

/**
 * A command that also takes the flags of suites from files. They are known once the files are read, so before anything else is.
 *
 * @param specs what was typed behind `--suite`
 */
export async function withSuiteFlags(command: Command, specs: readonly string[]): Promise<Command> {
  const { flagsOf, sharedFlags = {} } = command
  if (!flagsOf) return command
  const files = specs.map(suiteSpec).filter(({ isFile }) => isFile)
  let { flags } = command
  for (const file of new Set(files.map(({ name }) => name))) {
    const suite = await resolveSuite(file, process.cwd())
    const own = flagsOf([suite])
    const taken = Object.keys(own).find((name) => name in flags && sharedFlags[name]?.type !== own[name]!.type)
    if (taken !== undefined)
      throw new UserError(`The suite "${suite.name}" has a flag --${taken}, which is taken.`, 'Give it another name.')
    flags = { ...flags, ...own }
  }
  return { ...command, flags }
}

/** What stands behind `--suite` among arguments that were not read yet. */
export function suiteSpecsIn(args: readonly string[]): string[] {
  return args
    .flatMap((arg, at) => (arg === '--suite' ? (args[at + 1] ?? []) : (/^--suite=(.*)$/.exec(arg)?.[1] ?? [])))
    .flatMap((value) => value.split(',').map((spec) => spec.trim()))
}

/** What the flags of suites were set to, as typed or by default. */
export function suiteSettings(suites: readonly Suite[], text: Typed['text']): Record<string, string> {
  return Object.fromEntries(
    suites
      .flatMap((suite) => Object.entries(suite.flags))
      .map(([name, { values, default: usual }]) => {
        const given = text[name] ?? usual
        if (values.length > 0 && !values.includes(given))
          throw new UserError(`Expected --${name} to be ${values.join(' or ')}, got "${given}".`)
        return [name, given]
      }),
  )
}

/** Settings of a suite under which its questions are counted. */
export function lightSettings({ flags }: Suite): Record<string, string> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, { light }]) => (light === undefined ? [] : [[name, light]])),
  )
}
