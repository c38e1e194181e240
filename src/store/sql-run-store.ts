import { entryOf } from '../base/group-by.js'
import { type Depth, depthKey, readDepth } from '../model/depth.js'
import { subjectKey } from '../model/identity.js'
import type { LifeKey, RunRecord, RunStore, WitnessRecord } from '../model/run-store.js'
import { snapshotsIn } from './snapshots.js'
import type { SqlColumns, SqlDriver, SqlValue } from './sql-driver.js'

/** What every record of a question at a depth has. */
type AskedRecord = { question: string; depth: Depth }
type AskedRow = Record<'question' | 'depth' | 'body', string>
type JudgedTable = keyof SqlDriver['judgedBy']

const OF_A_QUESTION = ['answer', 'grade', 'counterfactual']
const OF_A_LIFE = ['moment', 'witness', 'ingest', ...OF_A_QUESTION]

/** By question; within it budgets from large to small, then memories from few to many. Judges are asked in this order, and replies kept by it. */
const IN_ORDER = `ORDER BY question, CASE WHEN depth = 'all' THEN 0
  WHEN depth LIKE '%t' THEN -CAST(replace(depth, 't', '') AS bigint) ELSE CAST(depth AS bigint) END`

const LIFE: SqlColumns = { run: 'text', subject: 'text', scenario: 'text', trial: 'int' }
const MOMENT: SqlColumns = { life: 'int', moment: 'text', snapshot: 'text', entries: 'int', tokens: 'int' }

