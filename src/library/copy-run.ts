import { UserError } from '../base/errors.js'
import { stableStringify } from '../base/hash.js'
import type { RunRequest } from '../engine/plan.js'
import { askKey, type LifeKey, type RunRecord, type RunStore } from '../model/index.js'
import { homeAt } from './compose.js'
import { type Heard, hearControl, stoppable } from './control.js'
import { findRun, holdRun, type KeptRequest, keptRequest } from './kept-run.js'
import { isShared, openRunStore } from './open-store.js'
import { newRunId } from './run-id.js'
import { requireNoSecrets } from './shared-settings.js'
import type { Control, HomeOptions, KeptRunOptions } from './types.js'

/** Copies a run from a shared store into the home. @returns its id */
export async function pullRun(asked: KeptRunOptions, control: Control = {}): Promise<string> {
  return withStores(asked, hearControl(control), (shared, own, told) => copyNamed(asked.run, shared, own, told))
}

/** Copies a run from the home into a shared store. @returns its id */
export async function pushRun(asked: KeptRunOptions, control: Control = {}): Promise<string> {
  return withStores(asked, hearControl(control), (shared, own, told) => copyNamed(asked.run, own, shared, told))
}

/** Makes one run of its parts, each the newest of a home: all of `--shard 1/n` to `n/n`. @returns its id */
export async function mergeRuns(
  { from, ...asked }: HomeOptions & { from: readonly string[] },
  control: Control = {},
): Promise<string> {
  const told = hearControl(control)
  const stores: RunStore[] = []
  try {
    const parts: { store: RunStore; record: RunRecord; kept: KeptRequest }[] = []
    for (const folder of from) {
      const store = await openRunStore(homeAt(folder))
      stores.push(store)
      const record = await findRun(store, 'last')
      parts.push({ store, record, kept: keptRequest(record.request) })
    }
    requireAllParts(parts.map(({ record, kept }, i) => ({ folder: from[i]!, record, kept })))
    const to = await openRunStore(homeAt(asked.home, asked.store))
    stores.push(to)
    const id = newRunId()
    const { record, kept } = parts[0]!
    const { shard: _shard, ...request } = kept.request
    const sum = (of: (one: RunRecord) => number) => parts.reduce((all, part) => all + of(part.record), 0)
    await to.createRun({
      ...record,
      id,
      status: mergedStatus(parts.map((part) => part.record.status)),
      request: { ...kept, request } satisfies KeptRequest,
      elapsedMs: sum(({ elapsedMs }) => elapsedMs),
      embedding: { texts: sum(({ embedding }) => embedding.texts), ms: sum(({ embedding }) => embedding.ms) },
    })
    await stoppable(told, async () => {
      for (const snapshot of Object.values(kept.suites ?? {}))
        await to.putSnapshot(await parts[0]!.store.getSnapshot(snapshot), null)
      for (const part of parts) await copyLives({ run: part.record.id, from: part.store, as: id, to }, told)
    })
    return id
  } finally {
    for (const store of stores) await store.close()
  }
}

/** What all parts make together: no more than the least of them. */
function mergedStatus(all: readonly RunRecord['status'][]): RunRecord['status'] {
  return all.find((status) => status === 'partial') ?? all.find((status) => status === 'invalid') ?? all[0]!
}

/** Refuses parts that are not of one run, and those that are not all. */
function requireAllParts(parts: readonly { folder: string; record: RunRecord; kept: KeptRequest }[]): void {
  const [first] = parts
  if (!first) throw new UserError('Which parts?', 'Usage: memscope runs merge <home> <home> …')
  const bare = ({ shard: _shard, ...request }: RunRequest) => stableStringify(request)
  const whole = first.kept.request.shard?.of
  const seen = new Map<number, string>()
  for (const { folder, record, kept } of parts) {
    const { shard } = kept.request
    if (!shard)
      throw new UserError(`The newest run of ${folder} is no part of one.`, 'Make parts with --shard 1/4 and so on.')
    const same =
      record.setting === first.record.setting &&
      stableStringify(record.subjects) === stableStringify(first.record.subjects) &&
      bare(kept.request) === bare(first.kept.request) &&
      shard.of === whole
    if (!same)
      throw new UserError(
        `${folder} and ${first.folder} hold parts of different runs.`,
        'Make all parts with the same flags, versions and files, but for --shard.',
      )
    const before = seen.get(shard.index)
    if (before !== undefined)
      throw new UserError(`${before} and ${folder} hold the same part, ${shard.index}/${whole}.`)
    seen.set(shard.index, folder)
  }
  const missing = Array.from({ length: whole! }, (_, i) => i + 1).filter((index) => !seen.has(index))
  if (missing.length > 0)
    throw new UserError(
      `Parts are missing: ${missing.map((index) => `${index}/${whole}`).join(', ')}.`,
      'Name the homes of all parts.',
    )
}

async function withStores<T>(
  { home, store }: HomeOptions,
  told: Heard,
  work: (shared: RunStore, own: RunStore, told: Heard) => Promise<T>,
): Promise<T> {
  if (store === undefined) throw new UserError('--store is missing.', 'Name the shared store: --store postgres://…')
  const [shared, own] = [await openRunStore(homeAt(home, store)), await openRunStore(homeAt(home))]
  try {
    return await stoppable(told, () => work(shared, own, told))
  } finally {
    await shared.close()
    await own.close()
  }
}

