import { dirname, join } from 'node:path'
import type Database from 'libsql'
import { makeFolder } from '../base/folders.js'
import {
  type AnswerRecord,
  type Counterfactual,
  type Depth,
  depthKey,
  type FactVerdict,
  type GradeRecord,
  type HeldRun,
  type IngestRecord,
  type LifeKey,
  type Memory,
  type MomentRecord,
  type RunHolder,
  type RunRecord,
  type RunStatus,
  type RunStore,
  readDepth,
  type StoreSide,
  subjectKey,
  type WitnessRecord,
} from '../model/index.js'
import { inTransaction, openDatabase } from './database.js'
import { explain } from './failures.js'
import { FileLock } from './lock.js'
import { Snapshots } from './snapshots.js'

interface RunRow {
  id: string
  created: string
  status: RunStatus
  setting: string
  subjects: string
  request: string
  elapsed_ms: number
  embedded_texts: number
  embedding_ms: number
}

interface WitnessRow {
  question: string
  probe: string
  depth: string
  retrieved: string
  scores: string
  retrieved_snapshot: string | null
  context_tokens: number
  tokens: string
  cost: number | null
  repairs: string | null
  error: string
  sizes: string
  ms: number | null
}

/**
 * The embedded run store: one SQLite file in WAL mode. Every write is one transaction, but for the memories of a large snapshot.
 *
 * @example const store = openSqliteStore('.memscope/memscope.db')
 */
export function openSqliteStore(file: string): RunStore {
  try {
    makeFolder(dirname(file))
    return guarded(new SqliteStore(file), file)
  } catch (error) {
    throw explain(error, file)
  }
}

class SqliteStore implements RunStore {
  readonly #file: string
  readonly #db: Database.Database
  readonly #snapshots: Snapshots
  readonly #statements = new Map<string, Database.Statement>()

  constructor(file: string) {
    this.#file = file
    const db = openDatabase(file)
    this.#db = db
    this.#snapshots = new Snapshots(db)
  }

  async createRun(run: RunRecord): Promise<void> {
    this.#sql('INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(...fromRun(run))
  }

  async getRun(id: string): Promise<RunRecord | null> {
    const row = this.#sql('SELECT * FROM run WHERE id = ?').get(id) as RunRow | undefined
    return row ? toRun(row) : null
  }

