import { knownLine, type LineRow } from '../../gateway/batch/batch-store.js'
import { leaseInForce } from '../../model/coordination.js'
import type { PgClient } from './client.js'
import { HELD, writeFenced } from './fenced.js'

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
      await writeFenced(client, 'drop', [remove], [JSON.stringify(keys)])
    },
  }
}

/** Vectors by key, kept once for all workers. */
export function vectorsIn(client: PgClient) {
  return {
    async get(keys: readonly Uint8Array[]): Promise<Map<string, Uint8Array>> {
      const find = `SELECT encode(key, 'hex') AS key, encode(body, 'base64') AS body FROM memscope.vector
        WHERE key IN (SELECT decode(json_array_elements_text($1::text::json), 'hex'))`
      const hex = JSON.stringify(keys.map((key) => Buffer.from(key).toString('hex')))
      const rows = await client.query<{ key: string; body: string }>(find, [hex])
      return new Map(rows.map(({ key, body }) => [key, Buffer.from(body, 'base64')]))
    },
    async put(entries: readonly Record<'key' | 'body', Uint8Array>[]): Promise<void> {
      const text = (bytes: Uint8Array, form: 'hex' | 'base64') => Buffer.from(bytes).toString(form)
      const rows = entries.map(({ key, body }) => ({ key: text(key, 'hex'), body: text(body, 'base64') }))
      const insert = `INSERT INTO memscope.vector SELECT decode(key, 'hex'), decode(body, 'base64')
        FROM json_to_recordset($1::text::json) AS given(key text, body text) WHERE ${HELD} ORDER BY 1 ON CONFLICT DO NOTHING`
      await writeFenced(client, 'vector', [insert], [JSON.stringify(rows)])
    },
  }
}

/** Batches of requests under way for all workers. Who comes after one that died finds there what is paid for. */
export function batchesIn(client: PgClient, worker: string) {
  const tell = async (query: string, ...params: (string | number)[]) => void (await client.query(query, params))
  const exists = async (condition: string, ...params: string[]) => {
    const [row] = await client.query<{ found: boolean }>(`SELECT EXISTS (${condition}) AS found`, params)
    return row!.found
  }
  return {
    any: () => exists('SELECT FROM memscope.batch_line'),
    has: (call: string) => exists('SELECT FROM memscope.batch_line WHERE call = $1', call),
    async line(id: string) {
      const find = `SELECT l.status, l.body, b.name, b.created, b.remote FROM memscope.batch_line l
        LEFT JOIN memscope.batch b ON b.name = l.batch WHERE l.id = $1`
      const [row] = await client.query<LineRow>(find, [id])
      return knownLine(id, row && { ...row, body: row.body === null ? null : JSON.parse(row.body) })
    },
    async linesOf(name: string): Promise<string[]> {
      const find = 'SELECT id FROM memscope.batch_line WHERE batch = $1'
      return (await client.query<{ id: string }>(find, [name])).map(({ id }) => id)
    },
    /** Only lines whose calls are still this worker's: what was set aside under a lease that was lost is another's. */
    async begin<Line extends { id: string; call: string }>(
      batch: { name: string; created: number },
      lines: readonly Line[],
    ): Promise<Line[]> {
      const given = JSON.stringify(lines.map(({ id, call }) => ({ id, call })))
      const rows = await client.query<{ id: string }>(
        `WITH given AS (SELECT * FROM json_to_recordset($3::text::json) AS g(id text, call text)),
        mine AS (SELECT key FROM memscope.reservation WHERE worker = $4 AND key IN (SELECT call FROM given) FOR SHARE),
        made AS (INSERT INTO memscope.batch VALUES ($1, $2::float8) ON CONFLICT DO NOTHING),
        begun AS (INSERT INTO memscope.batch_line SELECT id, $1, call FROM given JOIN mine ON key = call ON CONFLICT DO NOTHING RETURNING id)
        SELECT id FROM begun UNION SELECT id FROM memscope.batch_line WHERE batch = $1`,
        [batch.name, batch.created, given, worker],
      )
      const begun = new Set(rows.map(({ id }) => id))
      return lines.filter(({ id }) => begun.has(id))
    },
    sent: (name: string, remote: string) => tell('UPDATE memscope.batch SET remote = $2 WHERE name = $1', name, remote),
    end: (name: string, replies: readonly { id: string; status: number; body: string }[]) =>
      tell(
        `WITH given AS (SELECT * FROM json_to_recordset($2::text::json) AS g(id text, status int, body text)),
        over AS (DELETE FROM memscope.batch WHERE name = $1),
        gone AS (DELETE FROM memscope.batch_line WHERE batch = $1 AND status IS NULL AND id NOT IN (SELECT id FROM given))
        UPDATE memscope.batch_line l SET status = given.status, body = given.body FROM given WHERE l.id = given.id AND l.batch = $1`,
        name,
        JSON.stringify(replies.map((reply) => ({ ...reply, body: JSON.stringify(reply.body) }))),
      ),
    drop: (id: string) => tell('DELETE FROM memscope.batch_line WHERE id = $1', id),
    /** The reply was kept and this was forgotten in one statement. */
    taken: async (_call: string) => {},
  }
}
