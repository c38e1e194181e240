import { dirname, join } from 'node:path'
import type Database from 'libsql'
import { makeFolder } from '../base/folders.js'
import { entryOf } from '../base/group-by.js'
import { depthKey, readDepth } from '../model/depth.js'
import type { LifeKey, RunRecord, RunStore } from '../model/run-store.js'
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
} from './record-rows.js'
import { chainSql, type SnapshotRow, snapshotsIn } from './snapshots.js'
import { explainDatabaseError, inTransaction, openDatabase, takeLock } from './sqlite-database.js'

/** The embedded run store: one SQLite file in WAL mode. Every write is one transaction, but for the memories of a large snapshot. */
export function openSqliteStore(file: string): RunStore {
  try {
    makeFolder(dirname(file))
    return guarded(storeIn(openDatabase(file), file), file)
  } catch (error) {
    throw explainDatabaseError(error, file)
  }
}

function storeIn(db: Database.Database, file: string): RunStore {
  const statements = new Map<string, Database.Statement>()
  const sql = (source: string): Database.Statement => entryOf(statements, source, () => db.prepare(source))
  const write = <T>(work: () => T) => inTransaction(db, work)
  const snapshots = snapshotsIn({
    chain: (hash) => sql(chainSql('snapshot', '?')).all(hash) as SnapshotRow[],
    costOf: (hash) => {
      const row = sql('SELECT cost FROM snapshot WHERE hash = ?').get(hash) as { cost: number } | undefined
      return row?.cost ?? null
    },
    rowsOf: (memories) =>
      write(() => {
        const insert = sql('INSERT INTO memory (hash, body) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING')
        const find = sql('SELECT id FROM memory WHERE hash = ?')
        return memories.map(({ hash, body }) => {
          insert.run(hash, body)
          return (find.get(hash) as { id: number }).id
        })
      }),
    insert: ({ hash, parent, added, removed, cost }) => {
      sql('INSERT INTO snapshot VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING').run(
        ...[hash, parent, added, removed, cost],
      )
    },
    bodies: (rows) => {
      const found = sql('SELECT id, body FROM memory WHERE id IN (SELECT value FROM json_each(?))')
      return found.all(JSON.stringify(rows)) as { id: number; body: string }[]
    },
  })

  const knownLife = (life: LifeKey): number => {
    const find = sql('SELECT id FROM life WHERE run = ? AND subject = ? AND scenario = ? AND trial = ?')
    return (find.get(...lifeRow(life)) as { id: number } | undefined)?.id ?? NO_LIFE
  }
  const lifeOf = (life: LifeKey): number => {
    const insert = sql('INSERT INTO life (run, subject, scenario, trial) VALUES (?, ?, ?, ?)')
    return knownLife(life) || Number(insert.run(...lifeRow(life)).lastInsertRowid)
  }
  const runOf = (id: string): RunRecord | null => {
    const row = sql(`${SELECT_RUN} WHERE id = ?`).get(id) as RunRow | undefined
    return row ? toRun(row) : null
  }
  const bodyOf = (table: string, column: string, key: string | number) => {
    const row = sql(`SELECT body FROM ${table} WHERE ${column} = ?`).get(key) as { body: string } | undefined
    return row ? JSON.parse(row.body) : null
  }

  /** What judges said of snapshots, whatever the run. */
  const putJudged = (table: string, judge: string, snapshot: string, bodies: ReadonlyMap<string, unknown>) =>
    write(() => {
      const insert = sql(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?)`)
      for (const [of, body] of bodies) insert.run(judge, snapshot, of, JSON.stringify(body))
    })
  const getJudged = <T>(table: string, column: string, judge: string, snapshot: string): Map<string, T> => {
    const rows = sql(`SELECT ${column} AS of, body FROM ${table} WHERE judge = ? AND snapshot = ?`)
    const found = rows.all(judge, snapshot) as { of: string; body: string }[]
    return new Map(found.map(({ of, body }) => [of, JSON.parse(body)]))
  }

  /** What was made of questions at depths, by those who made it. */
  const putAsked = (table: string, life: LifeKey, by: readonly string[], records: readonly AskedRecord[]) =>
    write(() => {
      const id = lifeOf(life)
      const places = [id, ...by, 'question', 'depth', 'body'].map(() => '?')
      const insert = sql(`INSERT OR REPLACE INTO ${table} VALUES (${places})`)
      for (const { question, depth, ...body } of records)
        insert.run(id, ...by, question, depthKey(depth), JSON.stringify(body))
    })
  const getAsked = <T extends AskedRecord>(table: string, life: LifeKey, by: Record<string, string>): T[] => {
    const where = Object.keys(by).map((column) => ` AND ${column} = ?`)
    const rows = sql(`SELECT question, depth, body FROM ${table} WHERE life = ?${where.join('')} ${IN_ORDER}`)
    const found = rows.all(knownLife(life), ...Object.values(by)) as Record<'question' | 'depth' | 'body', string>[]
    return found.map(({ question, depth, body }) => ({ question, depth: readDepth(depth), ...JSON.parse(body) }))
  }

  return {
    async createRun(run) {
      sql('INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(...fromRun(run))
    },
    getRun: async (id) => runOf(id),
    listRuns: async () => (sql(`${SELECT_RUN} ORDER BY rowid DESC`).all() as RunRow[]).map(toRun),
    updateRun: async (id, change) =>
      write(() => {
        const run = runOf(id)
        if (!run) throw new Error(`There is no run ${id}`)
        const update = sql(`UPDATE run SET (${RUN_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`)
        update.run(...fromRun({ ...run, ...change }), id)
      }),

    putSnapshot: async (memories, parent) => snapshots.put(memories, parent),
    getSnapshot: async (hash) => snapshots.get(hash),

    beginAttempt: async (life) =>
      write(() => {
        const count = sql(
          'INSERT INTO attempt VALUES (?, 1) ON CONFLICT (life) DO UPDATE SET count = count + 1 RETURNING count',
        )
        return (count.get(lifeOf(life)) as { count: number }).count
      }),

    putMoment: async (life, { moment, snapshot, entries, tokens }) =>
      write(() => {
        const insert = sql('INSERT OR REPLACE INTO moment VALUES (?, ?, ?, ?, ?)')
        insert.run(lifeOf(life), moment, snapshot, entries, tokens)
      }),
    async getMoments(life) {
      const rows = sql('SELECT moment, snapshot, entries, tokens FROM moment WHERE life = ? ORDER BY moment')
      return rows.all(knownLife(life)) as Awaited<ReturnType<RunStore['getMoments']>>
    },

    putWitnesses: async (life, witnesses) =>
      write(() => {
        const id = lifeOf(life)
        const insert = sql('INSERT OR REPLACE INTO witness VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
        for (const witness of witnesses) insert.run(id, ...fromWitness(witness))
      }),
    async getWitnesses(life) {
      const rows = sql(`SELECT ${WITNESS_COLUMNS} FROM witness WHERE life = ? ${IN_ORDER}`).all(knownLife(life))
      return (rows as WitnessRow[]).map(toWitness)
    },
    async witnessKeys(life) {
      const rows = sql(`SELECT question, depth, error FROM witness WHERE life = ? ${IN_ORDER}`).all(knownLife(life))
      return (rows as Record<'question' | 'depth' | 'error', string>[]).map(({ question, depth, error }) => {
        return { question, depth: readDepth(depth), error: JSON.parse(error) }
      })
    },

    putFactVerdicts: async (judge, snapshot, verdicts) => putJudged('fact_verdict', judge, snapshot, verdicts),
    getFactVerdicts: async (judge, snapshot) => getJudged('fact_verdict', 'fact', judge, snapshot),
    putStoreSides: async (judge, snapshot, sides) => putJudged('store_side', judge, snapshot, sides),
    getStoreSides: async (judge, snapshot) => getJudged('store_side', 'question', judge, snapshot),

    putIngest: async (life, ingest) =>
      write(() => {
        sql('INSERT OR REPLACE INTO ingest VALUES (?, ?)').run(lifeOf(life), JSON.stringify(ingest))
      }),
    getIngest: async (life) => bodyOf('ingest', 'life', knownLife(life)),

    putAnswers: async (life, reader, records) => putAsked('answer', life, [reader], records),
    getAnswers: async (life, reader) => getAsked('answer', life, { reader }),
    putGrades: async (life, reader, judge, records) => putAsked('grade', life, [reader, judge], records),
    getGrades: async (life, reader, judge) => getAsked('grade', life, { reader, judge }),
    putCounterfactuals: async (life, reader, judge, records) =>
      putAsked('counterfactual', life, [reader, judge], records),
    getCounterfactuals: async (life, reader, judge) => getAsked('counterfactual', life, { reader, judge }),

    forgetLife: async (life) =>
      write(() => {
        for (const table of OF_A_LIFE) sql(`DELETE FROM ${table} WHERE life = ?`).run(knownLife(life))
      }),
    forgetProbe: async (life, probe) =>
      write(() => {
        const id = knownLife(life)
        const asked = 'SELECT question FROM witness WHERE life = ? AND probe = ?'
        for (const table of OF_A_QUESTION)
          sql(`DELETE FROM ${table} WHERE life = ? AND question IN (${asked})`).run(id, id, probe)
        sql('DELETE FROM witness WHERE life = ? AND probe = ?').run(id, probe)
      }),

    async livesOf(run) {
      const rows = sql(
        'SELECT subject, scenario, trial, COALESCE(count, 0) AS attempts FROM life LEFT JOIN attempt ON life = id WHERE run = ? ORDER BY id',
      )
      return (rows.all(run) as LifeRow[]).map((row) => toLife(run, row))
    },
    async partsOf(life) {
      const id = knownLife(life)
      const distinct = <T>(columns: string, table: string) =>
        sql(`SELECT DISTINCT ${columns} FROM ${table} WHERE life = ? ORDER BY ${columns}`).all(id) as T[]
      return {
        answers: distinct('reader', 'answer'),
        grades: distinct('reader, judge', 'grade'),
        counterfactuals: distinct('reader, judge', 'counterfactual'),
      }
    },
    async judgesOf(snapshot) {
      const of = (table: string) => {
        const rows = sql(`SELECT DISTINCT judge FROM ${table} WHERE snapshot = ? ORDER BY judge`).all(snapshot)
        return (rows as { judge: string }[]).map(({ judge }) => judge)
      }
      return { facts: of('fact_verdict'), sides: of('store_side') }
    },

    async holdRun(run, holder) {
      const release = takeLock(join(dirname(file), 'locks', `${run}.lock`))
      if (!release) return { held: false, by: bodyOf('holder', 'run', run) }
      sql('INSERT OR REPLACE INTO holder VALUES (?, ?)').run(run, JSON.stringify(holder))
      // Nothing is written at the release, for the disk may be full; who holds the run next writes over the row.
      return { held: true, release: async () => release() }
    },
    async close() {
      db.close()
    },
  }
}

/** By question; within it budgets from large to small, then memories from few to many. Judges are asked in this order, and replies kept by it. */
const IN_ORDER = "ORDER BY question, CAST(depth AS INTEGER) * iif(depth LIKE '%t', -1, 1)"

/** Rows of lives are numbered from 1. */
const NO_LIFE = 0

const SELECT_RUN = `SELECT ${RUN_COLUMNS} FROM run`

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
