import type { Statement } from 'libsql'
import type { Reservation } from '../price/budget.js'
import { WireReply } from '../wire.js'
import { Database } from './keep-database.js'

const SCHEMA = 'CREATE TABLE reply (key TEXT PRIMARY KEY, model TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;'

/** Where replies are kept. */
export interface ReplyStore {
  get(key: string): WireReply | null | Promise<WireReply | null>
  /** Whether the call, if it was booked, was settled with it. */
  put(
    key: string,
    model: string,
    reply: WireReply,
    paid?: { reservation: Reservation; usd: number },
  ): boolean | Promise<boolean>
  drop(keys: readonly string[]): void | Promise<void>
  close(): void
}

/** Replies of models on disk, by content hash. What was put survives the end of the process; several processes may share the file. */
export class ReplyCache implements ReplyStore {
  readonly #db: Database
  readonly #get: Statement
  readonly #put: Statement
  readonly #drop: Statement

  constructor(file: string) {
    this.#db = new Database(file, 'cache of replies', 1, SCHEMA)
    this.#get = this.#db.prepare('SELECT body FROM reply WHERE key = ?')
    this.#put = this.#db.prepare('INSERT OR REPLACE INTO reply VALUES (?, ?, ?)')
    this.#drop = this.#db.prepare('DELETE FROM reply WHERE key = ?')
  }

  get(key: string): WireReply | null {
    const row = this.#db.try(() => this.#get.get(key)) as { body: string } | undefined
    if (!row) return null
    const read = WireReply.safeParse(JSON.parse(row.body))
    // A reply in a shape that is no longer known counts as missing, and is asked for again.
    return read.success ? read.data : null
  }

  /** Keeps a reply; it is on disk when this returns, so that no work that comes between can lose it. */
  put(key: string, model: string, reply: WireReply): boolean {
    this.#db.try(() => this.#put.run(key, model, JSON.stringify(reply)))
    return false
  }

  drop(keys: readonly string[]): void {
    this.#db.write(() => {
      for (const key of keys) this.#drop.run(key)
    })
  }

  close(): void {
    this.#db.close()
  }
}
