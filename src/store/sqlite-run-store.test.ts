import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { giveWay } from '../base/give-way.js'
import { runStoreConformance } from './conformance.js'
import { openSqliteStore } from './sqlite-run-store.js'

const folder = mkdtempSync(join(tmpdir(), 'memscope-store-'))
let count = 0
const file = () => join(folder, `${count}.db`)

afterAll(() => rmSync(folder, { recursive: true }))

runStoreConformance({
  name: 'sqlite',
  open: (fresh) => {
    if (fresh) count++
    return openSqliteStore(file())
  },
})

describe('the sqlite store', () => {
  it('keeps a life of many sessions in space that grows with what changed, not with copies', async () => {
    count++
    const store = openSqliteStore(file())
    const memories = []
    let parent: string | null = null
    for (let i = 0; i < 2000; i++) {
      memories.push({ id: `m${i}`, text: `entry ${i}` })
      parent = await store.putSnapshot(memories, parent)
    }
    await store.close()
    const db = new Database(file())
    const { bytes } = db.prepare('SELECT SUM(LENGTH(added) + LENGTH(removed)) AS bytes FROM snapshot').get() as {
      bytes: number
    }
    db.close()
    const copies = (2000 * 2000 * 5) / 2
    expect(bytes).toBeLessThan(copies / 20)
  })

  it('lets others in while it keeps and gives back a large store, in its order', async () => {
    count++
    const store = openSqliteStore(file())
    const memories = Array.from({ length: 20_000 }, (_, i) => ({ id: `m${i}`, text: `entry ${i} of a long life` }))
    let turns = 0
    let next = setImmediate(function turn() {
      turns++
      next = setImmediate(turn)
    })
    const real = performance.now.bind(performance)
    let now = real()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 100))
    const hash = await store.putSnapshot(memories, null)
    const whilePutting = turns
    expect(await store.getSnapshot(hash)).toEqual(memories)
    // The last turn was in the future; the next ones of others go by the real clock again.
    clock.mockReturnValueOnce(now + 100).mockImplementation(real)
    await giveWay()
    clock.mockRestore()
    clearImmediate(next)
    expect(whilePutting).toBeGreaterThanOrEqual(3)
    expect(turns).toBeGreaterThanOrEqual(whilePutting + 3)
    await store.close()
  })

  it('says so when the file is no store', () => {
    const path = join(folder, 'notes.db')
    writeFileSync(
      path,
      'these are my notes, not a database, and they are longer than a header of a hundred bytes. '.repeat(3),
    )
    expect(() => openSqliteStore(path)).toThrow(/not a Memscope store/)
  })

  it.each([6, 99])('refuses a store of version %i and leaves it as it is', async (version) => {
    count++
    await openSqliteStore(file()).close()
    const db = new Database(file())
    db.exec(`DROP TABLE witness; PRAGMA user_version = ${version}`)
    const schema = () => db.prepare('SELECT sql FROM sqlite_schema').all()
    const before = schema()
    const refusal = {
      message: `${file()} was written by another version of Memscope (tables ${version}, expected 7).`,
      hint: 'Begin anew in another folder with --home <folder>, or use the version that wrote it.',
    }
    expect(() => openSqliteStore(file())).toThrow(expect.objectContaining(refusal))
    expect(schema()).toEqual(before)
    db.close()
  })
})
