import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VectorCache } from './vector-cache.js'
import { vectorKey } from './vector-store.js'

let folder: string
let opened: VectorCache[] = []
const open = () => {
  const cache = new VectorCache(folder)
  opened.push(cache)
  return cache
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memscope-vectors-'))
})
afterEach(() => {
  for (const cache of opened) cache.close()
  opened = []
  rmSync(folder, { recursive: true, force: true })
})

const key = (text: string) => vectorKey('test', text)
const vector = (seed: number) => Float32Array.from({ length: 384 }, (_, i) => Math.sin(seed * 1000 + i) / 7)
const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ key: key(`text ${i}`), vector: vector(i) }))
const file = () => join(folder, 'vectors.db')

describe('VectorCache', () => {
  it('gives back to the bit what another instance kept, and nothing for what it never saw', () => {
    open().put(entries(3))
    expect(open().get([key('text 2'), key('unknown'), key('text 0')])).toEqual([vector(2), undefined, vector(0)])
  })

  it('tells embedders apart', () => {
    open().put(entries(1))
    expect(open().get([vectorKey('other', 'text 0')])).toEqual([undefined])
  })

  it('serves several writers at once', () => {
    const [one, other] = [open(), open()]
    for (const [i, entry] of entries(20).entries()) (i % 2 ? one : other).put([entry])
    expect(open().get(entries(20).map((entry) => entry.key))).toEqual(entries(20).map((entry) => entry.vector))
  })

  it('counts a vector as missing when one of its bytes has changed, and can keep it anew', () => {
    const cache = open()
    cache.put(entries(40))
    cache.close()
    opened = []
    const bytes = readFileSync(file())
    const needle = Buffer.from(vector(17).buffer).subarray(100, 140)
    const at = bytes.indexOf(needle)
    expect(at).toBeGreaterThan(0)
    bytes[at + 3]! ^= 1
    writeFileSync(file(), bytes)
    const again = open()
    const found = again.get(entries(40).map((entry) => entry.key))
    expect(found.flatMap((vector, i) => (vector ? [] : [i]))).toEqual([17])
    again.put([entries(40)[17]!])
    expect(again.get([key('text 17')])).toEqual([vector(17)])
  })

  it.each([0, 1, 90, 5000, 20_000, 60_000])(
    'begins anew or goes on when only %i bytes of the file are left',
    (size) => {
      const cache = open()
      cache.put(entries(60))
      cache.close()
      opened = []
      truncateSync(file(), size)
      checkUsable()
    },
  )

  it('begins anew when the file holds something else', () => {
    writeFileSync(file(), 'not a database, but long enough to look like one '.repeat(100))
    checkUsable()
  })

  it('begins anew when a stretch of the file was overwritten', () => {
    for (const start of [0, 100, 4096, 8192]) {
      const cache = open()
      cache.put(entries(60))
      cache.close()
      opened = []
      const bytes = readFileSync(file())
      bytes.fill(0xa5, start, start + 6000)
      writeFileSync(file(), bytes)
      checkUsable()
    }
  })

  it('says what to do when the folder cannot be used', () => {
    const blocked = join(folder, 'blocked')
    writeFileSync(blocked, '')
    expect(() => new VectorCache(join(blocked, 'below'))).toThrow(/cache of vectors at .* cannot be used/)
    mkdirSync(file())
    expect(() => new VectorCache(folder)).toThrow(/cannot be used/)
  })

  it('loses nothing that was kept when the process is killed', async () => {
    const kept = await killedWhileWriting()
    expect(kept).toBeGreaterThan(0)
    const found = open().get(entries(kept).map((entry) => entry.key))
    expect(found).toEqual(entries(kept).map((entry) => entry.vector))
  })
})

/** Whatever became of the file: no crash, no wrong vector, and new ones are kept. */
function checkUsable(): void {
  const cache = open()
  const found = cache.get(entries(60).map((entry) => entry.key))
  for (const [i, held] of found.entries()) if (held) expect(held).toEqual(vector(i))
  cache.put(entries(60))
  expect(open().get([key('text 59'), key('text 0')])).toEqual([vector(59), vector(0)])
}

/** Lets another process keep vectors one by one until it is killed, and returns how many it said it had kept. */
function killedWhileWriting(): Promise<number> {
  const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const script = join(folder, 'writer.ts')
  writeFileSync(
    script,
    `import { VectorCache } from ${JSON.stringify(here('./vector-cache.ts'))}
     import { vectorKey } from ${JSON.stringify(here('./vector-store.ts'))}
     const cache = new VectorCache(${JSON.stringify(folder)})
     for (let i = 0; ; i++) {
       const vector = Float32Array.from({ length: 384 }, (_, d) => Math.sin(i * 1000 + d) / 7)
       cache.put([{ key: vectorKey('test', 'text ' + i), vector }])
       process.stdout.write((i + 1) + '\\n')
     }`,
  )
  const jiti = fileURLToPath(new URL('../../../node_modules/jiti/lib/jiti-cli.mjs', import.meta.url))
  const child = spawn(process.execPath, [jiti, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  return new Promise((resolve) => {
    child.stdout.on('data', (data) => {
      output += data
      if (output.split('\n').length > 30) child.kill('SIGKILL')
    })
    child.on('close', () => resolve(Number(output.trim().split('\n').at(-1))))
  })
}
