import type { ComparableRun } from '../../analysis/comparable.js'
import { contestantWords } from '../../analysis/contestants.js'
import { type LifeResults, readRun } from '../../analysis/results.js'
import { UserError } from '../../base/errors.js'
import { entryOf } from '../../base/group-by.js'
import { countDone } from '../../engine/execute.js'
import type { PlannedLife } from '../../engine/plan.js'
import {
  answersKey,
  answerTrial,
  isReader,
  type ReaderRef,
  type RunRecord,
  readerKey,
  type SuiteGraph,
  withFirstTrial,
} from '../../model/index.js'
import { Traces } from '../../report/question-traces.js'
import { labeller, taskViews } from '../../report/task-view.js'
import { RunIndexer } from '../../view/indexer.js'
import { overviewOf, type RunOverview } from '../../view/overview.js'
import { type QuestionDetail, questionDetail } from '../../view/question-detail.js'
import type { RunIndex } from '../../view/run-index.js'
import { searchTexts } from '../../view/select-rows.js'
import { resultKeys } from '../compose.js'
import { bothKeys } from '../explain.js'
import { type KeptRun, withKeptRun } from '../kept-run.js'
import { EXAMPLES } from '../publish.js'
import { reportData } from '../read-report-data.js'
import type { KeptRunOptions } from '../types.js'

/** Everything of a run that lists and figures are made of, as it stood at one time. */
export interface LoadedRun {
  overview: RunOverview
  index: RunIndex
  comparable: ComparableRun
  label(of: { subject: LifeResults['planned']['key']['subject']; reader: ReaderRef | null }): string
}

/**
 * How far a run is. `version` changes whenever something was added to it, `shown` whenever there is more to see; `read` is the share of it that
 * was read so far, where nothing can be seen yet.
 */
export interface RunState {
  status: RunRecord['status']
  done: number
  total: number
  version: string
  shown: string
  read: number | null
}

/** Which life of a run: whose, of what, and which time. */
export interface ViewedPlace {
  scenario: string
  system: string
  trial: number
  time: number
}

/** Lives that are held ready: people go back and forth between a few. */
const MOST_LIVES = 6

/** How long a run is read before others are served in between. */
const TURN_MS = 20

/** How much longer than the last reading took a run that goes on is shown as it was. */
const REST = 3

/** A run that stays open while somebody looks at it. */
export class ViewedRun {
  readonly #kept: KeptRun
  readonly #release: () => void
  readonly #ended: Promise<void>
  readonly #complete = new Map<string, number>()
  readonly #lives = new Map<string, Promise<LifeResults | null>>()
  #loaded: { version: string; run: LoadedRun } | null = null
  #loading: Promise<void> | null = null
  #next = 0
  #read = 0
  #closed = false

  /** @param release ends what keeps the run open; nothing where somebody else does */
  constructor(kept: KeptRun, release: () => void = () => {}, ended: Promise<void> = Promise.resolve()) {
    this.#kept = kept
    this.#release = release
    this.#ended = ended
  }

  /** Opens a run until it is closed. @throws UserError when it cannot be planned again as it was kept */
  static async open(asked: KeptRunOptions): Promise<ViewedRun> {
    return new Promise((resolve, reject) => {
      let release = () => {}
      const released = new Promise<void>((done) => {
        release = done
      })
      const usage = 'Usage: memscope view [run]'
      let ended: Promise<void>
      const work = async (kept: KeptRun) => {
        resolve(new ViewedRun(kept, release, ended))
        await released
      }
      // What goes wrong before it is open is the caller's to hear.
      ended = withKeptRun(asked, { usage }, work).catch(reject)
    })
  }

  get kept(): KeptRun {
    return this.#kept
  }

  async close(): Promise<void> {
    this.#closed = true
    // Nobody waits any more for what is still being read, but its store is closed behind it.
    await this.#loading?.catch(() => {})
    this.#release()
    await this.#ended
  }

