import { Database } from '../keep/keep-database.js'

const SCHEMA = `
CREATE TABLE batch (name TEXT PRIMARY KEY, created INTEGER NOT NULL, remote TEXT);
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

type Awaitable<T> = T | Promise<T>

/**
 * Batches under way and replies that nobody has taken yet. A batch is written down before it is sent, and its replies before anybody
 * gets them: whatever moment a process ends at, the next one knows what is paid for.
 */
export interface BatchStore {
  /** Whether anything was ever sent and not taken: who asks for no batches need not look for his calls when not. */
  any(): Awaitable<boolean>
  /** Whether something of a call is under way, or has come and was not taken. */
  has(call: string): Awaitable<boolean>
  /** What is known of a line: its reply, the batch it is in, or nothing. */
  line(id: string): Awaitable<{ reply: BatchReply } | { batch: KeptBatch } | null>
  linesOf(name: string): Awaitable<string[]>
  /** Writes down what is about to be sent. @returns the lines that may be: not those whose calls are another's meanwhile */
  begin(batch: KeptBatch, lines: readonly BatchLine[]): Awaitable<BatchLine[]>
  sent(name: string, remote: string): Awaitable<void>
  /** A batch is over: its replies are kept, and lines without one are as if they had never been sent. */
  end(name: string, replies: readonly BatchReply[]): Awaitable<void>
  /** A line whose reply was given out and is of no further use. */
  drop(id: string): Awaitable<void>
  /** The reply of a call is kept elsewhere now. */
  taken(call: string): Awaitable<void>
  close?(): void
}

/** The batches of the processes of one machine, in a file. */
export class BatchFile implements BatchStore {
  readonly #db: Database

  constructor(file: string) {
    this.#db = new Database(file, 'list of batches', 2, SCHEMA)
  }

  any(): boolean {
    return true
  }

  has(call: string): boolean {
    return this.#db.try(() => this.#db.prepare('SELECT 1 FROM line WHERE call = ?').get(call)) !== undefined
  }

  line(id: string): ReturnType<typeof knownLine> {
    const find = 'SELECT status, body, name, created, remote FROM line LEFT JOIN batch ON name = batch WHERE id = ?'
    return knownLine(id, this.#db.try(() => this.#db.prepare(find).get(id)) as LineRow | undefined)
  }

  linesOf(name: string): string[] {
    const rows = this.#db.try(() => this.#db.prepare('SELECT id FROM line WHERE batch = ?').all(name)) as {
      id: string
    }[]
    return rows.map(({ id }) => id)
  }

  begin({ name, created }: KeptBatch, lines: readonly BatchLine[]): BatchLine[] {
    this.#db.write(() => {
      this.#db.prepare('INSERT INTO batch VALUES (?, ?, NULL)').run(name, created)
      const insert = this.#db.prepare('INSERT OR REPLACE INTO line VALUES (?, ?, ?, NULL, NULL)')
      for (const { id, call } of lines) insert.run(id, name, call)
    })
    return [...lines]
  }

  sent(name: string, remote: string): void {
    this.#db.try(() => this.#db.prepare('UPDATE batch SET remote = ? WHERE name = ?').run(remote, name))
  }

  end(name: string, replies: readonly BatchReply[]): void {
    this.#db.write(() => {
      const update = this.#db.prepare('UPDATE line SET status = ?, body = ? WHERE id = ? AND batch = ?')
      for (const { id, status, body } of replies) update.run(status, body, id, name)
      this.#db.prepare('DELETE FROM line WHERE batch = ? AND status IS NULL').run(name)
      this.#db.prepare('DELETE FROM batch WHERE name = ?').run(name)
    })
  }

  drop(id: string): void {
    this.#db.try(() => this.#db.prepare('DELETE FROM line WHERE id = ?').run(id))
  }

  taken(call: string): void {
    this.#db.try(() => this.#db.prepare('DELETE FROM line WHERE call = ? AND status IS NOT NULL').run(call))
  }

  close(): void {
    this.#db.close()
  }
}

/** A line as stores keep it, with its batch while that is not over. */
export interface LineRow {
  status: number | null
  body: string | null
  name: string
  created: number
  remote: string | null
}

export function knownLine(id: string, row?: LineRow): { reply: BatchReply } | { batch: KeptBatch } | null {
  if (!row) return null
  const { status, body, name, created, remote } = row
  return status === null ? { batch: { name, created, remote } } : { reply: { id, status, body: body ?? '' } }
}
