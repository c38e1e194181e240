import { LeaseLostError, leaseInForce } from '../../model/coordination.js'
import type { PgClient } from './client.js'

/** Stands in a write for whether it may be done. */
export const HELD = '/*held*/ true'

type Param = string | number | boolean | null

/**
 * Writes: all statements or none, as one. Under a lease each must end in a condition with {@link HELD}; the unit is kept from being claimed
 * until the write is through, and when somebody else has it already nothing is written.
 *
 * @param what is told in the log, where there is one
 * @throws LeaseLostError
 */
export async function writeFenced(
  client: PgClient,
  what: string,
  statements: readonly string[],
  params: readonly Param[],
): Promise<void> {
  const lease = leaseInForce.getStore()
  const named = statements.map((statement, i) => `w${i} AS (${statement} RETURNING 1)`)
  if (!lease) {
    await client.query(`WITH ${named.join(', ')} SELECT 1`, params)
    return
  }
  const [unit, fence, told] = [1, 2, 3].map((n) => `$${params.length + n}`)
  const held = `held AS (
    SELECT id, run, fence, owner FROM memscope.unit WHERE id = ${unit}::bigint AND fence = ${fence}::bigint AND state = 'claimed' FOR SHARE
  ), logged AS (
    INSERT INTO memscope.log (run, unit, fence, worker, what)
    SELECT held.run, held.id, held.fence, held.owner, ${told}::text FROM held JOIN memscope.job j ON j.run = held.run AND j.logged
  )`
  const guarded = named.map((statement) => statement.replaceAll(HELD, 'EXISTS (SELECT FROM held)'))
  const query = `WITH ${held}, ${guarded.join(', ')} SELECT count(*)::int AS held FROM held`
  const [row] = await client.query<{ held: number }>(query, [...params, lease.unit, lease.fence, what])
  if (row?.held !== 1) throw new LeaseLostError(lease.name)
}