  /** How far the run is now. Lives that are complete are not counted again. */
  async state(): Promise<RunState> {
    const { store, workshop, record: opened } = this.#kept
    const record = (await store.getRun(opened.id)) ?? opened
    let [done, total] = [0, 0]
    for (const life of workshop.plan.lives) {
      const planned =
        life.asks.reduce((sum, { depths }) => sum + depths.length, 0) * (1 + life.readers.filter(isReader).length)
      total += planned
      done += record.status === 'partial' ? await this.#doneIn(life, planned) : planned
    }
    const version = `${record.status} ${done} ${record.elapsedMs}`
    // What goes wrong is told to whoever asks for the run itself.
    if (this.#loaded) this.#refresh(version).catch(() => {})
    const read = this.#loaded ? null : this.#read / Math.max(1, workshop.plan.lives.length)
    return { status: record.status, done, total, version, shown: this.#loaded?.version ?? '', read }
  }

  async #doneIn(life: PlannedLife, planned: number): Promise<number> {
    const { store, workshop, record } = this.#kept
    const name = JSON.stringify(life.key)
    const known = this.#complete.get(name)
    if (known !== undefined) return known
    const done = await countDone(record.id, life, workshop.readers, store)
    if (done >= planned) this.#complete.set(name, done)
    return done
  }

  /** The run as it was read last; of one that goes on that is a little ago. */
  async load(): Promise<LoadedRun> {
    await this.#refresh((await this.state()).version)
    return this.#loaded!.run
  }

  /** Reads the run where it has changed and the last reading is some time past. Waits only where nothing was read yet. */
  async #refresh(version: string): Promise<void> {
    if (version !== this.#loaded?.version && !this.#loading && performance.now() >= this.#next) {
      const begun = performance.now()
      this.#loading = this.#readAll().then((run) => {
        this.#loaded = { version, run }
        this.#lives.clear()
      })
      const over = () => {
        this.#loading = null
        this.#next = performance.now() + REST * (performance.now() - begun)
      }
      this.#loading.then(over, over)
    }
    if (!this.#loaded) await this.#loading
  }

  async #readAll(): Promise<LoadedRun> {
    const record = (await this.#kept.store.getRun(this.#kept.record.id)) ?? this.#kept.record
    const indexer = new RunIndexer()
    const traces = new Traces(this.#kept.workshop.plan, { most: EXAMPLES })
    let turn = performance.now()
    this.#read = 0
    const { data, comparable } = await reportData({ ...this.#kept, record }, traces, async (life) => {
      if (this.#closed) throw new UserError('The viewer is closed.')
      indexer.add(life)
      this.#read++
      if (performance.now() - turn < TURN_MS) return
      await new Promise((resume) => setImmediate(resume))
      turn = performance.now()
    })
    const label = labeller(data.summary.cells)
    const depths = new Map(taskViews(data).map(({ id, depth }) => [id, depth]))
    const index = indexer.index(label, (task) => depths.get(task) ?? null)
    // Whoever types waits for answers, not for what they are looked up in.
    searchTexts(index)
    return { overview: overviewOf(data), index, comparable, label }
  }

  /** The results of one life; null where there is no such. */
  async life(place: ViewedPlace): Promise<LifeResults | null> {
    const { label } = await this.load()
    const name = JSON.stringify(place)
    const found = entryOf(this.#lives, name, async () => {
      for (const { life, reader } of this.#livesOf(place.scenario)) {
        const { subject, trial } = life.key
        const names = [
          label({ subject, reader: withFirstTrial(reader) }),
          // As comparisons write it.
          contestantWords({ ...subject, reader: readerKey(withFirstTrial(reader)) }),
        ]
        if (trial === place.trial && answerTrial(reader) === place.time && names.includes(place.system))
          return this.#readLife(life, reader)
      }
      return null
    })
    // Asked for last, forgotten last.
    this.#lives.delete(name)
    this.#lives.set(name, found)
    for (const [old] of [...this.#lives].slice(0, -MOST_LIVES)) this.#lives.delete(old)
    return found
  }

  #livesOf(scenario: string): { life: PlannedLife; reader: ReaderRef | null }[] {
    const lives = this.#kept.workshop.plan.lives.filter((life) => life.scenario.id === scenario)
    return lives.flatMap((life) =>
      (life.readers.length > 0 ? life.readers : [null]).map((reader) => ({ life, reader })),
    )
  }

  async #readLife(life: PlannedLife, reader: ReaderRef | null): Promise<LifeResults | null> {
    const { record, workshop, store } = this.#kept
    const alone = { ...workshop.plan, lives: [{ ...life, readers: reader === null ? [] : [reader] }] }
    for await (const read of readRun(record.id, alone, resultKeys(workshop), store)) return read
    return null
  }

  /** All that was kept of one question of a life; null where it was not asked. */
  async question(life: LifeResults, id: string): Promise<QuestionDetail | null> {
    const { record, workshop, store } = this.#kept
    const { planned, reader, results } = life
    const by = answersKey(reader, workshop.readers)
    const key = { run: record.id, ...planned.key }
    const kept = await store.getCounterfactuals(key, by, bothKeys(workshop.judge))
    const { tasks, shown } = (await this.load()).index
    const task = results.find(({ question }) => question.id === id)?.question.task
    return questionDetail(life, id, kept, shown[tasks.indexOf(`${planned.suite.name}/${task}`)] ?? null)
  }

  /** Scenarios that have a graph, with it. */
  get graphs(): ReadonlyMap<string, SuiteGraph> {
    return new Map(this.#kept.workshop.plan.suites.flatMap(({ graphs }) => [...(graphs ?? [])]))
  }
}
