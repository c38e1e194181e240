import type { SqlDriver } from '../sql-driver.js'
import type { PgClient } from './client.js'
import { HELD, writeFenced } from './fenced.js'

/** A run store's database in PostgreSQL. Every write is one statement, under the lease in force; nothing rests on a session. */
export function postgresDriver(client: PgClient, own: Pick<SqlDriver, 'holdRun' | 'close'>): SqlDriver {
  return {
    ...own,
    schema: 'memscope.',
    runOrder: 'n',
    judgedBy: { fact_verdict: 'part', store_side: 'part' },
    selectLives: 'SELECT subject, scenario, trial, attempts FROM memscope.life',
    countAttempt: 'UPDATE memscope.life SET attempts = attempts + 1 WHERE id = ?',
    members: (type) => `(SELECT json_array_elements_text(?::text::json)::${type})`,
    read: (query, params = []) => client.query(numbered(query), params),
    put(table, columns, rows, { key, replace }) {
      const names = Object.keys(columns)
      const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
      // One parameter for any number of rows.
      const given = JSON.stringify(rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]]))))
      const changed = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`)
      const there = key.map((name) => `k.${name} = given.${name}`).join(' AND ')
      // Numbers of rows are not used up by what is there already.
      const isNew = replace ? '' : `AND NOT EXISTS (SELECT FROM memscope.${table} k WHERE ${there})`
      const insert = `INSERT INTO memscope.${table} (${names}) SELECT ${names}
        FROM json_to_recordset($1::text::json) AS given(${typed}) WHERE ${HELD} ${isNew} ORDER BY ${key}
        ON CONFLICT ${replace ? `(${key}) DO UPDATE SET ${changed}` : 'DO NOTHING'}`
      return writeFenced(client, table, [insert], [given])
    },
    change(what, changes) {
      const all = changes.flatMap(([, params]) => params)
      let used = 0
      const statements = changes.map(([source, params]) => {
        used += params.length
        return `${numbered(source, used - params.length)} AND ${HELD}`
      })
      return writeFenced(client, what, statements, all)
    },
  }
}

/** Places of parameters as PostgreSQL writes them. @param after how many stand before the first */
function numbered(sql: string, after = 0): string {
  let at = after
  return sql.replace(/\?/g, () => `$${++at}`)
}