  async listRuns(): Promise<RunRecord[]> {
    return (this.#sql('SELECT * FROM run ORDER BY rowid DESC').all() as RunRow[]).map(toRun)
  }

  async updateRun(id: string, change: Partial<RunRecord>): Promise<void> {
    this.#write(() => {
      const row = this.#sql('SELECT * FROM run WHERE id = ?').get(id) as RunRow | undefined
      if (!row) throw new Error(`There is no run ${id}`)
      const update = this.#sql(`UPDATE run SET (${RUN_COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`)
      update.run(...fromRun({ ...toRun(row), ...change }), id)
    })
  }

  async putSnapshot(memories: readonly Memory[], parent: string | null): Promise<string> {
    return this.#snapshots.put(memories, parent, (work) => this.#write(work))
  }

  async getSnapshot(hash: string): Promise<Memory[]> {
    return this.#snapshots.get(hash)
  }

  async beginAttempt(life: LifeKey): Promise<number> {
    return this.#write(() => {
      const count = this.#sql(
        'INSERT INTO attempt VALUES (?, 1) ON CONFLICT (life) DO UPDATE SET count = count + 1 RETURNING count',
      )
      return (count.get(this.#life(life)) as { count: number }).count
    })
  }

  async putMoment(life: LifeKey, { moment, snapshot, entries, tokens }: MomentRecord): Promise<void> {
    this.#write(() => {
      const insert = this.#sql('INSERT OR REPLACE INTO moment VALUES (?, ?, ?, ?, ?)')
      insert.run(this.#life(life), moment, snapshot, entries, tokens)
    })
  }

  async getMoments(life: LifeKey): Promise<MomentRecord[]> {
    const rows = this.#sql('SELECT moment, snapshot, entries, tokens FROM moment WHERE life = ? ORDER BY moment')
    return rows.all(this.#knownLife(life)) as MomentRecord[]
  }

  async putWitnesses(life: LifeKey, witnesses: readonly WitnessRecord[]): Promise<void> {
    this.#write(() => {
      const id = this.#life(life)
      const insert = this.#sql('INSERT OR REPLACE INTO witness VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
      for (const w of witnesses) {
        insert.run(
          id,
          w.question,
          depthKey(w.depth),
          w.probe,
          JSON.stringify(w.retrieved),
          JSON.stringify(w.scores),
          w.retrievedSnapshot,
          w.contextTokens,
          JSON.stringify(w.tokens),
          w.cost,
          w.repairs ? JSON.stringify(w.repairs) : null,
          JSON.stringify(w.error),
          JSON.stringify(w.sizes),
          w.ms,
        )
      }
    })
  }

  async getWitnesses(life: LifeKey): Promise<WitnessRecord[]> {
    const rows = this.#sql(`SELECT * FROM witness WHERE life = ? ${IN_ORDER}`).all(this.#knownLife(life))
    return (rows as WitnessRow[]).map((row) => ({
      question: row.question,
      probe: row.probe,
      depth: readDepth(row.depth),
      retrieved: JSON.parse(row.retrieved),
      scores: JSON.parse(row.scores),
      retrievedSnapshot: row.retrieved_snapshot,
      contextTokens: row.context_tokens,
      tokens: JSON.parse(row.tokens),
      cost: row.cost,
      ...(row.repairs !== null && { repairs: JSON.parse(row.repairs) }),
      error: JSON.parse(row.error),
      sizes: JSON.parse(row.sizes),
      ms: row.ms,
    }))
  }

  async witnessKeys(life: LifeKey): Promise<{ question: string; depth: Depth; error: string | null }[]> {
    const rows = this.#sql(`SELECT question, depth, error FROM witness WHERE life = ? ${IN_ORDER}`)
    return (rows.all(this.#knownLife(life)) as Pick<WitnessRow, 'question' | 'depth' | 'error'>[]).map((row) => ({
      question: row.question,
      depth: readDepth(row.depth),
      error: JSON.parse(row.error),
    }))
  }

  async putFactVerdicts(judge: string, snapshot: string, verdicts: ReadonlyMap<string, FactVerdict>): Promise<void> {
    this.#putJudged('fact_verdict', judge, snapshot, verdicts)
  }

  async getFactVerdicts(judge: string, snapshot: string): Promise<Map<string, FactVerdict>> {
    return this.#getJudged<FactVerdict>('fact_verdict', 'fact', judge, snapshot)
  }

  async putStoreSides(judge: string, snapshot: string, sides: ReadonlyMap<string, StoreSide>): Promise<void> {
    this.#putJudged('store_side', judge, snapshot, sides)
  }

  async getStoreSides(judge: string, snapshot: string): Promise<Map<string, StoreSide>> {
    return this.#getJudged<StoreSide>('store_side', 'question', judge, snapshot)
  }

  #putJudged(table: string, judge: string, snapshot: string, bodies: ReadonlyMap<string, unknown>): void {
    this.#write(() => {
      const insert = this.#sql(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?, ?)`)
      for (const [of, body] of bodies) insert.run(judge, snapshot, of, JSON.stringify(body))
    })
  }

  #getJudged<T>(table: string, column: string, judge: string, snapshot: string): Map<string, T> {
    const rows = this.#sql(`SELECT ${column} AS of, body FROM ${table} WHERE judge = ? AND snapshot = ?`)
    const found = rows.all(judge, snapshot) as { of: string; body: string }[]
    return new Map(found.map(({ of, body }) => [of, JSON.parse(body)]))
  }

  async putIngest(life: LifeKey, ingest: IngestRecord): Promise<void> {
    this.#write(() => {
      this.#sql('INSERT OR REPLACE INTO ingest VALUES (?, ?)').run(this.#life(life), JSON.stringify(ingest))
    })
  }

  async getIngest(life: LifeKey): Promise<IngestRecord | null> {
    const row = this.#sql('SELECT body FROM ingest WHERE life = ?').get(this.#knownLife(life)) as
      | { body: string }
      | undefined
    return row ? JSON.parse(row.body) : null
  }

  async putAnswers(life: LifeKey, reader: string, records: readonly AnswerRecord[]): Promise<void> {
    this.#putAsked('answer', life, [reader], records)
  }

  async getAnswers(life: LifeKey, reader: string): Promise<AnswerRecord[]> {
    return this.#getAsked<AnswerRecord>('answer', life, { reader })
  }

  async putGrades(life: LifeKey, reader: string, judge: string, records: readonly GradeRecord[]): Promise<void> {
    this.#putAsked('grade', life, [reader, judge], records)
  }

  async getGrades(life: LifeKey, reader: string, judge: string): Promise<GradeRecord[]> {
    return this.#getAsked<GradeRecord>('grade', life, { reader, judge })
  }

  async putCounterfactuals(life: LifeKey, reader: string, judge: string, records: readonly Counterfactual[]) {
    this.#putAsked('counterfactual', life, [reader, judge], records)
  }

  async getCounterfactuals(life: LifeKey, reader: string, judge: string): Promise<Counterfactual[]> {
    return this.#getAsked<Counterfactual>('counterfactual', life, { reader, judge })
  }

  #putAsked(table: string, life: LifeKey, by: readonly string[], records: readonly Asked[]): void {
    this.#write(() => {
      const id = this.#life(life)
      const places = [id, ...by, 'question', 'depth', 'body'].map(() => '?')
      const insert = this.#sql(`INSERT OR REPLACE INTO ${table} VALUES (${places})`)
      for (const { question, depth, ...body } of records)
        insert.run(id, ...by, question, depthKey(depth), JSON.stringify(body))
    })
  }

  #getAsked<T extends Asked>(table: string, life: LifeKey, by: Record<string, string>): T[] {
    const where = Object.keys(by).map((column) => ` AND ${column} = ?`)
    const rows = this.#sql(`SELECT question, depth, body FROM ${table} WHERE life = ?${where.join('')} ${IN_ORDER}`)
    const found = rows.all(this.#knownLife(life), ...Object.values(by)) as Record<
      'question' | 'depth' | 'body',
      string
    >[]
    return found.map(({ question, depth, body }) => ({ question, depth: readDepth(depth), ...JSON.parse(body) }))
  }

  async forgetLife(life: LifeKey): Promise<void> {
    this.#write(() => {
      const id = this.#knownLife(life)
      for (const table of OF_A_LIFE) this.#sql(`DELETE FROM ${table} WHERE life = ?`).run(id)
    })
  }

  async forgetProbe(life: LifeKey, probe: string): Promise<void> {
    this.#write(() => {
      const id = this.#knownLife(life)
      const asked = 'SELECT question FROM witness WHERE life = ? AND probe = ?'
      for (const table of OF_A_QUESTION)
        this.#sql(`DELETE FROM ${table} WHERE life = ? AND question IN (${asked})`).run(id, id, probe)
      this.#sql('DELETE FROM witness WHERE life = ? AND probe = ?').run(id, probe)
    })
  }

  async holdRun(run: string, holder: RunHolder): Promise<HeldRun> {
    const lock = FileLock.take(join(dirname(this.#file), 'locks', `${run}.lock`))
    if (!lock) {
      const row = this.#sql('SELECT body FROM holder WHERE run = ?').get(run) as { body: string } | undefined
      return { held: false, by: row ? JSON.parse(row.body) : null }
    }
    this.#sql('INSERT OR REPLACE INTO holder VALUES (?, ?)').run(run, JSON.stringify(holder))
    // Nothing is written then, for the disk may be full; who holds the run next writes over the row.
    return { held: true, release: async () => lock.release() }
  }

  async close(): Promise<void> {
    this.#db.close()
  }

  #sql(source: string): Database.Statement {
    let statement = this.#statements.get(source)
    if (!statement) {
      statement = this.#db.prepare(source)
      this.#statements.set(source, statement)
    }
    return statement
  }

  #write<T>(work: () => T): T {
    return inTransaction(this.#db, work)
  }

  #knownLife(life: LifeKey): number {
    const find = this.#sql('SELECT id FROM life WHERE run = ? AND subject = ? AND scenario = ? AND trial = ?')
    return (find.get(...lifeRow(life)) as { id: number } | undefined)?.id ?? NO_LIFE
  }

  #life(life: LifeKey): number {
    const known = this.#knownLife(life)
    if (known !== NO_LIFE) return known
    const insert = this.#sql('INSERT INTO life (run, subject, scenario, trial) VALUES (?, ?, ?, ?)')
    return Number(insert.run(...lifeRow(life)).lastInsertRowid)
  }
}

