import { existsSync, readFileSync } from 'node:fs'
import type { Evaluation } from './evaluate.js'
import { writeWhole } from './whole-file.js'

/** Evaluations that are done, in a file: what was begun and not done is begun again, and its replies come from the cache. */
export class OptimiseState {
  readonly #done: Record<string, Evaluation>

  constructor(readonly file: string) {
    this.#done = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  }

  /** What an evaluation gave, done once whoever asks. */
  async once(key: string, work: () => Promise<Evaluation>): Promise<Evaluation> {
    this.#done[key] ??= await work()
    await writeWhole(this.file, (write) => write(JSON.stringify(this.#done)), { isPrivate: true })
    return this.#done[key]
  }
}
