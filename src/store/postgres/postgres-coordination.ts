import type { CallGrant, Coordination, RateLimits, RunProgress } from '../../model/coordination.js'
import { LeaseLostError } from '../../model/coordination.js'
import type { PgClient } from './client.js'

/** How long a worker that says nothing is taken to be alive. */
const LEASE_MS = 10_000

/** Over which time the pace of a run is looked at. */
const PACE = "interval '5 minutes'"

/** Units that can be had: open ones, and those whose worker is gone. After a restart of the database everybody has time to speak up. */
const FREE = `
  SELECT u.id FROM memscope.unit u LEFT JOIN memscope.worker w ON w.id = u.owner
  WHERE u.run = $1 AND NOT EXISTS (SELECT FROM mine) AND ((u.state = 'todo' AND NOT $6::boolean) OR (
    u.state = 'claimed' AND u.owner <> $2 AND coalesce(w.until < clock_timestamp(), true)
    AND pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => $5::float8 / 1000)))
  ORDER BY u.state = 'todo', u.place LIMIT $3::int FOR UPDATE OF u SKIP LOCKED`

/** Coordination over PostgreSQL: a statement each, by the database's clock. */
export function coordinationIn(client: PgClient, leaseMs = LEASE_MS): Coordination & { heartbeatMs: number } {
  const one = async <Row>(query: string, params: Parameters<PgClient['query']>[1]) =>
    (await client.query<Row>(query, params))[0]
  return {
    heartbeatMs: leaseMs / 4,

    async enqueue(run, units) {
      const given = JSON.stringify(units.map((unit, place) => ({ ...unit, place })))
      await client.query(
        `WITH given AS (SELECT * FROM json_to_recordset($2::text::json) AS g(name text, after text, weight int, place int)),
        job AS (INSERT INTO memscope.job (run) VALUES ($1) ON CONFLICT (run) DO UPDATE SET halted = NULL),
        gone AS (DELETE FROM memscope.unit u WHERE u.run = $1 AND NOT EXISTS (SELECT FROM given WHERE given.name = u.name))
        INSERT INTO memscope.unit (run, name, after, weight, place, state)
        SELECT $1, name, after, weight, place, CASE WHEN after IS NULL THEN 'todo' ELSE 'waiting' END FROM given ORDER BY name
        ON CONFLICT (run, name) DO UPDATE SET after = excluded.after, weight = excluded.weight, place = excluded.place,
          state = excluded.state, owner = NULL, ticket = NULL, done_at = NULL, fence = memscope.unit.fence + 1`,
        [run, given],
      )
    },

    async claim(run, { id }, most, ticket, orphansOnly = false) {
      const rows = await client.query<{ unit: number; name: string; fence: number }>(
        `WITH mine AS (
          SELECT id, name, fence FROM memscope.unit WHERE run = $1 AND owner = $2 AND ticket = $4 AND state = 'claimed'
        ), free AS (${FREE}), got AS (
          UPDATE memscope.unit u SET state = 'claimed', owner = $2, fence = fence + 1, ticket = $4 FROM free WHERE u.id = free.id
          RETURNING u.id, u.name, u.fence
        ), logged AS (
          INSERT INTO memscope.log (run, unit, fence, worker, what)
          SELECT $1, got.id, got.fence, $2, 'claim' FROM got JOIN memscope.job j ON j.run = $1 AND j.logged
        )
        SELECT id::float8 AS unit, name, fence::float8 AS fence FROM (SELECT * FROM mine UNION ALL SELECT * FROM got) AS claimed`,
        [run, id, most, ticket, leaseMs, orphansOnly],
      )
      return rows.map((row) => ({ run, ...row }))
    },

    async extend(run, { id, host, pid }, stats) {
      const row = await one<{ leases: string; halted: string | null }>(
        `WITH beat AS (
          INSERT INTO memscope.worker (id, run, host, pid, stats, until, seen)
          VALUES ($1, $2, $3, $4::int, $5, clock_timestamp() + make_interval(secs => $6::float8 / 1000), clock_timestamp())
          ON CONFLICT (id) DO UPDATE SET run = excluded.run, stats = excluded.stats, until = excluded.until, seen = excluded.seen
        )
        SELECT coalesce((SELECT json_agg(json_build_object('unit', id, 'fence', fence)) FROM memscope.unit
            WHERE owner = $1 AND state = 'claimed'), '[]')::text AS leases,
          (SELECT halted FROM memscope.job WHERE run = $2) AS halted`,
        [id, run, host, pid, JSON.stringify(stats), leaseMs],
      )
      return { leases: JSON.parse(row!.leases), halted: row!.halted }
    },

    async settle({ run, unit, name, fence }, outcome) {
      const [state, done] = outcome === 'done' ? ['done', 'clock_timestamp()'] : ['todo', 'NULL']
      const row = await one<{ settled: number }>(
        `WITH ended AS (
          UPDATE memscope.unit SET state = $3, owner = NULL, done_at = ${done}
          WHERE id = $1::bigint AND fence = $2::bigint AND state IN ('claimed', $3) RETURNING id
        ), opened AS (
          UPDATE memscope.unit SET state = 'todo'
          WHERE run = $4 AND after = $5 AND state = 'waiting' AND $3 = 'done' AND EXISTS (SELECT FROM ended)
        ), logged AS (
          INSERT INTO memscope.log (run, unit, fence, what)
          SELECT $4, $1::bigint, $2::bigint, $6 FROM ended JOIN memscope.job j ON j.run = $4 AND j.logged
        )
        SELECT count(*)::int AS settled FROM ended`,
        [unit, fence, state!, run, name, outcome],
      )
      if (row?.settled !== 1) throw new LeaseLostError(name)
    },

    async reserve({ id, worker, lease, rate, key, account, usd, tokens }) {
      const row = await one<{ outcome: string; wait_ms: number; era: number; total: number; spent: number }>(
        'SELECT * FROM memscope.reserve($1, $2, $3::bigint, $4::bigint, $5, $6, $7, $8::float8, $9::float8)',
        [id, worker, lease?.unit ?? null, lease?.fence ?? null, rate, key, account, usd, tokens],
      )
      const { outcome, wait_ms: waitMs, era, total, spent } = row!
      return { outcome, waitMs, era, total, spent } as CallGrant
    },

    async release(id, { usd, tokens, overloaded }) {
      const row = await one<{ era: number }>(
        'SELECT memscope.release($1, $2::float8, $3::float8, $4::float8, $5::int) AS era',
        [id, usd, tokens, overloaded?.pauseMs ?? null, overloaded?.era ?? null],
      )
      return row!.era
    },

    async limit(rate, { requestsPerMinute = null, tokensPerMinute = null, concurrency = null }) {
      await client.query(
        `INSERT INTO memscope.rate (id, requests_per_minute, tokens_per_minute, concurrency)
        VALUES ($1, $2::float8, $3::float8, $4::int) ON CONFLICT (id) DO UPDATE SET
        requests_per_minute = excluded.requests_per_minute, tokens_per_minute = excluded.tokens_per_minute, concurrency = excluded.concurrency`,
        [rate, requestsPerMinute, tokensPerMinute, concurrency],
      )
    },

    async cap(account, usd) {
      const insert = 'INSERT INTO memscope.purse (account, cap) VALUES ($1, $2::float8)'
      await client.query(`${insert} ON CONFLICT (account) DO UPDATE SET cap = excluded.cap`, [account, usd])
    },

    async halt(run, reason) {
      await client.query('UPDATE memscope.job SET halted = coalesce(halted, $2) WHERE run = $1', [run, reason])
    },

    async openRuns() {
      const open = `SELECT r.id FROM memscope.run r JOIN memscope.job j ON j.run = r.id WHERE j.halted IS NULL
        AND EXISTS (SELECT FROM memscope.unit u WHERE u.run = r.id AND u.state <> 'done') ORDER BY r.n DESC`
      return (await client.query<{ id: string }>(open)).map(({ id }) => id)
    },

    async leave(worker) {
      // Its open reservations stay: nobody knows what became of the calls.
      await client.query('UPDATE memscope.worker SET until = clock_timestamp() WHERE id = $1', [worker])
    },

    async progress(run) {
      const row = await one<Record<'progress', string>>(PROGRESS, [run])
      const found = JSON.parse(row!.progress) as Omit<RunProgress, 'workers' | 'limits'> & {
        workers: (Record<'id' | 'host' | 'stats', string> & Record<'pid' | 'units' | 'seen_ms' | 'alive', number>)[]
        limits: (Record<'rate', string> &
          Record<'open' | 'blocked_ms' | 'era' | 'requests' | 'tokens' | 'calls', number>)[]
      }
      return {
        ...found,
        workers: found.workers.map(({ id, host, pid, units, stats, ...rest }) => {
          return { id, host, pid, units, ...JSON.parse(stats), seenMsAgo: rest.seen_ms, alive: Boolean(rest.alive) }
        }),
        limits: found.limits.map(({ rate, open, blocked_ms: blockedMs, era: overloads, requests, tokens, calls }) => {
          return { rate, open, blockedMs, overloads, limits: limitsOf(requests, tokens, calls) }
        }),
      }
    },
  }
}

