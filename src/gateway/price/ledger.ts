import { Database } from '../keep/keep-database.js'

const SCHEMA =
  'CREATE TABLE spending (id INTEGER PRIMARY KEY, account TEXT NOT NULL, usd REAL NOT NULL); CREATE INDEX by_account ON spending (account);'

/** What a run has spent, over all sittings and processes. It is written down before a request at the most it can cost, and corrected after. */
export class Ledger {
  readonly #db: Database
  readonly #account: string
  #total = 0
  #version = -1

  constructor(file: string, account: string) {
    this.#db = new Database(file, 'book of spending', 1, SCHEMA)
    this.#account = account
  }

  /** All that is in the book for this account, set aside or spent, by whomever. */
  total(): number {
    return this.#db.try(() => {
      // It changes when another process has written.
      const { data_version: version } = this.#db.prepare('PRAGMA data_version').get() as { data_version: number }
      if (version !== this.#version) {
        const sum = this.#db.prepare('SELECT COALESCE(SUM(usd), 0) AS usd FROM spending WHERE account = ?')
        this.#total = (sum.get(this.#account) as { usd: number }).usd
        this.#version = version
      }
      return this.#total
    })
  }

  /** Sets money aside if the account stays within its cap, whatever other processes do; gives how the entry ends, null without room. */
  enter(usd: number, cap: number): ((spent: number) => void) | null {
    let id: number | bigint | null = null
    this.#db.write(() => {
      if (this.total() + usd > cap) return
      id = this.#db.prepare('INSERT INTO spending (account, usd) VALUES (?, ?)').run(this.#account, usd).lastInsertRowid
    })
    if (id === null) return null
    this.#total += usd
    return (spent) => {
      this.#db.try(() =>
        spent === 0
          ? this.#db.prepare('DELETE FROM spending WHERE id = ?').run(id)
          : this.#db.prepare('UPDATE spending SET usd = ? WHERE id = ?').run(spent, id),
      )
      this.#total += spent - usd
    }
  }

  close(): void {
    this.#db.close()
  }
}
