import { it } from 'vitest'
import { hasPostgres, missing } from './postgres-server.js'

/** Tells in a test why those of PostgreSQL are left out; called by every file that has some. */
export function tellMissing(): void {
  if (hasPostgres) return
  const what = `PostgreSQL (${missing.join(', ')} not found: apt-get install postgresql pgbouncer; node scripts/install-peers.mjs .peers)`
  if (process.env.CI) it(what, () => Promise.reject(new Error(what)))
  else it.skip(what)
}