function limitsOf(requests: number | null, tokens: number | null, calls: number | null): RateLimits {
  return {
    ...(requests !== null && { requestsPerMinute: requests }),
    ...(tokens !== null && { tokensPerMinute: tokens }),
    ...(calls !== null && { concurrency: calls }),
  }
}

const PROGRESS = `
WITH units AS (SELECT * FROM memscope.unit WHERE run = $1),
workers AS (
  SELECT w.id, w.host, w.pid, w.stats, (w.until > clock_timestamp())::int AS alive,
    1000 * extract(epoch FROM clock_timestamp() - w.seen) AS seen_ms,
    (SELECT count(*) FROM units u WHERE u.owner = w.id AND u.state = 'claimed') AS units
  FROM memscope.worker w WHERE w.run = $1 ORDER BY w.host, w.pid
),
limits AS (
  SELECT r.id AS rate, r.era, r.requests_per_minute AS requests, r.tokens_per_minute AS tokens, r.concurrency AS calls,
    (SELECT count(*) FROM memscope.reservation o JOIN memscope.worker w ON w.id = o.worker
      WHERE o.rate = r.id AND w.until > clock_timestamp()) AS open,
    CASE WHEN r.blocked_until > clock_timestamp() THEN 1000 * extract(epoch FROM r.blocked_until - clock_timestamp()) ELSE 0 END AS blocked_ms
  FROM memscope.rate r WHERE EXISTS (
    SELECT FROM memscope.reservation o JOIN memscope.worker w ON w.id = o.worker WHERE o.rate = r.id AND w.run = $1)
)
SELECT json_build_object(
  'units', (SELECT json_build_object('done', count(*) FILTER (WHERE state = 'done'), 'total', count(*)) FROM units),
  'questions', (SELECT json_build_object('done', coalesce(sum(weight) FILTER (WHERE state = 'done'), 0), 'total', coalesce(sum(weight), 0)) FROM units),
  'pace', (SELECT json_build_object('done', coalesce(sum(weight), 0),
      'ms', coalesce(1000 * extract(epoch FROM clock_timestamp() - min(done_at)), 0))
    FROM units WHERE state = 'done' AND done_at > clock_timestamp() - ${PACE}),
  'halted', (SELECT halted FROM memscope.job WHERE run = $1),
  'usd', (SELECT coalesce(sum((stats::json->>'usd')::float8), 0) FROM workers),
  'workers', coalesce((SELECT json_agg(row_to_json(workers)) FROM workers WHERE alive = 1 OR units > 0), '[]'),
  'budget', (SELECT json_build_object('cap', cap, 'total', total, 'reserved', (
      SELECT coalesce(sum(o.usd), 0) FROM memscope.reservation o JOIN memscope.worker w ON w.id = o.worker
      WHERE o.account = $1 AND w.until > clock_timestamp())) FROM memscope.purse WHERE account = $1),
  'limits', coalesce((SELECT json_agg(row_to_json(limits)) FROM limits), '[]')
)::text AS progress`
