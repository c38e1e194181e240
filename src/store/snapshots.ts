import { splitIntoBatches } from '../base/batches.js'
import { giveWay } from '../base/give-way.js'
import { sha256, stableStringify } from '../base/hash.js'
import type { Memory } from '../model/index.js'
import type { SqlColumns, SqlDriver } from './sql-driver.js'

/** Entries whose hashes are remembered; a bound, not a promise. */
const MOST_ENTRIES = 200_000
/** Memories written or read in one go, which cannot give way. */
const AT_A_TIME = 500
/** Last snapshots written whose rows are remembered, so that a long life is not rebuilt for every delta. */
const MOST_RECENT = 16

interface Entry {
  memory: Memory
  body: string
  hash: string
  lanes: Uint32Array
  row: number | null
}

interface SnapshotRow {
  parent: string | null
  added: string
  removed: string
}

const MEMORY: SqlColumns = { hash: 'text', body: 'text' }
const SNAPSHOT: SqlColumns = { hash: 'text', parent: 'text', added: 'text', removed: 'text', cost: 'float8' }
/** What is kept already is left as it is. */
const BY_HASH = { key: ['hash'], replace: false }

/** Keeps contents of stores as deltas of hashed memories. Order does not matter: equal sets of memories are one snapshot. */
export function snapshotsIn({ schema, members, read, put }: SqlDriver) {
  const recent = new Map<string, Set<number>>()
  const known = new Map<string, Entry>()

  /** A memory's hash, remembered by its id: most of a store is the same as at the last snapshot. */
  const entryOf = ({ id, text, time, status, sources }: Memory): Entry => {
    const memory = { id, text, time, status, sources }
    const before = known.get(id)
    if (before && isSame(before.memory, memory)) return before
    const body = stableStringify(memory)
    const hash = sha256(body)
    const lanes = new Uint32Array(new Uint8Array(Buffer.from(hash, 'hex')).buffer)
    const entry: Entry = { memory, body, hash, lanes, row: null }
    if (known.size >= MOST_ENTRIES) known.clear()
    known.set(id, entry)
    return entry
  }

  const keptRows = async (entries: readonly Entry[]): Promise<number[]> => {
    const fresh = entries.filter(({ row }) => row === null)
    const kept = fresh.map(({ hash, body }) => [hash, body])
    if (kept.length > 0) await put('memory', MEMORY, kept, BY_HASH)
    const find = `SELECT hash, CAST(id AS float8) AS id FROM ${schema}memory WHERE hash IN ${members('text')}`
    const hashes = JSON.stringify(fresh.map(({ hash }) => hash))
    const found = kept.length > 0 ? await read<{ hash: string; id: number }>(find, [hashes]) : []
    const ids = new Map(found.map(({ hash, id }) => [hash, id]))
    for (const entry of fresh) entry.row = ids.get(entry.hash)!
    return entries.map(({ row }) => row!)
  }

  /** What it takes to rebuild a snapshot; null when there is none. */
  const costOf = async (hash: string): Promise<number | null> => {
    const [row] = await read<{ cost: number }>(`SELECT cost FROM ${schema}snapshot WHERE hash = ?`, [hash])
    return row?.cost ?? null
  }

  const rowsOf = async (hash: string): Promise<Set<number>> => {
    const kept = recent.get(hash)
    if (kept) return kept
    // The snapshot and those it is a delta of, itself first.
    const chain = `WITH RECURSIVE chain AS (
      SELECT s.*, 0 AS step FROM ${schema}snapshot s WHERE s.hash = ?
      UNION ALL SELECT s.*, step + 1 FROM ${schema}snapshot s JOIN chain ON s.hash = chain.parent
    ) SELECT parent, added, removed FROM chain ORDER BY step`
    const steps = await read<SnapshotRow>(chain, [hash])
    if (steps.length === 0 || steps.at(-1)!.parent !== null) throw new Error(`There is no snapshot ${hash}`)
    const rows = new Set<number>()
    for (const step of [...steps].reverse()) {
      for (const id of JSON.parse(step.removed) as number[]) rows.delete(id)
      for (const id of JSON.parse(step.added) as number[]) rows.add(id)
    }
    return rows
  }

  const insert = async (hash: string, rows: Set<number>, parent: string | null): Promise<void> => {
    const parentCost = parent === null ? null : await costOf(parent)
    if (parent !== null && parentCost !== null) {
      const before = await rowsOf(parent)
      const added = [...rows].filter((row) => !before.has(row))
      const removed = [...before].filter((row) => !rows.has(row))
      const cost = parentCost + added.length + removed.length + 1
      if (cost <= 2 * rows.size + 16) {
        const delta = [JSON.stringify(added), JSON.stringify(removed)]
        return put('snapshot', SNAPSHOT, [[hash, parent, ...delta, cost]], BY_HASH)
      }
    }
    return put('snapshot', SNAPSHOT, [[hash, null, JSON.stringify([...rows]), '[]', rows.size]], BY_HASH)
  }

  return {
    /** Memories come first, some at a time; without the snapshot nothing refers to them, and they are found there when it is put again. */
    async put(memories: readonly Memory[], parent: string | null): Promise<string> {
      const distinct = new Map<string, Entry>()
      for (const [at, memory] of memories.entries()) {
        if (at % AT_A_TIME === 0) await giveWay()
        const entry = entryOf(memory)
        distinct.set(entry.hash, entry)
      }
      const entries = [...distinct.values()]
      const hash = hashOfSet(entries)
      if ((await costOf(hash)) !== null) return hash
      const rows = new Set<number>()
      for (const batch of splitIntoBatches(entries, AT_A_TIME)) {
        await giveWay()
        for (const row of await keptRows(batch)) rows.add(row)
      }
      await giveWay()
      await insert(hash, rows, parent)
      recent.set(hash, rows)
      if (recent.size > MOST_RECENT) recent.delete(recent.keys().next().value!)
      return hash
    },

    async get(hash: string): Promise<Memory[]> {
      const rows = [...(await rowsOf(hash))]
      const found = new Map<number, Memory>()
      const bodies = `SELECT CAST(id AS float8) AS id, body FROM ${schema}memory WHERE id IN ${members('bigint')}`
      for (let from = 0; from < rows.length; from += AT_A_TIME) {
        await giveWay()
        const part = JSON.stringify(rows.slice(from, from + AT_A_TIME))
        for (const { id, body } of await read<{ id: number; body: string }>(bodies, [part]))
          found.set(id, JSON.parse(body))
      }
      return rows.map((row) => found.get(row)!)
    },
  }
}

/** Hash of a set: the sum of its members' hashes, lane by lane, so that no sorting is needed. */
function hashOfSet(entries: readonly Entry[]): string {
  const sum = new Uint32Array(8)
  for (const { lanes } of entries) for (let i = 0; i < 8; i++) sum[i] = sum[i]! + lanes[i]!
  return sha256(`${entries.length}:${Buffer.from(sum.buffer).toString('hex')}`)
}

function isSame(a: Memory, b: Memory): boolean {
  const { text, time, status, sources = null } = a
  return (
    text === b.text &&
    time === b.time &&
    status === b.status &&
    (sources === b.sources || stableStringify(sources) === stableStringify(b.sources ?? null))
  )
}