/** What every record of a question at a depth has. */
type Asked = { question: string; depth: Depth }

/** By question; within it budgets from large to small, then memories from few to many. Judges are asked in this order, and replies kept by it. */
const IN_ORDER = "ORDER BY question, CAST(depth AS INTEGER) * iif(depth LIKE '%t', -1, 1)"

/** Rows of lives are numbered from 1. */
const NO_LIFE = 0

function lifeRow({ run, subject, scenario, trial }: LifeKey): [string, string, string, number] {
  return [run, subjectKey(subject), scenario, trial]
}

const OF_A_QUESTION = ['answer', 'grade', 'counterfactual'] as const
const OF_A_LIFE = ['moment', 'witness', 'ingest', ...OF_A_QUESTION] as const

const RUN_COLUMNS = 'id, created, status, setting, subjects, request, elapsed_ms, embedded_texts, embedding_ms'

function toRun({ id, created, status, setting, elapsed_ms: elapsedMs, ...row }: RunRow): RunRecord {
  const [subjects, request] = [JSON.parse(row.subjects), JSON.parse(row.request)]
  const embedding = { texts: row.embedded_texts, ms: row.embedding_ms }
  return { id, created, status, setting, subjects, request, elapsedMs, embedding }
}

/** In the order of the columns. */
function fromRun({ id, created, status, setting, subjects, request, elapsedMs, embedding }: RunRecord) {
  const asked = [JSON.stringify(subjects), JSON.stringify(request)]
  return [id, created, status, setting, ...asked, Math.round(elapsedMs), embedding.texts, Math.round(embedding.ms)]
}

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
          throw explain(error, file)
        }
      }
    },
  })
}
