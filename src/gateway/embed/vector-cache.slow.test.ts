import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VectorCache } from './vector-cache.js'
import { vectorKey } from './vector-store.js'

let folder: string
let opened: VectorCache[] = []
const open = () => {
  const cache = new VectorCache(folder, 'test', 384)
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
const file = () => join(folder, 'test.vectors')

describe('VectorCache', () => {
  it('gives back to the bit what another instance kept, and nothing for what it never saw', () => {
    open().put(entries(3))
    expect(open().get([key('text 2'), key('unknown'), key('text 0')])).toEqual([vector(2), undefined, vector(0)])
  })

  it('keeps embedders apart', () => {
    open().put(entries(1))
    const other = new VectorCache(folder, 'other', 2)
    opened.push(other)
    expect(other.get([key('text 0')])).toEqual([undefined])
  })

  it('serves several writers at once, who see what the others kept', () => {
    const [one, other] = [open(), open()]
    for (const [i, entry] of entries(20).entries()) (i % 2 ? one : other).put([entry])
    for (const cache of [one, other, open()]) {
      expect(cache.get(entries(20).map((entry) => entry.key))).toEqual(entries(20).map((entry) => entry.vector))
    }
  })

  it('finds everything in a file that is longer than one look', () => {
    open().put(entries(5000))
    const found = open().get(entries(5000).map((entry) => entry.key))
    expect(found.every((held, i) => held?.[1] === vector(i)[1])).toBe(true)
  })

  it('counts a vector as missing when one of its bytes has changed, and keeps it anew', () => {
    open().put(entries(40))
    const bytes = readFileSync(file())
    bytes[17 * RECORD + 500]! ^= 1
    writeFileSync(file(), bytes)
    const cache = open()
    expect(missing(cache, 40)).toEqual([17])
    cache.put([entries(40)[17]!])
    expect(missing(open(), 40)).toEqual([])
  })

  it('never gives a wrong vector, whatever is done to the file, and can always go on', () => {
    const damage = fc.oneof(
      fc.record({ kind: fc.constant('cut' as const), at: fc.nat(RECORD * 8) }),
      fc.record({
        kind: fc.constant('fill' as const),
        at: fc.nat(RECORD * 8),
        length: fc.nat(RECORD * 3),
        byte: fc.nat(255),
      }),
      fc.record({
        kind: fc.constant('insert' as const),
        at: fc.nat(RECORD * 8),
        length: fc.nat(RECORD * 2),
        byte: fc.nat(255),
      }),
      fc.record({ kind: fc.constant('drop' as const), at: fc.nat(RECORD * 8), length: fc.nat(RECORD * 2) }),
    )
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        rmSync(file(), { force: true })
        open().put(entries(8))
        let bytes: Buffer = readFileSync(file())
        for (const done of damages) bytes = damaged(bytes, done)
        writeFileSync(file(), bytes)
        checkUsable(8)
      }),
      { numRuns: 150 },
    )
  })

  it('loses only what was touched when something is torn in the middle', () => {
    open().put(entries(8))
    const bytes = readFileSync(file())
    writeFileSync(file(), damaged(bytes, { kind: 'drop', at: 3 * RECORD + 200, length: 700 }))
    expect(missing(open(), 8)).toEqual([3])
  })

  it('begins anew when the file holds something else', () => {
    writeFileSync(file(), 'not vectors at all, but long enough to look like some '.repeat(100))
    checkUsable(8)
  })

  it('says what to do when the folder cannot be used', () => {
    const blocked = join(folder, 'blocked')
    writeFileSync(blocked, '')
    expect(() => new VectorCache(join(blocked, 'below'), 'test', 384).get([])).toThrow(
      /cache of vectors at .* cannot be used/,
    )
  })

  it('loses nothing that was kept when the process is killed', async () => {
    const kept = await killedWhileWriting()
    expect(kept).toBeGreaterThan(0)
    expect(missing(open(), kept)).toEqual([])
  })
})

const RECORD = 8 + 16 + 384 * 4 + 4

/** Which of the first texts have no vector; those that have one have the right one. */
function missing(cache: VectorCache, count: number): number[] {
  const found = cache.get(entries(count).map((entry) => entry.key))
  for (const [i, held] of found.entries()) if (held) expect(held).toEqual(vector(i))
  return found.flatMap((held, i) => (held ? [] : [i]))
}

type Damage =
  | { kind: 'cut'; at: number }
  | { kind: 'drop'; at: number; length: number }
  | { kind: 'fill' | 'insert'; at: number; length: number; byte: number }

function damaged(bytes: Buffer, done: Damage): Buffer {
  const before = bytes.subarray(0, done.at)
  if (done.kind === 'cut') return before
  const added = done.kind === 'drop' ? Buffer.alloc(0) : Buffer.alloc(done.length, done.byte)
  return Buffer.concat([before, added, bytes.subarray(done.kind === 'insert' ? done.at : done.at + done.length)])
}

/** Whatever became of the file: no crash, no wrong vector, and what is missing can be kept. */
function checkUsable(count: number): void {
  const cache = open()
  const gone = missing(cache, count)
  cache.put(gone.map((i) => entries(count)[i]!))
  expect(missing(cache, count)).toEqual([])
  expect(missing(open(), count)).toEqual([])
}

/** Lets another process keep vectors one by one until it is killed, and returns how many it said it had kept. */
function killedWhileWriting(): Promise<number> {
  const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  const script = join(folder, 'writer.ts')
  writeFileSync(
    script,
    `import { VectorCache } from ${JSON.stringify(here('./vector-cache.ts'))}
     import { vectorKey } from ${JSON.stringify(here('./vector-store.ts'))}
     const cache = new VectorCache(${JSON.stringify(folder)}, 'test', 384)
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
