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

/** Runs that are open at a time: two that are compared, and one before. */
const MOST_OPEN = 3

type ViewedPlaces = HomeOptions & Pick<KeptRunOptions, 'parts' | 'load'> & Pick<ViewOptions, 'table'>

/** The runs of a home, opened when somebody looks at them. */
export class ViewedRuns {
  readonly #asked: ViewedPlaces
  readonly #open = new Map<string, Promise<ViewedRun>>()
  #store: Promise<RunStore> | null = null

  constructor(asked: ViewedPlaces) {
    this.#asked = asked
  }

  /** The table that is looked over. @throws UserError where there is none */
  get table(): string {
    const { table } = this.#asked
    if (table === undefined)
      throw new UserError('No rows are looked over here.', 'memscope data review --reviewer a opens some.')
    return table
  }

  get home(): HomeOptions {
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

  /** A run by its id, the beginning of it or `last`. */
  async get(name: string): Promise<ViewedRun> {
    const { id, print } = await this.find(name)
    const held = this.#open.get(id)
    const known = held && (await held.catch(() => null))
    if (known && known.print === print) {
      this.#open.delete(id)
      this.#open.set(id, held)
      return known
    }
    if (known) await known.close()
    const opening = ViewedRun.open({ ...this.#asked, run: id })
    this.#open.set(id, opening)
    // A run that cannot be opened may be mended meanwhile.
    opening.catch(() => this.#open.delete(id))
    const run = await opening
    for (const [old, other] of [...this.#open].slice(0, -MOST_OPEN)) {
      this.#open.delete(old)
      await (await other).close()
    }
    return run
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
    for (const one of all) await (await one.catch(() => null))?.close()
  }
}
