import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RunStore } from '../model/index.js'
import { databaseBytes } from '../store/database.js'
import { openSqliteStore } from '../store/sqlite.js'
import type { Phase } from './call-counter.js'

/**
 * Run stores of a run that is played, one for each life that stands for others, and the bytes that the real one will have. Answers are
 * played twice, short and long: they count as half of both.
 */
export function playedStores(folder: string) {
  const file = join(folder, 'estimate.db')
  let store: RunStore | null = null
  let weight = 1
  let last = 0
  let bytes = 0
  const empty = { size: 0 }
  const open = (): RunStore => {
    store ??= openSqliteStore(file)
    return store
  }
  const close = async () => {
    await store?.close()
    store = null
  }
  return {
    open,
    close,
    /** Begins with an empty store for a life that stands for so many. */
    async begin(lives: number): Promise<void> {
      await close()
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
      open()
      await close()
      weight = lives
      last = empty.size = databaseBytes(file)
    },
    async endPhase(phase: Phase): Promise<void> {
      await close()
      const grown = databaseBytes(file) - last
      last = databaseBytes(file)
      bytes += grown * weight * (phase === 'stores' ? 1 : 0.5)
    },
    bytes: () => Math.round(bytes + empty.size),
  }
}
