import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'libsql'
import { UserError } from '../../base/errors.js'
import { WireReply } from '../wire.js'

const VERSION = 1

/**
 * Replies of models on disk, by content hash: one SQLite file in WAL mode, one transaction a reply. A reply that was put survives the end
 * of the process, however it ends; several processes may share the file.
 *
 * @example const cache = new ReplyCache('.memscope/cache/replies.db')
 */
export class ReplyCache {
  readonly #file: string
  readonly #db: Database.Database
  readonly #get: Database.Statement
  readonly #put: Database.Statement
  readonly #drop: Database.Statement

  constructor(file: string) {
    this.#file = file
    const { db, get, put, drop } = this.#orExplain(() => {
      mkdirSync(dirname(file), { recursive: true })
      const db = open(file)
      return {
        db,
        get: db.prepare('SELECT body FROM reply WHERE key = ?'),
        put: db.prepare('INSERT OR REPLACE INTO reply VALUES (?, ?, ?)'),
        drop: db.prepare('DELETE FROM reply WHERE key = ?'),
      }
    })
    this.#db = db
    this.#get = get
    this.#put = put
    this.#drop = drop
  }

  get(key: string): WireReply | null {
    const row = this.#orExplain(() => this.#get.get(key)) as { body: string } | undefined
    if (!row) return null
    const read = WireReply.safeParse(JSON.parse(row.body))
    // A reply in a shape that is no longer known counts as missing, and is asked for again.
    return read.success ? read.data : null
  }

  put(key: string, model: string, reply: WireReply): void {
    this.#orExplain(() => this.#put.run(key, model, JSON.stringify(reply)))
  }

  drop(keys: readonly string[]): void {
    for (const key of keys) this.#orExplain(() => this.#drop.run(key))
  }

  close(): void {
    this.#db.close()
  }

  #orExplain<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof UserError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new UserError(
        `The cache of replies at ${this.#file} cannot be used: ${reason}.`,
        'Make room on the disk and its folder writable, or choose another folder with --home <folder>. Nothing that was kept is lost.',
        /full|i\/o/i.test(reason) ? 3 : 2,
      )
    }
  }
}

function open(file: string): Database.Database {
  const db = new Database(file)
  db.pragma('busy_timeout = 10000')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  db.exec('BEGIN IMMEDIATE')
  try {
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
    if (version !== 0 && version !== VERSION) {
      throw new UserError(
        `${file} was written by another version of Memscope.`,
        'Delete it, or choose another folder with --home <folder>.',
      )
    }
    if (version === 0) {
      db.exec(`CREATE TABLE reply (key TEXT PRIMARY KEY, model TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
        PRAGMA user_version = ${VERSION};`)
    }
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    db.close()
    throw error
  }
  return db
}
