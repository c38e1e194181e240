import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inTurn, writeWhole } from './whole-file.js'

describe('writing a whole file', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'memscope-whole-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('rejects and leaves nothing behind when its file cannot be moved to its place', async () => {
    const path = join(folder, 'a')
    const write = writeWhole(path, (sink) => {
      mkdirSync(path)
      return sink('x')
    })
    await expect(write).rejects.toMatchObject({ path })
    expect(readdirSync(folder)).toEqual(['a'])
  })

  it('settles every one of many writes of the same file at once, and one of them stays whole', async () => {
    const path = join(folder, 'a')
    const text = (n: number) => String(n).repeat(200_000)
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => writeWhole(path, (sink) => sink(text(n)))))
    expect([1, 2, 3, 4, 5, 6, 7, 8].map(text)).toContain(readFileSync(path, 'utf8'))
    expect(readdirSync(folder)).toEqual(['a'])
  })

  it('keeps what was there when it fails', async () => {
    const path = join(folder, 'a')
    writeFileSync(path, 'before')
    const failing = writeWhole(path, async (sink) => {
      await sink('half')
      throw new Error('no more')
    })
    await expect(failing).rejects.toThrow('no more')
    expect(readFileSync(path, 'utf8')).toBe('before')
  })

  it.skipIf(process.platform === 'win32')('makes a private file that only its owner may read', async () => {
    await writeWhole(join(folder, 'a'), (sink) => sink('x'), { isPrivate: true })
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o600)
  })

  it('does what reads and writes one file one after another, also behind one that failed', async () => {
    const path = join(folder, 'n')
    writeFileSync(path, '0')
    const add = () =>
      inTurn(path, async () => {
        const n = Number(readFileSync(path, 'utf8'))
        await writeWhole(path, (sink) => sink(String(n + 1)))
      })
    const failed = inTurn(path, () => Promise.reject(new Error('no')))
    await Promise.all([failed.catch(() => {}), ...Array.from({ length: 20 }, add)])
    expect(readFileSync(path, 'utf8')).toBe('20')
  })
})
