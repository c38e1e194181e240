import type Database from 'libsql'
import { giveWay } from '../base/give-way.js'
import { sha256, stableStringify } from '../base/hash.js'
import type { Memory } from '../model/index.js'

/** Entries whose hashes are remembered; a bound, not a promise. */
const MOST_ENTRIES = 200_000
/** Memories written or read in one go, which cannot give way. */
const AT_A_TIME = 500

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
export class Snapshots {
  readonly #insertMemory
  readonly #findMemory
  readonly #bodies
  readonly #insertSnapshot
  readonly #findSnapshot
  /** Row ids of the last snapshots written, so that a long life is not rebuilt for every delta. */
  readonly #recent = new Map<string, Set<number>>()

  readonly #entries = new Map<string, Entry>()

  constructor(db: Database.Database) {
    this.#insertMemory = db.prepare('INSERT INTO memory (hash, body) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING')
    this.#findMemory = db.prepare('SELECT id FROM memory WHERE hash = ?')
    this.#bodies = db.prepare('SELECT id, body FROM memory WHERE id IN (SELECT value FROM json_each(?))')
    this.#insertSnapshot = db.prepare('INSERT INTO snapshot VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING')
    this.#findSnapshot = db.prepare('SELECT * FROM snapshot WHERE hash = ?')
  }

  /**
   * Writes in transactions of `write`. Of a large store the memories come first, some at a time; without the snapshot in the last transaction
   * nothing refers to them, and they are found there when it is put again.
   */
  async put(memories: readonly Memory[], parent: string | null, write: <T>(work: () => T) => T): Promise<string> {
    const known = new Map<string, Entry>()
    for (const [at, memory] of memories.entries()) {
      if (at % AT_A_TIME === 0) await giveWay()
      const entry = this.#entry(memory)
      known.set(entry.hash, entry)
    }
    const entries = [...known.values()]
    const hash = hashOfSet(entries)
    if (this.#findSnapshot.get(hash)) return hash
    const rows = new Set<number>()
    const add = (from: number) => {
      for (const entry of entries.slice(from, from + AT_A_TIME)) rows.add(this.#row(entry))
    }
    let from = 0
    for (; from + AT_A_TIME < entries.length; from += AT_A_TIME) {
      await giveWay()
      write(() => add(from))
    }
    await giveWay()
    write(() => {
      add(from)
      this.#write(hash, rows, parent)
    })
    this.#remember(hash, rows)
    return hash
  }

  async get(hash: string): Promise<Memory[]> {
    const rows = [...this.#rows(hash)]
    const found = new Map<number, Memory>()
    for (let from = 0; from < rows.length; from += AT_A_TIME) {
      await giveWay()
      const bodies = this.#bodies.all(JSON.stringify(rows.slice(from, from + AT_A_TIME)))
      for (const { id, body } of bodies as { id: number; body: string }[]) found.set(id, JSON.parse(body))
    }
    return rows.map((row) => found.get(row)!)
  }

  /** A memory's hash, remembered by its id: most of a store is the same as at the last snapshot. */
  #entry(memory: Memory): Entry {
    const before = this.#entries.get(memory.id)
    if (before && isSame(before.memory, memory)) return before
    const { id, text, time, status, sources } = memory
    const body = stableStringify({ id, text, time, status, sources })
    const hash = sha256(body)
    const lanes = new Uint32Array(new Uint8Array(Buffer.from(hash, 'hex')).buffer)
    const entry: Entry = { memory: { id, text, time, status, sources }, body, hash, lanes, row: null }
    if (this.#entries.size >= MOST_ENTRIES) this.#entries.clear()
    this.#entries.set(id, entry)
    return entry
  }

  #row(entry: Entry): number {
    if (entry.row === null) {
      this.#insertMemory.run(entry.hash, entry.body)
      entry.row = (this.#findMemory.get(entry.hash) as { id: number }).id
    }
    return entry.row
  }

  #write(hash: string, rows: Set<number>, parent: string | null): void {
    const parentRow = parent === null ? undefined : (this.#findSnapshot.get(parent) as SnapshotRow | undefined)
    if (parentRow) {
      const before = this.#rows(parentRow.hash)
      const added = [...rows].filter((row) => !before.has(row))
      const removed = [...before].filter((row) => !rows.has(row))
      const cost = parentRow.cost + added.length + removed.length + 1
      if (cost <= 2 * rows.size + 16) {
        this.#insertSnapshot.run(hash, parentRow.hash, JSON.stringify(added), JSON.stringify(removed), cost)
        return
      }
    }
    this.#insertSnapshot.run(hash, null, JSON.stringify([...rows]), '[]', rows.size)
  }

  #rows(hash: string): Set<number> {
    const known = this.#recent.get(hash)
    if (known) return known
    const chain: SnapshotRow[] = []
    for (let next: string | null = hash; next !== null; ) {
      const row = this.#findSnapshot.get(next) as SnapshotRow | undefined
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

  #remember(hash: string, rows: Set<number>): void {
    this.#recent.set(hash, rows)
    if (this.#recent.size > 16) this.#recent.delete(this.#recent.keys().next().value!)
  }
}

/** Hash of a set: the sum of its members' hashes, lane by lane, so that no sorting is needed. */
function hashOfSet(entries: readonly Entry[]): string {
  const sum = new Uint32Array(8)
  for (const { lanes } of entries) for (let i = 0; i < 8; i++) sum[i] = sum[i]! + lanes[i]!
  return sha256(`${entries.length}:${Buffer.from(sum.buffer).toString('hex')}`)
}

function isSame(a: Memory, b: Memory): boolean {
  return (
    a.text === b.text &&
    a.time === b.time &&
    a.status === b.status &&
    (a.sources === b.sources || stableStringify(a.sources ?? null) === stableStringify(b.sources ?? null))
  )
}
