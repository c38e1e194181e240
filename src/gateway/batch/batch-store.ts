import { Database } from '../keep/database.js'

const SCHEMA = `
CREATE TABLE batch (name TEXT PRIMARY KEY, place TEXT NOT NULL, created INTEGER NOT NULL, remote TEXT);
CREATE TABLE line (id TEXT PRIMARY KEY, batch TEXT NOT NULL, call TEXT NOT NULL, status INTEGER, body TEXT);
CREATE INDEX line_by_batch ON line (batch);
CREATE INDEX line_by_call ON line (call);`

/** A batch that was sent, or was being sent when its process ended: then nobody knows yet what the provider calls it. */
export interface KeptBatch {
  name: string
  created: number
  remote: string | null
}

/** One request of a batch. */
export interface BatchLine {
  /** Of its content and its call: what the provider calls it. */
  id: string
  /** Which call of the gateway it is for. */
  call: string
  body: string
}

/** What came of a line. */
export interface BatchReply {
  id: string
  /** Of HTTP, as if it had been asked alone. */
  status: number
  body: string
}

/**
 * Batches under way and replies that nobody has taken yet, on disk. A batch is written down before it is sent, and its replies before anybody
 * gets them: whatever moment a process ends at, the next one knows what is paid for.
 */
export class BatchStore {
  readonly #db: Database

  constructor(file: string) {
    this.#db = new Database(file, 'list of batches', 1, SCHEMA)
  }

  /** Whether something of a call is under way, or has come and was not taken. */
  has(call: string): boolean {
    return this.#db.try(() => this.#db.prepare('SELECT 1 FROM line WHERE call = ?').get(call)) !== undefined
  }

  /** What is known of a line: its reply, the batch it is in, or nothing. */
  line(id: string): { reply: BatchReply } | { batch: string } | null {
    const row = this.#db.try(() => this.#db.prepare('SELECT batch, status, body FROM line WHERE id = ?').get(id)) as
      | { batch: string; status: number | null; body: string | null }
      | undefined
    if (!row) return null
    return row.status === null ? { batch: row.batch } : { reply: { id, status: row.status, body: row.body ?? '' } }
  }

  /** Batches of a place that are not over. */
  open(place: string): KeptBatch[] {
    const rows = this.#db.try(() =>
      this.#db.prepare('SELECT name, created, remote FROM batch WHERE place = ?').all(place),
    ) as KeptBatch[]
    return rows
  }

  linesOf(name: string): string[] {
    const rows = this.#db.try(() => this.#db.prepare('SELECT id FROM line WHERE batch = ?').all(name)) as {
      id: string
    }[]
    return rows.map(({ id }) => id)
  }

  begin(batch: KeptBatch, place: string, lines: readonly BatchLine[]): void {
    this.#db.write(() => {
      const { name, created } = batch
      this.#db.prepare('INSERT INTO batch VALUES (?, ?, ?, NULL)').run(name, place, created)
      const insert = this.#db.prepare('INSERT OR REPLACE INTO line VALUES (?, ?, ?, NULL, NULL)')
      for (const { id, call } of lines) insert.run(id, name, call)
    })
  }

  sent(name: string, remote: string): void {
    this.#db.try(() => this.#db.prepare('UPDATE batch SET remote = ? WHERE name = ?').run(remote, name))
  }

  /** A batch is over: its replies are kept, and lines without one are as if they had never been sent. */
  end(name: string, replies: readonly BatchReply[]): void {
    this.#db.write(() => {
      const update = this.#db.prepare('UPDATE line SET status = ?, body = ? WHERE id = ? AND batch = ?')
      for (const { id, status, body } of replies) update.run(status, body, id, name)
      this.#db.prepare('DELETE FROM line WHERE batch = ? AND status IS NULL').run(name)
      this.#db.prepare('DELETE FROM batch WHERE name = ?').run(name)
    })
  }

  /** A line whose reply was given out and is of no further use. */
  drop(id: string): void {
    this.#db.try(() => this.#db.prepare('DELETE FROM line WHERE id = ?').run(id))
  }

  /** The reply of a call is kept elsewhere now. */
  taken(call: string): void {
    this.#db.try(() => this.#db.prepare('DELETE FROM line WHERE call = ? AND status IS NOT NULL').run(call))
  }

  close(): void {
    this.#db.close()
  }
}