/** A run store over SQL: one set of statements for all databases. Every write is one unit, under the lease in force where there are any. */
export function sqlRunStore(driver: SqlDriver): RunStore {
  const { schema, judgedBy, selectLives } = driver
  const snapshots = snapshotsIn(driver)
  const lives = new Map<string, Promise<number>>()
  const first = async <Row>(query: string, params: SqlValue[]) => (await driver.read<Row>(query, params))[0]

  const findLife = async (life: LifeKey): Promise<number | null> => {
    const find = `SELECT id FROM ${schema}life WHERE run = ? AND subject = ? AND scenario = ? AND trial = ?`
    return (await first<{ id: number }>(find, lifeRow(life)))?.id ?? null
  }
  const lifeOf = (life: LifeKey): Promise<number> =>
    entryOf(lives, JSON.stringify(lifeRow(life)), async () => {
      const known = await findLife(life)
      if (known !== null) return known
      await driver.put('life', LIFE, [lifeRow(life)], { key: Object.keys(LIFE), replace: false })
      return (await findLife(life))!
    }).catch((error: unknown) => {
      lives.delete(JSON.stringify(lifeRow(life)))
      throw error
    })
  const getRun = async (id: string): Promise<RunRecord | null> => {
    const row = await first<RunRow>(`SELECT ${Object.keys(RUN)} FROM ${schema}run WHERE id = ?`, [id])
    return row ? toRun(row) : null
  }

  /** What judges said of snapshots, whatever the run. */
  const putJudged = (table: JudgedTable, judge: string, snapshot: string, bodies: ReadonlyMap<string, unknown>) => {
    const columns: SqlColumns = { snapshot: 'text', judge: 'text', [judgedBy[table]]: 'text', body: 'text' }
    const rows = [...bodies].map(([of, body]) => [snapshot, judge, of, JSON.stringify(body)])
    return driver.put(table, columns, rows, { key: Object.keys(columns).slice(0, -1), replace: true })
  }
  const getJudged = async <T>(table: JudgedTable, judge: string, snapshot: string): Promise<Map<string, T>> => {
    const query = `SELECT ${judgedBy[table]} AS of, body FROM ${schema}${table} WHERE judge = ? AND snapshot = ?`
    const rows = await driver.read<{ of: string; body: string }>(query, [judge, snapshot])
    return new Map(rows.map(({ of, body }) => [of, JSON.parse(body)]))
  }

  /** What was made of questions at depths, by those who made it. */
  const putAsked = async (table: string, life: LifeKey, by: Record<string, string>, all: readonly AskedRecord[]) => {
    const names = Object.keys(by).map((name) => [name, 'text'] as const)
    const columns: SqlColumns = {
      life: 'int',
      ...Object.fromEntries(names),
      question: 'text',
      depth: 'text',
      body: 'text',
    }
    const made = [await lifeOf(life), ...Object.values(by)]
    const rows = all.map(({ question, depth, ...body }) => [...made, question, depthKey(depth), JSON.stringify(body)])
    await driver.put(table, columns, rows, { key: Object.keys(columns).slice(0, -1), replace: true })
  }
  const getAsked = async <T extends AskedRecord>(table: string, life: LifeKey, by: Record<string, string>) => {
    const where = ['life', ...Object.keys(by)].map((column) => `${column} = ?`).join(' AND ')
    const query = `SELECT question, depth, body FROM ${schema}${table} WHERE ${where} ${IN_ORDER}`
    const rows = await driver.read<AskedRow>(query, [await findLife(life), ...Object.values(by)])
    return rows.map(({ question, depth, body }): T => ({ question, depth: readDepth(depth), ...JSON.parse(body) }))
  }

  return {
    createRun: async (run) => driver.put('run', RUN, [valuesOf(RUN, runRow(run))], { key: ['id'], replace: false }),
    getRun,
    async listRuns() {
      const query = `SELECT ${Object.keys(RUN)} FROM ${schema}run ORDER BY ${driver.runOrder} DESC`
      return (await driver.read<RunRow>(query)).map(toRun)
    },
    async updateRun(id, change) {
      if (!(await getRun(id))) throw new Error(`There is no run ${id}`)
      const row = runRow(change)
      const set = Object.keys(row).map((name) => `${name} = ?`)
      await driver.change('run', [[`UPDATE ${schema}run SET ${set} WHERE id = ?`, [...Object.values(row), id]]])
    },

    putSnapshot: (memories, parent) => snapshots.put(memories, parent),
    getSnapshot: (hash) => snapshots.get(hash),

    async beginAttempt(life) {
      const id = await lifeOf(life)
      await driver.change('attempt', [[driver.countAttempt, [id]]])
      return (await first<LifeRow>(`${selectLives} WHERE id = ?`, [id]))!.attempts
    },

    async putMoment(life, moment) {
      const row = { ...moment, life: await lifeOf(life) }
      await driver.put('moment', MOMENT, [valuesOf(MOMENT, row)], { key: ['life', 'moment'], replace: true })
    },
    async getMoments(life) {
      const query = `SELECT moment, snapshot, entries, tokens FROM ${schema}moment WHERE life = ? ORDER BY moment`
      return driver.read(query, [await findLife(life)])
    },

    async putWitnesses(life, witnesses) {
      const id = await lifeOf(life)
      const rows = witnesses.map((witness) => valuesOf(WITNESS, { ...witnessRow(witness), life: id }))
      await driver.put('witness', WITNESS, rows, { key: ['life', 'question', 'depth'], replace: true })
    },
    async getWitnesses(life) {
      const query = `SELECT * FROM ${schema}witness WHERE life = ? ${IN_ORDER}`
      return (await driver.read<WitnessRow>(query, [await findLife(life)])).map(toWitness)
    },
    async witnessKeys(life) {
      const query = `SELECT question, depth, error FROM ${schema}witness WHERE life = ? ${IN_ORDER}`
      const rows = await driver.read<Record<'question' | 'depth' | 'error', string>>(query, [await findLife(life)])
      return rows.map(({ question, depth, error }) => ({ question, depth: readDepth(depth), error: JSON.parse(error) }))
    },

    putFactVerdicts: async (judge, snapshot, verdicts) => putJudged('fact_verdict', judge, snapshot, verdicts),
    getFactVerdicts: (judge, snapshot) => getJudged('fact_verdict', judge, snapshot),
    putStoreSides: async (judge, snapshot, sides) => putJudged('store_side', judge, snapshot, sides),
    getStoreSides: (judge, snapshot) => getJudged('store_side', judge, snapshot),

    async putIngest(life, ingest) {
      const row = [await lifeOf(life), JSON.stringify(ingest)]
      await driver.put('ingest', { life: 'int', body: 'text' }, [row], { key: ['life'], replace: true })
    },
    async getIngest(life) {
      const query = `SELECT body FROM ${schema}ingest WHERE life = ?`
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
      const id = await findLife(life)
      await driver.change(
        'forget',
        OF_A_LIFE.map((table) => [`DELETE FROM ${schema}${table} WHERE life = ?`, [id]]),
      )
    },
    async forgetProbe(life, probe) {
      const id = await findLife(life)
      const asked = `SELECT w.question FROM ${schema}witness w WHERE w.life = ? AND w.probe = ?`
      const remove = (table: string) => `DELETE FROM ${schema}${table} WHERE life = ? AND question IN (${asked})`
      await driver.change('forget', [
        ...OF_A_QUESTION.map((table) => [remove(table), [id, id, probe]] as [string, SqlValue[]]),
        [`DELETE FROM ${schema}witness WHERE life = ? AND probe = ?`, [id, probe]],
      ])
    },

    async livesOf(run) {
      return (await driver.read<LifeRow>(`${selectLives} WHERE run = ? ORDER BY id`, [run])).map((row) => {
        // A subject is written as it is kept, which is all that its rows are found by.
        const [, system = row.subject, model = null] = /^(.*) @ (.*)$/s.exec(row.subject) ?? []
        const { scenario, trial, attempts } = row
        return { life: { run, subject: { system, model }, scenario, trial }, attempts }
      })
    },
    async partsOf(life) {
      const id = await findLife(life)
      const distinct = async <T>(columns: string, table: string) =>
        driver.read<T>(`SELECT DISTINCT ${columns} FROM ${schema}${table} WHERE life = ? ORDER BY ${columns}`, [id])
      return {
        answers: await distinct('reader', 'answer'),
        grades: await distinct('reader, judge', 'grade'),
        counterfactuals: await distinct('reader, judge', 'counterfactual'),
      }
    },
    async judgesOf(snapshot) {
      const of = async (table: JudgedTable) => {
        const query = `SELECT DISTINCT judge FROM ${schema}${table} WHERE snapshot = ? ORDER BY judge`
        return (await driver.read<{ judge: string }>(query, [snapshot])).map(({ judge }) => judge)
      }
      return { facts: await of('fact_verdict'), sides: await of('store_side') }
    },

    holdRun: driver.holdRun,
    close: driver.close,
  }
}

