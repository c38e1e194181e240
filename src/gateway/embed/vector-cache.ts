import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import Database from 'libsql'
import { UserError } from '../../base/errors.js'
import { bytesOf, type VectorSource, vectorOf } from './vector-store.js'

interface Row {
  vector: Buffer
  checksum: number
}

const FILE = 'vectors.db'

/**
 * Vectors on disk, in one SQLite file that several processes may use at once. Each vector has a checksum over itself and its key: one that
 * does not match counts as missing and is written anew. A file that cannot be read at all is begun anew, for everything in it can be
 * computed again.
 */
export class VectorCache implements VectorSource {
  readonly #file: string
  #db: Database.Database

  constructor(folder: string) {
    this.#file = join(folder, FILE)
    try {
      mkdirSync(folder, { recursive: true })
      this.#db = this.#open()
    } catch (error) {
      if (!isDamage(error)) throw unusable(folder, error)
      this.#db = this.#anew()
    }
  }

  get(keys: readonly Buffer[]): (Float32Array | undefined)[] {
    return this.#guarded(() => {
      const select = this.#db.prepare('SELECT vector, checksum FROM vectors WHERE key = ?')
      return keys.map((key) => {
        // In a list, for libsql takes a single buffer for named parameters and aborts the process.
        const row = select.get([key]) as Row | undefined
        return row && row.checksum === checksum(key, row.vector) ? vectorOf(row.vector) : undefined
      })
    })
  }

  /** Keeps vectors, all of them or, when the process is killed, none. */
  put(entries: readonly { key: Buffer; vector: Float32Array }[]): void {
    if (entries.length === 0) return
    this.#guarded(() => {
      const insert = this.#db.prepare('INSERT OR REPLACE INTO vectors (key, vector, checksum) VALUES (?, ?, ?)')
      this.#db.exec('BEGIN IMMEDIATE')
      try {
        for (const { key, vector } of entries) {
          const bytes = bytesOf(vector)
          insert.run(key, bytes, checksum(key, bytes))
        }
        this.#db.exec('COMMIT')
      } catch (error) {
        if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
        throw error
      }
    })
  }

  close(): void {
    this.#db.close()
  }

  #open(): Database.Database {
    const db = new Database(this.#file, { timeout: 10_000 })
    try {
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
      db.exec(
        'CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, checksum INTEGER NOT NULL)',
      )
      return db
    } catch (error) {
      db.close()
      throw error
    }
  }

  #anew(): Database.Database {
    for (const end of ['', '-wal', '-shm']) rmSync(this.#file + end, { force: true })
    return this.#open()
  }

  #guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (!isDamage(error)) throw unusable(this.#file, error)
      this.#db.close()
      this.#db = this.#anew()
      return work()
    }
  }
}

function checksum(key: Uint8Array, vector: Uint8Array): number {
  return crc32(vector, crc32(key))
}

function isDamage(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return /CORRUPT|NOTADB|malformed|not a database|no such table|no such column/i.test(`${code} ${message}`)
}

function unusable(path: string, error: unknown): UserError {
  const reason = error instanceof Error ? error.message : String(error)
  return new UserError(
    `The cache of vectors at ${path} cannot be used: ${reason}.`,
    'Make the folder writable, or choose another.',
  )
}
