import { hostname } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../base/errors.js'
import type { RunRequest } from '../engine/plan.js'
import type { RunRecord, RunStore } from '../model/index.js'
import type { KeptSystem } from '../systems/kept-system.js'
import { type ComposeOptions, compose, type Home, homeAt, type Looking, type Workshop } from './compose.js'
import type { Heard } from './control.js'
import type { KeptInstruments } from './kept-instruments.js'
import { type CodeParts, codeIn } from './named-code.js'
import { openRunStore, trafficOf } from './open-store.js'
import { Parts } from './own-parts.js'
import { withoutSecrets } from './secrets.js'
import { requireComparable, requireSameSetting } from './settings/parts.js'
import type { SharedSettings } from './shared-settings.js'
import { type Confirmed, type KeptCode, requireTrusted } from './trust.js'
import type { KeptRunOptions } from './types.js'

/** What is kept of a request, with the parts of its setting so that a difference can be named. */
export interface KeptRequest {
  request: RunRequest
  settingParts: Record<string, string>
  /** Systems of the user's own by what was typed. */
  own?: Readonly<Record<string, KeptSystem>>
  /** Judges and readers of the user's own by what was typed. */
  instruments?: KeptInstruments
  /** Snapshots of suites that are not built in, by name. */
  suites?: Record<string, string>
  /** By which code that the request names is known again. */
  code?: KeptCode
  /** When the prices that its costs rest on were looked up. */
  prices: string
  /** What workers of a run in a shared store go by. */
  shared?: SharedSettings
}

/** A run that was made before, with everything to work on it again. */
export interface KeptRun {
  record: RunRecord
  workshop: Workshop
  store: RunStore
  home: Home
}

/** Questions of one memory that are asked, answered or judged at a time. */
export const IN_FLIGHT = 64

/** The same where answers come in batches: the more of them wait, the fewer batches there are. */
const IN_BATCH = 1024

/** What the lives of a run are lived with. @param folder in which systems get theirs */
export function lifeTools({ workshop, store, home }: KeptRun, folder: string, { warn, signal }: Heard) {
  const { embed, rehearsedEmbed, llm, taker, endpoint, systemMs, batch } = workshop
  return {
    ...{ store, embed, rehearsedEmbed, llm, taker, endpoint, signal, systemMs },
    workroot: join(home.work, folder),
    inFlight: batch ? IN_BATCH : IN_FLIGHT,
    settleMs: systemMs,
    log: warn,
    redact: withoutSecrets,
  }
}

export interface OpenOptions {
  /** What to type, for those who did not name a run. */
  usage: string
  /** The work goes on with the run: nobody else may write to it meanwhile, and parts of it are made. Else it is only looked at. */
  works?: Confirmed & { makes(kept: RunRequest): CodeParts }
  /** Hears what is missing of a run that is only looked at. */
  note?(message: string): void
  /** How models are reached. */
  compose?(record: RunRecord): ComposeOptions
  /** Parts of the setting, by their words, that may differ between the run and what is here now. */
  despite?: readonly string[]
  /** Changes the request; only these parts of the setting may differ then. */
  change?: { request(kept: RunRequest, parts: Parts): Promise<RunRequest>; parts: readonly string[] }
}

/**
 * Opens a run by its name, plans it again as it was kept, and closes everything when the work is done. Refused when data or program have
 * changed since: numbers of two settings are never mixed. Providers need not be there until a model is asked something that is not kept.
 */
