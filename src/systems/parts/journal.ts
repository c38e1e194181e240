/** Notes what is changed while a conversation is stored, so that all of it can be taken back. Tables and counters of one system share one. */
export class Journal {
  #undo: (() => void)[] | null = null
  #last: Promise<unknown> = Promise.resolve()

  /** Does all of the work, or throws and leaves everything as it was. One after the other: what is asked for meanwhile waits its turn. */
  atomically<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#run(work))
    this.#last = done.catch(() => {})
    return done
  }

  /** Notes how a change is taken back. Changes are taken back in reverse order. */
  note(undo: () => void): void {
    this.#undo?.push(undo)
  }

  /** Notes properties that are about to get other values. What they hold now must not be changed itself. */
  keep<T extends object>(target: T, ...keys: (keyof T)[]): void {
    const before = Object.fromEntries(keys.map((key) => [key, target[key]]))
    this.note(() => Object.assign(target, before))
  }

  /** Sets an entry of a map. */
  set<K, V>(map: Map<K, V>, key: K, value: V): void {
    if (this.#undo) {
      const [had, before] = [map.has(key), map.get(key)]
      this.note(() => (had ? map.set(key, before!) : map.delete(key)))
    }
    map.set(key, value)
  }

  /** Deletes an entry of a map. Taken back, it is in its place again: where order matters, for that all entries are noted. */
  delete<K, V>(map: Map<K, V>, key: K): boolean {
    if (!map.has(key)) return false
    if (this.#undo) {
      const before = [...map]
      this.note(() => {
        map.clear()
        for (const [k, v] of before) map.set(k, v)
      })
    }
    return map.delete(key)
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    const undo: (() => void)[] = []
    this.#undo = undo
    try {
      return await work()
    } catch (error) {
      for (const back of undo.reverse()) back()
      throw error
    } finally {
      this.#undo = null
    }
  }
}

/** Ids in the order of asking: `m1`, `m2`, … A life that is lived again has the same, and those of what is taken back are given again. */
export function idCounter(prefix: string, journal: Journal): () => string {
  let count = 0
  return () => {
    journal.note(() => count--)
    return `${prefix}${++count}`
  }
}
