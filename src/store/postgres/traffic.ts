import { leaseInForce } from '../../model/coordination.js'
import type { PgClient } from './client.js'
import { HELD, write } from './fenced.js'

/** A call that was paid for, and settled in the statement that keeps its reply. */
export interface PaidCall {
  id: string
  usd: number
  tokens: number
}

/** Replies of models, kept once per content for all workers. Bodies are JSON. */
export function repliesIn(client: PgClient) {
  return {
    async get(key: string): Promise<string | null> {
      const [row] = await client.query<{ body: string }>('SELECT body FROM memscope.reply WHERE key = $1', [key])
      return row?.body ?? null
    },
    /** Whether it was kept: not when the unit it was asked for is another's meanwhile. What it cost is written down all the same. */
    async put(key: string, model: string, body: string, paid: PaidCall): Promise<boolean> {
      const lease = leaseInForce.getStore()
      const [row] = await client.query<{ kept: boolean }>(
        'SELECT memscope.keep_reply($1, $2::bigint, $3::bigint, $4, $5, $6, $7::float8, $8::float8) AS kept',
        [paid.id, lease?.unit ?? null, lease?.fence ?? null, key, model, body, paid.usd, paid.tokens],
      )
      return row!.kept
    },
    async drop(keys: readonly string[]): Promise<void> {
      const remove = `DELETE FROM memscope.reply WHERE key IN (SELECT json_array_elements_text($1::text::json)) AND ${HELD}`
      await write(client, 'drop', [remove], [JSON.stringify(keys)])
    },
  }
}

/** Vectors by key, kept once for all workers. */
export function vectorsIn(client: PgClient) {
  return {
    async get(keys: readonly Buffer[]): Promise<Map<string, Buffer>> {
      const find = `SELECT encode(key, 'hex') AS key, encode(body, 'base64') AS body FROM memscope.vector
        WHERE key IN (SELECT decode(json_array_elements_text($1::text::json), 'hex'))`
      const hex = JSON.stringify(keys.map((key) => key.toString('hex')))
      const rows = await client.query<{ key: string; body: string }>(find, [hex])
      return new Map(rows.map(({ key, body }) => [key, Buffer.from(body, 'base64')]))
    },
    async put(entries: readonly { key: Buffer; body: Buffer }[]): Promise<void> {
      const rows = entries.map(({ key, body }) => ({ key: key.toString('hex'), body: body.toString('base64') }))
      const insert = `INSERT INTO memscope.vector SELECT decode(key, 'hex'), decode(body, 'base64')
        FROM json_to_recordset($1::text::json) AS given(key text, body text) WHERE ${HELD} ORDER BY 1 ON CONFLICT DO NOTHING`
      await write(client, 'vector', [insert], [JSON.stringify(rows)])
    },
  }
}
