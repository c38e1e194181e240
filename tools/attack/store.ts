import { hasPostgres, missing, PostgresServer } from '../../test/postgres-server.js'
import type { Attack, Ground, Group } from './attack.js'
import { expectNoTrace, HOSTILE_ROWS, type HostileRow, type KeptRow, layTraps } from './hostile-rows.js'
import { expectOrder, expectThat, play } from './play.js'

const SMALL = ['--suite', 'memfail/long-hop', '--system', 'bm25', '--size', '2', '--k', '1', '--quiet']
const COLUMNS = 'created, status, setting, subjects, elapsed_ms, embedded_texts, embedding_ms'

let server: PostgresServer | null = null

/** Shared stores that somebody else writes to: workers run nothing and send nothing that they were not told to. */
export const store: Group = {
  name: 'store',
  async attacks(ground) {
    if (!hasPostgres) {
      ground.leaveOut('workers of a shared store', `${missing.join(', ')} not found`)
      return []
    }
    server = await PostgresServer.start()
    const rows: HostileRow[] = [...HOSTILE_ROWS, { name: 'a provider that gets variables', change: withProvider }]
    return rows.map((row): Attack => ({ kind: 'workers', name: row.name, strike: () => forged(ground, row) }))
  },
  async close() {
    await server?.stop()
  },
}

function withProvider(kept: KeptRow): void {
  const openai = { baseUrl: 'http://127.0.0.1:9/v1', headers: { 'x-steal': '$HOME' } }
  Object.assign((kept as KeptRow & { shared: { access: object } }).shared.access, { providers: { openai } })
}

async function forged(ground: Ground, { change }: HostileRow): Promise<void> {
  const { name, url } = server!.fresh()
  const cwd = ground.folder()
  layTraps(cwd)
  expectOrder(await play(['run', ...SMALL, '--store', url], { cwd }), [0])
  const kept = JSON.parse(server!.sql(name, 'SELECT request FROM memscope.run')) as KeptRow
  change(kept)
  const request = JSON.stringify(kept).replaceAll("'", "''")
  server!.sql(
    name,
    `INSERT INTO memscope.run (id, ${COLUMNS}, request) SELECT 'forged', ${COLUMNS}, '${request}' FROM memscope.run;
    INSERT INTO memscope.job (run) VALUES ('forged');
    INSERT INTO memscope.unit (run, name, weight, place, state) VALUES ('forged', 'x', 1, 0, 'todo')`,
  )
  const { code, err } = await play(['worker', url, '--once', '--quiet'], { cwd })
  expectNoTrace(cwd, 'memscope worker')
  expectThat(code === 2 && /--allow-|--providers/.test(err), () => `a worker took a forged run: ${code} ${err}`)
}