/** In the order of the columns. */
function valuesOf(columns: SqlColumns, row: Readonly<Record<string, SqlValue>>): SqlValue[] {
  return Object.keys(columns).map((name) => row[name] ?? null)
}

type LifeRow = { subject: string; scenario: string; trial: number; attempts: number }

/** What a life is known by in all tables. */
function lifeRow({ run, subject, scenario, trial }: LifeKey): SqlValue[] {
  return [run, subjectKey(subject), scenario, trial]
}

const RUN: SqlColumns = {
  id: 'text',
  created: 'text',
  status: 'text',
  setting: 'text',
  subjects: 'text',
  request: 'text',
  elapsed_ms: 'float8',
  embedded_texts: 'float8',
  embedding_ms: 'float8',
}

interface RunRow extends Pick<RunRecord, 'id' | 'created' | 'status' | 'setting'> {
  subjects: string
  request: string
  elapsed_ms: number
  embedded_texts: number
  embedding_ms: number
}

function toRun({ id, created, status, setting, elapsed_ms: elapsedMs, ...row }: RunRow): RunRecord {
  const [subjects, request] = [JSON.parse(row.subjects), JSON.parse(row.request)]
  const embedding = { texts: row.embedded_texts, ms: row.embedding_ms }
  return { id, created, status, setting, subjects, request, elapsedMs, embedding }
}

/** What is told of a run, by its columns. */
function runRow({ subjects, request, elapsedMs, embedding, ...plain }: Partial<RunRecord>): Record<string, SqlValue> {
  return {
    ...plain,
    ...(subjects && { subjects: JSON.stringify(subjects) }),
    ...(request !== undefined && { request: JSON.stringify(request) }),
    ...(elapsedMs !== undefined && { elapsed_ms: Math.round(elapsedMs) }),
    ...(embedding && { embedded_texts: embedding.texts, embedding_ms: Math.round(embedding.ms) }),
  }
}

const WITNESS: SqlColumns = {
  life: 'int',
  question: 'text',
  depth: 'text',
  probe: 'text',
  retrieved: 'text',
  scores: 'text',
  retrieved_snapshot: 'text',
  context_tokens: 'int',
  tokens: 'text',
  cost: 'float8',
  repairs: 'text',
  error: 'text',
  sizes: 'text',
  ms: 'float8',
}

interface WitnessRow
  extends Pick<WitnessRecord, 'question' | 'probe' | 'cost' | 'ms'>,
    Record<'depth' | 'retrieved' | 'scores' | 'tokens' | 'error' | 'sizes', string> {
  retrieved_snapshot: string | null
  context_tokens: number
  repairs: string | null
}

function toWitness(row: WitnessRow): WitnessRecord {
  const {
    question,
    probe,
    cost,
    ms,
    repairs,
    retrieved_snapshot: retrievedSnapshot,
    context_tokens: contextTokens,
  } = row
  return {
    question,
    probe,
    depth: readDepth(row.depth),
    retrievedSnapshot,
    contextTokens,
    cost,
    ms,
    retrieved: JSON.parse(row.retrieved),
    scores: JSON.parse(row.scores),
    tokens: JSON.parse(row.tokens),
    ...(repairs !== null && { repairs: JSON.parse(repairs) }),
    error: JSON.parse(row.error),
    sizes: JSON.parse(row.sizes),
  }
}

function witnessRow({ question, depth, probe, cost, ms, ...w }: WitnessRecord): Record<string, SqlValue> {
  return {
    question,
    depth: depthKey(depth),
    probe,
    cost,
    ms,
    retrieved_snapshot: w.retrievedSnapshot,
    context_tokens: w.contextTokens,
    retrieved: JSON.stringify(w.retrieved),
    scores: JSON.stringify(w.scores),
    sizes: JSON.stringify(w.sizes),
    tokens: JSON.stringify(w.tokens),
    repairs: w.repairs ? JSON.stringify(w.repairs) : null,
    error: JSON.stringify(w.error),
  }
}
