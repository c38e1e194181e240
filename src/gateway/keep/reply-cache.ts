import type { Statement } from 'libsql'
import { WireReply } from '../wire.js'
import { Database } from './database.js'

const SCHEMA = 'CREATE TABLE reply (key TEXT PRIMARY KEY, model TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;'

/**
 * Replies of models on disk, by content hash. A reply that was put survives the end of the process, however it ends; several processes may
 * share the file.
 *
 * @example const cache = new ReplyCache('.memscope/cache/replies.db')
 */
export class ReplyCache {
  readonly #db: Database
  readonly #get: Statement
  readonly #put: Statement
  readonly #drop: Statement
  #waiting: [key: string, model: string, body: string][] = []
  #flush: Promise<void> | null = null

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

  /** Keeps a reply; it is on disk when this resolves. Replies that come in the same moment share a transaction. */
  put(key: string, model: string, reply: WireReply): Promise<void> {
    this.#waiting.push([key, model, JSON.stringify(reply)])
    this.#flush ??= new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        try {
          this.#write()
          resolve()
        } catch (error) {
          reject(error)
        }
      })
    })
    return this.#flush
  }

  drop(keys: readonly string[]): void {
    this.#db.write(() => {
      for (const key of keys) this.#drop.run(key)
    })
  }

  close(): void {
    this.#write()
    this.#db.close()
  }

  #write(): void {
    const rows = this.#waiting
    this.#waiting = []
    this.#flush = null
    if (rows.length === 0) return
    this.#db.write(() => {
      for (const row of rows) this.#put.run(...row)
    })
  }
}
