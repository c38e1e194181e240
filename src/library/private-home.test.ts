import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../base/sqlite.js'
import { tightenHome } from './private-home.js'

const modeOf = (path: string) => statSync(path).mode & 0o777

describe.skipIf(process.platform === 'win32')('a home that was made for others to read', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'memscope-home-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const put = (path: string) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'x', { mode: 0o644 })
    for (let at = dirname(file); at !== dirname(folder); at = dirname(at)) chmodSync(at, 0o755)
    return file
  }

  it('is closed with all that lies in it', () => {
    const files = ['memscope.db', 'memscope.db-wal', 'labels/a.jsonl', 'cache/replies.db', 'work/run/life/notes'].map(
      put,
    )
    tightenHome(folder)
    expect(files.map(modeOf)).toEqual(files.map(() => 0o600))
    expect([folder, join(folder, 'labels'), join(folder, 'work/run/life')].map(modeOf)).toEqual([0o700, 0o700, 0o700])
  })

  it('stays open where something else lies beside, which is not touched', () => {
    const [own, other] = [put('memscope.db'), put('src/main.ts')]
    tightenHome(folder)
    expect([modeOf(folder), modeOf(own), modeOf(other), modeOf(dirname(other))]).toEqual([0o755, 0o600, 0o644, 0o755])
  })

  it('closes nothing that a link in it leads to', () => {
    const other = put('other/file')
    const home = join(folder, 'home')
    mkdirSync(join(home, 'cache'), { recursive: true, mode: 0o755 })
    symlinkSync(other, join(home, 'cache/link'))
    symlinkSync(dirname(other), join(home, 'labels'))
    tightenHome(home)
    expect([modeOf(home), modeOf(other), modeOf(dirname(other))]).toEqual([0o700, 0o644, 0o755])
  })

  it('is made for its owner alone, databases and what SQLite lays beside them', () => {
    const file = join(folder, 'new.db')
    const db = openSqlite(file, (one) => void one.exec('CREATE TABLE a (b); INSERT INTO a VALUES (1)'))
    expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual([0o600, 0o600, 0o600])
    db.close()
  })
})
