import { dirname, join } from 'node:path'
import type Database from 'libsql'
import { makePrivateFolder } from '../base/folders.js'
import { entryOf } from '../base/group-by.js'
import { inTransaction } from '../base/sqlite.js'
import type { RunStore } from '../model/run-store.js'
import type { SqlDriver } from './sql-driver.js'
import { sqlRunStore } from './sql-run-store.js'
import { explainDatabaseError, openDatabase, takeLock } from './sqlite-database.js'

/** The embedded run store: one SQLite file in WAL mode. Every write is one transaction, but for the memories of a large snapshot. */
export function openSqliteStore(file: string): RunStore {
  try {
    makePrivateFolder(dirname(file))
    return guarded(sqlRunStore(driverFor(openDatabase(file), file)), file)
  } catch (error) {
    throw explainDatabaseError(error, file)
  }
}

function driverFor(db: Database.Database, file: string): SqlDriver {
  const statements = new Map<string, Database.Statement>()
  const sql = (source: string): Database.Statement => entryOf(statements, source, () => db.prepare(source))
  return {
    schema: '',
    runOrder: 'rowid',
    judgedBy: { fact_verdict: 'fact', store_side: 'question' },
    selectLives:
      'SELECT subject, scenario, trial, COALESCE(count, 0) AS attempts FROM life LEFT JOIN attempt ON life = id',
    countAttempt: 'INSERT INTO attempt VALUES (?, 1) ON CONFLICT (life) DO UPDATE SET count = count + 1',
    members: () => '(SELECT value FROM json_each(?))',
    read: <Row>(query: string, params: readonly unknown[] = []) => sql(query).all([...params]) as Row[],
    put: (table, columns, rows, { replace }) =>
      inTransaction(db, () => {
        const names = Object.keys(columns)
        const into = `INTO ${table} (${names}) VALUES (${names.map(() => '?')})`
        const insert = sql(replace ? `INSERT OR REPLACE ${into}` : `INSERT ${into} ON CONFLICT DO NOTHING`)
        for (const row of rows) insert.run([...row])
      }),
    change: (_what, changes) =>
      inTransaction(db, () => {
        for (const [source, params] of changes) sql(source).run(params)
      }),
    async holdRun(run, holder) {
      const release = takeLock(join(dirname(file), 'locks', `${run}.lock`))
      if (!release) {
        const row = sql('SELECT body FROM holder WHERE run = ?').get(run) as { body: string } | undefined
        return { held: false, by: row ? JSON.parse(row.body) : null }
      }
      sql('INSERT OR REPLACE INTO holder VALUES (?, ?)').run(run, JSON.stringify(holder))
      // Nothing is written at the release, for the disk may be full; who holds the run next writes over the row.
      return { held: true, release: async () => release() }
    },
    async close() {
      db.close()
    },
  }
}

/** The same store, with every failure of the disk put into words. */
function guarded(store: RunStore, file: string): RunStore {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...args: unknown[]) => {
        try {
          return await member.apply(target, args)
        } catch (error) {
          throw explainDatabaseError(error, file)
        }
      }
    },
  })
}
