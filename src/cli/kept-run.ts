import { UserError } from '../base/errors.js'
import { type RunRequest, requireSameSetting } from '../engine/plan.js'
import type { RunRecord, RunStore } from '../model/index.js'
import { type ComposeOptions, compose, type Home, homeAt, openStore, type Workshop } from './compose.js'
import { holdRun } from './hold-run.js'
import { findRun, keptRequest } from './runs.js'

/** A run that was made before, with everything to work on it again. */
export interface KeptRun {
  record: RunRecord
  workshop: Workshop
  store: RunStore
  home: Home
}

export interface OpenOptions {
  /** Where runs are kept; the default when absent. */
  home: string | undefined
  /** What to type, for those who did not name a run. */
  usage: string
  /** The work writes to the run: nobody else may meanwhile. */
  writes?: boolean
  /** How models are reached. */
  compose?(record: RunRecord): ComposeOptions
  /** Changes the request; only these parts of the setting may differ then. */
  change?: { request(kept: RunRequest): RunRequest | Promise<RunRequest>; parts: readonly string[] }
}

/**
 * Opens a run by its name, plans it again as it was kept, and closes everything when the work is done. Refused when data or program have
 * changed since: numbers of two settings are never mixed. Providers need not be there until a model is asked something that is not kept.
 *
 * @example await withKeptRun('last', { home, usage }, ({ record, workshop, store }) => publish(record, workshop, store, outputs))
 */
export async function withKeptRun<T>(
  name: string | undefined,
  { home: folder, usage, writes, compose: options, change }: OpenOptions,
  work: (kept: KeptRun) => Promise<T>,
): Promise<T> {
  if (name === undefined) throw new UserError('Which run?', usage)
  const home = homeAt(folder)
  const store = openStore(home)
  let release = async () => {}
  try {
    const record = await findRun(store, name)
    if (writes) release = await holdRun(store, record.id)
    const kept = keptRequest(record.request)
    const request = change ? await change.request(kept.request) : kept.request
    const { access, ...others } = options?.(record) ?? {}
    const workshop = await compose(request, home, {
      ...others,
      access: { ...access, lazily: true },
      vectorLength: vectorLengthOf(kept.settingParts.embedder),
    })
    try {
      const now = { ...workshop.plan.settingParts }
      for (const part of change?.parts ?? []) now[part] = kept.settingParts[part]!
      requireSameSetting(kept.settingParts, now, `The run ${record.id}`)
      return await work({ record, workshop, store, home })
    } finally {
      await workshop.close()
    }
  } finally {
    await release()
    await store.close()
  }
}

/** The length of vectors, which the name of a remote embedder ends in: it need not be asked for again. */
function vectorLengthOf(embedder = ''): number | undefined {
  const [, length] = /\/d(\d+)$/.exec(embedder) ?? []
  return length === undefined ? undefined : Number(length)
}