export async function withKeptRun<T>(
  { run, home: folder, store: storeAddress, parts: objects, load = [] }: Partial<KeptRunOptions>,
  { usage, works, note, compose: options, change, despite }: OpenOptions,
  work: (kept: KeptRun) => Promise<T>,
): Promise<T> {
  if (run === undefined) throw new UserError('Which run?', usage)
  const parts = new Parts(objects)
  const home = homeAt(folder, storeAddress)
  const store = await openRunStore(home)
  let release = async () => {}
  try {
    const record = await findRun(store, run)
    if (works) release = await holdRun(store, record.id)
    const kept = keptRequest(record.request)
    const made = works?.makes(kept.request)
    if (works && made) {
      const named = { all: codeIn(kept.request), made: codeIn(made, parts) }
      requireTrusted(record.id, named, kept.code, works)
    }
    const request = change ? await change.request(kept.request, parts) : kept.request
    const { access, ...others } = options?.(record) ?? {}
    const workshop = await compose(request, home, {
      ...others,
      parts,
      access: { ...access, lazily: true },
      own: kept.own,
      vectorLength: vectorLengthOf(kept.settingParts.embedder),
      shared: trafficOf(store),
      asKept: made?.systems.length === 0,
      looking: works ? undefined : lookingAt(kept, [load].flat(), store),
    })
    try {
      for (const { words } of workshop.leftOut) note?.(words)
      const now = { ...workshop.plan.settingParts }
      for (const part of change?.parts ?? []) now[part] = kept.settingParts[part]!
      const what = `The run ${record.id}`
      if (despite) requireComparable([what, kept.settingParts], ['what is here now', now], despite)
      else requireSameSetting(kept.settingParts, now, what)
      return await work({ record, workshop, store, home })
    } finally {
      await workshop.close()
    }
  } finally {
    await release()
    await store.close()
  }
}

/** Tells what is missing of a run that is only looked at. */
export function notesTo({ tell }: Pick<Heard, 'tell'>): (message: string) => void {
  return (message) => tell({ type: 'note', message })
}

/** What a run that is only looked at is read from. */
function lookingAt(kept: KeptRequest, load: readonly string[], store: RunStore): Looking {
  const { suites, instruments, code } = kept
  return { kept: suites, instruments, hashes: code?.hashes ?? {}, load, store }
}

/** The length of vectors, which the name of a remote embedder ends in: it need not be asked for again. */
export function vectorLengthOf(embedder = ''): number | undefined {
  const [, length] = /\/d(\d+)$/.exec(embedder) ?? []
  return length === undefined ? undefined : Number(length)
}

/** Makes this process the only one that writes to a run, until what is returned is called or the process ends. */
export async function holdRun(store: RunStore, run: string): Promise<() => Promise<void>> {
  const hold = await store.holdRun(run, { pid: process.pid, host: hostname(), since: new Date().toISOString() })
  if (hold.held) return hold.release
  const who = hold.by ? `process ${hold.by.pid} on ${hold.by.host}, since ${hold.by.since}` : 'another process'
  throw new UserError(
    `The run ${run} is being worked on: by ${who}.`,
    'Wait until it is done, or stop it; what it did is kept, and --resume goes on from there.',
  )
}

/** A run by its id, by the beginning of its id, or by the word `last`. */
export async function findRun(store: RunStore, name: string): Promise<RunRecord> {
  const all = await store.listRuns()
  const unsafe = all.find(({ id }) => !/^[\w-][\w.-]*$/.test(id))
  if (unsafe)
    throw new UserError(`A run here is called ${JSON.stringify(unsafe.id)}, which no run is.`, 'Take another home.')
  const newest = all[0]
  if (!newest) throw new UserError('There are no runs here yet.', 'Start one with: memscope run')
  if (name === 'last') return newest
  const matching = all.filter(({ id }) => id.startsWith(name))
  if (matching.length === 1) return matching[0]!
  const exact = all.find(({ id }) => id === name)
  if (exact) return exact
  throw new UserError(
    matching.length === 0 ? `There is no run "${name}".` : `"${name}" fits ${matching.length} runs.`,
    `Known: ${all
      .slice(0, 8)
      .map(({ id }) => id)
      .join(', ')}${all.length > 8 ? ', …' : ''}. "last" is the newest.`,
  )
}

/** The request as it was kept; the run store does not look into it. */
export function keptRequest(kept: unknown): KeptRequest {
  return kept as KeptRequest
}
