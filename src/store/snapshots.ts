import type Database from 'libsql'
import { giveWay } from '../base/give-way.js'
import { sha256, stableStringify } from '../base/hash.js'
import type { Memory } from '../model/index.js'

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
  hash: string
  parent: string | null
  added: string
  removed: string
  cost: number
}

/** Keeps contents of stores as deltas of hashed memories. Order does not matter: equal sets of memories are one snapshot. */
export function snapshotsIn(db: Database.Database) {
  const insertMemory = db.prepare('INSERT INTO memory (hash, body) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING')
  const findMemory = db.prepare('SELECT id FROM memory WHERE hash = ?')
  const bodies = db.prepare('SELECT id, body FROM memory WHERE id IN (SELECT value FROM json_each(?))')
  const insertSnapshot = db.prepare('INSERT INTO snapshot VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING')
  const findSnapshot = db.prepare('SELECT * FROM snapshot WHERE hash = ?')
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

  const rowOf = (entry: Entry): number => {
    if (entry.row === null) {
      insertMemory.run(entry.hash, entry.body)
      entry.row = (findMemory.get(entry.hash) as { id: number }).id
    }
    return entry.row
  }

  const rowsOf = (hash: string): Set<number> => {
    const kept = recent.get(hash)
    if (kept) return kept
    const chain: SnapshotRow[] = []
    for (let next: string | null = hash; next !== null; ) {
      const row = findSnapshot.get(next) as SnapshotRow | undefined
      if (!row) throw new Error(`There is no snapshot ${next}`)
      chain.push(row)
      next = row.parent
    }
    const rows = new Set<number>()
    for (const step of chain.reverse()) {
      for (const id of JSON.parse(step.removed) as number[]) rows.delete(id)
      for (const id of JSON.parse(step.added) as number[]) rows.add(id)
    }
    return rows
  }

  const insert = (hash: string, rows: Set<number>, parent: string | null): void => {
    const parentRow = parent === null ? undefined : (findSnapshot.get(parent) as SnapshotRow | undefined)
    if (parentRow) {
      const before = rowsOf(parentRow.hash)
      const added = [...rows].filter((row) => !before.has(row))
      const removed = [...before].filter((row) => !rows.has(row))
      const cost = parentRow.cost + added.length + removed.length + 1
      if (cost <= 2 * rows.size + 16) {
        insertSnapshot.run(hash, parentRow.hash, JSON.stringify(added), JSON.stringify(removed), cost)
        return
      }
    }
    insertSnapshot.run(hash, null, JSON.stringify([...rows]), '[]', rows.size)
  }

  return {
    /**
     * Writes in transactions of `write`. Of a large store the memories come first, some at a time; without the snapshot in the last transaction
     * nothing refers to them, and they are found there when it is put again.
     */
    async put(memories: readonly Memory[], parent: string | null, write: (work: () => void) => void): Promise<string> {
      const distinct = new Map<string, Entry>()
      for (const [at, memory] of memories.entries()) {
        if (at % AT_A_TIME === 0) await giveWay()
        const entry = entryOf(memory)
        distinct.set(entry.hash, entry)
      }
      const entries = [...distinct.values()]
      const hash = hashOfSet(entries)
      if (findSnapshot.get(hash)) return hash
      const rows = new Set<number>()
      let from = 0
      const add = () => {
        for (const entry of entries.slice(from, from + AT_A_TIME)) rows.add(rowOf(entry))
      }
      for (; from + AT_A_TIME < entries.length; from += AT_A_TIME) {
        await giveWay()
        write(add)
      }
      await giveWay()
      write(() => {
        add()
        insert(hash, rows, parent)
      })
      recent.set(hash, rows)
      if (recent.size > MOST_RECENT) recent.delete(recent.keys().next().value!)
      return hash
    },

    async get(hash: string): Promise<Memory[]> {
      const rows = [...rowsOf(hash)]
      const found = new Map<number, Memory>()
      for (let from = 0; from < rows.length; from += AT_A_TIME) {
        await giveWay()
        const read = bodies.all(JSON.stringify(rows.slice(from, from + AT_A_TIME)))
        for (const { id, body } of read as { id: number; body: string }[]) found.set(id, JSON.parse(body))
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