/** Copies a run, while nobody else writes to the copy. What is there already and went further is never cut back. */
async function copyNamed(name: string, from: RunStore, to: RunStore, told: Heard): Promise<string> {
  const record = await findRun(from, name)
  const { id, status, elapsedMs, embedding } = record
  const release = await holdRun(to, id)
  try {
    const there = await to.getRun(id)
    if (there && there.setting !== record.setting)
      throw new UserError(`There is another run ${id} already.`, 'Copy it elsewhere.')
    if (there) await requireNoMore(id, there, { record, from, to })
    // What workers go by is of the store in which they work.
    const { shared: _shared, ...kept } = keptRequest(record.request)
    const before = there && keptRequest(there.request).shared
    const request: KeptRequest = { ...kept, ...(before && { shared: before }) }
    if (isShared(to)) requireNoSecrets(request)
    if (!there) await to.createRun({ ...record, request })
    for (const snapshot of Object.values(kept.suites ?? {}))
      await to.putSnapshot(await from.getSnapshot(snapshot), null)
    await copyLives({ run: id, from, as: id, to }, told)
    await to.updateRun(id, { status, elapsedMs, embedding, request })
    return id
  } finally {
    await release()
  }
}

/** How far a request goes: what may grow when a run is gone on with. */
function reachOf({ ks, budgets, trials, judgeTrials, limit }: RunRequest) {
  return { ks: ks === 'paper' ? [] : (ks ?? []), budgets: budgets ?? [], trials, judgeTrials, limit: limit ?? Infinity }
}

type Reach = ReturnType<typeof reachOf>

/** Refuses to write an older copy over one that went further. */
async function requireNoMore(
  run: string,
  there: RunRecord,
  { record, from, to }: { record: RunRecord; from: RunStore; to: RunStore },
): Promise<void> {
  const older = new UserError(
    `The run ${run} went further where it would be copied to: something of it would be lost.`,
    'Copy it the other way first, and go on with that copy.',
  )
  const [mine, theirs] = [record, there].map(({ request }) => reachOf(keptRequest(request).request)) as [Reach, Reach]
  const isMore =
    theirs.ks.some((k) => !mine.ks.includes(k)) ||
    theirs.budgets.some((budget) => !mine.budgets.includes(budget)) ||
    theirs.trials > mine.trials ||
    theirs.judgeTrials > mine.judgeTrials ||
    theirs.limit > mine.limit
  if (isMore || there.elapsedMs > record.elapsedMs) throw older
  for (const { life } of await to.livesOf(run)) {
    const asked = async (store: RunStore) =>
      (await store.witnessKeys(life)).map(({ question, depth }) => askKey(question, depth))
    const known = new Set(await asked(from))
    if ((await asked(to)).some((ask) => !known.has(ask))) throw older
  }
}

/** Copies all that was kept of the lives of a run. What is there already is written over with the same. */
async function copyLives(
  { run, from, as, to }: { run: string; from: RunStore; as: string; to: RunStore },
  told: Heard,
): Promise<void> {
  const copied = new Set<string>()
  const lives = await from.livesOf(run)
  const there = new Map((await to.livesOf(as)).map(({ life, attempts }) => [stableStringify(life), attempts]))
  for (const [done, { life, attempts }] of lives.entries()) {
    told.stopIfAsked(null)
    told.tell({ type: 'progress', done, total: lives.length, at: life.scenario })
    const target: LifeKey = { ...life, run: as }
    for (let n = there.get(stableStringify(target)) ?? 0; n < attempts; n++) await to.beginAttempt(target)
    let parent: string | null = null
    const copySnapshot = async (snapshot: string | null) => {
      if (snapshot === null || copied.has(snapshot)) return
      copied.add(snapshot)
      await to.putSnapshot(await from.getSnapshot(snapshot), parent)
      const { facts, sides } = await from.judgesOf(snapshot)
      for (const judge of facts) await to.putFactVerdicts(judge, snapshot, await from.getFactVerdicts(judge, snapshot))
      for (const judge of sides) await to.putStoreSides(judge, snapshot, await from.getStoreSides(judge, snapshot))
    }
    for (const moment of await from.getMoments(life)) {
      await copySnapshot(moment.snapshot)
      parent = moment.snapshot ?? parent
      await to.putMoment(target, moment)
    }
    const witnesses = await from.getWitnesses(life)
    parent = null
    for (const { retrievedSnapshot } of witnesses) await copySnapshot(retrievedSnapshot)
    if (witnesses.length > 0) await to.putWitnesses(target, witnesses)
    const ingest = await from.getIngest(life)
    if (ingest) await to.putIngest(target, ingest)
    const { answers, grades, counterfactuals } = await from.partsOf(life)
    for (const { reader } of answers) await to.putAnswers(target, reader, await from.getAnswers(life, reader))
    for (const { reader, judge } of grades)
      await to.putGrades(target, reader, judge, await from.getGrades(life, reader, judge))
    for (const { reader, judge } of counterfactuals)
      await to.putCounterfactuals(target, reader, judge, await from.getCounterfactuals(life, reader, judge))
  }
}
