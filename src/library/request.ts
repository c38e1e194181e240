import { UserError } from '../base/errors.js'
import { isOutsideSpec } from '../base/outside-spec.js'
import { isOwnFile } from '../base/own-file.js'
import { readPackageSpec } from '../base/own-package.js'
import { type RunRequest, suiteOptions } from '../engine/plan.js'
import { type AskedSuite, settingsOf, suitesFrom, suitesOf } from './asked-suites.js'
import { Parts } from './own-parts.js'
import { grownRequest } from './settings/resume.js'
import { readSettings } from './settings/table.js'
import { listOf } from './settings/values.js'
import type { RunOptions } from './types.js'

/** The request behind what was asked for. With nothing at all it is the tour. */
export async function requestFrom(asked: RunOptions, parts = new Parts()): Promise<RunRequest> {
  const suites = await suitesFrom(asked.suite, asked.data, parts)
  const request = await read(asked, suites, settingsOf(suites, asked.settings), parts, true)
  refuseIdle(request, suites)
  return request
}

/** A kept request with what may grow. Anything else that was asked for must be what it was. */
export async function resumedRequest(kept: RunRequest, asked: RunOptions, parts: Parts): Promise<RunRequest> {
  const suites =
    asked.suite === undefined ? await suitesOf(kept, parts) : await suitesFrom(asked.suite, asked.data, parts)
  const settings = settingsOf(suites, asked.settings)
  const now = await read(asked, suites, settings, parts, false)
  return grownRequest(
    kept,
    now,
    { ...asked },
    settings,
    suites.map(({ suite }) => suite),
  )
}

function read(
  asked: RunOptions,
  suites: readonly AskedSuite[],
  settings: Readonly<Record<string, string>>,
  parts: Parts,
  isFresh: boolean,
): Promise<RunRequest> {
  const isTour = asked.system === undefined && asked.k === undefined && asked.tokenBudget === undefined
  const isShort = quickSizeNote(asked) !== null || (isTour && asked.data === undefined)
  const models = listOf(asked.model) ?? []
  return readSettings({ ...asked }, { parts, suites, settings, isFresh, isTour, isShort, models })
}

/** A note that all systems run at `--size quick` because one is the user's own; null where a size was given, a run is resumed, or all are built in. */
export function quickSizeNote({ system, size, resume }: Pick<RunOptions, 'system' | 'size' | 'resume'>): string | null {
  const all = listOf(system) ?? []
  const own = all.flatMap((one) => {
    if (typeof one === 'object') return one.name ?? ('use' in one ? one.use : [])
    return isOwnFile(one) || isOutsideSpec(one) || readPackageSpec(one) !== null ? one : []
  })
  if (own.length === 0 || size !== undefined || resume !== undefined) return null
  const what = own.every(isOwnFile) ? 'a file' : 'a memory'
  return `With ${what} of your own (${own.join(', ')}) all run at --size quick; --size paper asks everything.`
}

/** Refuses what would change nothing: views of data that has none, and whatever suites refuse. */
function refuseIdle(request: RunRequest, asked: readonly AskedSuite[]): void {
  if (request.data === null && request.view === 'released')
    throw new UserError(
      '--view released is for published data; the bundled data has no views.',
      'Name the folder of a release with --data, or leave out --view.',
    )
  for (const { suite } of asked) suite.refuse?.(suiteOptions(request, null), { alone: asked.length === 1 })
}
