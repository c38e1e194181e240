import { Database } from '../keep/database.js'

const SCHEMA =
  'CREATE TABLE spending (id INTEGER PRIMARY KEY, account TEXT NOT NULL, usd REAL NOT NULL); CREATE INDEX by_account ON spending (account);'

/**
 * What a run has spent, over all its sittings. Money is written down before a request goes out, at the most it can cost, and corrected when
 * its reply is there; so a process that is killed in between leaves too much in the book rather than too little.
 */
export class Ledger {
  readonly #db: Database
  readonly #account: string

  constructor(file: string, account: string) {
    this.#db = new Database(file, 'book of spending', 1, SCHEMA)
    this.#account = account
  }

  /** All that is in the book for this account. */
  spent(): number {
    const sum = this.#db.prepare('SELECT COALESCE(SUM(usd), 0) AS usd FROM spending WHERE account = ?')
    return (this.#db.try(() => sum.get(this.#account)) as { usd: number }).usd
  }

  /** @returns how the entry ends: with what was really spent */
  enter(usd: number): (spent: number) => void {
    const { lastInsertRowid: id } = this.#db.try(() =>
      this.#db.prepare('INSERT INTO spending (account, usd) VALUES (?, ?)').run(this.#account, usd),
    )
    return (spent) => {
      this.#db.try(() =>
        spent === 0
          ? this.#db.prepare('DELETE FROM spending WHERE id = ?').run(id)
          : this.#db.prepare('UPDATE spending SET usd = ? WHERE id = ?').run(spent, id),
      )
    }
  }

  close(): void {
    this.#db.close()
  }
}
