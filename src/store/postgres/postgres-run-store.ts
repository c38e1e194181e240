import { entryOf } from '../../base/group-by.js'
import { depthKey, readDepth } from '../../model/depth.js'
import type { LifeKey, RunRecord, RunStore } from '../../model/run-store.js'
import {
  type AskedRecord,
  fromRun,
  fromWitness,
  type LifeRow,
  lifeRow,
  OF_A_LIFE,
  OF_A_QUESTION,
  RUN_COLUMNS,
  type RunRow,
  toLife,
  toRun,
  toWitness,
  WITNESS_COLUMNS,
  type WitnessRow,
} from '../record-rows.js'
import { chainSql, type SnapshotRow, snapshotsIn } from '../snapshots.js'
import type { PgClient } from './client.js'
import { HELD, writeFenced } from './fenced.js'

/** By question; within it budgets from large to small, then memories from few to many. */
const IN_ORDER = `ORDER BY question, CASE WHEN depth = 'all' THEN 0 WHEN depth LIKE '%t' THEN -left(depth, -1)::bigint ELSE depth::bigint END`

/** Records whose columns stand in this order, as a table: one parameter for any number of rows. */
function recordsOf(place: string, columns: Readonly<Record<string, string>>): string {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`)
  return `json_to_recordset(${place}::text::json) AS given(${typed.join(', ')})`
}

const ASKED = { question: 'text', depth: 'text' }
const WITNESS = {
  ...ASKED,
  ...{ probe: 'text', retrieved: 'text', scores: 'text', retrieved_snapshot: 'text', context_tokens: 'int' },
  ...{ tokens: 'text', cost: 'float8', repairs: 'text', error: 'text', sizes: 'text', ms: 'float8' },
}
const QUOTED_COLUMNS = WITNESS_COLUMNS.replace(/ AS (\w+)/g, ' AS "$1"')

/** Inserts given records, with what all of them share before them; a unit that is there is replaced. */
function upsert(table: string, shared: Readonly<Record<string, string>>, columns: Record<string, string>, key: string) {
  const all = [...Object.keys(shared), ...Object.keys(columns)]
  const kept = new Set(key.split(', '))
  const change = all.filter((column) => !kept.has(column)).map((column) => `${column} = excluded.${column}`)
  const places = Object.values(shared).map((type, i) => `$${i + 2}::${type}`)
  return `INSERT INTO memscope.${table} (${all.join(', ')}) SELECT ${[...places, ...Object.keys(columns)].join(', ')}
    FROM ${recordsOf('$1', columns)} WHERE ${HELD} ORDER BY ${Object.keys(columns)[0]}
    ON CONFLICT (${key}) DO UPDATE SET ${change.join(', ')}`
}

/** The rows of records under the names of their columns. */
function named(columns: Readonly<Record<string, string>>, rows: readonly (readonly unknown[])[]): string {
  const names = Object.keys(columns)
  return JSON.stringify(rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? null]))))
}

/** A run store in PostgreSQL. Every write is one statement, under the lease in force; nothing rests on a session. */
export function runStoreIn(client: PgClient, hold: RunStore['holdRun'], close: () => Promise<void>): RunStore {
  const lives = new Map<string, Promise<number>>()
  const put = (what: string, statements: readonly string[], params: Parameters<typeof writeFenced>[3]) =>
    writeFenced(client, what, statements, params)
  const first = async <Row>(query: string, params: Parameters<PgClient['query']>[1]) =>
    (await client.query<Row>(query, params))[0]

  const findLife = async (life: LifeKey): Promise<number | null> => {
    const find = 'SELECT id FROM memscope.life WHERE run = $1 AND subject = $2 AND scenario = $3 AND trial = $4'
    return (await first<{ id: number }>(find, lifeRow(life)))?.id ?? null
  }
  const lifeOf = (life: LifeKey): Promise<number> =>
    entryOf(lives, JSON.stringify(lifeRow(life)), async () => {
      const insert = `INSERT INTO memscope.life (run, subject, scenario, trial) SELECT $1, $2, $3, $4::int WHERE ${HELD} ON CONFLICT DO NOTHING`
      const known = await findLife(life)
      if (known !== null) return known
      await put('life', [insert], lifeRow(life))
      return (await findLife(life))!
    }).catch((error: unknown) => {
      lives.delete(JSON.stringify(lifeRow(life)))
      throw error
    })
  const runOf = async (id: string): Promise<RunRecord | null> => {
    const row = await first<RunRow>(`SELECT ${RUN_COLUMNS} FROM memscope.run WHERE id = $1`, [id])
    return row ? toRun(row) : null
  }

  const JUDGED = { part: 'text', body: 'text' }
  const putJudged = (table: string, judge: string, snapshot: string, bodies: ReadonlyMap<string, unknown>) => {
    const rows = named(
      JUDGED,
      [...bodies].map(([part, body]) => [part, JSON.stringify(body)]),
    )
    const insert = upsert(table, { judge: 'text', snapshot: 'text' }, JUDGED, 'snapshot, judge, part')
    return put(table, [insert], [rows, judge, snapshot])
  }
  const getJudged = async <T>(table: string, judge: string, snapshot: string): Promise<Map<string, T>> => {
    const query = `SELECT part, body FROM memscope.${table} WHERE judge = $1 AND snapshot = $2`
    const rows = await client.query<{ part: string; body: string }>(query, [judge, snapshot])
    return new Map(rows.map(({ part, body }) => [part, JSON.parse(body)]))
  }

  const BY_ASK = { ...ASKED, body: 'text' }
  const putAsked = async (
    table: string,
    life: LifeKey,
    by: Record<string, string>,
    records: readonly AskedRecord[],
  ) => {
    const rows = records.map(({ question, depth, ...body }) => [question, depthKey(depth), JSON.stringify(body)])
    const shared = { life: 'int', ...Object.fromEntries(Object.keys(by).map((column) => [column, 'text'])) }
    const key = [...Object.keys(shared), 'question', 'depth'].join(', ')
    await put(
      table,
      [upsert(table, shared, BY_ASK, key)],
      [named(BY_ASK, rows), await lifeOf(life), ...Object.values(by)],
    )
  }
  const getAsked = async <T extends AskedRecord>(
    table: string,
    life: LifeKey,
    by: Record<string, string>,
  ): Promise<T[]> => {
    const where = Object.keys(by).map((column, i) => ` AND ${column} = $${i + 2}`)
    const query = `SELECT question, depth, body FROM memscope.${table} WHERE life = $1${where.join('')} ${IN_ORDER}`
    const rows = await client.query<Record<'question' | 'depth' | 'body', string>>(query, [
      await findLife(life),
      ...Object.values(by),
    ])
    return rows.map(({ question, depth, body }) => ({ question, depth: readDepth(depth), ...JSON.parse(body) }))
  }

  const MEMORY = { hash: 'text', body: 'text' }
  const snapshots = snapshotsIn({
    chain: (hash) => client.query<SnapshotRow>(chainSql('memscope.snapshot', '$1'), [hash]),
    costOf: async (hash) =>
      (await first<{ cost: number }>('SELECT cost FROM memscope.snapshot WHERE hash = $1', [hash]))?.cost ?? null,
    async rowsOf(memories) {
      const rows = named(
        MEMORY,
        memories.map(({ hash, body }) => [hash, body]),
      )
      const insert = `INSERT INTO memscope.memory (hash, body) SELECT hash, body FROM ${recordsOf('$1', MEMORY)}
        WHERE ${HELD} AND NOT EXISTS (SELECT FROM memscope.memory m WHERE m.hash = given.hash) ORDER BY hash ON CONFLICT DO NOTHING`
      await put('memory', [insert], [rows])
      const find =
        'SELECT hash, id::float8 FROM memscope.memory WHERE hash IN (SELECT json_array_elements_text($1::text::json))'
      const hashes = memories.map(({ hash }) => hash)
      const found = await client.query<{ hash: string; id: number }>(find, [JSON.stringify(hashes)])
      const byHash = new Map(found.map(({ hash, id }) => [hash, id]))
      return hashes.map((hash) => byHash.get(hash)!)
    },
    insert: ({ hash, parent, added, removed, cost }) => {
      const insert = `INSERT INTO memscope.snapshot SELECT $1, $2, $3, $4, $5::float8 WHERE ${HELD} ON CONFLICT DO NOTHING`
      return put('snapshot', [insert], [hash, parent, added, removed, cost])
    },
    bodies: (rows) =>
      client.query(
        'SELECT id::float8, body FROM memscope.memory WHERE id IN (SELECT json_array_elements_text($1::text::json)::bigint)',
        [JSON.stringify(rows)],
      ),
  })

  return {
    async createRun(run) {
      const insert = `INSERT INTO memscope.run (${RUN_COLUMNS}) SELECT $1, $2, $3, $4, $5, $6, $7::float8, $8::float8, $9::float8 WHERE ${HELD}`
      // AskedRecord again after a connection broke, the run may be there already.
      await put('run', [`${insert} ON CONFLICT DO NOTHING`], fromRun(run))
    },
    getRun: runOf,
    listRuns: async () =>
      (await client.query<RunRow>(`SELECT ${RUN_COLUMNS} FROM memscope.run ORDER BY n DESC`)).map(toRun),
    async updateRun(id, change) {
      const run = await runOf(id)
      if (!run) throw new Error(`There is no run ${id}`)
      const places = RUN_COLUMNS.split(', ').map((_, i) => `$${i + 1}${i > 5 ? '::float8' : ''}`)
      const update = `UPDATE memscope.run SET (${RUN_COLUMNS}) = (${places.join(', ')}) WHERE id = $1 AND ${HELD}`
      await put('run', [update], fromRun({ ...run, ...change }))
    },

    putSnapshot: (memories, parent) => snapshots.put(memories, parent),
    getSnapshot: (hash) => snapshots.get(hash),

    async beginAttempt(life) {
      const id = await lifeOf(life)
      await put('attempt', [`UPDATE memscope.life SET attempts = attempts + 1 WHERE id = $1::int AND ${HELD}`], [id])
      return (await first<{ attempts: number }>('SELECT attempts FROM memscope.life WHERE id = $1', [id]))!.attempts
    },

    async putMoment(life, { moment, snapshot, entries, tokens }) {
      const columns = { moment: 'text', snapshot: 'text', entries: 'int', tokens: 'int' }
      const rows = named(columns, [[moment, snapshot, entries, tokens]])
      await put('moment', [upsert('moment', { life: 'int' }, columns, 'life, moment')], [rows, await lifeOf(life)])
    },
    getMoments: async (life) =>
      client.query('SELECT moment, snapshot, entries, tokens FROM memscope.moment WHERE life = $1 ORDER BY moment', [
        await findLife(life),
      ]),

    async putWitnesses(life, witnesses) {
      const insert = upsert('witness', { life: 'int' }, WITNESS, 'life, question, depth')
      await put('witness', [insert], [named(WITNESS, witnesses.map(fromWitness)), await lifeOf(life)])
    },
    async getWitnesses(life) {
      const query = `SELECT ${QUOTED_COLUMNS} FROM memscope.witness WHERE life = $1 ${IN_ORDER}`
      return (await client.query<WitnessRow>(query, [await findLife(life)])).map(toWitness)
    },
    async witnessKeys(life) {
      const query = `SELECT question, depth, error FROM memscope.witness WHERE life = $1 ${IN_ORDER}`
      const rows = await client.query<Record<'question' | 'depth' | 'error', string>>(query, [await findLife(life)])
      return rows.map(({ question, depth, error }) => ({ question, depth: readDepth(depth), error: JSON.parse(error) }))
    },

    putFactVerdicts: (judge, snapshot, verdicts) => putJudged('fact_verdict', judge, snapshot, verdicts),
    getFactVerdicts: (judge, snapshot) => getJudged('fact_verdict', judge, snapshot),
    putStoreSides: (judge, snapshot, sides) => putJudged('store_side', judge, snapshot, sides),
    getStoreSides: (judge, snapshot) => getJudged('store_side', judge, snapshot),

    async putIngest(life, ingest) {
      const rows = named({ body: 'text' }, [[JSON.stringify(ingest)]])
      await put('ingest', [upsert('ingest', { life: 'int' }, { body: 'text' }, 'life')], [rows, await lifeOf(life)])
    },
    async getIngest(life) {
      const query = 'SELECT body FROM memscope.ingest WHERE life = $1'
      const row = await first<{ body: string }>(query, [await findLife(life)])
      return row ? JSON.parse(row.body) : null
    },

    putAnswers: (life, reader, records) => putAsked('answer', life, { reader }, records),
    getAnswers: (life, reader) => getAsked('answer', life, { reader }),
    putGrades: (life, reader, judge, records) => putAsked('grade', life, { reader, judge }, records),
    getGrades: (life, reader, judge) => getAsked('grade', life, { reader, judge }),
    putCounterfactuals: (life, reader, judge, records) => putAsked('counterfactual', life, { reader, judge }, records),
    getCounterfactuals: (life, reader, judge) => getAsked('counterfactual', life, { reader, judge }),

    async forgetLife(life) {
      const remove = OF_A_LIFE.map((table) => `DELETE FROM memscope.${table} WHERE life = $1::int AND ${HELD}`)
      await put('forget', remove, [await findLife(life)])
    },
    async forgetProbe(life, probe) {
      const asked = 'SELECT w.question FROM memscope.witness w WHERE w.life = $1::int AND w.probe = $2'
      const answered = OF_A_QUESTION.map(
        (table) => `DELETE FROM memscope.${table} WHERE life = $1::int AND question IN (${asked}) AND ${HELD}`,
      )
      const witnessed = `DELETE FROM memscope.witness WHERE life = $1::int AND probe = $2 AND ${HELD}`
      await put('forget', [...answered, witnessed], [await findLife(life), probe])
    },

    async livesOf(run) {
      const query = 'SELECT subject, scenario, trial, attempts FROM memscope.life WHERE run = $1 ORDER BY id'
      return (await client.query<LifeRow>(query, [run])).map((row) => toLife(run, row))
    },
    async partsOf(life) {
      const id = await findLife(life)
      const distinct = <T>(columns: string, table: string) =>
        client.query<T>(`SELECT DISTINCT ${columns} FROM memscope.${table} WHERE life = $1 ORDER BY ${columns}`, [id])
      return {
        answers: await distinct('reader', 'answer'),
        grades: await distinct('reader, judge', 'grade'),
        counterfactuals: await distinct('reader, judge', 'counterfactual'),
      }
    },
    async judgesOf(snapshot) {
      const of = async (table: string) => {
        const query = `SELECT DISTINCT judge FROM memscope.${table} WHERE snapshot = $1 ORDER BY judge`
        return (await client.query<{ judge: string }>(query, [snapshot])).map(({ judge }) => judge)
      }
      return { facts: await of('fact_verdict'), sides: await of('store_side') }
    },

    holdRun: hold,
    close,
  }
}
