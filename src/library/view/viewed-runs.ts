import { existsSync } from 'node:fs'
import { UserError } from '../../base/errors.js'
import { fingerprint } from '../../base/hash.js'
import type { RunStore } from '../../model/index.js'
import { homeAt } from '../compose.js'
import { findRun } from '../kept-run.js'
import { listRuns } from '../lists.js'
import { openRunStore } from '../open-store.js'
import type { ListedRun } from '../run-types.js'
import type { HomeOptions, KeptRunOptions } from '../types.js'
import type { ViewOptions } from '../view-types.js'
import { ViewedRun } from './viewed-run.js'

/** Runs that nobody looks at and that stay open all the same: two that are compared, and one before. */
const MOST_IDLE = 3

type ViewedPlaces = HomeOptions & Pick<KeptRunOptions, 'parts' | 'load'> & Pick<ViewOptions, 'table'>

/** A run that is open, and how many are at work with it. */
interface OpenEntry {
  opening: Promise<ViewedRun>
  users: number
}

/** Runs as one request has them: those it opens stay open until it is answered. */
export interface LentRuns {
  /** The table that is looked over. @throws UserError where there is none */
  readonly table: string
  readonly home: HomeOptions
  /** Newest first. */
  list(): Promise<ListedRun[]>
  /** A run by its id, the beginning of it or `last`. */
  get(name: string): Promise<ViewedRun>
}

/** The runs of a home, opened when somebody looks at them. */
export class ViewedRuns {
  readonly #asked: ViewedPlaces
  /** By run and what was asked of it; what was looked at last stands last. */
  readonly #open = new Map<string, OpenEntry>()
  #store: Promise<RunStore> | null = null

  constructor(asked: ViewedPlaces) {
    this.#asked = asked
  }

  /** Does work for which any number of runs may be opened, and lets go of them afterwards. */
  async lend<T>(work: (runs: LentRuns) => Promise<T>): Promise<T> {
    const used = new Set<OpenEntry>()
    const get = async (name: string) => {
      const { id, print } = await this.find(name)
      // Taken in the same moment as it is found: else it could be closed in between.
      const entry = this.#entryOf(id, print)
      if (!used.has(entry)) entry.users++
      used.add(entry)
      return entry.opening
    }
    const { table } = this.#asked
    try {
      return await work({
        get table() {
          if (table !== undefined) return table
          throw new UserError('No rows are looked over here.', 'memscope data review --reviewer a opens some.')
        },
        home: this.#home,
        list: () => this.list(),
        get,
      })
    } finally {
      for (const entry of used) entry.users--
      await this.#closeIdle()
    }
  }

  get #home(): HomeOptions {
    const { home, store } = this.#asked
    return { ...(home !== undefined && { home }), ...(store !== undefined && { store }) }
  }

  get #place() {
    return homeAt(this.#asked.home, this.#asked.store)
  }

  /** Newest first. */
  async list(): Promise<ListedRun[]> {
    // Looking leaves no trace.
    const { store, database } = this.#place
    return store !== null || existsSync(database) ? listRuns(this.#asked) : []
  }

  #entryOf(id: string, print: string): OpenEntry {
    // A run that was given more to do has another print, and is opened anew.
    const key = JSON.stringify([id, print])
    const entry = this.#open.get(key) ?? { opening: ViewedRun.open({ ...this.#asked, run: id }), users: 0 }
    this.#open.delete(key)
    this.#open.set(key, entry)
    // A run that cannot be opened may be mended meanwhile.
    entry.opening.catch(() => {
      if (this.#open.get(key) === entry) this.#open.delete(key)
    })
    return entry
  }

  async #closeIdle(): Promise<void> {
    const idle = [...this.#open].filter(([, { users }]) => users === 0).slice(0, -MOST_IDLE)
    for (const [key] of idle) this.#open.delete(key)
    await Promise.all(idle.map(([, entry]) => closed(entry)))
  }

  /** Which run is meant. @throws UserError where there is none */
  async find(name: string): Promise<{ id: string; print: string }> {
    this.#store ??= openRunStore(this.#place)
    const { id, request } = await findRun(await this.#store, name)
    return { id, print: fingerprint(request) }
  }

  async close(): Promise<void> {
    await (await this.#store?.catch(() => null))?.close()
    const all = [...this.#open.values()]
    this.#open.clear()
    await Promise.all(all.map(closed))
  }
}

async function closed({ opening }: OpenEntry): Promise<void> {
  const run = await opening.catch(() => null)
  await run?.close()
}
