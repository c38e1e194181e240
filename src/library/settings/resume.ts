import { UserError } from '../../base/errors.js'
import type { RunRequest } from '../../engine/plan.js'
import type { Suite } from '../../model/index.js'
import { flagOf } from './setting.js'
import { REQUEST_SETTINGS } from './table.js'

/**
 * A kept request with what is added to it. What cannot be added must be what it was; what was not given stays.
 *
 * @param asked the request that the options alone come to
 * @param settings what suites were set to, as given
 * @param suites whose they are
 */
export function grownRequest(
  kept: RunRequest,
  asked: RunRequest,
  options: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, string>>,
  suites: readonly Suite[],
): RunRequest {
  let grown = kept
  for (const [name, { onResume }] of REQUEST_SETTINGS) {
    const given = options[name]
    if (given === undefined) continue
    const { was, now = was, grow, refuse } = onResume
    if (refuse) refuse(kept, asked)
    else if (grow) {
      const added = grow(kept, asked)
      if (added === null) throw otherSetting(`--${flagOf(name)}`, was(kept), now(asked, given))
      grown = { ...grown, ...added }
    } else requireSame(`--${flagOf(name)}`, was(kept), now(asked, given))
  }
  for (const name of Object.keys(settings)) {
    if (!(name in kept.extra))
      throw new UserError(
        `The run to resume has no suite with "${name}".`,
        'Leave it out to go on, or start a new run.',
      )
    requireSame(suiteOption(name, suites), kept.extra[name], asked.extra[name])
  }
  return grown
}

/** An option of a suite as it is typed. */
function suiteOption(name: string, suites: readonly Suite[]): string {
  const suite = suites.find(({ flags }) => name in flags)
  return suite && !suite.flags[name]!.isTyped ? `${suite.name}:${name}` : `--${name}`
}

function requireSame(what: string, before: unknown, now: unknown): void {
  if (JSON.stringify(before) !== JSON.stringify(now)) throw otherSetting(what, before, now)
}

function otherSetting(what: string, before: unknown, now: unknown): UserError {
  return new UserError(
    `The run to resume has another ${what}: ${JSON.stringify(before)}, asked for ${JSON.stringify(now)}.`,
    'Leave the flag out to go on, or start a new run.',
  )
}
