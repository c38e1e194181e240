import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tellMissing } from '../../../test/postgres.js'
import { hasPostgres, PostgresServer } from '../../../test/postgres-server.js'
import { LeaseLostError, leaseInForce } from '../../model/coordination.js'
import { runStoreConformance } from '../conformance.js'
import { runCoordinationConformance } from '../coordination-conformance.js'
import { openPostgresStore, type SharedStore } from './index.js'

tellMissing()

const EMPTY = `DO $$ BEGIN EXECUTE (
  SELECT string_agg('DELETE FROM memscope.' || tablename, ';') FROM pg_tables WHERE schemaname = 'memscope' AND tablename <> 'meta'
); END $$`

describe.skipIf(!hasPostgres)('PostgreSQL', () => {
  let server: PostgresServer
  let database = { name: '', url: '' }
  const open: SharedStore[] = []
  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(async () => {
    for (const store of open) await store.close().catch(() => {})
    await server.stop()
  })

  /** A store in one database, emptied where new ground is asked for. */
  const ground = async (fresh: boolean, leaseMs?: number) => {
    if (database.name === '') database = server.fresh()
    const store = await openPostgresStore(database.url, leaseMs)
    open.push(store)
    if (fresh) server.sql(database.name, EMPTY)
    return store
  }

  runStoreConformance({ name: 'postgres', open: ground })

  runCoordinationConformance({
    name: 'postgres',
    open: async () => (await ground(true, 1000)).coordination,
    expire: async (worker) => {
      const then = "clock_timestamp() - interval '1 hour'"
      server.sql(database.name, `UPDATE memscope.worker SET until = ${then} WHERE id = '${worker}'`)
    },
  })

  it('writes nothing under a lease that was given to another', async () => {
    const store = await ground(true)
    const { coordination, replies, presence } = store
    await coordination.enqueue('r', [{ name: 'life', after: null, weight: 1 }])
    await presence.begin('r')
    const [lease] = await coordination.claim('r', presence.worker, 1, 'one')
    const life = { run: 'r', subject: { system: 'bm25', model: null }, scenario: 's', trial: 0 }
    let said = 0
    const writes = () => [
      store.putSnapshot([{ id: 'm', text: `said ${++said}` }], null),
      store.putMoment(life, { moment: 'p', snapshot: null, entries: null, tokens: null }),
      store.putFactVerdicts('j', 's', new Map()),
      store.putIngest(life, { tokens: {}, cost: 0 }),
      store.beginAttempt(life),
      store.forgetLife(life),
      store.vectors.put([{ key: Buffer.from('k'), body: Buffer.from('v') }]),
      replies.drop(['other']),
    ]
    await leaseInForce.run(lease!, async () => {
      for (const done of await Promise.allSettled(writes())) expect(done.status).toBe('fulfilled')
      const paid = { id: 'none', usd: 0, tokens: 0 }
      expect(await replies.put('k', 'm', '{}', paid)).toBe(true)
      server.sql(database.name, "UPDATE memscope.unit SET fence = fence + 1, owner = 'other'")
      for (const done of await Promise.allSettled(writes()))
        expect(done).toMatchObject({ status: 'rejected', reason: expect.any(LeaseLostError) })
      expect(await replies.put('k2', 'm', '{}', paid)).toBe(false)
    })
    expect(await replies.get('k')).toBe('{}')
    expect(await replies.get('k2')).toBeNull()
  })

  it('makes its tables once, however many open it at once, and refuses those of another version', async () => {
    const { name, url } = server.fresh()
    const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore(url)))
    for (const store of stores) await store.close()
    server.sql(name, 'UPDATE memscope.meta SET version = 99')
    await expect(openPostgresStore(url)).rejects.toThrow(/another version of Memscope \(tables 99, expected 1\)/)
  })

  it('speaks TLS as an address says, and trusts the certificates that it names', async () => {
    server.sql('postgres', 'CREATE DATABASE tls')
    const at = (query: string, host = '127.0.0.1') =>
      openPostgresStore(`${server.url('tls').replace('127.0.0.1', host)}${query}`).then(
        (store) => store.close(),
        (error: Error) => error.message,
      )
    const own = `sslrootcert=${server.certificate}`
    for (const query of ['?sslmode=require&channel_binding=prefer', `?sslmode=verify-full&${own}`, `?${own}`])
      expect(await at(query), query).toBeUndefined()
    expect(await at(`?sslmode=verify-ca&${own}`, 'localhost')).toBeUndefined()
    expect(await at('')).toMatch(/refuses: .*no encryption/)
    const distrusted = ['?sslmode=verify-full', '?sslrootcert=system']
    for (const query of distrusted) expect(await at(query), query).toMatch(/certificate .* is not trusted/)
    expect(await at(`?sslmode=verify-full&${own}`, 'localhost')).toMatch(
      /is not trusted \(ERR_TLS_CERT_ALTNAME_INVALID/,
    )
    expect(await at('?sslrootcert=nowhere.pem')).toMatch(/no file of certificates nowhere\.pem/)
  })

  it('says what is wrong with an address, without its password', async () => {
    const gone = server.url('nowhere').replace('postgres@', 'postgres:secret@')
    const error = await openPostgresStore(gone).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ message: expect.stringMatching(/refuses: database "nowhere" does not exist/) })
    expect(String(error)).not.toContain('secret')
  })
})
